import fc from 'fast-check'
import { test } from 'vitest'
import { pesewas } from '../../../../src/provider/money.ts'
import * as buyingWords from '../../../../src/telegram/features/buying/words.ts'
import { bundleName } from '../../../../src/telegram/words/bundle.ts'
import { phone } from '../../words/any-order.ts'
import { expectLabel, hostile } from '../../words/outside.ts'
import { testTexts, type Wording } from '../../words/wording.ts'

const words = {
  chooseNetwork: buyingWords.chooseNetwork,
  chooseNetworkFor: buyingWords.chooseNetworkFor,
  chooseBundle: buyingWords.chooseBundle,
  sendNumber: buyingWords.sendNumber,
  askPhone: buyingWords.askPhone,
  askNumbers: buyingWords.askNumbers,
  numberStillAsked: buyingWords.numberStillAsked,
  numbersStillAsked: buyingWords.numbersStillAsked,
  askNewNumber: buyingWords.askNewNumber,
  noOtherOffer: buyingWords.noOtherOffer,
  notAPhone: buyingWords.notAPhone,
  notAnOrder: buyingWords.notAnOrder,
  noSuchSize: buyingWords.noSuchSize,
  whichOffer: buyingWords.whichOffer,
  whichNetwork: buyingWords.whichNetwork,
  otherNetwork: buyingWords.otherNetwork,
  keepOn: buyingWords.keepOn,
  switchTo: buyingWords.switchTo,
}

const html: Wording<typeof words> = {
  keepOn: ({ text }) => words.keepOn(text),
  switchTo: ({ text, money }) => words.switchTo(text, text, money),
  chooseNetworkFor: () => words.chooseNetworkFor(phone),
  chooseBundle: ({ text, flag }) => words.chooseBundle(text, flag ? phone : null),
  askPhone: ({ text, money }) => words.askPhone(bundleName(text, text), money, 'Telecel'),
  askNumbers: ({ count, text, flag }) => words.askNumbers(count, text, flag ? text : null),
  askNewNumber: ({ text }) => words.askNewNumber(bundleName(text, text), phone),
  noOtherOffer: ({ text }) => words.noOtherOffer(text, text),
  notAPhone: ({ text }) => words.notAPhone(text),
  noSuchSize: ({ text }) => words.noSuchSize(text, text),
  whichOffer: ({ text }) => words.whichOffer(text, text, phone, text),
  whichNetwork: ({ text }) => words.whichNetwork(text, phone, text),
  otherNetwork: ({ text }) =>
    words.otherNetwork(phone, bundleName(text, text), { looksLike: text, by: 'chose', lacking: [text] }),
}

testTexts(words, html, { plain: ['keepOn', 'switchTo'] })

test('the buttons that keep or switch a number’s network have labels of one short line', () => {
  fc.assert(
    fc.property(hostile, (name) => {
      expectLabel(words.keepOn(name))
      expectLabel(words.switchTo(name, null, null), 120)
      expectLabel(words.switchTo(name, name, pesewas(2350)), 120)
    }),
  )
})
