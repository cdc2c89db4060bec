import type { StartOptions } from '../../../src/application/running-bot.ts'
import type { CrashPoint } from '../../../src/base/crash-point.ts'

/** A bot that a test starts and stops, in the process of the tests or in its own process. */
export interface BotUnderTest {
  /** The address of its HTTP server. */
  url: string
  start(env?: Record<string, string>): Promise<void>
  /** Shuts the bot down cleanly, as SIGTERM does. @returns the exit code. */
  stop(): Promise<number | null>
  restart(): Promise<void>
  /** Everything that the bot has printed. */
  output(): string
  /** Kills the bot with SIGKILL. This and everything below is only for a bot in its own process. */
  kill(): Promise<void>
  /**
   * Makes the bot kill itself when it next reaches that point, even if that is after its next start. Only in a
   * `crashable` world.
   */
  crashAt(crash: Crash): Promise<void>
  /** Resolves when the bot has ended, with its signal or exit code. */
  died(): Promise<NodeJS.Signals | number | null>
  /** Undefined while the bot does not run. */
  pid(): number | undefined
}

/** Where the bot kills itself, and which time it gets there (default: the first). */
export interface Crash {
  at: CrashPoint
  time?: number
  /** The bot does not die but is suspended until it gets SIGCONT. */
  paused?: boolean
}

const atOnce = { costMs: 0, burst: 1 }
/** Start options for a simulated Telegram without rate limits. */
export const unpaced: StartOptions = {
  pace: { bulk: atOnce, replies: atOnce, chat: atOnce, group: atOnce, redrawMs: 0 },
  admission: null,
}

/** Whether the bot listens and has connected to Telegram, or is a standby. */
export const isConnected = async (url: string): Promise<boolean> => {
  try {
    const answer = await fetch(`${url}/readyz`)
    const body = (await answer.json()) as { ready: boolean; telegram: string }
    return body.ready && /^(ok|standing by)/.test(body.telegram)
  } catch {
    return false
  }
}
