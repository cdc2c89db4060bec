import { expect, test } from 'vitest'
import { type ShopNameFault, shopNameFault, shownShopName } from '../../src/shop/shop-name.ts'

test.each<[string, ShopNameFault]>([
  ['MTN Ghana ✅ Official', 'network'],
  ['mtn', 'network'],
  ['MyMTN Data', 'network'],
  ['M T N data', 'network'],
  ['M.T.N', 'network'],
  ['M7N Data', 'network'],
  ['МТN Data', 'network'],
  ['ＭＴＮ', 'network'],
  ['𝐌𝐓𝐍 Data', 'network'],
  ['ᴍᴛɴ ghana', 'network'],
  ['🅼🆃🅽', 'network'],
  ['M\u0301TN', 'network'],
  ['Te1ecel Hub', 'network'],
  ['Tele-cel', 'network'],
  ['AirtelTigo', 'network'],
  ['Tigo Shop', 'network'],
  ['Big Time bundles', 'network'],
  ['Vodafone', 'network'],
  ['0fficial Data', 'trust'],
  ['Οfficial shop', 'trust'],
  ['Data Support', 'trust'],
  ['Customer Care GH', 'trust'],
  ['Ama Data ✅', 'trust'],
  ['Send your PIN', 'trust'],
  ['MoMo agent', 'trust'],
  ['https://evil.example', 'link'],
  ['www shop', 'link'],
  ['amadata.com', 'link'],
  ['t.me/ama', 'link'],
  ['@amadata', 'link'],
  ['Call 024 123 4567', 'link'],
  ['Аma Data', 'letters'],
  ['𝐀𝐦𝐚 Data', 'letters'],
  ['Ａｍａ', 'letters'],
  ['Ama Дata', 'letters'],
])('a shop cannot be called %s (fault: %s)', (name, fault) => {
  expect(shopNameFault(name)).toBe(fault)
  expect(shownShopName(name)).toBeNull()
})

test.each([
  'Ama Data',
  'Ama’s <Data>',
  'Ɛkua & Ɔsei Ventures',
  'Nightingale Data',
  'Antigone Gifts',
  'St. Mary 24/7',
  'Kofi 4 U',
  'Supa Data 👑',
  'أمينة',
  'A.K. Mensah & Sons',
])('a shop can be called “%s”', (name) => {
  expect(shopNameFault(name)).toBeNull()
  expect(shownShopName(name)).toBe(name)
})
