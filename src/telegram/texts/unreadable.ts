import { duration } from '../chat/time.ts'
import { needAccount } from './refusal.ts'

/** What is said when something could not be read from the provider. */

/** What cannot be read, as `cannotRead` names it. */
export const readable = {
  bundles: 'the bundle list',
  status: 'the status',
  pricesAndBalance: 'prices and balance',
} as const

export const cannotRead = (what: string, error: { code: string; retryAfterMs?: number | null }) => {
  switch (error.code) {
    case 'unauthorized':
      return `Could not read ${what}: the provider refuses your API key. Nothing was charged. /connect with the current key from the dashboard.`
    case 'rate_limited':
      return `Could not read ${what}: the provider’s request limit is reached. Nothing was charged. Try again in ${duration(error.retryAfterMs ?? 60_000)}.`
    case 'no_wallet':
      return needAccount
    case 'invalid_credentials':
      return `Could not read ${what}: I cannot open your stored API key. Nothing was charged. /connect again with your key and secret, or ask the bot’s operator.`
    default:
      return `Could not read ${what}: the provider ${silence(error.code)}. Nothing was charged. Try again in a minute.`
  }
}

export const silence = (code: string): string => {
  if (code === 'timeout') return 'did not answer in time'
  if (code === 'connection_lost') return 'did not answer'
  return code === 'unreachable' ? 'cannot be reached' : 'sent an answer that I cannot read'
}
