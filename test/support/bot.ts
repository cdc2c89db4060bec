import type { StartOptions } from '../../src/application/bot.ts'
import type { CrashPoint } from '../../src/crash-point.ts'

/** A bot that a test starts and stops, in the process of the tests or as one of its own. */
export interface BotUnderTest {
  /** Where its HTTP server answers. */
  url: string
  start(env?: Record<string, string>): Promise<void>
  /** In order, as SIGTERM does it; answers the exit code. */
  stop(): Promise<number | null>
  restart(): Promise<void>
  /** Everything that it ever printed. */
  output(): string
  /** SIGKILL. For a process only, like everything below. */
  kill(): Promise<void>
  /** Lets it kill itself there, in this life or the next; once. Only for a `crashable` world. */
  crashAt(crash: Crash): Promise<void>
  /** How a bot that is to crash ended. */
  died(): Promise<NodeJS.Signals | number | null>
  /** Undefined while it does not run. */
  pid(): number | undefined
}

/** The point at which the bot kills itself, and at which passage of it (default: the first). */
export interface Crash {
  at: CrashPoint
  time?: number
  /** It does not die there, but stands still until it gets SIGCONT. */
  paused?: boolean
}

const atOnce = { costMs: 0, burst: 1 }
/** Only for a Telegram without limits. */
export const unpaced: StartOptions = {
  pace: { bulk: atOnce, replies: atOnce, chat: atOnce, group: atOnce, redrawMs: 0 },
  admission: null,
}

/** The bot listens, and has spoken to Telegram or stands by for another process. */
export const isConnected = async (url: string): Promise<boolean> => {
  try {
    const answer = await fetch(`${url}/readyz`)
    const body = (await answer.json()) as { ready: boolean; telegram: string }
    return body.ready && /^(ok|standing by)/.test(body.telegram)
  } catch {
    return false
  }
}
