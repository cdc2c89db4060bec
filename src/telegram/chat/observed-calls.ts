import type { Transformer } from 'grammy'

/** One call of the Bot API. */
export interface TelegramCall {
  method: string
  /** `ok`, Telegram's error code, `unreachable`, or `aborted` by the bot's own stop. */
  outcome: string
  seconds: number
  /** How long Telegram asks to wait. */
  retryAfterSeconds: number | null
}

/** Reports each call when it has ended. Installed first, it sees every try of a call that is repeated. */
export const observeCalls =
  (onCall: (call: TelegramCall) => void): Transformer =>
  async (previous, method, payload, signal) => {
    const startedMs = performance.now()
    const told = (outcome: string, retryAfterSeconds: number | null = null) =>
      onCall({ method, outcome, seconds: (performance.now() - startedMs) / 1000, retryAfterSeconds })
    try {
      const answer = await previous(method, payload, signal)
      if (answer.ok) told('ok')
      else told(String(answer.error_code), answer.parameters?.retry_after ?? null)
      return answer
    } catch (error) {
      told(signal?.aborted ? 'aborted' : 'unreachable')
      throw error
    }
  }
