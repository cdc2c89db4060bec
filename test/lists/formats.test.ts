import { describe, expect, test } from 'vitest'
import { readList } from '../../src/lists/read-list.ts'
import type { Answers, ListReading } from '../../src/lists/reading-result.ts'
import { chosen, priceSnapshot } from './market.ts'

const recipientsOf = ({ recipients }: ListReading): string[] =>
  recipients.map(({ phone, volume, network }) => `${phone} ${volume} ${network}`)

/** The verdicts as a letter for each line: `rfi` is ready, fix, ignored. */
const verdictsOf = ({ lines }: ListReading): string => lines.map(({ verdict }) => verdict.charAt(0)).join('')

const problemsOf = ({ lines }: ListReading): string[] => [
  ...new Set(
    lines.flatMap(({ problems }) =>
      problems.map((problem) => (problem.code === 'asked' ? `asked ${problem.question}` : problem.code)),
    ),
  ),
]

const notesOf = ({ lines }: ListReading): string[] =>
  lines.flatMap(({ notes }) => notes.map(({ code }) => code))

const a = '0241234567'
const b = '0551234567'
const t = '0201234567'
const g = '0271234567'

/** Columns: name, text, verdicts of the lines, recipients. */
type Ready = [name: string, text: string, verdicts: string, recipients: string[]]

