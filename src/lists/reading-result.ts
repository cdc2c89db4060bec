import type { Pesewas } from '../provider/money.ts'
import type { Phone } from '../provider/phone.ts'
import type { ListedBundle } from './meaning/listed-bundle.ts'
import type { NamedRequest } from './names/named-request.ts'
import type { PrefixMap } from './read-phone.ts'
import type { Size } from './size.ts'

/** The prices, prefixes and history with which a list is read. */
export interface PriceSnapshot {
  /** The account's price list, as the buyer sees it. */
  bundles: readonly ListedBundle[]
  prefixes: PrefixMap
  /** The bundle that was chosen before the list was sent. With it, numbers need no sizes. */
  fixedBundleId: number | null
  /**
   * For each number, the networks on which it was ordered for before. They may differ from its prefix, because
   * people keep their number when they change networks.
   */
  served?: Readonly<Record<string, readonly string[]>>
  /** The network that somebody has saved for a number. It overrides the prefix. */
  ported?: Readonly<Record<string, string>>
  /** The saved names that may occur in the text. */
  names?: Names
}

/** Saved names, folded by `nameKey`, with their numbers; null if a name may mean several people. */
export type Names = Readonly<Record<string, Phone | null>>

/**
 * The person's answers: `Question.key` with `Choice.answer`. They are stored with the text. An answer without an
 * open question has no effect.
 */
export type Answers = Readonly<Record<string, string>>

/** The result of reading a list, as codes and data without words. */
export interface ListReading {
  /** One for each line of the text, in order. */
  lines: ReadLine[]
  /** How many lines have each verdict. The sum is `lines.length`. */
  counts: Record<Verdict, number>
  /**
   * The orders that can be placed without corrections, in the order of the list: the recipients of all lines with
   * the verdict `ready`.
   */
  recipients: ReadRecipient[]
  /** The questions to answer before their lines can be ready. */
  questions: Question[]
  /** The lines that may give a person by name, whether that name is saved or not. */
  named: readonly NamedLine[]
}

/** A line without a number that may be for a person by name: `Kofi 5gb`. */
export interface NamedLine {
  /** Counts from 1. */
  line: number
  request: NamedRequest
}

/**
 * A line is `fix` if any part of it has to be corrected or answered, `ready` if it gives a recipient, and otherwise
 * `ignored` (as headings are).
 */
export type Verdict = 'ready' | 'fix' | 'ignored'

export interface ReadLine {
  /** Counts from 1. */
  number: number
  text: string
  verdict: Verdict
  /**
   * The numbers of all lines that are read together with this one, itself included (such as a phone with its size
   * below). Empty for ignored lines.
   */
  together: readonly number[]
  /** Why the line has the verdict `fix`. Lines that wait for an answer have the problem `asked`. */
  problems: readonly Problem[]
  notes: readonly Note[]
  /** The numbers on the line that could be read, whatever its verdict. */
  written: readonly WrittenRecipient[]
  recipients: readonly ReadRecipient[]
}

/** A number with its size and network, taken from its line and the headings above. */
export interface WrittenRecipient {
  phone: Phone
  /** The number was written without its leading zero. */
  zeroRestored: boolean
  size: Size | null
  /** The network named by a word on the line or in a heading. The prefix is not considered. */
  network: string | null
  amountPesewas: Pesewas | null
}

/** One bundle for one number, ready to order. */
export interface ReadRecipient {
  line: number
  phone: Phone
  bundleId: number
  network: string
  volume: string
  offerSlug: string | null
  /** Null if the buyer may not see it. */
  pricePesewas: Pesewas | null
  notes: readonly Note[]
}

/** A remark about a line or a recipient that is ready or ignored. */
export type Note =
  | { code: 'zero_restored'; phone: Phone }
  /** The amount written next to the number is not the price. */
  | { code: 'other_price'; phone: Phone; writtenPesewas: Pesewas; pricePesewas: Pesewas }
  /** The network was written, but the number's prefix hints at others. */
  | { code: 'other_prefix'; phone: Phone; network: string; likely: readonly string[] }
  /** The same number and bundle are on an earlier line, and only the earlier line is ordered. */
  | { code: 'repeated'; phone: Phone; line: number }
  /** Not ordered, as the person answered. */
  | { code: 'dropped'; phone: Phone }
  /** The size may be for one number or for several, so it was given to none. */
  | { code: 'size_not_used'; size: Size }

/**
 * Why a line has to be corrected. `written` is the part of the line with the problem, `suggestion` what it probably
 * means.
 */
