import type { Member } from '../store/accounts.ts'
import type { AllQueries, WholeStore } from '../store/store.ts'
import type { SecurityEvent, SecurityJournal } from './security-journal.ts'

/** An agent who has begun no order for so many days is paused. */
export const unusedDays = 90

const dayMs = 24 * 60 * 60_000
const maxTogether = 100

/**
 * Pauses agents who have not ordered for long, until an owner resumes them: a Telegram account may change hands, which
 * the bot cannot see.
 * @returns how many were paused. Each of their owners is owed a message.
 */
export const pauseUnusedAgents = async (
  store: WholeStore,
  security: Pick<SecurityJournal, 'noteIn' | 'say'>,
  now: () => Date,
): Promise<number> => {
  let total = 0
  for (;;) {
    const at = now()
    const since = new Date(at.getTime() - unusedDays * dayMs)
    const events = await store.transaction(async (tx) => {
      const paused = (await tx.accounts.unusedAgents(since, maxTogether)).map(eventOf)
      for (const { agent, event } of paused) {
        await pause(tx, agent, at)
        await security.noteIn(tx, event)
      }
      return paused.map(({ event }) => event)
    })
    for (const event of events) security.say(event)
    total += events.length
    if (events.length < maxTogether) return total
  }
}

const eventOf = (agent: Member): { agent: Member; event: SecurityEvent } => ({
  agent,
  event: { kind: 'agent_paused', accountId: agent.accountId, userId: null, detail: 'not used' },
})

const pause = async (tx: AllQueries, { userId, accountId }: Member, at: Date): Promise<void> => {
  await tx.accounts.patchAgent(userId, { pausedAt: at })
  const news = { what: 'unused', agentId: userId } as const
  for (const { role, chatId } of await tx.accounts.members(accountId)) {
    if (role === 'owner') await tx.notices.owe(chatId, { kind: 'agency', subject: 'account', news }, at)
  }
}