describe('a list that can be read in only one way is ready to order', () => {
  const two = [`${a} 5GB MTN`, `${b} 10GB MTN`]
  const rows: Ready[] = [
    // The examples of the specification.
    ['number, size', '0241234567 5', 'r', [`${a} 5GB MTN`]],
    ['a comma between', '0559876543, 10gb', 'r', ['0559876543 10GB MTN']],
    ['a decimal', '0507904981 - 7.5', 'r', ['0507904981 7.5GB Telecel']],
    ['numbered lines with dashes', '1. 0535308873 - 5gb', 'r', ['0535308873 5GB MTN']],
    ['a number without its zero', '241234567 2', 'r', [`${a} 2GB MTN`]],
    ['a number with the country code', '+233 24 123 4567 5gb', 'r', [`${a} 5GB MTN`]],
    [
      'three orders on a line',
      '0241234567 2, 0551234567 4; 0201234567 10',
      'r',
      [`${a} 2GB MTN`, `${b} 4GB MTN`, `${t} 10GB Telecel`],
    ],
    ['one order on three lines', '0270890079\n15gb\nbig time', 'rrr', ['0270890079 15GB BigTime']],
    ['an amount, a space and its currency', '0241234567 5gb 23.50 GHS', 'r', [`${a} 5GB MTN`]],
    [
      'number, network and size below each other, again and again',
      '0271234567\nbigtime\n5gb\n0241234567\nmtn\n10gb',
      'rrrrrr',
      ['0271234567 5GB BigTime', `${a} 10GB MTN`],
    ],
    [
      'a network between a number and its size, for that number alone',
      '0271234567\nbigtime\n5gb\n0241234567\n10gb',
      'rrrrr',
      ['0271234567 5GB BigTime', `${a} 10GB MTN`],
    ],
    [
      'networks as headings',
      'MTN\n0241234567 5\nTelecel\n0201234567 10',
      'irir',
      [`${a} 5GB MTN`, `${t} 10GB Telecel`],
    ],
    ['a table with a header', 'Numbers\tGB\n0241234567\t5', 'ir', [`${a} 5GB MTN`]],
    // Numbers.
    ['the country code without a plus', '233241234567 5gb', 'r', [`${a} 5GB MTN`]],
    ['the country code as 00233', '00233241234567 5gb', 'r', [`${a} 5GB MTN`]],
    ['a zero in brackets', '+233 (0) 24 123 4567 5gb', 'r', [`${a} 5GB MTN`]],
    ['dashes in the number', '024-123-4567 5gb', 'r', [`${a} 5GB MTN`]],
    ['dots in the number', '024.123.4567 2', 'r', [`${a} 2GB MTN`]],
    ['spaces in the number, and a bare size', '024 123 4567 5', 'r', [`${a} 5GB MTN`]],
    ['brackets around the prefix', '(024) 123 45 67 = 5gb', 'r', [`${a} 5GB MTN`]],
    ['groups without the zero', '24 123 4567 5gb', 'r', [`${a} 5GB MTN`]],
    ['a dash and no spaces', '0241234567-5', 'r', [`${a} 5GB MTN`]],
    ['a slash before a size with a unit', '0241234567/5gb', 'r', [`${a} 5GB MTN`]],
    ['full-width digits', '０２４１２３４５６７　５ＧＢ', 'r', [`${a} 5GB MTN`]],
    ['Arabic-Indic digits', '٠٢٤١٢٣٤٥٦٧ ٥', 'r', [`${a} 5GB MTN`]],
    ['Persian digits', '۰۲۴۱۲۳۴۵۶۷ ۵ gb', 'r', [`${a} 5GB MTN`]],
    ['digits and letters in a decorative font', '𝟎𝟐𝟒𝟏𝟐𝟑𝟒𝟓𝟔𝟕 𝟓𝗚𝗕', 'r', [`${a} 5GB MTN`]],
    ['keycaps', '0️⃣2️⃣4️⃣1️⃣2️⃣3️⃣4️⃣5️⃣6️⃣7️⃣ 5gb', 'r', [`${a} 5GB MTN`]],
    ['no-break and narrow spaces', '024\u00a0123\u202f4567\u00a05\u00a0GB', 'r', [`${a} 5GB MTN`]],
    ['zero-width characters', '024\u200b123\u200b4567\ufeff 5\u200dgb', 'r', [`${a} 5GB MTN`]],
    [
      'invisible direction marks of a pasted contact',
      '\u202a+233 24 123 4567\u202c 5gb',
      'r',
      [`${a} 5GB MTN`],
    ],
    ['dashes of other kinds', '024‑123‑4567 – 5gb', 'r', [`${a} 5GB MTN`]],
    // Sizes.
    ['the size first', '5gb 0241234567', 'r', [`${a} 5GB MTN`]],
    ['a bare size first', '5 0241234567', 'r', [`${a} 5GB MTN`]],
    ['a size of 5.0', '5.0gb 0241234567', 'r', [`${a} 5GB MTN`]],
    ['the unit GIG', '0241234567 5 GIG', 'r', [`${a} 5GB MTN`]],
    ['the unit gigs', '0241234567: 5gigs', 'r', [`${a} 5GB MTN`]],
    ['the unit G', '0241234567 5G', 'r', [`${a} 5GB MTN`]],
    ['megabytes', '0201234567 500mb', 'r', [`${t} 500MB Telecel`]],
    ['the unit first', '0201234567 MB 500', 'r', [`${t} 500MB Telecel`]],
    ['1000 megabytes', '0241234567 1000 MB', 'r', [`${a} 1GB MTN`]],
    ['2048 megabytes', '0241234567 2048MB', 'r', [`${a} 2GB MTN`]],
    ['a size with its validity in days', '0241234567 5gb 30 days', 'r', [`${a} 5GB MTN`]],
    ['a plus between number and size', '0241234567+5gb', 'r', [`${a} 5GB MTN`]],
    ['an arrow', '0241234567 → 5GB', 'r', [`${a} 5GB MTN`]],
    ['an equals sign', '0241234567=5', 'r', [`${a} 5GB MTN`]],
    ['asterisks for bold text', '*0241234567* *5gb*', 'r', [`${a} 5GB MTN`]],
    // Numbering.
    ['numbered 1)', '1) 0241234567 5gb\n2) 0551234567 10gb', 'rr', two],
    ['numbered (1)', '(1) 0241234567 5gb\n(2) 0551234567 10gb', 'rr', two],
    ['numbered #1', '#1 0241234567 5gb\n#2 0551234567 10gb', 'rr', two],
    ['numbered 1-', '1- 0241234567 5gb\n2- 0551234567 10gb', 'rr', two],
    ['numbered 1:', '1: 0241234567 5gb\n2: 0551234567 10gb', 'rr', two],
    ['numbered 1.', '1.0241234567 5\n2.0551234567 10', 'rr', two],
    ['numbered with emoji', '1️⃣ 0241234567 5gb\n2️⃣ 0551234567 10gb', 'rr', two],
    ['numbered ①', '① 0241234567 5gb\n② 0551234567 10gb', 'rr', two],
    [
      'numbered with bare numbers',
      '1 0241234567 5\n2 0551234567 10\n3 0201234567 2',
      'rrr',
      [...two, `${t} 2GB Telecel`],
    ],
    ['numbered cells', '1\t0241234567\t5\n2\t0551234567\t10', 'rr', two],
    ['bullets', '• 0241234567 5gb\n- 0551234567 10gb', 'rr', two],
    ['emoji bullets', '👉🏾 0241234567 5gb 🙏🏾\n🔥0551234567 10gb', 'rr', two],
    // Names and polite words.
    ['a name before the number', 'Kofi Mensah 0241234567 5gb', 'r', [`${a} 5GB MTN`]],
    ['a name after the size', '0241234567 5gb Kofi', 'r', [`${a} 5GB MTN`]],
    ['a name between number and size', '0241234567 - Ama Serwaa - 5gb', 'r', [`${a} 5GB MTN`]],
    ['names with accents', 'Kofí Ɔpɔku 0241234567 5gb', 'r', [`${a} 5GB MTN`]],
    ['a name with a digit', 'Kofi2 0241234567 5gb', 'r', [`${a} 5GB MTN`]],
    ['labels', 'Number: 0241234567, Size: 5GB, Network: MTN', 'r', [`${a} 5GB MTN`]],
    ['a request', 'Please send 5gb to 0241234567 thanks', 'r', [`${a} 5GB MTN`]],
    [
      'greetings before and after',
      'Good morning boss\n0241234567 5gb\n\nThank you 🙏',
      'irii',
      [`${a} 5GB MTN`],
    ],
    ['names on lines of their own', 'Kofi\n0241234567\n5gb\nAma\n0551234567\n10gb', 'irrirr', two],
    // Amounts.
    ['an amount in GHS', '0241234567 5gb GHS 23.50', 'r', [`${a} 5GB MTN`]],
    ['an amount in cedis', '0241234567 5gb 23.5 cedis', 'r', [`${a} 5GB MTN`]],
    ['the sign of the cedi', '0241234567 5gb @ ₵23.5', 'r', [`${a} 5GB MTN`]],
    ['GH₵', '0241234567 5gb (GH₵23.50)', 'r', [`${a} 5GB MTN`]],
    ['an amount without spaces', '0241234567 5gb ghs23.50', 'r', [`${a} 5GB MTN`]],
    ['an amount behind a bare size', '0241234567 5 GHS 23.50', 'r', [`${a} 5GB MTN`]],
    ['the exact price without a currency', '0241234567 5gb 23.5', 'r', [`${a} 5GB MTN`]],
    ['an amount with a thousands separator', '0241234567 10gb GHS 1,045.00', 'r', [`${a} 10GB MTN`]],
    ['an amount with two decimals that is nearly the price', '0241234567 10GB 44.95', 'r', [`${a} 10GB MTN`]],
    // People's ways to write one order.
    ['please after the size', '0241234567 10gb pls', 'r', [`${a} 10GB MTN`]],
    ['a sentence', 'please send 5gb to 0241234567', 'r', [`${a} 5GB MTN`]],
    ['a verb before the number', 'Buy 0241234567 10GB', 'r', [`${a} 10GB MTN`]],
    ['labels with the unit as a label', 'Phone: 0241234567, GB: 5', 'r', [`${a} 5GB MTN`]],
    ['a copied message', '[12/05/25, 14:03:11] Kofi: 0241234567 5', 'r', [`${a} 5GB MTN`]],
    // Labels with a line number.
    [
      'two customers with words between',
      '0241234567\n2gig please\n\nCustomer 2:\n0551234567\nNeed 4gb',
      'rriirr',
      [`${a} 2GB MTN`, `${b} 4GB MTN`],
    ],
    ['a numbered label before the number', 'Contact 2: 0241234567 5gb', 'r', [`${a} 5GB MTN`]],
    [
      'a numbered label on its own line',
      'Customer 1\n0241234567\n5gb\nCustomer 2\n0551234567\n10gb',
      'irrirr',
      two,
    ],
    ['numbered people', 'Person 1 - 0241234567 5gb\nPerson 2 - 0551234567 10gb', 'rr', two],
    // Networks.
    ['the old name of a network', 'voda 0201234567 2', 'r', [`${t} 2GB Telecel`]],
    ['two words for one network', 'Airtel Tigo 0271234567 3gb', 'r', [`${g} 3GB AirtelTigo`]],
    ['the network AT', '0271234567 5gb AT', 'r', [`${g} 5GB AirtelTigo`]],
    ['the network AT BigTime', '0271234567 5gb AT BigTime', 'r', [`${g} 5GB BigTime`]],
    ['no network, but only one sells that size', '0271234567 15gb', 'r', [`${g} 15GB BigTime`]],
    ['at a time of day', '0241234567 5gb at 08:12', 'r', [`${a} 5GB MTN`]],
    [
      'a network before each number',
      'mtn 0241234567 5, telecel 0201234567 10',
      'r',
      [`${a} 5GB MTN`, `${t} 10GB Telecel`],
    ],
    ['a decorated heading', '*** MTN NUMBERS ***\n0241234567 5', 'ir', [`${a} 5GB MTN`]],
    [
      'a network below each number',
      '0271234567 5gb\nBigtime\n0261234567 5gb\nAT',
      'rrrr',
      [`${g} 5GB BigTime`, '0261234567 5GB AirtelTigo'],
    ],
    // Sizes as headings, and sizes for all.
    ['a size as a heading', '5GB:\n0241234567\n0551234567', 'irr', [`${a} 5GB MTN`, `${b} 5GB MTN`]],
    ['sizes as headings', '5GB\n0241234567\n\n10GB\n0551234567', 'iriir', two],
    [
      'a network and a size in one heading',
      'MTN 5GB (2 numbers)\n0241234567\n0551234567',
      'irr',
      [`${a} 5GB MTN`, `${b} 5GB MTN`],
    ],
    [
      'sizes as headings below networks',
      'MTN\n5GB\n0241234567\n10GB\n0551234567\nTelecel\n2GB\n0201234567',
      'iiririir',
      [...two, `${t} 2GB Telecel`],
    ],
    [
      'networks as headings below sizes',
      '5GB\nMTN\n0241234567\nTelecel\n0201234567',
      'iirir',
      [`${a} 5GB MTN`, `${t} 5GB Telecel`],
    ],
    ['a size below each number', '0241234567\n5gb\n0551234567\n10gb', 'rrrr', two],
    ['a bare size below each number', '0241234567\n5\n\n0551234567\n10', 'rrirr', two],
    ['a bare size above each number', '5\n0241234567\n10\n0551234567', 'irir', two],
    ['a size for all above', 'all 5gb\n0241234567\n0551234567', 'irr', [`${a} 5GB MTN`, `${b} 5GB MTN`]],
    [
      'the same size for all below',
      '0241234567\n0551234567\nsame for all 5gb',
      'rri',
      [`${a} 5GB MTN`, `${b} 5GB MTN`],
    ],
    [
      'a size for each number on a line',
      '0241234567, 0551234567 5gb each',
      'r',
      [`${a} 5GB MTN`, `${b} 5GB MTN`],
    ],
    ['a size and its numbers', '5gb: 0241234567, 0551234567', 'r', [`${a} 5GB MTN`, `${b} 5GB MTN`]],
    ['a size on the line that differs from the heading', '5GB:\n0241234567\n0551234567 10', 'irr', two],
    ['pairs without commas', '0241234567 5 0551234567 10', 'r', two],
    ['pairs with the size first', '5gb 0241234567 10gb 0551234567', 'r', two],
    // Totals and small talk.
    ['a total', '0241234567 5gb\n0551234567 10gb\nTotal: 15gb', 'rri', two],
    ['a total of money', '0241234567 5gb\n0551234567 10gb\n-----\nTotal = GHS 68.50', 'rrii', two],
    // Tables.
    ['columns in another order', 'Size,Phone\n5GB,0241234567\n10GB,0551234567', 'irr', two],
    ['four columns', 'No;Name;Number;GB\n1;Kofi;0241234567;5\n2;Ama;0551234567;10', 'irr', two],
    ['a column of prices', 'Phone\tData\tPrice\n0241234567\t5\t23.50\n0551234567\t10\t45', 'irr', two],
    ['a column of megabytes', 'Number\tMB\n0201234567\t500', 'ir', [`${t} 500MB Telecel`]],
    ['a column of networks', 'Network,Number,Volume\nBigTime,0271234567,5GB', 'ir', [`${g} 5GB BigTime`]],
    ['a quantity of one', 'Number,GB,Qty\n0241234567,5,1', 'ir', [`${a} 5GB MTN`]],
    ['cells in quotation marks', '"0241234567","5"', 'r', [`${a} 5GB MTN`]],
    // Chats.
    [
      'a message copied from WhatsApp on an iPhone',
      '[21/11/2026, 08:12:30] Kofi: 0241234567 5gb',
      'r',
      [`${a} 5GB MTN`],
    ],
    [
      'a message copied from WhatsApp on Android',
      '21/11/2026, 08:12 - Kofi Mensah: 0241234567 5gb',
      'r',
      [`${a} 5GB MTN`],
    ],
    [
      'a WhatsApp time with AM and a narrow space',
      '[11/21/26, 8:12\u202fAM] ~\u202fAma: 0241234567 5gb',
      'r',
      [`${a} 5GB MTN`],
    ],
    [
      'copied messages',
      '[08:12, 21/11/2026] Kofi: 0241234567 5\n[08:13, 21/11/2026] Ama: 0551234567 10',
      'rr',
      two,
    ],
    [
      'a sender without a name',
      '[21/11/2026, 08:12] +233 50 000 0000: 0241234567 5gb',
      'r',
      [`${a} 5GB MTN`],
    ],
    ['a message of several lines', '[21/11/2026, 08:12] Kofi: Hi\n0241234567\n5gb', 'irr', [`${a} 5GB MTN`]],
    [
      'a system message of a chat',
      '21/11/2026, 08:12 - Kofi added +233 50 000 0000\n0241234567 5',
      'ir',
      [`${a} 5GB MTN`],
    ],
    [
      'a message copied from Telegram',
      'Kofi Mensah, [21.11.2026 08:12]\n0241234567 5gb',
      'ir',
      [`${a} 5GB MTN`],
    ],
    [
      'a network word of another sender',
      '[21/11/2026, 08:12] Kofi: Telecel\n[21/11/2026, 08:13] Ama: 0241234567 5gb',
      'ir',
      [`${a} 5GB MTN`],
    ],
    ['a date on the line', '21/11/2026 0241234567 5gb', 'r', [`${a} 5GB MTN`]],
    ['Windows line breaks', '0241234567 5\r\n0551234567 10\r\n', 'rr', two],
    ['an empty text', '', '', []],
    ['only empty lines', '\n \n\t\n', 'iii', []],
  ]
  test.each(rows)('in the format “%s”', (_, text, verdicts, recipients) => {
    const reading = readList(text, priceSnapshot)
    expect(problemsOf(reading)).toEqual([])
    expect(recipientsOf(reading)).toEqual(recipients)
    expect(verdictsOf(reading)).toBe(verdicts)
    expect(reading.questions).toEqual([])
  })
})

