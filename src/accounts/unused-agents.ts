import type { Member } from '../store/accounts/accounts.ts'
import type { Queries, Store } from '../store/store.ts'
import type { SecurityEvent, SecurityJournal } from './security-trail.ts'

/** An agent who has begun no order for this many days is paused. */
export const unusedDays = 90

const dayMs = 24 * 60 * 60_000
const maxTogether = 100

/**
 * Pauses agents who have not ordered for a long time, until an owner resumes them. Their Telegram account may belong to
 * somebody else by now, which the bot cannot see.
 */
export const pauseUnusedAgents = async (
  store: Store,
  security: Pick<SecurityJournal, 'noteIn' | 'say'>,
  now: () => Date,
): Promise<number> => {
  let total = 0
  for (;;) {
    const at = now()
    const since = new Date(at.getTime() - unusedDays * dayMs)
    // The search runs outside the transaction, because it takes long in an account with many orders.
    const unused = await store.accounts.unusedAgents(since, maxTogether)
    const events = await store.transaction(
      async (tx) => {
        const paused: SecurityEvent[] = []
        for (const agent of unused) {
          if (!(await pause(tx, agent, { since, at }))) continue
          const event = eventOf(agent)
          await security.noteIn(tx, event)
          paused.push(event)
        }
        return paused
      },
      { accounts: unused.map(({ accountId }) => accountId) },
    )
    for (const event of events) security.say(event)
    total += events.length
    if (unused.length < maxTogether) return total
  }
}

const eventOf = ({ accountId }: Member): SecurityEvent => ({
  kind: 'agent_paused',
  accountId,
  userId: null,
  detail: 'not used',
})

/** Pauses one agent. @returns false if the agent has left, or an owner has paused or resumed them in the meantime. */
const pause = async (
  tx: Queries,
  { userId, accountId }: Member,
  { since, at }: { since: Date; at: Date },
): Promise<boolean> => {
  const agent = await tx.accounts.memberIn(userId, accountId)
  const isResumed = (agent?.resumedAt ?? since) > since
  if (agent?.role !== 'agent' || agent.pausedAt !== null || isResumed) return false
  await tx.accounts.patchAgent(userId, { pausedAt: at })
  const news = { what: 'unused', agentId: userId } as const
  for (const { role, chatId } of await tx.accounts.members(accountId)) {
    if (role === 'owner') await tx.notices.enqueue(chatId, { kind: 'agency', subject: 'account', news }, at)
  }
  return true
}
