import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Order } from '../../src/domain/order/order.ts'
import { placements } from '../../src/domain/order/placement.ts'
import { pesewas } from '../../src/provider/money.ts'
import type { Phone } from '../../src/provider/phone.ts'
import { hopedProfitOf, profitOf, takingsOf, totalTakings } from '../../src/shop/profit.ts'

/**
 * A placed order that cost 2350 pesewas for each recipient and was sold for 2600 each.
 * @param statuses of its recipients; null if there is none yet.
 */
const order = (statuses: (string | null)[], rest: Partial<Order> = {}): Order =>
  ({
    id: 'order',
    kind: statuses.length > 1 ? 'bulk' : 'single',
    placement: 'placed',
    status: 'processing',
    statusReported: false,
    quantity: statuses.length,
    acceptedQuantity: null,
    unitPricePesewas: pesewas(2350),
    sellUnitPesewas: pesewas(2600),
    chargedPesewas: null,
    refundedPesewas: null,
    ...rest,
    recipients: statuses.map((status, position) => ({
      phone: `024000000${position}` as Phone,
      position,
      status,
      statusAt: null,
      reported: false,
      retryId: null,
    })),
  }) as Order

const delivered = { status: 'delivered' }
const none = { sellUnitPesewas: null }

describe('the profit of an order', () => {
  const rows: [what: string, order: Order, profit: number | null, hoped: number | null][] = [
    ['is the selling price less the cost if the order is delivered', order([null], delivered), 250, 250],
    ['is only expected while the order is on its way', order([null]), 0, 250],
    ['is only expected before the order is sent', order([null], { placement: 'queued' }), 0, 250],
    ['is zero if the order failed', order([null], { status: 'failed' }), 0, 0],
    ['is zero if the order was refunded', order([null], { status: 'refunded' }), 0, 0],
    ['is zero if the order was never placed', order([null], { placement: 'not_placed' }), 0, 0],
    ['is zero if the order was rejected', order([null], { placement: 'rejected' }), 0, 0],
    [
      'is a loss if it was sold below cost',
      order([null], { ...delivered, sellUnitPesewas: pesewas(2300) }),
      -50,
      -50,
    ],
    ['uses the actual charge', order([null], { ...delivered, chargedPesewas: pesewas(2400) }), 200, 200],
    [
      'is higher after a partial refund',
      order([null], { ...delivered, refundedPesewas: pesewas(350) }),
      600,
      600,
    ],
    [
      'is not higher if the refund is for failed numbers',
      order(['delivered', 'failed'], { refundedPesewas: pesewas(2350) }),
      250,
      250,
    ],
    [
      'includes a refund beyond the failed numbers',
      order(['delivered', 'failed'], { refundedPesewas: pesewas(2450) }),
      350,
      350,
    ],
    ['is unknown without a selling price', order([null], { ...delivered, ...none }), null, null],
    ['counts each number of a bulk order', order([null, null, null], delivered), 750, 750],
    ['counts only delivered numbers', order(['delivered', 'failed', 'processing']), 250, 500],
    [
      'is unknown if the provider does not say which numbers it accepted',
      order([null, null], { ...delivered, acceptedQuantity: 1 }),
      null,
      0,
    ],
    [
      'counts only numbers that the provider accepted',
      order(['delivered', null], { acceptedQuantity: 1, chargedPesewas: pesewas(2350) }),
      250,
      250,
    ],
  ]
  test.each(rows)('%s', (_, each, profit, hoped) => {
    expect(profitOf(each)).toBe(profit)
    expect(hopedProfitOf(each)).toBe(hoped)
  })
})

const status = fc.constantFrom('placed', 'processing', 'delivered', 'failed', 'refunded', 'odd', null)
const anyOrder = fc
  .tuple(
    fc.array(status, { minLength: 1, maxLength: 5 }),
    fc.record({
      placement: fc.constantFrom(...placements),
      status,
      sellUnitPesewas: fc.option(fc.nat(10_000).map(pesewas)),
      acceptedQuantity: fc.option(fc.integer({ min: 1, max: 5 })),
    }),
  )
  .map(([statuses, rest]) => order(statuses, rest))

test('the takings of an order count no recipient twice, and are whole pesewas', () => {
  fc.assert(
    fc.property(anyOrder, (each) => {
      const { delivered, open, notKnown, costPesewas, salesPesewas } = takingsOf(each)
      expect(delivered + open + notKnown).toBeLessThanOrEqual(each.quantity)
      expect(Number.isInteger(costPesewas)).toBe(true)
      expect(salesPesewas ?? 0).toBe((each.sellUnitPesewas ?? 0) * delivered)
    }),
  )
})

test('the takings of several orders are their sum, and count deliveries without a selling price', () => {
  const total = totalTakings([
    order([null], delivered),
    order([null, null], delivered),
    order([null]),
    order([null], { ...delivered, ...none }),
    order([null], { status: 'failed', ...none }),
  ])
  expect(total).toEqual({
    delivered: 3,
    open: 1,
    salesPesewas: 7800,
    profitPesewas: 750,
    hopedSalesPesewas: 10400,
    hopedProfitPesewas: 1000,
    unpriced: 1,
  })
})