/** Columns: name, text, verdicts of the lines, problems. */
type Faulty = [name: string, text: string, verdicts: string, problems: string[]]

describe('a damaged or ambiguous line of a list has to be fixed', () => {
  const rows: Faulty[] = [
    ['2x before the size', '0241234567 2x5gb', 'f', ['several_times']],
    ['x3 at the end', '0241234567 5gb x3', 'f', ['several_times']],
    ['3x at the beginning', '3x 0241234567 5gb', 'f', ['several_times']],
    ['an asterisk and a count after the size', '0241234567 5gb*2', 'f', ['several_times']],
    ['a number x a number', '0241234567x5', 'f', ['asked times']],
    ['a number × a number', '0241234567×5', 'f', ['asked times']],
    ['the word twice', '0241234567 5gb twice', 'f', ['several_times']],
    ['2pcs at the end', '0241234567 5gb 2pcs', 'f', ['several_times']],
    ['a column with a quantity of two', 'Number,GB,Qty\n0241234567,5,2', 'if', ['several_times']],
    ['x2 for all numbers', '0241234567\n0551234567\nall x2', 'ffi', ['several_times']],
    ['2x before the size on the line below', '0241234567\n2x5gb', 'ff', ['several_times']],
    ['a missing digit', '024123456 5', 'f', ['phone_short']],
    ['a missing digit in a number that looks whole', '024123456 10gb', 'f', ['phone_short']],
    ['a missing digit in a grouped number', '024 123 456 5gb', 'f', ['phone_short']],
    ['a digit too many', '02412345678 5', 'f', ['phone_long']],
    ['digits spread over too many groups', '024 123 456 7 5', 'f', ['phone_unclear']],
    ['a size behind eight digits', '02412345 10', 'f', ['phone_short']],
    ['a size behind seven digits', '0271234 100', 'f', ['phone_short']],
    ['a landline', '0302123456 5gb', 'f', ['landline']],
    ['another country', '+1 202 555 0100 5gb', 'f', ['phone_abroad']],
    ['a letter for a zero', 'O241234567 5', 'f', ['phone_damaged']],
    ['a letter behind the last group', '024 123 4567O 5gb', 'f', ['phone_damaged']],
    ['a letter in the first group', 'O24 123 4567 5gb', 'f', ['unclear']],
    ['a number masked with dots', '024•••4567 5gb', 'f', ['phone_damaged']],
    ['a number masked with asterisks', '024***4567 5gb', 'f', ['phone_damaged']],
    ['a cell that became a decimal', '241234567.0 5', 'f', ['phone_damaged']],
    ['a number that Excel made scientific', '2.44123E+08 5', 'f', ['scientific']],
    ['a scientific number with a comma', '2,44123E+08 5', 'f', ['scientific']],
    ['a number with two endings', '0241234567/8 5gb', 'f', ['unclear']],
    ['two sizes', '0241234567 5gb 10gb', 'f', ['two_sizes']],
    ['one size or the other', '0241234567 5gb or 10gb', 'f', ['doubtful_word']],
    ['a price that is a size as well', '0241234567 5 10', 'f', ['two_sizes']],
    ['cedis or gigabytes', '0241234567 5 GHS 10', 'f', ['two_sizes']],
    ['2x before the size in front of the number', '2x10gb 0241234567', 'f', ['several_times']],
    ['an amount without a size', '0241234567 GHS 20', 'f', ['asked size']],
    ['a bare number with one decimal', '0241234567 10gb 42.7', 'f', ['two_sizes']],
    ['two decimals beside a bare size', '0241234567 10 42.75', 'f', ['two_sizes']],
    ['a label with a decimal', 'Number 2.5 0241234567', 'f', ['not_sold']],
    ['a size without a number at the end', '0241234567 2gb\nNeed 4gb', 'rf', ['no_number']],
    ['a heading without numbers below', '0241234567 2gb\n5GB:', 'rf', ['no_number']],
    [
      'a size of another sender',
      '[08:12, 21/11/2026] Kofi: 0241234567 5\n[08:13, 21/11/2026] Ama: 10gb',
      'rf',
      ['no_number'],
    ],
    ['a decimal comma', '0241234567 2,5', 'f', ['decimal_comma']],
    ['a fraction', '0241234567 ½gb', 'f', ['unclear']],
    ['a fraction of digits', '0241234567 1/2gb', 'f', ['unclear']],
    ['a superscript digit', '024123456² 5', 'f', ['phone_short', 'unclear']],
    ['letters behind a size', '0241234567 5gbx', 'f', ['unclear']],
    ['a size with a zero in front', '0241234567 05', 'f', ['unclear']],
    ['a size that starts with a point', '0241234567 .5gb', 'f', ['unclear']],
    ['a size in words', '0241234567 two gb', 'f', ['unclear']],
    ['a unit apart from its size', '0201234567 500 - MB', 'f', ['unclear']],
    ['two numbers and one size on a line', '0241234567 0551234567 5gb', 'f', ['not_paired']],
    ['two numbers before two sizes', '0241234567 0551234567 5 10', 'f', ['not_paired']],
    ['two sizes between two numbers', '0241234567 5 10 0551234567', 'f', ['not_paired']],
    ['a number without a size among pairs', '0241234567 5, 0551234567, 0201234567 10', 'f', ['not_paired']],
    ['numbering or sizes', '1 0241234567\n2 0551234567', 'ff', ['numbering_or_size']],
    ['a bare number with a dash before the phone', '5- 0241234567', 'f', ['numbering_or_size']],
    ['two networks', '0241234567 5 mtn telecel', 'f', ['two_networks']],
    [
      'a network for the second of two numbers',
      '0241234567 5, telecel 0201234567 10',
      'f',
      ['network_unclear'],
    ],
    [
      'a number between two networks that both fit',
      '0271234567 5\nAT\n0271234568 5\nBigTime\n0571234567 15',
      'fifir',
      ['asked network'],
    ],
    [
      'a number between two networks, one of which lacks the size',
      '0271234567 2\nAT\n0271234568 2\nBigTime\n0571234567 15',
      'rifir',
      ['network_unclear'],
    ],
    ['an unknown prefix below a network', '0241234567 5\nMTN\n0231234567 5', 'rif', ['network_unclear']],
    ['the word at, which is also a network', '0241234567 at 5gb', 'f', ['asked contradiction']],
    ['an unknown prefix', '0231234567 5gb', 'f', ['network_unknown']],
    ['a size that is not sold', '0241234567 7gb', 'f', ['not_sold']],
    ['megabytes instead of gigabytes', '0241234567 5mb', 'f', ['not_sold']],
    ['a size close to one that is sold', '0241234567 4.9', 'f', ['not_sold']],
    ['a size that neither of two networks sells', '0271234567 7gb', 'f', ['not_sold']],
    ['a size that is not sold, below', '0241234567\n7gb', 'ff', ['not_sold']],
    ['a column of megabytes', 'Number\tMB\n0241234567\t5', 'if', ['not_sold']],
    ['a header with megabytes', 'Number MB\n0241234567 5', 'if', ['not_sold']],
    ['the word cancel', '0241234567 5gb cancel', 'f', ['doubtful_word']],
    ['the word cancel on the line below', '0241234567 5gb\ncancel this one', 'rf', ['doubtful_word']],
    ['the word don’t', 'don’t send 0241234567 5gb', 'f', ['doubtful_word']],
    ['a crossing-out emoji', '0241234567 5gb ❌', 'f', ['doubtful_word']],
    ['tildes for struck-out text', '~0241234567 5gb~', 'f', ['doubtful_word']],
    ['strokes through each digit', '0̶2̶4̶1̶2̶3̶4̶5̶6̶7̶ 5gb', 'f', ['doubtful_word']],
    ['a character that reverses the direction', '\u202e0241234567 5gb', 'f', ['doubtful_word']],
    ['the word tomorrow', '0241234567 5gb tomorrow', 'f', ['doubtful_word']],
    ['a number to pay to', 'momo 0241234567 23.5', 'f', ['doubtful_word']],
    ['one damaged pair of two', '0241234567 5, 055123456 10', 'f', ['phone_short']],
    [
      'a network between two numbers that may belong to either',
      '0241234567 5\nMTN\n0201234567 10',
      'rif',
      ['asked contradiction'],
    ],
    ['a size asked for by an unnamed sender', '[21/11/2026, 08:12] +233 24 123 4567: 5gb', 'f', ['unclear']],
    ['numbers without a size', '0241234567\n0551234567', 'ff', ['asked size']],
    [
      'a size at the end, for the last number or for all',
      '0241234567\n0551234567\n5gb',
      'ffi',
      ['asked size'],
    ],
    ['a bare size over two', '5\n0241234567\n0551234567', 'iff', ['asked size']],
    [
      'sizes that may be above or below their numbers',
      '5gb\n0241234567\n10gb\n0551234567\n2gb',
      'ififi',
      ['asked size'],
    ],
    ['a price list over a number', '1GB - GHS 4.90\n2GB - GHS 9.80\n0241234567', 'iif', ['asked size']],
    ['a size that two networks sell', '0271234567 5gb', 'f', ['asked network']],
    ['a size with two offers', '0241234567 6gb', 'f', ['asked offer']],
    ['the same number and size twice', '0241234567 5\n+233241234567 5', 'rf', ['asked duplicates']],
    ['a very long line', `0241234567 5 ${'x'.repeat(100_000)}`, 'f', ['too_long']],
  ]
  test.each(rows)('as in the example “%s”', (_, text, verdicts, problems) => {
    const reading = readList(text, priceSnapshot)
    expect(problemsOf(reading)).toEqual(problems)
    expect(verdictsOf(reading)).toBe(verdicts)
    expect(reading.recipients).toHaveLength(verdicts.split('r').length - 1)
  })
})

