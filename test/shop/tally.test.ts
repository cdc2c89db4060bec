import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import type { Order } from '../../src/domain/order/order.ts'
import { chargeOf } from '../../src/domain/order/order.ts'
import { placements } from '../../src/domain/order/placement.ts'
import { inAgentPrices } from '../../src/domain/selling/agent-prices.ts'
import { takingsOf } from '../../src/shop/profit.ts'
import { readTallies, readTally, type Tally } from '../../src/shop/tally.ts'
import type { TallySpan } from '../../src/store/shop/tallies.ts'
import { createStore } from '../../src/store/store.ts'
import { newDatabaseUrl } from '../support/database.ts'
import { runs } from '../support/runs.ts'

const start = Date.parse('2026-11-01T00:00:00Z')
const hour = 3_600_000
const day = 24 * hour

const statuses = ['placed', 'processing', 'delivered', 'failed', 'cancelled', 'refunded', 'odd'] as const
const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null })
const price = fc.integer({ min: 1, max: 9_999_999 })

/** An order that the database may contain, with only the columns that are counted and those that are required. */
const someOrder = fc
  .record({
    kind: fc.constantFrom('single' as const, 'single' as const, 'bulk' as const),
    userId: fc.constantFrom(1, 2),
    network: fc.constantFrom('MTN', 'Telecel', 'new one'),
    placement: fc.oneof(
      { weight: 4, arbitrary: fc.constant('placed' as const) },
      fc.constantFrom(...placements),
    ),
    reason: fc.constantFrom(null, 'late_doubt' as const, 'charged_by_person' as const, 'likely' as const),
    status: orNull(fc.constantFrom(...statuses)),
    statusReported: fc.boolean(),
    unitPricePesewas: price,
    sellUnitPesewas: orNull(price),
    agentUnitPesewas: orNull(price),
    charged: fc.boolean(),
    refundedPesewas: orNull(price),
    deliverySeconds: orNull(fc.integer({ min: 0, max: 90 })),
    hours: fc.integer({ min: -2, max: 3 * 24 + 2 }),
    recipients: fc.array(
      fc.record({ status: orNull(fc.constantFrom(...statuses)), reported: fc.boolean() }),
      {
        minLength: 1,
        maxLength: 5,
      },
    ),
    accepted: orNull(fc.integer({ min: 1, max: 5 })),
  })
  .map(({ charged, hours, accepted, ...order }) => {
    const recipients = order.kind === 'single' ? order.recipients.slice(0, 1) : order.recipients
    const quantity = recipients.length
    return {
      ...order,
      recipients,
      quantity,
      acceptedQuantity: order.kind === 'bulk' && accepted !== null ? Math.min(accepted, quantity) : null,
      chargedPesewas: charged ? order.unitPricePesewas * quantity : null,
      createdAt: new Date(start + hours * hour),
    }
  })

type SomeOrder = typeof someOrder extends fc.Arbitrary<infer T> ? T : never

const isCharged = ({ placement, reason }: Pick<Order, 'placement' | 'reason'>): boolean =>
  placement === 'placed' || (placement === 'review' && reason === 'charged_by_person')

const isMaybe = (order: Pick<Order, 'placement' | 'reason'>): boolean =>
  order.placement === 'not_placed'
    ? order.reason === 'late_doubt'
    : order.placement === 'unconfirmed' || (order.placement === 'review' && !isCharged(order))

/** The account's tally, counted in the simplest way: one order after the other. */
const counted = (orders: SomeOrder[], { from, to }: TallySpan, userId: number | null) => {
  const tally = { ordered: 0, delivered: 0, spent: 0, maybe: 0, refunded: 0, sales: 0, cost: 0, unpriced: 0 }
  const times: number[] = []
  for (const each of orders) {
    if (each.createdAt < from || each.createdAt >= to || each.placement === 'superseded') continue
    if (userId !== null && each.userId !== userId) continue
    const order = each as unknown as Order
    const { delivered, open, notKnown, costPesewas, salesPesewas } = takingsOf(order)
    const isPlaced = order.placement === 'placed'
    tally.ordered += isPlaced ? order.recipients.length : delivered + open + notKnown
    tally.delivered += delivered
    tally.sales += salesPesewas ?? 0
    tally.cost += salesPesewas === null ? 0 : costPesewas
    tally.unpriced += salesPesewas === null ? delivered : 0
    if (order.status === 'delivered' && each.deliverySeconds !== null) times.push(each.deliverySeconds)
    if (isMaybe(order)) tally.maybe += chargeOf(order)
    if (!isCharged(order)) continue
    const isBack = order.status === 'refunded' && !order.statusReported
    const refunded = Math.max(order.refundedPesewas ?? 0, isBack ? chargeOf(order) : 0)
    tally.refunded += refunded
    tally.spent += chargeOf(order) - refunded
  }
  times.sort((a, b) => a - b)
  return { ...tally, median: times[Math.ceil(times.length / 2) - 1] ?? null }
}

