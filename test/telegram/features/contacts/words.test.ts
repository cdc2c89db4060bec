import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Phone } from '../../../../src/provider/phone.ts'
import type { Contact } from '../../../../src/store/shop/contacts.ts'
import * as contactWords from '../../../../src/telegram/cards/words/contact.ts'
import * as buyingWords from '../../../../src/telegram/features/buying/words.ts'
import * as contactsWords from '../../../../src/telegram/features/contacts/words.ts'
import { phone as aPhone, now } from '../../words/any-order.ts'
import { expectLabel, hostile } from '../../words/outside.ts'
import { testTexts, times, type Values, type Wording } from '../../words/wording.ts'

const words = {
  ...contactWords,
  orTypeName: buyingWords.orTypeName,
  otherOf: contactsWords.otherOf,
  choiceLabel: contactsWords.choiceLabel,
  bookMenu: contactsWords.bookMenu,
  noContacts: contactsWords.noContacts,
  book: contactsWords.book,
  maxTypedLength: contactsWords.maxTypedLength,
  askSearch: contactsWords.askSearch,
  searched: contactsWords.searched,
  contact: contactsWords.contact,
  orderOf: contactsWords.orderOf,
  gone: contactsWords.gone,
  chooseNetworkFor: contactsWords.chooseNetworkFor,
  chooseUsual: contactsWords.chooseUsual,
  askNew: contactsWords.askNew,
  askImport: contactsWords.askImport,
  askName: contactsWords.askName,
  askRename: contactsWords.askRename,
  notAName: contactsWords.notAName,
  numberNotName: contactsWords.numberNotName,
  savedOne: contactsWords.savedOne,
  renamedOne: contactsWords.renamedOne,
  knownOne: contactsWords.knownOne,
  bookFull: contactsWords.bookFull,
  notGhanaian: contactsWords.notGhanaian,
  imported: contactsWords.imported,
  nothingToImport: contactsWords.nothingToImport,
  nothingInFile: contactsWords.nothingInFile,
  deleted: contactsWords.deleted,
  undone: contactsWords.undone,
  undoneToast: contactsWords.undoneToast,
  tooLateToUndo: contactsWords.tooLateToUndo,
  exportCaption: contactsWords.exportCaption,
  exporting: contactsWords.exporting,
  nothingToExport: contactsWords.nothingToExport,
  whichOne: contactsWords.whichOne,
  manyOfThat: contactsWords.manyOfThat,
  nobodySaved: contactsWords.nobodySaved,
  didYouMean: contactsWords.didYouMean,
  whoAtNumber: contactsWords.whoAtNumber,
  nobodyAtNumber: contactsWords.nobodyAtNumber,
}

const contactOf = ({ text }: Values): Contact => ({ id: 'c'.repeat(22), phone: aPhone, name: text })
const contactsOf = (each: Values): Contact[] => times(each.count % 12, contactOf(each))
const faults = ['no_number', 'bad_number', 'two_numbers', 'no_name'] as const

const wording: Wording<typeof words> = {
  otherOf: ({ text }) => words.otherOf(text),
  contactLabel: ({ text }) => words.contactLabel(text),
  choiceLabel: (each) => words.choiceLabel(contactOf(each), each.flag),
  bookMenu: ({ count }) => words.bookMenu(count),
  book: (each) => words.book(contactsOf(each), each.count, 1, each.flag ? 3 : 1),
  searched: (each) => words.searched(each.text, contactsOf(each), each.flag),
  contact: (each) =>
    words.contact(
      contactOf(each),
      times(each.count % 8, '1. ✅ MTN 5GB · delivered'),
      each.flag ? { bundle: 'MTN 5GB', times: each.count, of: each.count } : null,
    ),
  orderOf: ({ order }) => words.orderOf(order, aPhone, now),
  chooseNetworkFor: (each) => words.chooseNetworkFor(contactOf(each)),
  chooseUsual: (each) => words.chooseUsual(contactOf(each), each.flag),
  askName: () => words.askName(aPhone),
  askRename: (each) => words.askRename(contactOf(each)),
  numberNotName: () => words.numberNotName(aPhone),
  savedOne: (each) => words.savedOne(contactOf(each)),
  renamedOne: (each) => words.renamedOne(contactOf(each)),
  knownOne: (each) => words.knownOne(contactOf(each)),
  bookFull: ({ count }) => words.bookFull(count + 2),
  notGhanaian: ({ text }) => words.notGhanaian(text, text),
  imported: (each) => {
    const some = times(each.count, contactOf(each))
    const bad = faults.flatMap((fault) => times(each.count % 5, { line: each.count, text: each.text, fault }))
    return words.imported({ saved: some, renamed: some, unchanged: some, left: some }, bad, 2_000)
  },
  deleted: (each) => words.deleted(contactOf(each)),
  undone: (each) =>
    words.undone({ back: contactsOf(each), removed: contactsOf(each).slice(0, 1), kept: each.count % 3 }),
  exportCaption: ({ count }) => words.exportCaption(count),
  whichOne: ({ text }) => words.whichOne(text, text),
  nobodySaved: ({ text }) => words.nobodySaved(text),
  didYouMean: ({ text }) => words.didYouMean(text, [text, text]),
  whoAtNumber: ({ text }) => words.whoAtNumber(text),
  nobodyAtNumber: ({ text }) => words.nobodyAtNumber(text),
}

testTexts(words, wording, {
  plain: ['otherOf', 'contactLabel', 'choiceLabel'],
})

const phone = fc.constantFrom('0241234567', '0201234567').map((digits) => digits as Phone)
const contact: fc.Arbitrary<Contact> = fc.record({ id: fc.constant('c'.repeat(22)), phone, name: hostile })

test('labels of contacts are one short line, and different for customers of the same name', () => {
  fc.assert(
    fc.property(contact, (each) => {
      const labels = [
        words.contactLabel(each.name),
        words.choiceLabel(each, true),
        words.choiceLabel(each, false),
        words.otherOf(each.name),
      ]
      for (const label of labels) {
        expectLabel(label, 30)
      }
    }),
  )
  const kofi = { name: 'Kofi', phone: '0241234567' as Phone }
  expect(words.choiceLabel(kofi, true)).toBe('Kofi')
  expect(words.choiceLabel(kofi, false)).toBe('Kofi •••4567')
})

test('an empty search and an empty import of contacts say that nothing was found or changed', () => {
  expect(words.searched('x', [], false)).toMatch(/No customer found for/)
  expect(words.imported({ saved: [], renamed: [], unchanged: [], left: [] }, [], 2_000)).toMatch(
    /^Nothing new/,
  )
})