describe('the problem of a list’s line', () => {
  const problemOf = (text: string) =>
    readList(text, priceSnapshot).lines.flatMap(({ problems }) => problems)[0]

  test.each([
    ['024123456 5', { code: 'phone_short', written: '024123456', missing: 1 }],
    ['+233 24 123 45 5gb', { code: 'phone_short', written: '+233 24 123 45', missing: 2 }],
    ['02412345678 5', { code: 'phone_long', written: '02412345678', extra: 1 }],
    ['O24l234567 5', { code: 'phone_damaged', written: 'O24l234567', suggestion: a }],
    ['241234567.0 5', { code: 'phone_damaged', written: '241234567.0', suggestion: a }],
    ['0241234567 2,5', { code: 'decimal_comma', written: '2,5', suggestion: { amount: 2.5, unit: 'GB' } }],
    ['0241234567 2x5gb', { code: 'several_times', written: '2x5gb' }],
    ['0241234567 5gb 10gb', { code: 'two_sizes', written: ['5gb', '10gb'] }],
    ['2.44123E+08 5', { code: 'scientific', written: '2.44123E+08' }],
  ])('says what is wrong with “%s”', (text, problem) => {
    expect(problemOf(text)).toEqual(problem)
  })

  test('offers the nearest sizes of the network with their prices', () => {
    const problem = problemOf('0241234567 7gb')
    const nearest =
      problem?.code === 'not_sold'
        ? problem.nearest.map(({ volume, pricePesewas }) => [volume, pricePesewas])
        : []
    expect(nearest).toEqual([
      ['5GB', 2350],
      ['6GB', 2800],
      ['10GB', 4500],
    ])
  })
})

