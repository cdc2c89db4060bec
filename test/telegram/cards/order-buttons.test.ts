import { expect, test } from 'vitest'
import type { Order } from '../../../src/domain/order/order.ts'
import { type ActingOn, orderButtons, placedButtons } from '../../../src/telegram/cards/order-buttons.ts'
import type { Button } from '../../../src/telegram/chat/screen.ts'
import { labels } from '../../../src/telegram/words/labels.ts'
import { confirmed } from '../words/any-order.ts'

const acting = (fields: Partial<Order>): ActingOn => ({
  order: { ...confirmed, ...fields },
  saved: [],
  nextRepeat: 0,
  other: null,
  viewer: 'owner',
  viewerId: 1,
})

const labelsOf = (rows: Button[][]): string[] => rows.flat().map(({ label }) => label)

test.each<[string, Partial<Order>, string[], string[]]>([
  [
    'delivered',
    { status: 'delivered' },
    ['🔁 Repeat', '🧾 Receipt', '📤 Share', '🔄 Refresh'],
    [labels.whatsApp, '👤 Save', '🔔 Remind me', '📭 It hasn’t arrived'],
  ],
  [
    'open',
    { status: 'processing' },
    ['🔄 Refresh', '📤 Share', '🔁 Repeat', '🧾 Receipt'],
    ['🛟 Report', '👤 Save', '🔔 Remind me'],
  ],
  [
    'no longer asked for',
    { status: 'processing', reason: 'stale' },
    ['🔄 Refresh', '📤 Share', '🔁 Repeat', '🛟 Report'],
    ['🧾 Receipt', '👤 Save', '🔔 Remind me'],
  ],
  [
    'failed',
    { status: 'failed' },
    ['🔁 Order again', '🛟 Report', '📤 Share', '🔄 Refresh'],
    ['🧾 Receipt', '👤 Save', '🔔 Remind me'],
  ],
])(
  'the card of an order that is %s has buttons to refresh, repeat and share it, and ⋯ shows the others too',
  (_what, fields, first, others) => {
    const order = acting({ placement: 'placed', reference: 'BUD-API-A-1', ...fields })
    expect(labelsOf(orderButtons(order))).toEqual([...first, '⋯'])
    expect(placedButtons(order).map(({ label }) => label)).toEqual([...first, ...others])
  },
)

test.each([
  ['delivered', true],
  ['processing', false],
])('the card of an order of a list that is %s offers to complain: %s', (status, isOffered) => {
  const order = acting({ placement: 'placed', status, listed: true })
  expect(labelsOf(orderButtons(order)).includes('📭 It hasn’t arrived')).toBe(isOffered)
})

test('an order whose failure only a callback has reported has no “Order again” button', () => {
  const order = acting({ placement: 'placed', status: 'failed', statusReported: true })
  expect([...orderButtons(order).flat(), ...placedButtons(order)].map(({ label }) => label)).not.toContain(
    '🔁 Order again',
  )
})
