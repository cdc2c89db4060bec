import { expect, test } from 'vitest'
import type { Order } from '../../../../src/domain/order/order.ts'
import { pesewas } from '../../../../src/provider/money.ts'
import type { SeenOrder } from '../../../../src/telegram/cards/viewer.ts'
import * as words from '../../../../src/telegram/cards/words/order.ts'
import { runs } from '../../../support/runs.ts'
import { now, orderWith, phone } from '../../words/any-order.ts'
import { readAsTelegram } from '../../words/outside.ts'
import { testTexts, type Values, type Wording } from '../../words/wording.ts'

const contextOf = ({ other, money, flag, text }: Values) => ({
  now,
  other,
  balance: money,
  frozenUntil: flag ? now : null,
  refused: flag,
  connected: !flag,
  viewer: flag ? ('owner' as const) : ('agent' as const),
  names: new Map([[phone, text]]),
  sale: null,
  pace: flag ? { network: text, medianSeconds: 12, mostSeconds: 95 } : null,
  left: flag ? { balance: pesewas(2000), readAt: null } : null,
})

const html: Wording<typeof words> = {
  orderCard: (values) => words.orderCard(values.order, contextOf(values)),
  unchanged: ({ order }) => words.unchanged(order),
}

testTexts(words, html, {
  numRuns: runs(1500),
  toAgents: {
    orderCard: (values) => words.orderCard(values.order, { ...contextOf(values), viewer: 'agent' }),
  },
})

test('the card of a refused or waiting order says what the person needs to know to act on it', () => {
  const context = {
    now,
    other: null,
    balance: pesewas(2000),
    frozenUntil: null,
    connected: true,
    refused: false,
    viewer: 'owner' as const,
    sale: null,
    pace: null,
    left: null,
  }
  const card = (fields: Partial<Order>, other: SeenOrder | null = null) =>
    readAsTelegram(words.orderCard(orderWith({ placement: 'rejected', ...fields }), { ...context, other }))
  const short = card({ reason: 'balance' })
  for (const amount of ['GHS 23.50', 'GHS 20.00', 'GHS 3.50']) expect(short).toContain(amount)
  expect(
    card({ reason: 'pending' }, orderWith({ placement: 'rejected', reference: 'BUD-API-OURS-1' })),
  ).toContain('BUD-API-OURS-1')
  const contested = { placement: 'unconfirmed', reason: 'pending', providerType: 'PENDING_ORDER' } as const
  expect(card(contested)).toContain('one made elsewhere')
  expect(card(contested)).not.toContain('Nothing was charged')
  expect(card({ reason: 'unauthorized' })).toContain('I’ll check the key first')
  context.refused = true
  expect(card({ reason: 'unauthorized' })).toContain('/connect')
  const until = new Date(now.getTime() + 90_000)
  expect(card({ placement: 'queued', reason: 'rate_limited', notBefore: until })).toContain('10:33')
  expect(card({ reason: 'invalid', providerMessage: 'No <such> & such' })).toContain('“No <such> & such”')
})