test.each([
  ['a restored zero', '241234567 5', ['zero_restored']],
  ['an amount that is not the price', '0241234567 5gb GHS 25', ['other_price']],
  ['an amount before GHS that is not the price', '0241234567 5gb 25 GHS', ['other_price']],
  ['an amount in cedis before the size', '0241234567 25 cedis 5', ['other_price']],
  ['an amount in a column', 'Phone,GB,Amount\n0241234567,5,25', ['other_price']],
  ['the price', '0241234567 5gb GHS 23.50', []],
  ['a size for all that nobody needs', '0241234567 5gb\nall 10gb', ['size_not_used']],
])('a line of a list that is ready has the right notes if there is %s', (_, text, notes) => {
  const reading = readList(text, priceSnapshot)
  expect(reading.counts.fix).toBe(0)
  expect(notesOf(reading)).toEqual(notes)
})

describe('a list’s network that contradicts a number’s prefix', () => {
  const contradiction = 'contradiction:MTN|Telecel'

  test.each([
    ['on the line', '0201234567 5 mtn'],
    ['in a heading', 'MTN\n0201234567 5'],
    ['in a heading that may be for the numbers above', '0241234567 1\nMTN\n0201234567 5'],
    ['in a heading below a line of several', '0241234567 1, 0201234567 5\nMTN'],
  ])('leads to a question that names the number if the network is %s', (_, text) => {
    const reading = readList(text, priceSnapshot)
    expect(reading.recipients.map(({ phone }) => phone)).not.toContain('0201234567')
    expect(reading.questions).toMatchObject([
      {
        kind: 'contradiction',
        key: contradiction,
        whom: [{ phone: '0201234567' }],
        choices: [{ answer: 'keep' }, { answer: 'switch' }, { answer: 'drop' }],
      },
    ])
  })

  test.each([
    ['keep', ['0201234567 5GB MTN', '0241234567 1GB MTN']],
    ['switch', ['0201234567 5GB Telecel', '0241234567 1GB MTN']],
    ['drop', ['0241234567 1GB MTN']],
  ])('is settled by the answer “%s”', (answer, ordered) => {
    const answers = { [contradiction]: answer }
    const above = readList('MTN\n0201234567 5\n0241234567 1', priceSnapshot, answers)
    const between = readList('0551234567 2\nMTN\n0201234567 5\n0241234567 1', priceSnapshot, answers)
    for (const { recipients, questions } of [
      above,
      { ...between, recipients: between.recipients.slice(1) },
    ]) {
      expect(recipients.map(({ phone, volume, network }) => `${phone} ${volume} ${network}`)).toEqual(ordered)
      expect(questions).toEqual([])
    }
  })

  test('leads to a question in a doubtful heading even if it served the number before', () => {
    const served = { '0201234567': ['MTN'] }
    const reading = readList('0241234567 1\nMTN\n0201234567 5', { ...priceSnapshot, served })
    expect(reading.questions.map(({ key }) => key)).toEqual([contradiction])
  })

  test('leads to a note and no question if it served the number before', () => {
    const reading = readList('0201234567 5 mtn', { ...priceSnapshot, served: { '0201234567': ['MTN'] } })
    expect(reading.counts).toMatchObject({ ready: 1, fix: 0 })
    expect(notesOf(reading)).toEqual(['other_prefix'])
  })
})

