import type { Pesewas } from '../provider/money.ts'
import type { Phone } from '../provider/phone.ts'
import type { ListedBundle } from './meaning/listed-bundle.ts'
import type { NamedRequest } from './names/named-request.ts'
import type { PrefixMap } from './phone.ts'
import type { Size } from './size.ts'

/** The price list, prefixes and history that a list is read against. */
export interface PriceSnapshot {
  /** The account's price list, as the buyer sees it. */
  bundles: readonly ListedBundle[]
  prefixes: PrefixMap
  /** The bundle that was chosen before the list was sent: its numbers need no sizes. */
  fixedBundleId: number | null
  /** The networks on which numbers were served before, whatever their prefixes hint at: they may be ported. */
  served?: Readonly<Record<string, readonly string[]>>
  /** The network that somebody has saved for a number; it beats the prefix. */
  ported?: Readonly<Record<string, string>>
  /** The saved names that the text may mean. */
  names?: Names
}

/** Saved names, folded by `nameKey`, with their numbers; null where a name may mean several people. */
export type Names = Readonly<Record<string, Phone | null>>

/**
 * The person's answers, by `Question.key`, as `Choice.answer`. Plain data, to be kept beside the text. An
 * answer to no open question has no effect.
 */
export type Answers = Readonly<Record<string, string>>

/** The result of reading a list. It holds codes and data; the catalogue of texts has the words. */
export interface ListReading {
  /** One for each line of the text, in order. */
  lines: ReadLine[]
  /** How many lines have each verdict; together they are `lines.length`. */
  counts: Record<Verdict, number>
  /**
   * The orders that can go out as they stand, in the order of the list: the recipients of the lines that are
   * ready.
   */
  recipients: ReadRecipient[]
  /** The questions to answer before the lines named in them can be ready. */
  questions: Question[]
  /** The lines that may be for somebody by name, whether the market knows the name or not. */
  named: readonly NamedLine[]
}

/** A line without a number that may be for somebody by name: `Kofi 5gb`. */
export interface NamedLine {
  /** Counts from 1. */
  line: number
  request: NamedRequest
}

/** A line is `fix` if any part of it is to fix, `ready` if it gave a recipient, else `ignored` (headings too). */
export type Verdict = 'ready' | 'fix' | 'ignored'

/** One line of the text with its verdict. */
export interface ReadLine {
  /** Counts from 1. */
  number: number
  /** The line as it was sent. */
  text: string
  verdict: Verdict
  /**
   * Numbers of the lines that are read as one with this one, itself among them (a phone, and its size below).
   * Empty for ignored lines.
   */
  together: readonly number[]
  /** Why the line is to fix. Lines that wait for an answer have the problem `asked`. */
  problems: readonly Problem[]
  notes: readonly Note[]
  /** The numbers on the line, as far as they could be read, whatever its verdict. */
  written: readonly WrittenRecipient[]
  /** The orders of the line, if it is ready. */
  recipients: readonly ReadRecipient[]
}

/** A number with its size and network, from its line and the headings above. */
export interface WrittenRecipient {
  phone: Phone
  /** The number was written without its leading zero. */
  zeroRestored: boolean
  size: Size | null
  /** The network that a word on the line or above names; the prefix has no say in this. */
  network: string | null
  /** An amount of money beside the number. */
  amountPesewas: Pesewas | null
}

/** One bundle for one number, ready to be ordered. */
export interface ReadRecipient {
  /** The line's number. */
  line: number
  phone: Phone
  bundleId: number
  network: string
  volume: string
  offerSlug: string | null
  /** The price in the market's list. */
  pricePesewas: Pesewas | null
  notes: readonly Note[]
}

/** News about a line or a recipient that is ready or ignored. */
export type Note =
  | { code: 'zero_restored'; phone: Phone }
  /** The amount written beside the number is not the price. */
  | { code: 'other_price'; phone: Phone; writtenPesewas: Pesewas; pricePesewas: Pesewas }
  /** The network was written, and the number's prefix hints at others. */
  | { code: 'other_prefix'; phone: Phone; network: string; likely: readonly string[] }
  /** The same number and bundle stand on an earlier line, and one is kept. */
  | { code: 'repeated'; phone: Phone; line: number }
  /** The answer to a question left the number out. */
  | { code: 'dropped'; phone: Phone }
  /** A size that may be for one number above or for several: the numbers ask for theirs. */
  | { code: 'size_not_used'; size: Size }

