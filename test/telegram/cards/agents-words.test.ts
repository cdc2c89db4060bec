import { expect, test } from 'vitest'
import { digestLine } from '../../../src/telegram/cards/words/digest.ts'
import { heldWhy, listOrderWhy } from '../../../src/telegram/cards/words/list.ts'
import { orderCard } from '../../../src/telegram/cards/words/order.ts'
import { warningOver } from '../../../src/telegram/cards/words/warning.ts'
import { knownOf } from '../../../src/telegram/words/charge.ts'
import { now } from '../words/any-order.ts'
import { inEveryStanding } from '../words/in-every-standing.ts'

const context = {
  now,
  other: null,
  left: null,
  balance: null,
  frozenUntil: null,
  connected: true,
  refused: false,
  viewer: 'agent',
  sale: null,
  pace: null,
  isDoubted: true,
} as const

test.each(['agent', 'removed_agent'] as const)(
  'no text about an order tells its %s to look in the wallet, or says that they judged the charge',
  (viewer) => {
    const texts = inEveryStanding
      .map((order) => ({ ...order, viewer }))
      .flatMap((order) => [
        orderCard(order, { ...context, viewer }),
        listOrderWhy(order, []),
        heldWhy(order),
        knownOf(order, true),
        digestLine(order, []),
        warningOver(order),
      ])
    expect(texts.length).toBeGreaterThan(100)
    for (const text of texts) expect(text ?? '').not.toMatch(/you said|\/transactions/i)
  },
)
