import type { Order } from '../../../src/orders/order.ts'
import { provable, sourcesOf, unsettled } from '../../../src/orders/placement.ts'
import type { Phone } from '../../../src/provider/phone.ts'
import { isOpen, type OrderPatch, type OrderStore } from '../../../src/store/orders.ts'
import type { OrderRow, Tables } from './rows.ts'
import { byTime, changed, NotUnique } from './table.ts'

const oldestFirst = byTime<OrderRow>(
  ({ createdAt }) => createdAt,
  ({ id }) => id,
)

const orderOf = ({ recipients, ...row }: OrderRow): Order => ({
  ...row,
  recipients: recipients.map(({ phone, status }) => ({ phone, status })),
})

const idOf = ({ id }: OrderRow): string => id

const isDue = (time: Date | null, now: Date): boolean => time !== null && time <= now

export const memoryOrders = ({ orders, accounts }: Tables): OrderStore => {
  const orNull = (row: OrderRow | undefined): Order | null => (row ? orderOf(row) : null)

  const write = (row: OrderRow, patch: OrderPatch): void => {
    const next = changed(row, patch)
    const { reference } = next
    if (reference !== null && orders.first((other) => other.id !== row.id && other.reference === reference)) {
      throw new NotUnique('Unique constraint failed on the fields: (`reference`)')
    }
    orders.set(row.id, next)
  }

  const writeWhere = (fits: (row: OrderRow) => boolean, patch: OrderPatch): number => {
    const rows = orders.where(fits)
    for (const row of rows) write(row, patch)
    return rows.length
  }

  const mayBeAsked = (accountId: string, now: Date): boolean => {
    const account = accounts.get(accountId)
    return account !== undefined && (account.frozenUntil === null || account.frozenUntil <= now)
  }
  const isWelcome = (accountId: string, now: Date): boolean =>
    mayBeAsked(accountId, now) && accounts.get(accountId)?.unauthorizedSince === null

  return {
    byId: async (id) => orNull(orders.get(id)),
    byReference: async (reference) => orNull(orders.first((row) => row.reference === reference)),

    newestReference: async (accountId) =>
      orders
        .where((row) => row.accountId === accountId && row.reference !== null)
        .sort(oldestFirst)
        .at(-1)?.reference ?? null,

    ofPurchase: async (purchaseId) =>
      orders
        .where((row) => row.purchaseId === purchaseId)
        .sort(oldestFirst)
        .map(orderOf),

    page: async (accountId, skip, take) =>
      orders
        .where((row) => row.accountId === accountId)
        .sort(oldestFirst)
        .reverse()
        .slice(skip, skip + take)
        .map(orderOf),

    insertQueued: async ({ phones, ...order }, newId) => {
      if (orders.get(order.id)) throw new NotUnique('Unique constraint failed on the fields: (`id`)')
      for (const _ of phones) newId()
      orders.set(order.id, {
        ...blank,
        ...order,
        quantity: phones.length,
        updatedAt: order.createdAt,
        recipients: phones.toSorted().map((phone) => ({
          phone: phone as Phone,
          status: null,
          statusAt: null,
        })),
      })
    },

    go: async (guard, to, patch, now) => {
      const from = guard.leaseToken || guard.leaseEndedBefore ? ['sending'] : sourcesOf(to)
      const row = orders.get(guard.id)
      if (!row?.placement || !from.includes(row.placement)) return false
      if (guard.leaseToken && row.leaseToken !== guard.leaseToken) return false
      const { leaseEndedBefore } = guard
      if (leaseEndedBefore && !(row.leaseUntil !== null && row.leaseUntil < leaseEndedBefore)) return false
      write({ ...row, placement: to, updatedAt: now }, patch)
      return true
    },

    prove: async (id, patch, now) => {
      const row = orders.get(id)
      if (!row || !provable.includes(row.placement)) return false
      const placed = { placement: 'placed', leaseToken: null, leaseUntil: null, updatedAt: now } as const
      write({ ...changed(row, patch), ...placed }, {})
      return true
    },

    patch: async (id, patch, now) => {
      const row = orders.get(id)
      if (row) write({ ...row, updatedAt: now }, patch)
    },

    patchRecipients: async (orderId, phone, status, at) => {
      const row = orders.get(orderId)
      if (!row) return
      const recipients = row.recipients.map((recipient) =>
        !phone || recipient.phone === phone ? { ...recipient, status, statusAt: at } : recipient,
      )
      orders.set(orderId, { ...row, recipients })
    },

    dueToSend: async (now, limit) =>
      orders
        .where(
          (row) =>
            row.placement === 'queued' &&
            (row.notBefore === null || row.notBefore <= now) &&
            mayBeAsked(row.accountId, now),
        )
        .sort(oldestFirst)
        .slice(0, limit)
        .map(orderOf),

    leaseEnded: async (now, limit) =>
      orders
        .where((row) => row.placement === 'sending' && row.leaseUntil !== null && row.leaseUntil < now)
        .slice(0, limit)
        .map(orderOf),

    dueToPoll: async (now, limit) =>
      orders
        .where((row) => isDue(row.nextPollAt, now) && isWelcome(row.accountId, now))
        .sort(byTime(({ nextPollAt }) => nextPollAt, idOf))
        .slice(0, limit)
        .map(orderOf),

    dueToSettle: async (now, limit) =>
      orders
        .where(
          (row) => (isDue(row.settleAt, now) || isDue(row.refundAt, now)) && isWelcome(row.accountId, now),
        )
        .slice(0, limit)
        .map(orderOf),

    claimants: async (accountId) =>
      orders
        .where((row) => row.accountId === accountId && (row.placement === 'sending' || row.settleAt !== null))
        .sort(oldestFirst)
        .map(orderOf),

    awaitingRefund: async (accountId) =>
      orders
        .where((row) => row.accountId === accountId && row.refundAt !== null)
        .sort(oldestFirst)
        .map(orderOf),

    heldReferences: async (references) => {
      const asked = new Set(references)
      const held = orders.where(({ reference }) => reference !== null && asked.has(reference))
      return new Set(held.flatMap(({ reference }) => reference ?? []))
    },

    openFor: async (accountId, phones, exceptId) =>
      orders
        .where(
          (row) =>
            row.accountId === accountId &&
            row.id !== exceptId &&
            (row.placement === 'placed' || unsettled.includes(row.placement)) &&
            row.recipients.some(({ phone }) => phones.includes(phone)),
        )
        .sort(oldestFirst)
        .map(orderOf)
        .filter(isOpen),

    wakeWaiting: async (waitsForId) => {
      writeWhere((row) => row.waitsForId === waitsForId && row.placement === 'queued', {
        waitsForId: null,
        notBefore: null,
      })
    },

    open: async (accountId) =>
      orders
        .where(
          (row) =>
            row.accountId === accountId &&
            (unsettled.includes(row.placement) || (row.placement === 'placed' && row.nextPollAt !== null)),
        )
        .sort(oldestFirst)
        .map(orderOf)
        .filter(isOpen),

    queuedOfAccount: async (accountId) =>
      orders.where((row) => row.accountId === accountId && row.placement === 'queued').map(orderOf),

    countByPlacement: async () =>
      [...Map.groupBy(orders.all(), ({ placement }) => placement)].map(([placement, rows]) => ({
        placement,
        count: rows.length,
      })),
  }
}

/** The columns of an order that was just queued. */
const blank = {
  placement: 'queued',
  reason: null,
  providerMessage: null,
  providerType: null,
  reference: null,
  status: null,
  statusReported: false,
  statusAt: null,
  announcedStatus: null,
  callbackAt: null,
  chargedPesewas: null,
  balancePesewas: null,
  waitsForId: null,
  sendAnyway: false,
  attempts: 0,
  notBefore: null,
  leaseToken: null,
  leaseUntil: null,
  sentAt: null,
  placedAt: null,
  deliveredAt: null,
  polls: 0,
  nextPollAt: null,
  settleAt: null,
  refundAt: null,
  refundedPesewas: null,
  clockOffsetMs: null,
} as const