test.each([
  ['between numbers', '0241234567 5gb\nKofi 5gb\n0551234567 2gb', 'rfr'],
  ['at the end', '0241234567 5gb\nKofi 5gb', 'rf'],
  ['as a heading', 'Kofi 5gb\n0241234567', 'ir'],
  ['without a unit after a name', '0241234567 5gb\nShop 5', 'ri'],
  ['in a sentence', '0241234567 5gb\nKofi Mensah told Ama Serwaa of 5gb', 'ri'],
])(
  'a size without a number (%s) has to be fixed unless a heading, a name or a sentence explains it',
  (_, text, verdicts) => {
    expect(verdictsOf(readList(text, priceSnapshot))).toBe(verdicts)
  },
)

/** Columns: name, text, answers, verdicts, recipients. */
type Answered = [name: string, text: string, answers: Answers, verdicts: string, recipients: string[]]

describe('the questions about a list', () => {
  const rows: Answered[] = [
    [
      'keep one of two equal lines',
      '0241234567 5\n0241234567 5',
      { duplicates: 'one' },
      'ri',
      [`${a} 5GB MTN`],
    ],
    [
      'keep both',
      '0241234567 5\n0241234567 5',
      { duplicates: 'both' },
      'rr',
      [`${a} 5GB MTN`, `${a} 5GB MTN`],
    ],
    [
      'the same number with two bundles needs no answer',
      '0241234567 5\n0241234567 10',
      {},
      'rr',
      [`${a} 5GB MTN`, `${a} 10GB MTN`],
    ],
    [
      'a size for all',
      '0241234567\n0201234567\n0551234567 2',
      { size: '5GB' },
      'rrr',
      [`${a} 5GB MTN`, `${t} 5GB Telecel`, `${b} 2GB MTN`],
    ],
    ['a size that one network lacks', '0241234567\n0201234567', { size: '4GB' }, 'rf', [`${a} 4GB MTN`]],
    [
      'a network',
      '0271234567 5\n0261234567 2',
      { 'network:AirtelTigo|BigTime': 'BigTime' },
      'rr',
      [`${g} 5GB BigTime`, '0261234567 2GB AirtelTigo'],
    ],
    ['an offer', '0241234567 6', { 'offer:MTN 6GB': '7' }, 'r', [`${a} 6GB MTN`]],
    ['an answer to nothing', '0241234567 5', { size: '2GB', constructor: 'x' }, 'r', [`${a} 5GB MTN`]],
    ['an answer that was not offered', '0271234567 5', { 'network:AirtelTigo|BigTime': 'MTN' }, 'f', []],
  ]
  test.each(rows)(
    'settle the lines as the person answers, as in the example “%s”',
    (_, text, answers, verdicts, recipients) => {
      const reading = readList(text, priceSnapshot, answers)
      expect(verdictsOf(reading)).toBe(verdicts)
      expect(recipientsOf(reading)).toEqual(recipients)
    },
  )

  test('are asked once for all lines, and offer the sizes that fit the most lines first', () => {
    const { questions } = readList('0241234567\n0551234567\n0201234567', priceSnapshot)
    expect(questions).toHaveLength(1)
    expect(questions[0]).toMatchObject({ kind: 'size', key: 'size', count: 3, lines: [1, 2, 3] })
    expect(questions[0]?.whom).toEqual([
      { phone: '0241234567', lines: [1] },
      { phone: '0551234567', lines: [2] },
      { phone: '0201234567', lines: [3] },
    ])
    expect(questions[0]?.choices.slice(0, 4)).toEqual([
      { answer: '2GB', fits: 3 },
      { answer: '5GB', fits: 3 },
      { answer: '10GB', fits: 3 },
      { answer: '100MB', fits: 2 },
    ])
  })
})

