import { type AheadRule, isAhead, latest } from '../../../src/domain/ahead.ts'
import { isOpen, isUnfinished, kindFor, type Order } from '../../../src/domain/order.ts'
import {
  neverSent,
  openPlacements,
  type Placement,
  provable,
  sourcesOf,
} from '../../../src/domain/placement.ts'
import { isEachEndTold } from '../../../src/domain/recipients.ts'
import { isTerminal } from '../../../src/domain/status.ts'
import { sum, times } from '../../../src/provider/money.ts'
import type { Phone } from '../../../src/provider/phone.ts'
import { networksFact } from '../../../src/store/chats/chats.ts'
import {
  blankOrder,
  type NewOrder,
  type OrderPatch,
  partOf,
  queuedAs,
} from '../../../src/store/orders/order-placing.ts'
import type { ChargedOrder } from '../../../src/store/orders/order-reconciling.ts'
import type { OrderStore } from '../../../src/store/orders/orders.ts'
import { memoryRequests } from './requests.ts'
import type { OrderRow, RecipientRow, Tables } from './rows.ts'
import { byTime, changed, NotUnique } from './table.ts'

const oldestFirst = byTime<OrderRow>(
  ({ createdAt }) => createdAt,
  ({ id }) => id,
)

const orderOf = (row: OrderRow): Order => row

const byDelay = byTime<OrderRow>(
  ({ notBefore }) => notBefore,
  ({ createdAt }) => String(createdAt.getTime()).padStart(15, '0'),
)

const idOf = ({ id }: OrderRow): string => id

/** It has cost the wallet something, or may have. */
const isCharged = ({ placement }: OrderRow): boolean =>
  placement === 'placed' || openPlacements.includes(placement)

const isDue = (time: Date | null, rule: AheadRule, now: Date): boolean =>
  time !== null && !isAhead(time, rule, now)

const isLeaseOver = (until: Date | null, now: Date): boolean =>
  until !== null && (until < now || until > latest('leaseUntil', now))

type Guard = Parameters<OrderStore['go']>[0]

