import { expect, test } from 'vitest'
import { botUsernameFor } from '../../src/shop/bot-username.ts'

test.each([
  ['Kofi Data', 'kofi_data_bot'],
  ['Ama’s  Bundles & More!', 'amas_bundles_more_bot'],
  ['Adwoá Ɛfua', 'adwoa_fua_bot'],
  ['24/7 Data Bot', 'data_bot'],
  ['A shop with a name that is far too long', 'a_shop_with_a_name_that_is_f_bot'],
])('the shop name “%s” suggests the username %s', (shop, username) => {
  expect(botUsernameFor(shop)).toBe(username)
  expect(username).toMatch(/^[a-z]\w{1,28}bot$/)
})

test.each(['', '数据', '7', '!'])('the shop name “%s” suggests no username', (shop) => {
  expect(botUsernameFor(shop)).toBe(null)
})
