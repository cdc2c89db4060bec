import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Phone } from '../../../src/provider/phone.ts'
import type { Customer } from '../../../src/store/shop/customers.ts'
import * as words from '../../../src/telegram/words/customer.ts'
import { phone as aPhone, now } from './any-order.ts'
import { expectLabel, hostile } from './outside.ts'
import { testTexts, times, type Values, type Wording } from './wording.ts'

const customerOf = ({ text }: Values): Customer => ({ id: 'c'.repeat(22), phone: aPhone, name: text })
const customersOf = (each: Values): Customer[] => times(each.count % 12, customerOf(each))
const faults = ['no_number', 'bad_number', 'two_numbers', 'no_name'] as const

const wording: Wording<typeof words> = {
  otherOf: ({ text }) => words.otherOf(text),
  customerLabel: ({ text }) => words.customerLabel(text),
  maskedLabel: (each) => words.maskedLabel(customerOf(each)),
  choiceLabel: (each) => words.choiceLabel(customerOf(each), each.flag),
  openLabel: ({ count }) => words.openLabel(count),
  book: (each) => words.book(customersOf(each), each.count, 1, each.flag ? 3 : 1),
  searched: (each) => words.searched(each.text, customersOf(each), each.flag),
  customer: (each) =>
    words.customer(
      customerOf(each),
      times(each.count % 8, '1. ✅ MTN 5GB · delivered'),
      each.flag ? { bundle: 'MTN 5GB', times: each.count, of: each.count } : null,
    ),
  orderOf: ({ order, count }) => words.orderOf(order, aPhone, count, now),
  chooseNetworkFor: (each) => words.chooseNetworkFor(customerOf(each)),
  chooseUsual: (each) => words.chooseUsual(customerOf(each), each.flag),
  askName: () => words.askName(aPhone),
  askRename: (each) => words.askRename(customerOf(each)),
  numberNotName: () => words.numberNotName(aPhone),
  savedOne: (each) => words.savedOne(customerOf(each)),
  renamedOne: (each) => words.renamedOne(customerOf(each)),
  knownOne: (each) => words.knownOne(customerOf(each)),
  bookFull: ({ count }) => words.bookFull(count + 2),
  notGhanaian: ({ text }) => words.notGhanaian(text, text),
  imported: (each) => {
    const some = times(each.count, customerOf(each))
    const bad = faults.flatMap((fault) => times(each.count % 5, { line: each.count, text: each.text, fault }))
    return words.imported({ saved: some, renamed: some, unchanged: some, left: some }, bad, 2_000)
  },
  deleted: (each) => words.deleted(customerOf(each)),
  undone: (each) =>
    words.undone({ back: customersOf(each), removed: customersOf(each).slice(0, 1), kept: each.count % 3 }),
  exportCaption: ({ count }) => words.exportCaption(count),
  whichOne: ({ text }) => words.whichOne(text, text),
  nobodySaved: ({ text }) => words.nobodySaved(text),
  whoAtNumber: ({ text }) => words.whoAtNumber(text),
  nobodyAtNumber: ({ text }) => words.nobodyAtNumber(text),
}

testTexts(words, wording, {
  plain: ['otherOf', 'customerLabel', 'maskedLabel', 'choiceLabel', 'openLabel'],
})

const phone = fc.constantFrom('0241234567', '0201234567').map((digits) => digits as Phone)
const customer: fc.Arbitrary<Customer> = fc.record({ id: fc.constant('c'.repeat(22)), phone, name: hostile })

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
  expect(words.searched('x', [], false)).toMatch(/No customer found with/)
  expect(words.imported({ saved: [], renamed: [], unchanged: [], left: [] }, [], 2_000)).toMatch(
    /^Nothing new/,
  )
})
