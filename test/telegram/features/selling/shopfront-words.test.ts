import fc from 'fast-check'
import { test } from 'vitest'
import { accentNames } from '../../../../src/pictures/theme.ts'
import * as words from '../../../../src/telegram/features/selling/shopfront-words.ts'
import { aShop } from '../../../domain/a-shop.ts'
import { phone } from '../../words/any-order.ts'
import { expectLabel, hostile, readAsTelegram } from '../../words/outside.ts'
import { testTexts, type Wording } from '../../words/wording.ts'

const wording: Wording<typeof words> = {
  shopScreen: ({ text, flag }) => words.shopScreen({ name: flag ? text : null }),
  colourLabel: ({ flag }) => accentNames.map((accent) => words.colourLabel(accent, flag)),
  nameLabel: ({ text, flag }) => words.nameLabel({ ...aShop, name: flag ? text : null }),
  phoneLabel: ({ flag }) => words.phoneLabel({ ...aShop, phone: flag ? phone : null }),
  lookLabel: () => accentNames.map((accent) => words.lookLabel({ ...aShop, accent })),
  hidingScreen: ({ text, count }) => words.hidingScreen(text, count),
  hidingLabel: ({ text, flag }) => words.hidingLabel(text, flag),
  allHidden: ({ flag }) => words.allHidden(flag),
  askPhone: ({ flag }) => words.askPhone(flag ? phone : null),
  phoneSaved: () => words.phoneSaved(phone),
  askLetter: ({ text, flag }) => words.askLetter({ ...aShop, name: flag ? text : null }),
  letterSaved: ({ flag }) => words.letterSaved(flag ? 'A' : null),
  notALetter: () => (['several', 'undrawable'] as const).map(words.notALetter),
}

testTexts(words, wording, { plain: ['nameLabel', 'phoneLabel', 'lookLabel', 'colourLabel', 'hidingLabel'] })

test('the shop’s screens are valid for Telegram and its labels fit their buttons, whatever its name is', () => {
  fc.assert(
    fc.property(hostile, hostile, (name, letter) => {
      expectLabel(words.nameLabel({ ...aShop, name }), 60)
      expectLabel(words.hidingLabel(name, true))
      readAsTelegram(words.hidingScreen(name, 3))
      readAsTelegram(words.askLetter({ ...aShop, name, letter }))
    }),
  )
  for (const accent of accentNames) expectLabel(words.colourLabel(accent, true), 16)
})
