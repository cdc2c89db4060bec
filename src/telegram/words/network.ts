import { staleConfirmationMs } from '../../domain/placement.ts'
import { maxChanges, type PrefixFault } from '../../lists/meaning/prefix-line.ts'
import type { PrefixMap } from '../../lists/read-phone.ts'
import { foreignWord, oneLine } from '../chat/screen.ts'
import { when } from '../chat/time.ts'
import { lengthIn } from './length.ts'
import { b, code, lines } from './markup.ts'

/** The words about networks that are down, first digits, and ported numbers. */

export const networkLabels = {
  networks: '📶 Networks',
  prefixes: '🔢 First digits',
  edit: '✏️ Change one',
  reset: '↩️ Reset to built in',
  undo: '↩️ Undo',
} as const

// Labels of buttons and toasts are plain text.
export const downLabel = (network: string) => `📴 Stop ${oneLine(network)} orders`
export const upLabel = (network: string) => `✅ Take ${oneLine(network)} orders`

// ── For operators ────────────────────────────────────────────────────────────────────────────────────────────────

export const networks = (all: readonly { network: string; since: Date | null }[], now: Date): string =>
  lines(
    b('Networks'),
    ...all.map(({ network, since }) =>
      since === null
        ? `✅ ${foreignWord(network)}: orders are taken`
        : `📴 ${foreignWord(network)}: ${b('no new orders')} since ${when(since, now)}`,
    ),
    '',
    'While a network is stopped, its unsent orders wait.',
  )

/** Plain text, of at most 200 characters. */
export const isDownNow = (network: string) => `No new ${oneLine(network)} orders from now on.`
export const isUpNow = (network: string) => `${oneLine(network)} orders are taken again.`

/** `MTN`, `AirtelTigo or BigTime`, `none`; null: as built in. */
export const networkWords = (named: readonly string[] | null): string => {
  if (named === null) return 'built in'
  return named.length === 0 ? 'none' : named.join(' or ')
}

export const prefixes = (map: PrefixMap, changed: ReadonlySet<string>): string => {
  const groups = Map.groupBy(Object.keys(map).sort(), (prefix) => networkWords(map[prefix] ?? []))
  return lines(
    b('First digits of numbers'),
    ...[...groups].map(
      ([named, digits]) =>
        `• ${b(foreignWord(named))}: ${digits.map((prefix) => `${prefix}${changed.has(prefix) ? ' ✏️' : ''}`).join(', ')}`,
    ),
    '',
    `They tell me a number’s likely network. Four digits beat three.${changed.size > 0 ? ' Your changes have a ✏️.' : ''}`,
  )
}

export const askPrefix = [
  b('Change the network of first digits'),
  'Send the digits and the network: <code>0256 MTN</code>. Several: <code>026 AirtelTigo BigTime</code>.',
  '<code>0256 none</code>: no network. <code>0256 built in</code>: undo your change.',
].join('\n')

export const notAPrefix = (fault: PrefixFault, written: string): string => {
  const why = {
    unreadable: 'I need the first digits and a network.',
    prefix: `${code(written, 20)} are not first digits. Send three or four that begin with 02 or 05.`,
    network: `I don’t know a network called ${code(written, 20)}.`,
  }[fault]
  return `${why} Nothing was changed. Send for example <code>0256 MTN</code>, or /cancel.`
}

export const prefixSet = (prefix: string, named: readonly string[] | null): string =>
  `✅ ${code(prefix)}: ${b(foreignWord(networkWords(named)))}.`
export const tooManyPrefixes = `You have ${maxChanges} changes already, the most there can be. Reset some first. Nothing was changed.`
export const prefixesReset = 'All reset to built in.'
export const nothingToReset = 'You have no changes to reset.'

// ── For everybody ────────────────────────────────────────────────────────────────────────────────────────────────

/** On a card that can't be confirmed now. It is drawn anew when the network is back. */
export const downOnCard = (network: string, since: Date, now: Date): string =>
  `📴 ${b(`${foreignWord(network)} has been down since ${when(since, now)}`)}. Nothing is charged. You can confirm here when the network is back.`

/** Why a press did not order. Plain text, of at most 200 characters. */
export const downToast = (network: string): string =>
  `📴 ${oneLine(network, 20)} is down: no new orders on it now. Nothing new was ordered. Confirm later.`

/** What a list leaves out. */
export const downInList = (down: readonly string[], count: string): string =>
  `📴 ${b(`${allOf(down.map(foreignWord))} ${down.length === 1 ? 'is' : 'are'} down`)}: ${count} left out for now. They stay here when you confirm the rest.`

/** `MTN`, `MTN and Telecel`, `MTN, Telecel and AirtelTigo`. */
const allOf = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(' and ')

/** For an order that was confirmed before. */
export const waitsForNetwork = (network: string): string =>
  `📴 Waiting: ${foreignWord(network)} is down. Not sent, not charged. It goes when ${foreignWord(network)} is back. After ${lengthIn('minute', staleConfirmationMs)} I ask you again first.`

// ── Ported numbers ───────────────────────────────────────────────────────────────────────────────────────────────

export const portedLabel = (count: number): string => `🔀 Kept numbers (${count})`
export const forgetLabel = (phone: string, network: string): string =>
  `🗑 ${oneLine(phone)} · ${oneLine(network, 12)}`
export const forgetAllLabel = '🗑 Forget all'

/** @param shown how many have a button. */
export const ported = (count: number, shown: number): string =>
  lines(
    b('Kept numbers'),
    count === 0
      ? 'None. When you press Keep for a ported number, it is listed here.'
      : 'You pressed Keep for these, so I don’t ask about their network. Press one to forget it.',
    count > shown ? `The newest ${shown} of ${count}.` : null,
  )
export const portedForgotten = 'Forgotten. I’ll ask about its network again, unless it got data on it before.'
export const portedAllForgotten = 'All forgotten.'
export const portedGone = 'Already forgotten.'
