import type { ProviderErrorCode } from '../../provider/index.ts'
import type { SeenOrder, SeenProgress, ViewerRole } from '../cards/viewer.ts'
import { duration } from '../chat/time.ts'
import { knownOf, knownOfList } from './charge.ts'
import { lines } from './markup.ts'
import { needAccount } from './unusable.ts'

/**
 * Messages about a failed read from the provider. Only those that are given an order or a list say what was charged.
 */

export const entriesName = 'the transactions'

/** What cannot be read, as the `what` of `cannotRead`. */
export const readable = {
  bundles: 'the bundle list',
  status: 'the status',
  pricesAndBalance: 'the prices and balance',
} as const

/** The parts of a provider's error that messages about a failed read use. */
export interface ReadFailure {
  code: string
  httpStatus?: number | null
  retryAfterMs?: number | null
}

export const cannotRead = (what: string, error: ReadFailure): string => {
  switch (error.code) {
    case 'unauthorized':
      return `I couldn’t read ${what}: the provider isn’t accepting your API key. /connect with the current key from the dashboard.`
    case 'rate_limited':
      return `I couldn’t read ${what}: I’ve reached the provider’s request limit. Try again in ${duration(error.retryAfterMs ?? 60_000)}.`
    case 'no_wallet':
      return needAccount
    case 'invalid_credentials':
      return `I couldn’t read ${what}: I can’t open your stored API key. /connect again with your key and secret, or ask the bot’s operator.`
    default:
      return `I couldn’t read ${what}: the provider ${silence(error)}. Try again in a minute.`
  }
}

/** Says that the provider could not be asked about an order, and what is known of its charge. */
export const cannotAsk = (order: SeenOrder, error: ReadFailure): string =>
  lines(failedAsk(error, order.viewer), knownOf(order, isTriedAgain(error)))

/** Says that the provider could not be asked about a list's orders, and what is known of their charges. */
export const cannotAskOfList = (progress: SeenProgress, viewer: ViewerRole, error: ReadFailure): string =>
  lines(failedAsk(error, viewer), knownOfList(progress, isTriedAgain(error)))

/** Whether the bot keeps asking the provider. The three listed failures end only when a person acts. */
const isTriedAgain = ({ code }: ReadFailure): boolean =>
  code !== 'unauthorized' && code !== 'invalid_credentials' && code !== 'no_wallet'

const failedAsk = (error: ReadFailure, viewer: ViewerRole): string => {
  const isAgents = viewer === 'agent' || viewer === 'removed_agent'
  switch (error.code) {
    case 'unauthorized':
      return isAgents
        ? 'I couldn’t check: the provider isn’t accepting the owner’s API key. Ask them to /connect.'
        : 'I couldn’t check: the provider isn’t accepting your API key. /connect with the current key.'
    case 'rate_limited':
      return `I couldn’t check: I’ve reached the provider’s request limit. Try again in ${duration(error.retryAfterMs ?? 60_000)}.`
    case 'no_wallet':
      return 'I couldn’t check: the account was removed from this bot. See the provider’s dashboard.'
    case 'invalid_credentials':
      return isAgents
        ? 'I couldn’t check: I can’t open the owner’s stored API key. Ask them to /connect.'
        : 'I couldn’t check: I can’t open your stored API key. /connect again, or ask the bot’s operator.'
    default:
      return `I couldn’t check just now: the provider ${silence(error)}.`
  }
}

/** What the provider did instead of answering. The text continues a sentence that begins with “the provider”. */
export const silence = ({ code, httpStatus }: ReadFailure): string => {
  switch (code as ProviderErrorCode) {
    case 'timeout':
      return 'didn’t answer in time'
    case 'connection_lost':
    case 'aborted':
      return 'didn’t answer'
    case 'unreachable':
      return 'can’t be reached'
    case 'not_found':
      return 'can’t find it'
    case 'server_error':
    case 'refused':
    case 'invalid_request':
      return `answered with an error${httpStatus ? ` (${httpStatus})` : ''}`
    default:
      return 'sent an answer I can’t read'
  }
}