/** Why a line is to fix. `written` is the part of the line that has the problem, `suggestion` what it likely means. */
export type Problem =
  /** Digits are missing, by count: `024123456`. */
  | { code: 'phone_short'; written: string; missing: number }
  | { code: 'phone_long'; written: string; extra: number }
  | { code: 'landline'; written: string }
  | { code: 'phone_abroad'; written: string }
  /** Letters, masks or odd signs among the digits. */
  | { code: 'phone_damaged'; written: string; suggestion: string | null }
  /** The digits stand in groups that can be read in two ways: `024 123 456 7 5`. */
  | { code: 'phone_unclear'; written: string }
  /** `2.44123E+08`: a spreadsheet damaged it. */
  | { code: 'scientific'; written: string }
  | { code: 'two_sizes'; written: string[] }
  /** `2x5gb` may be several orders. */
  | { code: 'several_times'; written: string }
  /** `2,5`: a decimal comma, or two numbers. */
  | { code: 'decimal_comma'; written: string; suggestion: Size | null }
  /** The numbers and sizes of the line do not pair up. */
  | { code: 'not_paired'; phones: number; sizes: number }
  /** `1 0241234567`, `2 0551234567`: the leading numbers may be sizes, or number the lines. */
  | { code: 'numbering_or_size'; written: string }
  | { code: 'two_networks'; networks: string[] }
  /** The word may be a network's name or something else, or one number of several has a network. */
  | { code: 'network_unclear'; written: string; phone: Phone }
  /** No network is named, and the prefix hints at none. */
  | { code: 'network_unknown'; phone: Phone }
  /** `network` is null if several fit the number and none of them sells the size. */
  | {
      code: 'not_sold'
      phone: Phone
      network: string | null
      size: Size
      nearest: ListedBundle[]
      /** The size without a unit, as it was written, where that many megabytes are sold. */
      written?: string
      suggestion?: string
    }
  /** `Kofi 5gb`: a size for somebody whose number is missing. */
  | { code: 'no_number'; size: Size }
  /** The same for a name that is not saved. `size` is null where the bundle was chosen before the list. */
  | { code: 'not_saved'; name: string; size: Size | null; line: number }
  /** The name may mean several people. */
  | { code: 'several_saved'; name: string; size: Size | null; line: number }
  /** A word that may mean "do not order this": `cancel`, `sent`. */
  | { code: 'doubtful_word'; written: string }
  | { code: 'unclear'; written: string; suggestion?: string }
  /** The line is longer than any that is read, in characters. */
  | { code: 'too_long'; longest: number }
  /** Two messages were joined on this line. */
  | { code: 'truncation' }
  /** The line's heading may have been lost where two messages were joined. */
  | { code: 'heading_lost' }
  | { code: 'asked'; question: Question['kind'] }

/** One question for all the recipients that it concerns. */
export type Question = Asked &
  (
    | { kind: 'duplicates' }
    /** Numbers without a size, and no bundle chosen. `answer` is a size, such as `5GB`. */
    | { kind: 'size' }
    /** The prefix fits several networks that sell the size. `answer` is the network. */
    | { kind: 'network'; networks: string[] }
    /** Two bundles of one network and size. `answer` is the bundle's id. */
    | { kind: 'offer'; network: string; size: Size; bundles: ListedBundle[] }
    /** The numbers, or a word beside them, hint at another network than that of the chosen bundle. */
    | { kind: 'mismatch'; chosen: ListedBundle; likely: string[] }
    /** The numbers' prefixes contradict the written network. */
    | { kind: 'contradiction'; network: string; likely: string[] }
    /** The written size is not the chosen bundle's. */
    | { kind: 'other_size'; chosen: ListedBundle; sizes: Size[] }
    /** The head names two units for bare numbers. `answer` is the unit, or `drop`. */
    | { kind: 'unit'; sizes: string[] }
    /** `0241234567*5`, or `5GB x 3` above numbers, may be several orders. `answer`: `each`, `drop`. */
    | { kind: 'times'; sizes: Size[] }
    /** The heading above may name another network. `answer` is the network, or `drop`. */
    | { kind: 'heading'; heading: string; networks: string[] }
  )

/** The parts that every question has. */
export interface Asked {
  /** The question's key in `Answers`. */
  key: string
  choices: Choice[]
  /** Numbers of the lines that wait for the answer. */
  lines: number[]
  /** How many recipients the question concerns. */
  count: number
  /** The numbers that it concerns, each once, in the order of their lines. */
  whom: AskedNumber[]
}

/** A number that a question is about. */
export interface AskedNumber {
  phone: Phone
  /** The lines to look at; of a number that stands there twice, the earlier ones too. */
  lines: number[]
}

/**
 * A possible answer.
 *
 * `duplicates`: `one`, `both`. `mismatch`, `contradiction`: `keep`, `switch` (offered if the size is sold
 * there), `drop`. `other_size`: `chosen`, `written`, `drop`. The rest: see the kinds.
 */
export interface Choice {
  answer: string
  /** How many of the recipients can be ordered with this answer. */
  fits: number
}
