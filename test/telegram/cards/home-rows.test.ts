import { expect, test } from 'vitest'
import { homeRows, moreRows, ordersCounted } from '../../../src/telegram/cards/home-rows.ts'
import type { Button } from '../../../src/telegram/chat/screen.ts'

const pressesOf = (rows: Button[][]): string[] =>
  rows.flat().flatMap((each) => ('press' in each ? [each.press.do] : []))

test('an owner’s home menu has four buttons and More, and an agent’s lacks the button for the balance', () => {
  expect(pressesOf(homeRows('owner'))).toEqual(['networks', 'bulk', 'orders', 'balance', 'home_more'])
  expect(pressesOf(homeRows('agent'))).toEqual(['networks', 'bulk', 'orders', 'home_more'])
})

test.each([
  [0, ['settings', 'help', 'home']],
  [1, ['contacts', 'settings', 'help', 'home']],
  [3, ['contacts', 'selling', 'stats', 'settings', 'help', 'home']],
  [ordersCounted, ['contacts', 'selling', 'stats', 'agents', 'settings', 'help', 'home']],
])('the More menu of an owner after %i orders has the buttons that are useful by then', (orders, shown) => {
  expect(pressesOf(moreRows('owner', orders, false))).toEqual(shown)
})

test('the More menu of an agent has no button for agents', () => {
  expect(pressesOf(moreRows('agent', ordersCounted, false))).not.toContain('agents')
})

test('the More menu has a button for reminders only if the person has a reminder', () => {
  expect(pressesOf(moreRows('owner', ordersCounted, true))).toContain('remind')
  expect(moreRows('owner', ordersCounted, true).flat()).toHaveLength(8)
  expect(pressesOf(moreRows('owner', ordersCounted, false))).not.toContain('remind')
})
