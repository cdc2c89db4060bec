import type { Transformer } from 'grammy'

export interface TelegramCall {
  method: string
  /** `ok`, Telegram's error code, `unreachable`, or `aborted` because the bot stops. */
  outcome: string
  seconds: number
  /** How long Telegram asks to wait; null if it does not. */
  retryAfterSeconds: number | null
}

/** Reports each call when it has ended. It must be installed first to see every try of a repeated call. */
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
