import type { PrefixMap } from '../../lists/phone.ts'
import type { PrefixFault } from '../../orders/network-prefixes.ts'
import { foreignWord, oneLine } from '../screen.ts'
import { when } from '../time.ts'
import { b, code, lines } from './markup.ts'

/** The words about networks that take no orders now, about first digits, and about numbers that were ported. */

export const networkLabels = {
  networks: '📶 Networks',
  prefixes: '🔢 First digits',
  edit: '✏️ Change one',
  reset: '↩️ Reset to built in',
  undo: '↩️ Undo',
} as const

// Labels of buttons and toasts are plain text.
export const downLabel = (network: string) => `📴 ${oneLine(network)} is down`
export const upLabel = (network: string) => `✅ Take ${oneLine(network)} orders again`

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
    'A network that is down takes no new orders. What was confirmed and not sent waits.',
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
        `${b(foreignWord(named))}: ${digits.map((prefix) => `${prefix}${changed.has(prefix) ? ' ✏️' : ''}`).join(', ')}`,
    ),
    '',
    'They hint at the network of a number. Four digits go before three.',
    changed.size > 0 ? '✏️ differs from what is built in.' : null,
  )
}

export const askPrefix = [
  b('Change the network of first digits'),
  'Send the digits and the network: <code>0256 MTN</code>. Several: <code>026 AirtelTigo BigTime</code>.',
  '<code>0256 none</code> hints at no network, <code>0256 built in</code> takes your change back.',
].join('\n')

export const notAPrefix = (fault: PrefixFault, written: string): string => {
  const why = {
    unreadable: 'I need first digits and a network.',
    prefix: `${code(written, 20)} are no first digits: send three or four, from 02 or 05 on.`,
    network: `I know no network called ${code(written, 20)}.`,
  }[fault]
  return `${why} Nothing was changed. Send for example <code>0256 MTN</code>, or /cancel.`
}

export const prefixSet = (prefix: string, named: readonly string[] | null): string =>
  `✅ ${code(prefix)}: ${b(foreignWord(networkWords(named)))}.`
export const tooManyPrefixes = 'There are 100 changes already. Reset some first. Nothing was changed.'
export const prefixesReset = 'All as built in.'
export const nothingToReset = 'Nothing differs from what is built in.'

// ── For everybody ────────────────────────────────────────────────────────────────────────────────────────────────

/** On a card that cannot be confirmed now. */
export const downOnCard = (network: string): string =>
  `📴 ${b(`${foreignWord(network)} is down`)}: no new orders on it now. Nothing was ordered or charged. This card stays: confirm it later.`

/** Why a press did not order. Plain text, of at most 200 characters. */
export const downToast = (network: string): string =>
  `📴 ${oneLine(network, 20)} is down: no new orders on it now. Nothing was ordered or charged. Confirm later.`

/** What a list leaves out. */
export const downInList = (down: readonly string[], count: string): string =>
  `📴 ${b(`${allOf(down.map(foreignWord))} ${down.length === 1 ? 'is' : 'are'} down`)}: ${count} left out for now. They stay here when you confirm the rest.`

/** `MTN`, `MTN and Telecel`, `MTN, Telecel and AirtelTigo`. */
const allOf = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(' and ')

/** Of an order that was confirmed before. */
export const waitsForNetwork = (network: string): string =>
  `📴 ${foreignWord(network)} is down. Waits: not sent and not charged yet. It goes when ${foreignWord(network)} is back; after more than 15 minutes you are asked again first.`

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
      ? 'None. A number is kept here when you press Keep because it was ported to another network.'
      : 'You pressed Keep for these: I no longer ask about their network.',
    count > 0 ? 'Press one to forget it.' : null,
    count > shown ? `The newest ${shown} of ${count}.` : null,
  )
export const portedForgotten = 'Forgotten. I ask about its network again, unless it was served on it before.'
export const portedAllForgotten = 'All forgotten.'
export const portedGone = 'It was forgotten before.'