describe('a list for which a bundle was chosen before', () => {
  const rows: [...Answered, asks: string[]][] = [
    ['numbers alone', '0241234567\n0551234567', {}, 'rr', [`${a} 5GB MTN`, `${b} 5GB MTN`], []],
    ['several on a line', '0241234567, 0551234567', {}, 'r', [`${a} 5GB MTN`, `${b} 5GB MTN`], []],
    ['numbering', '1 0241234567\n2 0551234567', {}, 'rr', [`${a} 5GB MTN`, `${b} 5GB MTN`], []],
    ['its size written', '0241234567 5gb', {}, 'r', [`${a} 5GB MTN`], []],
    ['its network written', '0201234567 mtn', {}, 'r', [`${t} 5GB MTN`], []],
    ['another network', '0201234567\n0241234567', {}, 'fr', [`${a} 5GB MTN`], ['mismatch']],
    ['another network: keep', '0201234567', { mismatch: 'keep' }, 'r', [`${t} 5GB MTN`], []],
    ['another network: switch', '0201234567', { mismatch: 'switch' }, 'r', [`${t} 5GB Telecel`], []],
    ['another network: drop', '0201234567', { mismatch: 'drop' }, 'i', [], []],
    ['a network that is not sold', '0231234567', {}, 'f', [], ['mismatch']],
    [
      'its network in a doubtful heading',
      '0241234567\nMTN\n0201234567',
      {},
      'rif',
      [`${a} 5GB MTN`],
      ['mismatch'],
    ],
    [
      'another in a doubtful heading',
      '0241234567\nTelecel\n0551234567',
      {},
      'rif',
      [`${a} 5GB MTN`],
      ['mismatch'],
    ],
    ['another size', '0241234567 10', {}, 'f', [], ['other_size']],
    ['another size: as chosen', '0241234567 10', { other_size: 'chosen' }, 'r', [`${a} 5GB MTN`], []],
    ['another size: as written', '0241234567 10', { other_size: 'written' }, 'r', [`${a} 10GB MTN`], []],
    ['another size: drop', '0241234567 10', { other_size: 'drop' }, 'i', [], []],
    ['switched to two networks', '0271234567', { mismatch: 'switch' }, 'f', [], ['network']],
    ['damaged lines', '024123456\n0241234567 2x5gb', {}, 'ff', [], []],
  ]
  test.each(rows)('is read right, as in the example “%s”', (_, text, answers, verdicts, recipients, asks) => {
    const reading = readList(text, chosen(5), answers)
    expect(verdictsOf(reading)).toBe(verdicts)
    expect(recipientsOf(reading)).toEqual(recipients)
    expect(reading.questions.map(({ kind }) => kind)).toEqual(asks)
  })
})
