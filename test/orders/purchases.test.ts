import { expect, test } from 'vitest'
import { mayRead } from '../../src/orders/purchases.ts'

const order = { accountId: 'a', userId: 1 }

test.each([
  [true, 'the owner who ordered it', { accountId: 'a', userId: 1, role: 'owner' }],
  [true, 'another owner of the account', { accountId: 'a', userId: 2, role: 'owner' }],
  [true, 'the agent who ordered it', { accountId: 'a', userId: 1, role: 'agent' }],
  [false, 'another agent of the account', { accountId: 'a', userId: 2, role: 'agent' }],
  [false, 'an owner elsewhere', { accountId: 'b', userId: 2, role: 'owner' }],
  [false, 'who ordered it, but is elsewhere now', { accountId: 'b', userId: 1, role: 'owner' }],
] as const)('an order may be read (%s) by %s', (may, _, person) => {
  expect(mayRead({ ...person, chatId: person.userId }, order)).toBe(may)
})