/** Like `counted`, for an agent who sees the prices that they confirmed. */
const countedByAgent = (orders: SomeOrder[], { from, to }: TallySpan) => {
  const tally = { spent: 0, maybe: 0, refunded: 0, unseen: 0 }
  for (const each of orders) {
    if (each.createdAt < from || each.createdAt >= to || !(isCharged(each) || isMaybe(each))) continue
    const order = inAgentPrices(each as unknown as Order)
    if (order === null) {
      tally.unseen += each.quantity
      continue
    }
    if (isMaybe(each)) {
      tally.maybe += chargeOf(order)
      continue
    }
    const isBack = order.status === 'refunded' && !order.statusReported
    const refunded = Math.max(order.refundedPesewas ?? 0, isBack ? chargeOf(order) : 0)
    tally.refunded += refunded
    tally.spent += chargeOf(order) - refunded
  }
  return tally
}

const shown = (tally: Tally) => ({
  ordered: tally.ordered,
  delivered: tally.delivered,
  spent: tally.spentPesewas,
  maybe: tally.maybePesewas,
  refunded: tally.refundedPesewas,
  sales: tally.salesPesewas,
  cost: tally.costPesewas,
  unpriced: tally.unpriced,
  median: tally.medianSeconds,
})

const dayOf = (index: number): TallySpan => ({
  from: new Date(start + index * day),
  to: new Date(start + (index + 1) * day),
})

const days: [TallySpan, ...TallySpan[]] = [dayOf(0), dayOf(1), dayOf(2)]

test('the shop’s totals from the database equal a count order by order, by day, by person and overall', async () => {
  const database = await openDatabase(await newDatabaseUrl())
  onTestFinished(database.close)
  const { client } = database
  const store = createStore(database)
  let accounts = 0
  const insert = async (orders: SomeOrder[]): Promise<string> => {
    const accountId = `account-${++accounts}`
    const now = new Date(start)
    await client.account.create({
      data: { id: accountId, keyHash: accountId, sealedKey: '', sealedSecret: '', createdAt: now },
    })
    for (const [index, { recipients, ...order }] of orders.entries()) {
      const id = `${accountId}-${index}`
      await client.purchase.create({
        data: {
          id,
          accountId,
          userId: order.userId,
          chatId: order.userId,
          cause: id,
          state: 'confirmed',
          lines: '[]',
          createdAt: now,
          expiresAt: now,
        },
      })
      await client.order.create({
        data: {
          ...order,
          id,
          purchaseId: id,
          accountId,
          chatId: order.userId,
          bundleId: 1,
          volume: '1GB',
          updatedAt: now,
        },
      })
      await client.recipient.createMany({
        data: recipients.map((each, place) => ({
          ...each,
          id: `${id}-${place}`,
          orderId: id,
          accountId,
          phone: `024000000${place}`,
        })),
      })
    }
    return accountId
  }

  await fc.assert(
    fc.asyncProperty(
      fc.array(someOrder, { maxLength: 25 }),
      fc.constantFrom(null, 1),
      async (orders, userId) => {
        const accountId = await insert(orders)
        const { parts, total } = await readTallies(store.tallies, { accountId, userId, prices: 'cost' }, days)
        const byDay = days.map((span) => ({ ...counted(orders, span, userId), median: null }))
        expect(parts.map(shown)).toEqual(byDay)
        const whole = { from: new Date(start), to: new Date(start + 3 * day) }
        expect(shown(total)).toEqual(counted(orders, whole, userId))
        expect(total.profitPesewas).toBe(total.salesPesewas - total.costPesewas)
        expect(total.ordered).toBe(
          total.delivered + total.open + total.unconfirmed + total.failed + total.notKnown,
        )
        expect(total.networks.reduce((sum, network) => sum + network.ordered, 0)).toBe(total.ordered)
        expect(await readTally(store.tallies, { accountId, userId, prices: 'cost' }, whole)).toEqual(total)
        const nobodys = await readTally(
          store.tallies,
          { accountId: 'another', userId, prices: 'cost' },
          whole,
        )
        expect(nobodys.ordered).toBe(0)
        const whose = { accountId, userId: null, prices: 'selling' } as const
        const seen = await readTally(store.tallies, whose, whole)
        const { spentPesewas: spent, maybePesewas: maybe, refundedPesewas: refunded, unseen } = seen
        expect({ spent, maybe, refunded, unseen }).toEqual(countedByAgent(orders, whole))
        expect(seen.profitPesewas - seen.salesPesewas + seen.costPesewas).toBe(0)
      },
    ),
    { numRuns: runs(50) },
  )
})
