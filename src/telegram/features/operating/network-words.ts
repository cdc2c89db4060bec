import type { ComplaintRule } from '../../../domain/order/complaint.ts'
import { maxChanges, type PrefixFault } from '../../../lists/meaning/prefix-line.ts'
import type { PrefixMap } from '../../../lists/read-phone.ts'
import { networks as allNetworks, type Network } from '../../../provider/network.ts'
import type { BalanceCodes } from '../../../settings/balance-codes.ts'
import { foreignWord, oneLine } from '../../chat/screen.ts'
import { when } from '../../chat/time.ts'
import { b, code, lines } from '../../words/markup.ts'

/** Texts about networks that are down, about the networks of number prefixes, and about balance codes. */

export const networkLabels = {
  networks: '📶 Networks',
  prefixes: '🔢 First digits',
  codes: '📞 Balance codes',
  complaints: '📭 Complaints',
  edit: '✏️ Change one',
  reset: '↩️ Reset to default',
  undo: '↩️ Undo',
} as const

// Labels of buttons and toasts. Plain text.
export const downLabel = (network: string) => `📴 Mark ${oneLine(network)} as down`

export const downSureLabel = (network: string) => `✅ Confirm: ${oneLine(network)} is down`

export const askDown = (network: string) =>
  [
    b(`Mark ${foreignWord(network)} as down for everybody?`),
    'Nobody can order it until you mark it as back. Orders not sent yet will wait.',
  ].join('\n')

export const backLabel = (network: string) => `✅ ${oneLine(network)} is back`

export const networks = (all: readonly { network: string; since: Date | null }[], now: Date): string =>
  lines(
    b('Networks'),
    ...all.map(({ network, since }) =>
      since === null
        ? `✅ ${foreignWord(network)}: open`
        : `📴 ${foreignWord(network)}: ${b('down')} since ${when(since, now)}`,
    ),
    '',
    'While a network is down, its unsent orders wait.',
  )

const codeOr = (codes: BalanceCodes, network: Network): string => code(codes[network] ?? 'none')

export const askBalanceCode = (codes: BalanceCodes) =>
  lines(
    b('Balance codes'),
    'The codes customers dial to see their balance. I add them to messages about delivered bundles.',
    ...allNetworks.map((network) => `${network}: ${codeOr(codes, network)}`),
    '',
    'To change one, send <code>MTN *124#</code> or <code>MTN none</code>.',
  )

export const notABalanceCode =
  'I can’t read that. Nothing was changed. Send a network and its code, like <code>MTN *124#</code>, or /cancel.'

export const balanceCodeSet = (network: string, balanceCode: string | null) =>
  `✅ ${foreignWord(network)}: ${balanceCode === null ? 'no balance code' : code(balanceCode)}.`

export const complaintsUntil = lines(
  b('Complaint deadlines'),
  'How long after delivery the provider accepts a complaint that a bundle hasn’t arrived. Shops see the deadline and are reminded in time.',
  'Press a network to change its deadline.',
)

/** Plain text. */
export const ruleWords = (rule: ComplaintRule | null): string =>
  rule === null ? 'not set' : { day: '23:59 that day', '24h': '24 hours', '3d': '3 days' }[rule]

export const ruleLabel = (network: string, rule: ComplaintRule | null): string =>
  `${oneLine(network)}: ${ruleWords(rule)}`

/** The answer, as a pop-up, when a network was marked as down. Plain text of at most 200 characters. */
export const networkMarkedDown = (network: string) => `${oneLine(network)} is down: nobody can order it now.`

export const networkMarkedBack = (network: string) =>
  `${oneLine(network)} is back: people can order it again.`

/** `MTN`, `AirtelTigo or BigTime`, or `none`; null: as by default. */
export const networkWords = (named: readonly string[] | null): string => {
  if (named === null) return 'default'
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
    `First digits tell me a number’s likely network. Four digits beat three.${changed.size > 0 ? ' ✏️ marks your changes.' : ''}`,
  )
}

export const askPrefix = [
  b('Move first digits to another network'),
  'Send the digits and the network: <code>0256 MTN</code>. Several networks: <code>026 AirtelTigo BigTime</code>.',
  '<code>0256 none</code>: no network. <code>0256 default</code>: undo your change.',
].join('\n')

export const notAPrefix = (fault: PrefixFault, written: string): string => {
  const why = {
    unreadable: 'I need the first digits and a network.',
    prefix: `${code(written, 20)} isn’t how a mobile number begins. Send three or four digits that begin with 02 or 05.`,
    network: `I don’t know a network called ${code(written, 20)}.`,
  }[fault]
  return `${why} Nothing was changed. Send a change like <code>0256 MTN</code>, or /cancel.`
}

export const prefixSet = (prefix: string, named: readonly string[] | null): string =>
  `✅ ${code(prefix)}: ${b(foreignWord(networkWords(named)))}.`

export const tooManyPrefixes = `You can’t make more than ${maxChanges} changes. Reset some first. Nothing was changed.`

export const prefixesReset = 'All reset to default.'

export const nothingToReset = 'You have no changes to reset.'
