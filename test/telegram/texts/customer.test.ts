import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Phone } from '../../../src/provider/phone.ts'
import type { Customer } from '../../../src/store/customers.ts'
import { phoneText } from '../../../src/telegram/phone-text.ts'
import * as words from '../../../src/telegram/texts/customer.ts'
import { expectLabel, hostile, readAsTelegram } from './outside.ts'

const phone = fc.constantFrom('0241234567', '0201234567').map((digits) => digits as Phone)
const customer: fc.Arbitrary<Customer> = fc.record({ id: fc.constant('c'.repeat(22)), phone, name: hostile })
const customers = fc.array(customer, { maxLength: 12 })
const count = fc.nat(2_000)
const bad = fc.array(
  fc.record({
    line: count,
    text: hostile,
    fault: fc.constantFrom(
      'no_number' as const,
      'bad_number' as const,
      'two_numbers' as const,
      'no_name' as const,
    ),
  }),
  { maxLength: 40 },
)
const seed = fc.record({
  customer,
  customers,
  words: hostile,
  other: hostile,
  lines: fc.array(fc.constant('1. ✅ MTN 5GB · delivered'), { maxLength: 10 }),
  count,
  flag: fc.boolean(),
  bad,
  problems: fc.array(fc.record({ line: count, written: hostile, many: fc.boolean() }), { maxLength: 40 }),
})
type Seed = typeof seed extends fc.Arbitrary<infer Value> ? Value : never

/** The texts that take values, each with some. Labels are plain, and stand apart. */
const wording: Record<string, (values: Seed) => string> = {
  book: ({ customers, count }) => words.book(customers, count, 1, 3),
  searched: (values) => words.searched(values.words, values.customers, values.flag),
  customer: ({ customer, lines, count }) =>
    words.customer(customer, lines, { bundle: 'MTN 5GB', times: count, of: count }),
  chooseNetworkFor: ({ customer }) => words.chooseNetworkFor(customer),
  chooseUsual: ({ customer, flag }) => words.chooseUsual(customer, flag),
  askName: ({ customer }) => words.askName(customer.phone),
  askRename: ({ customer }) => words.askRename(customer),
  numberNotName: ({ customer }) => words.numberNotName(customer.phone),
  savedOne: ({ customer }) => words.savedOne(customer),
  renamedOne: ({ customer }) => words.renamedOne(customer),
  knownOne: ({ customer }) => words.knownOne(customer),
  bookFull: ({ count }) => words.bookFull(count),
  notGhanaian: (values) => words.notGhanaian(values.words, values.other),
  imported: ({ customers, bad, count }) =>
    words.imported({ saved: customers, renamed: customers, unchanged: [], left: customers }, bad, count),
  deleted: ({ customer }) => words.deleted(customer),
  undone: ({ customers, count }) =>
    words.undone({ back: customers, removed: customers.slice(0, 1), kept: count % 3 }),
  exportCaption: ({ count }) => words.exportCaption(count),
  whichOne: (values) => words.whichOne(values.words, values.other),
  nobodySaved: (values) => words.nobodySaved(values.words),
  unknownNames: ({ problems }) => words.unknownNames(problems),
  whoAtNumber: (values) => words.whoAtNumber(values.words),
  nobodyAtNumber: (values) => words.nobodyAtNumber(values.words),
  phoneText: ({ customer }) => phoneText(customer.phone, customer.name),
}

const fixed = Object.entries(words).filter((entry): entry is [string, string] => typeof entry[1] === 'string')

test.each(fixed)('%s is HTML that Telegram reads', (_name, text) => {
  readAsTelegram(text)
})

const plainLabels = new Set(['openLabel', 'customerLabel', 'choiceLabel', 'maskedLabel', 'otherOf'])

test('each text is in the table', () => {
  const made = Object.entries(words).filter(([, text]) => typeof text === 'function')
  // The line of an order is made of texts that have tables of their own; the file has a name, no text.
  const elsewhere = new Set(['orderOf', 'exportFile'])
  const missing = made.map(([name]) => name).filter((name) => !plainLabels.has(name) && !elsewhere.has(name))
  expect(Object.keys(wording)).toEqual(expect.arrayContaining(missing))
})

test.each(Object.entries(wording))(
  '%s is HTML that Telegram reads whatever the names are, and short enough',
  (_name, text) => {
    fc.assert(
      fc.property(seed, (values) => {
        readAsTelegram(text(values))
      }),
      { numRuns: 200 },
    )
  },
)

test('labels are short, on one line, and tell customers of one name apart', () => {
  fc.assert(
    fc.property(customer, (each) => {
      const labels = [
        words.customerLabel(each.name),
        words.choiceLabel(each, true),
        words.choiceLabel(each, false),
        words.maskedLabel(each),
        words.otherOf(each.name),
        words.openLabel(3),
      ]
      for (const label of labels) {
        expectLabel(label, 30)
      }
    }),
  )
  const kofi = { name: 'Kofi', phone: '0241234567' as Phone }
  expect(words.choiceLabel(kofi, true)).toBe('Kofi')
  expect(words.choiceLabel(kofi, false)).toBe('Kofi …4567')
  expect(words.maskedLabel(kofi)).toBe('Kofi •••4567')
})

test('an empty result says so, and nothing is promised that was not done', () => {
  expect(words.searched('x', [], false)).toMatch(/No customer has/)
  expect(words.imported({ saved: [], renamed: [], unchanged: [], left: [] }, [], 2_000)).toMatch(
    /^Nothing new/,
  )
})
