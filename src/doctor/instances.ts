import { processHasEnded } from '../messaging/leader-lease.ts'
import type { Inspected } from './database-check.ts'
import { type Finding, ok, warn } from './finding.ts'

const what = 'instances'

export const examineInstances = (inspected: Inspected, isRunning: boolean, now: Date): Finding[] => {
  if (!('leases' in inspected)) return []
  const held = inspected.leases.filter(({ until, token }) => until > now && !processHasEnded(token))
  if (held.length > 0) return held.map(heldWords)
  return isRunning
    ? [
        warn(
          what,
          'a bot is running, but none on this database is connected to Telegram',
          'Check that DATABASE_URL is the same as the bot’s, and look for “could not be renewed” in its log',
        ),
      ]
    : [ok(what, 'none is connected to Telegram')]
}

/**
 * Reports the process that holds a lease, as named by the lease's token: `<machine>/…/<process id>/<nonce>`
 * (`processToken`).
 */
const heldWords = ({ name, token, until }: { name: string; token: string; until: Date }): Finding => {
  const parts = token.split('/')
  const [where = '?', pid = '?'] = [parts[0], parts.at(-2)]
  return ok(
    what,
    `${name}: process ${pid} on ${where} holds the lease until ${until.toISOString()}, unless it renews it`,
  )
}