/** The queries about orders alone: those that read of other tables too are made of several (`surroundings.ts`). */
export const memoryOrders = (tables: Tables): Omit<OrderStore, 'toConfirm' | 'toReport'> => {
  const { orders, accounts, purchases, facts, members, preferences } = tables
  const queued = orders.part(({ placement }) => placement === 'queued')
  const beingSent = orders.part(({ placement }) => placement === 'sending')
  const polled = orders.part(({ nextPollAt }) => nextPollAt !== null)
  const settled = orders.part(({ reconcileAt, refundAt }) => reconcileAt !== null || refundAt !== null)
  const claiming = orders.part(
    ({ placement, reference, reconcileAt }) =>
      reference === null &&
      (['sending', 'unconfirmed', 'review'].includes(placement) || reconcileAt !== null),
  )
  const undecided = orders.part(({ placement }) =>
    ['unconfirmed', 'review', 'not_placed'].includes(placement),
  )
  const { countsSince } = memoryRequests(tables)
  const orNull = (row: OrderRow | undefined): Order | null => (row ? orderOf(row) : null)

  const write = (row: OrderRow, patch: OrderPatch): void => {
    const next = changed(row, patch)
    const { reference } = next
    const isNew = reference !== null && reference !== row.reference
    if (isNew && orders.first((other) => other.id !== row.id && other.reference === reference)) {
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
    return (
      account !== undefined &&
      (account.frozenUntil === null || !isAhead(account.frozenUntil, 'frozenUntil', now))
    )
  }
  const isWelcome = (accountId: string, now: Date): boolean =>
    mayBeAsked(accountId, now) && accounts.get(accountId)?.unauthorizedSince === null

  const insert = (order: NewOrder): void => {
    if (orders.get(order.id)) throw new NotUnique('Unique constraint failed on the fields: (`id`)')
    orders.set(order.id, queuedAs(order))
  }

  const openFor = (accountId: string, phones: readonly Phone[], exceptId: string): Order[] =>
    orders
      .where(
        (row) =>
          row.accountId === accountId &&
          row.id !== exceptId &&
          isCharged(row) &&
          row.recipients.some(({ phone }) => phones.some((asked) => asked === phone)),
      )
      .sort(oldestFirst)
      .map(orderOf)
      .filter(isOpen)

  const recentFor = (accountId: string, phones: readonly string[], since: Date): Order[] =>
    orders
      .where(
        (row) =>
          row.accountId === accountId &&
          isCharged(row) &&
          (row.createdAt >= since ||
            (row.sentAt !== null && row.sentAt >= since) ||
            row.nextPollAt !== null ||
            openPlacements.includes(row.placement)) &&
          row.recipients.some(({ phone }) => phones.includes(phone)),
      )
      .sort(oldestFirst)
      .map(orderOf)

  const passTurn = (id: string): void => {
    writeWhere(({ afterId }) => afterId === id, { afterId: null })
  }

  const go = (guard: Guard, to: Placement, patch: OrderPatch, now: Date): boolean => {
    const { inferredReference } = guard
    const from =
      guard.leaseToken || guard.leaseEndedBefore
        ? ['sending']
        : sourcesOf(to).filter((source) => (source === 'placed') === (inferredReference !== undefined))
    const row = orders.get(guard.id)
    if (!row?.placement || !from.includes(row.placement)) return false
    if (inferredReference !== undefined && !(row.inferred && row.reference === inferredReference))
      return false
    if (guard.leaseToken && row.leaseToken !== guard.leaseToken) return false
    const { leaseEndedBefore } = guard
    if (leaseEndedBefore && !isLeaseOver(row.leaseUntil, leaseEndedBefore)) return false
    write({ ...row, placement: to, updatedAt: now }, patch)
    if (to !== 'sending' && to !== 'queued') passTurn(guard.id)
    return true
  }

  return {
    byId: async (id) => orNull(orders.get(id)),
    byIds: async (ids) => orders.where((row) => ids.includes(row.id)).map(orderOf),
    byReference: async (reference) => orNull(orders.first((row) => row.reference === reference)),

    newestProven: async (accountId, limit) =>
      orders
        .where((row) => row.accountId === accountId && row.reference !== null && !row.inferred)
        .sort(oldestFirst)
        .reverse()
        .slice(0, limit)
        .map(orderOf),

    ofPurchase: async (purchaseId) =>
      orders
        .where((row) => row.purchaseId === purchaseId)
        .sort((a, b) => a.position - b.position || oldestFirst(a, b))
        .map(orderOf),

    insertQueued: async (queued, newId) => {
      for (const order of queued) {
        for (const _ of order.recipients) newId()
        insert(order)
      }
    },

    split: async (from, part, now) => {
      const row = orders.get(from.id)
      if (row?.placement !== 'queued') return false
      const isTaken = ({ phone }: RecipientRow) => part.phones.includes(phone)
      const quantity = from.recipients.length - part.phones.length
      const rest = { ...row, quantity, kind: kindFor(quantity), updatedAt: now }
      orders.set(row.id, rest)
      if (orders.get(part.id)) throw new NotUnique('Unique constraint failed on the fields: (`id`)')
      const recipients = row.recipients.filter(isTaken)
      orders.set(part.id, { ...blankOrder, ...partOf(from, part), updatedAt: now, recipients })
      orders.set(row.id, { ...rest, recipients: row.recipients.filter((each) => !isTaken(each)) })
      return true
    },

    passTurn: async (id) => {
      passTurn(id)
    },

    placementsOf: async (purchaseId) =>
      orders.where((row) => row.purchaseId === purchaseId).map(({ id, placement }) => ({ id, placement })),

    countOpenOf: async (purchaseId) =>
      orders.where((row) => row.purchaseId === purchaseId && isUnfinished(row) && !isEachEndTold(row)).length,

    go: async (guard, to, patch, now) => go(guard, to, patch, now),

    prove: async (id, patch, now) => {
      const row = orders.get(id)
      if (!row || !provable.includes(row.placement)) return false
      const placed = { placement: 'placed', leaseToken: null, leaseUntil: null } as const
      write({ ...row, updatedAt: now }, { ...patch, ...placed })
      passTurn(id)
      return true
    },

    patch: async (id, patch, now) => {
      const row = orders.get(id)
      if (row) write({ ...row, updatedAt: now }, patch)
    },

    patchRecipients: async (orderId, phones, status, at, reported = false) => {
      const row = orders.get(orderId)
      if (!row) return
      const recipients = row.recipients.map((recipient) =>
        !phones || phones.includes(recipient.phone)
          ? { ...recipient, status, statusAt: at, reported }
          : recipient,
      )
      orders.set(orderId, { ...row, recipients })
    },

    dueToSend: async (now, limit, except = [], known = []) => {
      const free = queued().filter(
        (row) =>
          !except.includes(row.accountId) &&
          row.afterId === null &&
          !purchases.get(row.purchaseId)?.heldById &&
          (row.notBefore === null || isDue(row.notBefore, 'queuedUntil', now)) &&
          mayBeAsked(row.accountId, now),
      )
      const ofAccounts = Map.groupBy(free.sort(byDelay), ({ accountId }) => accountId)
      const firstOfEach = [...ofAccounts.values()].flatMap((rows) => [
        ...rows.filter(({ notBefore }) => notBefore === null).slice(0, 4),
        ...rows.filter(({ notBefore }) => notBefore !== null).slice(0, 4),
      ])
      const accountsInTurn = [...ofAccounts.keys()].slice(0, limit)
      return firstOfEach
        .filter(({ id, accountId }) => accountsInTurn.includes(accountId) && !known.includes(id))
        .sort(oldestFirst)
        .map(orderOf)
    },

    leaseEnded: async (now, limit) =>
      beingSent()
        .filter(({ leaseUntil }) => isLeaseOver(leaseUntil, now))
        .slice(0, limit)
        .map(orderOf),

    dueToPoll: async (now, limit, except = []) => {
      const due = polled()
        .filter(
          (row) =>
            isDue(row.nextPollAt, 'pollAt', now) &&
            isWelcome(row.accountId, now) &&
            !except.includes(row.accountId),
        )
        .sort(byTime(({ nextPollAt }) => nextPollAt, idOf))
      return [...Map.groupBy(due, ({ accountId }) => accountId).values()]
        .flatMap(([first]) => (first ? orderOf(first) : []))
        .slice(0, limit)
    },

    dueToReconcile: async (now, limit, except = []) => {
      const due = settled().filter(
        (row) =>
          (isDue(row.reconcileAt, 'readAt', now) || isDue(row.refundAt, 'readAt', now)) &&
          isWelcome(row.accountId, now) &&
          !except.includes(row.accountId),
      )
      return [...new Set(due.map(({ accountId }) => accountId))].slice(0, limit)
    },

    claimants: async (accountId) =>
      claiming()
        .filter((row) => row.accountId === accountId)
        .sort(oldestFirst)
        .map(orderOf),

    undecided: async (accountId, since) =>
      undecided()
        .filter((row) => row.accountId === accountId && row.reconcileAt === null && row.createdAt >= since)
        .filter(({ placement, reason }) => placement !== 'not_placed' || !neverSent.includes(reason))
        .sort(oldestFirst)
        .map(orderOf),

    awaitingRefund: async (accountId) =>
      settled()
        .filter((row) => row.accountId === accountId && row.refundAt !== null)
        .sort(oldestFirst)
        .map(orderOf),

    refundedLess: async (accountId, credits) => {
      const placed = orders
        .where((row) => row.accountId === accountId && row.placement === 'placed')
        .sort((a, b) => (a.id < b.id ? -1 : 1))
      const first = placed.flatMap(({ id, reference, refundedPesewas }) =>
        reference !== null && (credits.get(reference) ?? 0) > (refundedPesewas ?? 0)
          ? [{ id, reference, isSecond: false }]
          : [],
      )
      const second = placed.flatMap(({ id, otherReference: reference }) =>
        reference !== null && credits.has(reference) ? [{ id, reference, isSecond: true }] : [],
      )
      return [...first, ...second]
    },

    chargesOf: async (accountId, references) => {
      const asked = new Set(references)
      return orders.where(
        (row) => row.accountId === accountId && row.placement === 'placed' && asked.has(row.reference ?? ''),
      ) as ChargedOrder[]
    },

    newestSent: async (accountId, before) => {
      const sent = orders
        .where((row) => row.accountId === accountId && row.placement === 'placed')
        .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1))
      return (sent.find(({ sentAt }) => sentAt !== null && sentAt <= before) ?? sent[0])?.id ?? null
    },

    isSentSince: async (accountId, since) =>
      orders.where((row) => row.accountId === accountId && row.sentAt !== null && row.sentAt > since).length >
      0,

    unchargedCost: async (purchaseId) =>
      sum(
        orders
          .where(
            (row) =>
              row.purchaseId === purchaseId &&
              ['queued', 'sending', 'unconfirmed', 'review'].includes(row.placement),
          )
          .map(({ unitPricePesewas, quantity }) => times(unitPricePesewas, quantity)),
      ),

    isLookedThrough: async (accountId) =>
      orders.where((row) => row.accountId === accountId && row.refundAt !== null && row.extraAt !== null)
        .length > 0,

    openCost: async (accountId) =>
      sum(
        orders
          .where(
            ({ accountId: id, placement, reason }) =>
              id === accountId &&
              ['sending', 'unconfirmed', 'review'].includes(placement) &&
              reason !== 'charged_by_person',
          )
          .map(({ unitPricePesewas, quantity }) => times(unitPricePesewas, quantity)),
      ),

    referencesInUse: async (references) => {
      const asked = new Set(references)
      const all = orders.where(() => true)
      const held = all.flatMap(({ reference, otherReference }) =>
        [reference ?? [], otherReference ?? []].flat(),
      )
      return new Set(held.filter((each) => asked.has(each)))
    },

    sentTimes: async (references) =>
      new Map(
        orders
          .where(({ reference, inferred }) => !inferred && references.includes(reference ?? ''))
          .flatMap(({ reference, sentAt }) => (reference && sentAt ? [[reference, sentAt]] : [])),
      ),

    placedSince: async (accountId, since) =>
      orders
        .where((row) => row.accountId === accountId && row.reference !== null && row.createdAt >= since)
        .sort(oldestFirst)
        .reverse()
        .map(orderOf),

    openFor: async (accountId, phones, exceptId) => openFor(accountId, phones, exceptId),

    toSend: async ({ id, accountId }, phones, since = []) => ({
      order: orNull(orders.get(id)),
      account: accounts.get(accountId) ?? null,
      networksDown: facts.get(networksFact)?.value ?? null,
      made: await countsSince(accountId, since),
      open: openFor(accountId, phones, id),
    }),

    toAnswer: async ({ id, accountId }, reference) => ({
      order: orNull(orders.get(id)),
      account: accounts.get(accountId) ?? null,
      isBalanceWatched: members
        .where((row) => row.accountId === accountId && row.role === 'owner')
        .some(({ userId }) => (preferences.get(userId)?.lowBalancePesewas ?? null) !== null),
      holder: orNull(orders.first((row) => row.reference === reference)),
    }),

    recentFor: async (accountId, phones, since) => recentFor(accountId, phones, since),

    hasRecent: async (accountId, { phone, bundleId }, since) =>
      orders.where(
        (row) =>
          row.accountId === accountId &&
          row.bundleId === bundleId &&
          (row.createdAt >= since ||
            (row.sentAt !== null && row.sentAt >= since) ||
            openPlacements.includes(row.placement)) &&
          row.recipients.some((recipient) => recipient.phone === phone),
      ).length > 0,

    servedOn: async (accountId, phones) => {
      const networks = new Map<string, Set<string>>()
      for (const row of orders.where((row) => row.accountId === accountId && isCharged(row)))
        for (const { phone } of row.recipients)
          networks.set(phone, (networks.get(phone) ?? new Set()).add(row.network))
      return Object.fromEntries(
        phones.flatMap((phone) => {
          const served = networks.get(phone)
          return served ? [[phone, [...served].sort()]] : []
        }),
      )
    },

    spending: async (accountId, userId, since) =>
      orders
        .where((row) => row.accountId === accountId && row.userId === userId && row.createdAt >= since)
        .map((row) => ({
          placement: row.placement,
          reason: row.reason,
          chargedPesewas: row.chargedPesewas,
          refundedPesewas: row.refundedPesewas,
          extraPesewas: row.extraPesewas,
          unitPricePesewas: row.unitPricePesewas,
          agentUnitPesewas: row.agentUnitPesewas,
          quantity: row.quantity,
          acceptedQuantity: row.acceptedQuantity,
        })),

    phonesWithOpen: async (accountId, phones) =>
      new Set(
        orders
          .where((row) => row.accountId === accountId && isCharged(row) && isOpen(row))
          .flatMap(({ kind, placement, recipients }) =>
            recipients.filter(
              ({ status }) => !(kind === 'bulk' && placement === 'placed' && isTerminal(status)),
            ),
          )
          .map(({ phone }) => phone)
          .filter((phone) => phones.includes(phone)),
      ),

    takeForRetry: async (orderId, phones, retryId) => {
      const row = orders.get(orderId)
      const isFree = (each: RecipientRow) => phones.includes(each.phone) && each.retryId === null
      if (!row) return 0
      const recipients = row.recipients.map((each) => (isFree(each) ? { ...each, retryId } : each))
      orders.set(orderId, { ...row, recipients })
      return row.recipients.filter(isFree).length
    },

    dropRetry: async (retryId) => {
      for (const row of orders.where(({ recipients }) =>
        recipients.some((each) => each.retryId === retryId),
      )) {
        const recipients = row.recipients.map((each) =>
          each.retryId === retryId ? { ...each, retryId: null } : each,
        )
        orders.set(row.id, { ...row, recipients })
      }
    },

    passRetry: async (retryId, to, { bundleId, phones }) => {
      const isTheirs = (each: RecipientRow) => each.retryId === retryId && phones.includes(each.phone)
      for (const row of orders.where((row) => row.bundleId === bundleId && row.recipients.some(isTheirs))) {
        const recipients = row.recipients.map((each) => (isTheirs(each) ? { ...each, retryId: to } : each))
        orders.set(row.id, { ...row, recipients })
      }
    },

    wakeWaiting: async (waitsForId) => {
      writeWhere((row) => row.waitsForId === waitsForId && row.placement === 'queued', {
        waitsForId: null,
        notBefore: null,
      })
    },

    wakeNetwork: async (network) => {
      writeWhere(
        (row) => row.network === network && row.placement === 'queued' && row.reason === 'network_down',
        { notBefore: null },
      )
    },

    open: async (accountId) =>
      orders
        .where(
          (row) =>
            row.accountId === accountId &&
            (openPlacements.includes(row.placement) ||
              (row.placement === 'placed' && row.nextPollAt !== null)),
        )
        .sort(oldestFirst)
        .map(orderOf)
        .filter(isOpen),

    underWatch: async (accountId) =>
      orders
        .where(
          (row) =>
            row.accountId === accountId &&
            (row.placement === 'sending' ||
              row.placement === 'unconfirmed' ||
              row.placement === 'review' ||
              row.nextPollAt !== null ||
              row.reconcileAt !== null ||
              row.refundAt !== null),
        )
        .sort(oldestFirst)
        .map(orderOf),

    chatsSince: async (accountId, since) => [
      ...new Set(
        orders
          .where((row) => row.accountId === accountId && row.updatedAt >= since)
          .map(({ chatId }) => chatId),
      ),
    ],

    putOffPolls: async (accountId, until) => {
      const isSooner = (row: OrderRow) =>
        row.nextPollAt !== null && (row.nextPollAt < until || row.nextPollAt > latest('pollAt', until))
      writeWhere((row) => row.accountId === accountId && isSooner(row), { nextPollAt: until })
    },

    reconcileNow: async (accountId, now) => {
      const isLater = (row: OrderRow) => row.reconcileAt !== null && row.reconcileAt > now
      writeWhere((row) => row.accountId === accountId && row.placement === 'unconfirmed' && isLater(row), {
        reconcileAt: now,
      })
    },

    queuedOfAccount: async (accountId) =>
      orders.where((row) => row.accountId === accountId && row.placement === 'queued').map(orderOf),

    countByPlacement: async () =>
      [...Map.groupBy(orders.all(), ({ placement }) => placement)].map(([placement, rows]) => ({
        placement,
        count: rows.length,
      })),
  }
}
