import type { Logger } from 'pino'
import { networkPace } from '../domain/notice.ts'
import { quietUntil } from '../messaging/quiet-hours.ts'
import { habitMs, recentMs, type Slowness, slownessOf } from '../shop/slow-network.ts'
import type { Preferences } from '../store/chats/preferences.ts'
import type { Store } from '../store/store.ts'

/**
 * Queues the news of networks that became slow, or became normal again, for the owners who want it. Each network's
 * recent deliveries to the account's orders are compared with its usual speed. @returns how many notices.
 */
export const enqueueSlowNetworks = async (
  store: Store,
  now: () => Date,
  log: Pick<Logger, 'error'>,
): Promise<number> => {
  let queued = 0
  for (const preferences of await store.preferences.toldOfSlowNetworks()) {
    const { userId } = preferences
    try {
      const member = await store.accounts.member(userId)
      if (member?.role === 'owner') queued += await enqueueFor(store, preferences, member.accountId, now())
    } catch (error) {
      log.error({ user: userId, err: error }, 'news of slow networks could not be queued')
    }
  }
  return queued
}

/**
 * Queues the news for one owner. @param before the person's preferences, with the networks that they were told are
 * slow.
 */
const enqueueFor = async (
  store: Store,
  before: Preferences,
  accountId: string,
  at: Date,
): Promise<number> => {
  const { userId, slowNetworks } = before
  const changes = await changesOf(store, accountId, slowNetworks, at)
  if (changes.length === 0) return 0
  const isSlow = new Map(changes.map(([network, slowness]) => [network, slowness.isSlow]))
  const named = [...new Set([...slowNetworks, ...isSlow.keys()])]
  const after = named.filter((network) => isSlow.get(network) ?? true)
  return store.transaction(
    async (tx) => {
      const isMember = (await tx.accounts.memberIn(userId, accountId))?.role === 'owner'
      if (!isMember || !(await tx.preferences.slowAre(userId, slowNetworks, after))) return 0
      for (const [network, slowness] of changes)
        await tx.notices.enqueue(userId, networkPace(network, slowness), at, null, quietUntil(before, at))
      return changes.length
    },
    { accounts: [accountId] },
  )
}

/** The networks that became slow, or became normal again. */
const changesOf = async (
  { tallies }: Pick<Store, 'tallies'>,
  accountId: string,
  slow: readonly string[],
  at: Date,
): Promise<[network: string, Slowness][]> => {
  const whose = { accountId, userId: null, prices: 'cost' } as const
  const recentSpan = { from: new Date(at.getTime() - recentMs), to: at }
  const recent = await tallies.deliveryTimes(whose, recentSpan)
  const open = await tallies.openOrders(accountId, recentSpan)
  const names = new Set([...recent, ...open].map(({ network }) => network))
  if (names.size === 0) return []
  const habit = await tallies.deliveryTimes(whose, { from: new Date(at.getTime() - habitMs), to: at })
  return [...names].flatMap((network): [string, Slowness][] => {
    const own = <T extends { network: string }>(all: readonly T[]) =>
      all.filter((each) => each.network === network)
    const wasSlow = slow.includes(network)
    const found = slownessOf({ habit: own(habit), recent: own(recent), open: own(open), wasSlow }, at)
    return found && found.isSlow !== wasSlow ? [[network, found]] : []
  })
}
