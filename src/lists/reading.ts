import type { Pesewas } from '../provider/money.ts'
import type { Phone } from '../provider/phone.ts'
import type { ListedBundle } from './listed-bundle.ts'
import type { PrefixMap } from './phone.ts'
import type { Size } from './size.ts'

/** What a list is read against. */
export interface Market {
  /** The account's price list, as whoever orders sees it. */
  bundles: readonly ListedBundle[]
  prefixes: PrefixMap
  /** The bundle that was chosen before the list was sent: its numbers need no sizes. */
  fixedBundleId: number | null
  /** The networks on which numbers were served before, whatever their prefixes hint at: they may be ported. */
  served?: Readonly<Record<string, readonly string[]>>
  /** The network that somebody has kept a number on: it goes before its prefix. */
  ported?: Readonly<Record<string, string>>
}

/**
 * What the person answered, by `Question.key`, as `Choice.answer`. Plain data, to be kept beside the text; what
 * answers nothing that is asked has no effect.
 */
export type Answers = Readonly<Record<string, string>>

/** What a list says. It holds codes and data; the words are the catalogue's. */
export interface ListReading {
  /** One for each line of the text, in order. */
  lines: ReadLine[]
  /** How many lines ended as what; together they are `lines.length`. */
  counts: Record<Verdict, number>
  /** What can be ordered as it stands, in the order of the list: the recipients of the lines that are ready. */
  recipients: ReadRecipient[]
  /** What must be answered before the lines named in it can be ready. */
  questions: Question[]
}

/** A line is to fix if any part of it is, ready if it gave a recipient, else ignored (headings too). */
export type Verdict = 'ready' | 'fix' | 'ignored'

export interface ReadLine {
  /** From 1. */
  number: number
  /** As it was sent. */
  text: string
  verdict: Verdict
  /** Numbers of the lines that are read as one with this one, itself among them (a phone, and its size below). Of ignored lines none. */
  together: readonly number[]
  /** Why it is to fix. Lines that wait for an answer have the problem `asked`. */
  problems: readonly Problem[]
  notes: readonly Note[]
  /** What stands on it, as far as it could be read, whatever its verdict. */
  written: readonly WrittenRecipient[]
  /** What is ordered for it: of lines that are ready. */
  recipients: readonly ReadRecipient[]
}

/** A number and what belongs to it, as a line and the headings above it say. */
export interface WrittenRecipient {
  phone: Phone
  /** The number was written without its leading zero. */
  zeroRestored: boolean
  size: Size | null
  /** By its word on the line or above; the prefix has no say in this. */
  network: string | null
  /** An amount of money that stands beside it. */
  amountPesewas: Pesewas | null
}

export interface ReadRecipient {
  /** The line's number. */
  line: number
  phone: Phone
  bundleId: number
  network: string
  volume: string
  offerSlug: string | null
  /** As the market had it. */
  pricePesewas: Pesewas | null
  notes: readonly Note[]
}

/** What is worth knowing about a line or a recipient that is ready or ignored. */
export type Note =
  | { code: 'zero_restored'; phone: Phone }
  /** The amount written beside it is not the price. */
  | { code: 'other_price'; phone: Phone; writtenPesewas: Pesewas; pricePesewas: Pesewas }
  /** The network was written, and the number's prefix hints at others. */
  | { code: 'other_prefix'; phone: Phone; network: string; likely: readonly string[] }
  /** The same number and bundle stand on an earlier line, and one is kept. */
  | { code: 'repeated'; phone: Phone; line: number }
  /** Left out by the answer to a question. */
  | { code: 'dropped'; phone: Phone }
  /** A size that may be for one number above or for several: the numbers ask for theirs. */
  | { code: 'size_not_used'; size: Size }

/** Why a line is to fix. `written` is the part of the line that is meant. */
export type Problem =
  /** Digits are missing, by count: `024123456`. */
  | { code: 'phone_short'; written: string; missing: number }
  | { code: 'phone_long'; written: string; extra: number }
  | { code: 'landline'; written: string }
  | { code: 'phone_abroad'; written: string }
  /** Letters, masks or odd signs among the digits. */
  | { code: 'phone_damaged'; written: string; suggestion: Phone | null }
  /** Its digits stand in groups that can be read in two ways: `024 123 456 7 5`. */
  | { code: 'phone_unclear'; written: string }
  /** `2.44123E+08`: a spreadsheet damaged it. */
  | { code: 'scientific'; written: string }
  | { code: 'two_sizes'; written: string[] }
  /** `2x5gb`: several orders? */
  | { code: 'several_times'; written: string }
  /** `2,5`: a decimal comma, or two numbers. */
  | { code: 'decimal_comma'; written: string; suggestion: Size | null }
  /** Numbers and sizes of the line do not pair up. */
  | { code: 'not_paired'; phones: number; sizes: number }
  /** `1 0241234567`, `2 0551234567`: sizes, or the numbers of the lines. */
  | { code: 'numbering_or_size'; written: string }
  | { code: 'two_networks'; networks: string[] }
  /** The word may be a network's name or something else, or may belong to the number above or below. */
  | { code: 'network_unclear'; written: string; phone: Phone }
  /** No network is named, and the prefix hints at none. */
  | { code: 'network_unknown'; phone: Phone }
  /** `network` is null where several fit the number and none of them sells it. */
  | { code: 'not_sold'; phone: Phone; network: string | null; size: Size; nearest: ListedBundle[] }
  /** `Kofi 5gb`: a size for somebody whose number is not there. */
  | { code: 'no_number'; size: Size }
  /** A word that may mean that it is not to be ordered: `cancel`, `sent`. */
  | { code: 'doubtful_word'; written: string }
  | { code: 'unclear'; written: string }
  /** The line is longer than any that is read, in characters. */
  | { code: 'too_long'; longest: number }
  /** Two messages were joined here. */
  | { code: 'seam' }
  /** Its heading may have been lost where two messages were joined. */
  | { code: 'heading_lost' }
  | { code: 'asked'; question: Question['kind'] }

/** One question for all the recipients that it concerns. */
export type Question = Asked &
  (
    | { kind: 'duplicates'; phones: Phone[] }
    /** Numbers without a size, and no bundle chosen. `answer` is a size, such as `5GB`. */
    | { kind: 'size' }
    /** The prefix fits several networks that sell the size. `answer` is the network. */
    | { kind: 'network'; networks: string[] }
    /** Two bundles of one network and size. `answer` is the bundle's id. */
    | { kind: 'offer'; network: string; size: Size; bundles: ListedBundle[] }
    /** The numbers, or a word beside them, hint at another network than that of the chosen bundle. */
    | { kind: 'mismatch'; chosen: ListedBundle; likely: string[] }
    /** A network is written that the numbers' prefixes contradict. */
    | { kind: 'contradiction'; phones: Phone[]; network: string; likely: string[] }
    /** A size is written that is not the chosen bundle's. */
    | { kind: 'other_size'; chosen: ListedBundle; sizes: Size[] }
  )

export interface Asked {
  /** Where the answer goes in `Answers`. */
  key: string
  choices: Choice[]
  /** Numbers of the lines that wait for the answer. */
  lines: number[]
  /** How many recipients it concerns. */
  count: number
}

/**
 * `duplicates`: `one`, `both`. `mismatch`, `contradiction`: `keep`, `switch` (offered where the size is sold there), `drop`.
 * `other_size`: `chosen`, `written`, `drop`. The rest: see the kinds.
 */
export interface Choice {
  answer: string
  /** How many of the recipients can be ordered with it. */
  fits: number
}
