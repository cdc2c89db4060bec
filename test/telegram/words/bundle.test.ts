import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pesewas } from '../../../src/provider/money.ts'
import * as words from '../../../src/telegram/words/bundle.ts'
import { expectLabel, hostile } from './outside.ts'
import { testTexts, times, type Values, type Wording } from './wording.ts'

const bundlesOf = ({ text, count, money }: Values) =>
  times(count, null).map(() => ({
    name: text,
    pricePesewas: count % 3 === 0 ? null : money,
    sellPesewas: money,
  }))

const html: Wording<typeof words> = {
  checkYourself: ({ text }) => words.checkYourself(text),
  customerCanCheck: ({ text }) => words.customerCanCheck(text),
  noBundles: ({ text }) => words.noBundles(text),
  bundleName: ({ text }) => `${words.bundleName(text, text)} of a bundle`,
  bundleOf: ({ order }) => `${words.bundleOf(order)} of an order`,
  notSold: ({ text, flag }) => words.notSold(text, flag ? text : null),
  buyLabel: ({ text }) => words.buyLabel(text, text),
  allLabel: ({ text, flag }) => words.allLabel(flag ? text : null),
  noSuchNetwork: ({ text }) => words.noSuchNetwork(text),
  bundleLabel: ({ text, money }) => words.bundleLabel(text, money),
  priceHead: ({ flag, count }) => words.priceHead(flag, count % 2 === 0),
  priceHeadForAgent: ({ flag, count }) => words.priceHeadForAgent(flag ? 'selling' : 'none', count),
  priceBlock: (values) => words.priceBlock(values.text, bundlesOf(values)),
}

testTexts(words, html, {
  plain: ['bundleLabel', 'buyLabel', 'allLabel'],
})

test('a bundle’s label on a button is one short line', () => {
  fc.assert(fc.property(hostile, (name) => expectLabel(words.bundleLabel(name, pesewas(2350)))))
  expect(words.bundleLabel('5GB', pesewas(2350))).toBe('5GB · GHS 23.50')
})