export type Problem =
  /** Some digits are missing: `024123456`. */
  | { code: 'phone_short'; written: string; missing: number }
  | { code: 'phone_long'; written: string; extra: number }
  | { code: 'landline'; written: string }
  | { code: 'phone_abroad'; written: string }
  /** Letters, masks or strange characters among the digits. */
  | { code: 'phone_damaged'; written: string; suggestion: string | null }
  /** The digits are in groups that can be read in two ways: `024 123 456 7 5`. */
  | { code: 'phone_unclear'; written: string }
  /** `2.44123E+08`: a spreadsheet damaged the number. */
  | { code: 'scientific'; written: string }
  | { code: 'two_sizes'; written: string[] }
  /** `2x5gb` may be several orders. */
  | { code: 'several_times'; written: string }
  /** `2,5`: a decimal comma, or two numbers. */
  | { code: 'decimal_comma'; written: string; suggestion: Size | null }
  /** The numbers and sizes on the line cannot be paired. */
  | { code: 'not_paired'; phones: number; sizes: number }
  /** `1 0241234567`, `2 0551234567`: the leading numbers may be sizes or line numbers. */
  | { code: 'numbering_or_size'; written: string }
  | { code: 'two_networks'; networks: string[] }
  /** The word may be a network's name or something else, or only some of the numbers have a network. */
  | { code: 'network_unclear'; written: string; phone: Phone }
  /** No network is named, and the prefix hints at none. */
  | { code: 'network_unknown'; phone: Phone }
  /** `network` is null if several networks fit the number and none of them sells the size. */
  | {
      code: 'not_sold'
      phone: Phone
      network: string | null
      size: Size
      nearest: ListedBundle[]
      /** The size as it was written without a unit, if a bundle of that many megabytes is sold. */
      written?: string
      suggestion?: string
    }
  /** `Kofi 5gb`: a size for a person whose number is missing. */
  | { code: 'no_number'; size: Size }
  /** `Kofi 5gb`, but no saved number has that name. `size` is null if the bundle was chosen before the list. */
  | { code: 'not_saved'; name: string; size: Size | null; line: number }
  /** The name may mean several people. */
  | { code: 'several_saved'; name: string; size: Size | null; line: number }
  /** A word that may mean "do not order this": `cancel`, `sent`. */
  | { code: 'doubtful_word'; written: string }
  | { code: 'unclear'; written: string; suggestion?: string }
  /** The line is too long to be read. `longest` is the limit, in characters. */
  | { code: 'too_long'; longest: number }
  /** The line is on the join of two messages, where something may be missing. */
  | { code: 'truncation' }
  /** The line's heading may have been lost where two messages were joined. */
  | { code: 'heading_lost' }
  | { code: 'asked'; question: Question['kind'] }

/** One question for all the recipients that it concerns. */
export type Question = Asked &
  (
    | { kind: 'duplicates' }
    /** Numbers without a size, and no bundle was chosen. The `answer` is a size, such as `5GB`. */
    | { kind: 'size' }
    /** The prefix fits several networks that sell the size. The `answer` is the network. */
    | { kind: 'network'; networks: string[] }
    /** Two bundles of the same network and size. The `answer` is the bundle's id. */
    | { kind: 'offer'; network: string; size: Size; bundles: ListedBundle[] }
    /** The numbers, or a word next to them, hint at a network that is not the chosen bundle's. */
    | { kind: 'mismatch'; chosen: ListedBundle; likely: string[] }
    /** The numbers' prefixes contradict the written network. */
    | { kind: 'contradiction'; network: string; likely: string[] }
    /** The written size is not the chosen bundle's. */
    | { kind: 'other_size'; chosen: ListedBundle; sizes: Size[] }
    /** The table header names two units for bare numbers. The `answer` is the unit, or `drop`. */
    | { kind: 'unit'; sizes: string[] }
    /** `0241234567*5`, or `5GB x 3` above numbers, may mean several orders. The `answer` is `each` or `drop`. */
    | { kind: 'times'; sizes: Size[] }
    /** The heading above may name a network that we do not know. The `answer` is the network, or `drop`. */
    | { kind: 'heading'; heading: string; networks: string[] }
  )

export interface Asked {
  key: string
  choices: Choice[]
  /** The numbers of the lines that wait for the answer. */
  lines: number[]
  /** How many recipients the question concerns. */
  count: number
  /** Each phone number once, in the order of the lines. */
  whom: AskedNumber[]
}

export interface AskedNumber {
  phone: Phone
  /** The numbers of the lines where the phone is. If the question is about a repeat, earlier lines are included. */
  lines: number[]
}

/**
 * A possible answer.
 *
 * `duplicates`: `one`, `both`. `mismatch`, `contradiction`: `keep`, `switch` (offered if that network sells the
 * size), `drop`. `other_size`: `chosen`, `written`, `drop`. For the others, see `Question`.
 */
export interface Choice {
  answer: string
  /** How many of the recipients can be ordered with this answer. */
  fits: number
}
