import type { Logger } from 'pino'
import { nothingShown } from '../../domain/list-draft.ts'
import { answeringCard } from '../../domain/notice.ts'
import { isRedacted, type Order, type Purchase } from '../../domain/order/order.ts'
import { refusedOf } from '../../domain/order/refused.ts'
import { restOfListMs } from '../../domain/times/draft-lifetime.ts'
import { times } from '../../provider/money.ts'
import type { Phone } from '../../provider/phone.ts'
import type { Account } from '../../store/accounts/accounts.ts'
import { toppedUpCause } from '../../store/orders/purchases.ts'
import type { Queries, Store } from '../../store/store.ts'
import { readBalanceQuietly } from '../../wallets/balance-reading.ts'
import { isWalletError, type Wallets } from '../../wallets/wallets.ts'
import { insertListDraft, listOf } from './new-list.ts'
import { takeForRetry } from './retry.ts'

/**
 * Orders that the provider refused because the balance was too low are kept for a day (“held orders”). Once the balance
 * suffices, each person gets one draft with all of theirs. The draft orders nothing until they confirm it, like any
 * other list.
 */

/** How long a refused order is kept, to be offered again after a top-up. */
export const heldMs = 24 * 60 * 60_000
/** The balance of an account with held orders is read again after this time, if the request budget has room. */
const readAgainMs = 5 * 60_000

interface Options {
  store: Store
  wallets: Wallets
  now: () => Date
  log: Pick<Logger, 'error'>
  newId: () => string
  onNotice: () => void
  /** Reads the current prices, and shows the draft. */
  look: (purchaseId: string) => Promise<void>
}

export interface TopUpOffers {
  /** Offers an account's held orders if the known balance suffices. */
  offer(accountId: string): Promise<void>
  /** Reads the balances of all accounts with held orders, and offers what they suffice for. */
  round(): Promise<void>
}

export const createTopUpOffers = (options: Options): TopUpOffers => {
  const { store, now, log, newId, onNotice, look } = options

  const offer = async (accountId: string): Promise<void> => {
    const at = now()
    const drafts = await store.transaction(
      async (tx) => {
        const account = await tx.accounts.byId(accountId)
        if (!account || account.balancePesewas === null) return []
        const { waiting } = await tx.walletOrders.openCharges(accountId)
        let left = account.balancePesewas - waiting.pesewas
        const made: Purchase[] = []
        for (const held of await heldOrders(tx, account, at)) {
          const cost = costOf(held)
          if (cost > left) continue
          left -= cost
          const draft = await draftOf(tx, held, { newId, at })
          if (draft) made.push(draft)
        }
        return made
      },
      { accounts: [accountId] },
    )
    for (const draft of drafts) await show(draft)
  }

  /** If the current prices cannot be read, the card says so and can be refreshed. */
  const show = async ({ id, chatId }: Purchase): Promise<void> => {
    if (await couldRead(() => look(id))) return
    await store.transaction((tx) => tx.notices.enqueue(chatId, answeringCard(id), now()))
    onNotice()
  }

  const offerIfOld = async (accountId: string): Promise<void> => {
    const at = now()
    const account = await store.accounts.byId(accountId)
    if (!account || (await heldOrders(store, account, at, 'before')).length === 0) return
    const ageMs = at.getTime() - (account.balanceAt?.getTime() ?? 0)
    if (ageMs < 0 || ageMs >= readAgainMs) await couldRead(() => readBalanceQuietly(options, accountId))
    await offer(accountId)
  }

  return {
    offer,
    round: async () => {
      for (const account of await store.orders.accountsRefused(since(now()))) {
        try {
          await offerIfOld(account)
        } catch (error) {
          log.error({ account, err: error }, 'refused orders could not be offered again')
        }
      }
    },
  }
}

const since = (at: Date): Date => new Date(at.getTime() - heldMs)

const couldRead = async (work: () => Promise<void>): Promise<boolean> => {
  try {
    await work()
    return true
  } catch (error) {
    if (isWalletError(error)) return false
    throw error
  }
}

