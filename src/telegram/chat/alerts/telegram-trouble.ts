import { GrammyError, HttpError } from 'grammy'
import type { Logger } from 'pino'
import { commandLine } from '../../../base/installation.ts'
import { wait } from '../../../base/wait.ts'

/**
 * Why a call failed, for the operator: `Telegram cannot be reached (ENOTFOUND)`. It never contains the address, which
 * holds the token.
 */
export const troubleIn = (error: unknown, isTooLate = false): string => {
  if (error instanceof GrammyError) {
    // Telegram answers 404 to a token with a typing error, and 401 to a revoked one.
    return [401, 404].includes(error.error_code)
      ? `Telegram refuses TELEGRAM_BOT_TOKEN (${error.error_code})`
      : `Telegram answers ${error.error_code}`
  }
  const cause = error instanceof HttpError ? error.error : error
  return `Telegram cannot be reached (${isTooLate ? 'timeout' : codeOf(cause)})`
}

/**
 * The error code of the operating system or of TLS; without one, node-fetch's type of the failure, such as
 * `invalid-json`.
 */
const codeOf = (cause: unknown): string => {
  const { code, type } = (cause ?? {}) as { code?: unknown; type?: unknown }
  return String(code ?? type ?? 'no answer')
}

/** How long a call may take, and how long to wait after it, ms. So calls that get no answer begin about every 10 s. */
export const tryMs = 8_000
const restMs = 1_500
/** The wait after a refusal, ms. A refusal is about the token or the server, and seldom ends within seconds. */
const refusedRestMs = 8_000

/** How long to wait before the next try, ms. */
export const restAfterError = (error: unknown): number => {
  if (!(error instanceof GrammyError)) return restMs
  return (error.parameters.retry_after ?? 0) * 1000 || refusedRestMs
}

/** Waits, but ends early if the signal is aborted. */
export const nap = (ms: number, signal: AbortSignal): Promise<void> =>
  wait(ms, undefined, { signal }).catch(() => {})

const sayAgainMs = 60_000

/** Logs trouble with Telegram when it begins or changes, and every minute while it lasts. */
export const createComplaint = (log: Logger, monotonicMs: () => number) => {
  let said = ''
  let saidMs = Number.NEGATIVE_INFINITY
  return {
    say: (trouble: string, tries: number): void => {
      if (trouble === said && monotonicMs() - saidMs < sayAgainMs) return
      log.warn({ tries }, `${trouble}. I keep trying; ${commandLine('doctor')} says more`)
      said = trouble
      saidMs = monotonicMs()
    },
    /**
     * Ends the complaint when Telegram answers. @returns true if trouble was logged, so that its end should be logged
     * too.
     */
    end: (): boolean => {
      const wasSaid = said !== ''
      said = ''
      return wasSaid
    },
  }
}