/**
 * The held orders, grouped by person. People who were already offered all of theirs are left out.
 * @param balance `after`: only orders that were refused before the known balance was read. `before`: all
 */
const heldOrders = async (
  tx: Queries,
  { id, balanceAt }: Account,
  at: Date,
  balance: 'before' | 'after' = 'after',
): Promise<Order[][]> => {
  const refused = await tx.orders.refusedForBalance(id, since(at))
  const people = [...Map.groupBy(refused, ({ userId, chatId }) => `${userId} ${chatId}`).values()]
  const groups: Order[][] = []
  for (const orders of people) {
    const offeredAt = orders[0] ? await tx.purchases.toppedUpAt(orders[0], since(at)) : null
    const isNew = (order: Order) => offeredAt === null || sentAt(order) > offeredAt
    if (!orders.some(isNew)) continue
    const held: Order[] = []
    for (const order of latestOf(orders)) {
      const isKnownSince = balance === 'before' || (balanceAt !== null && balanceAt > sentAt(order))
      if (isKnownSince && !isRedacted(order) && (await isOver(tx, order))) held.push(order)
    }
    if (held.some(isNew)) groups.push(held)
  }
  return groups
}

const sentAt = ({ sentAt, createdAt }: Order): Date => sentAt ?? createdAt

/**
 * Keeps each number only in its latest order: if the person ordered for it again, the later order replaces the
 * earlier one.
 */
const latestOf = (orders: readonly Order[]): Order[] =>
  orders
    .map((order, index) => {
      const later = orders.slice(index + 1).filter((each) => isOtherOfBundle(each, order))
      const again = new Set(later.flatMap(({ recipients }) => recipients.map(({ phone }) => phone)))
      return { ...order, recipients: order.recipients.filter(({ phone }) => !again.has(phone)) }
    })
    .filter(({ recipients }) => recipients.length > 0)

const isOtherOfBundle = (later: Order, order: Order): boolean =>
  later.purchaseId !== order.purchaseId && later.bundleId === order.bundleId

/** Whether no order of the same list is queued any more, and none of this order's numbers was ordered again. */
const isOver = async (
  tx: Queries,
  { purchaseId, accountId, recipients, createdAt }: Order,
): Promise<boolean> => {
  const siblings = await tx.orders.ofPurchase(purchaseId)
  if (siblings.some(({ placement }) => placement === 'queued')) return false
  const phones = recipients.map(({ phone }) => phone as Phone)
  return (await tx.orders.recentFor(accountId, phones, createdAt)).every(
    (later) => later.purchaseId === purchaseId,
  )
}

/**
 * The `cause` of the offer of these orders. A person gets one such offer. If more orders are refused later, a new
 * offer contains all of the person's held orders.
 */
const causeOf = (orders: readonly Order[]): string => {
  const [latest] = orders.toSorted((a, b) => sentAt(b).getTime() - sentAt(a).getTime())
  return `${toppedUpCause}${latest?.id}`
}

const costOf = (orders: readonly Order[]): number =>
  orders.reduce((sum, { unitPricePesewas, recipients }) => {
    const free = recipients.filter(({ retryId }) => retryId === null).length
    return sum + times(unitPricePesewas, free)
  }, 0)

const draftOf = async (
  tx: Queries,
  orders: Order[],
  { newId, at }: { newId: () => string; at: Date },
): Promise<Purchase | null> => {
  const [first] = orders
  const member = first && (await tx.accounts.member(first.userId))
  if (!first || member?.accountId !== first.accountId || refusedOf(orders).length === 0) return null
  const id = newId()
  const taken = await takeForRetry(tx, orders, { kind: 'refused' }, id)
  if (taken.length === 0) return null
  const { accountId, userId, chatId } = first
  const draft = {
    id,
    cause: causeOf(orders),
    ...listOf(taken),
    retryOfId: first.purchaseId,
    remark: 'topped_up',
    shown: nothingShown,
    lastsMs: restOfListMs,
  } as const
  return insertListDraft(tx, { accountId, userId, chatId }, draft, { newId, at })
}
