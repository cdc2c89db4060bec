import type { Debit, DebitRecord } from '../../src/domain/debits/matching.ts'
import { nothingLearned } from '../../src/domain/may-send.ts'
import type { AttemptOutcome, Placement } from '../../src/domain/order/placement.ts'
import type { Bundle } from '../../src/provider/index.ts'
import { clockOf, dateOf, indexOf, msOf, nameOf, orderAt, phone, pricePesewas, referenceOf } from './order.ts'
import type { Rules } from './rules.ts'
import type { Charge, Flight, Move, Outcome, State, StoredOrder } from './state.ts'

/** The first state: the chat has drafts for one number, and nothing has happened yet. */
export const beginning = (size: { orders: number; faults: number }): State => ({
  nowMs: 0,
  aheadMs: 0,
  purchases: Array.from({ length: size.orders }, () => ({ state: 'draft', presses: 0 })),
  orders: [],
  flights: [],
  requests: [],
  charges: [],
  reports: [],
  left: { faults: size.faults, waits: 3 },
  lied: [],
  broken: null,
})

/** Waits that are long enough for a lease to end, for a debit to appear, and for an order to go to review. */
const leaseEndsMs = 31_000
const debitShowsMs = 11 * 60_000
/** The bot must wait at least this long for a POST that may still be on its way. */
const debitTakesMs = 60_000
const clockStepMs = 60 * 60_000

/** All moves that are possible in a state. */
export const movesFrom = (state: State, rules: Rules): Move[] => [
  ...presses(state, rules),
  ...state.orders.flatMap((_, order) => [
    ...begin(state, order, rules),
    ...sweep(state, order, rules),
    ...lookUp(state, order, rules),
    ...poll(state, order),
  ]),
  ...state.flights.flatMap((flight, index) => flown(state, flight, index, rules)),
  ...state.requests.flatMap((_, index) => arrivals(state, index)),
  ...state.charges.flatMap((_, index) => lifeOf(state, index)),
  ...state.reports.flatMap((_, index) => applied(state, index, rules)),
  ...reads(state, rules),
  ...time(state),
]

/** A move, which changes a copy of the state. */
const move = (state: State, name: string, change: (next: State) => void): Move => {
  const to = copyOf(state)
  change(to)
  return { name, to }
}

const copyOf = (state: State): State => ({
  ...state,
  purchases: state.purchases.map((each) => ({ ...each })),
  orders: state.orders.map((each) => ({ ...each })),
  flights: [...state.flights],
  requests: [...state.requests],
  charges: state.charges.map((each) => ({ ...each })),
  reports: [...state.reports],
  left: { ...state.left },
  lied: [...state.lied],
})

/** Like `move`, for a fault. Impossible once the run has had all its faults. */
const fault = (state: State, name: string, change: (next: State) => void): Move[] =>
  state.left.faults === 0
    ? []
    : [
        move(state, name, (next) => {
          next.left.faults -= 1
          change(next)
        }),
      ]

const orderIn = (state: State, index: number): StoredOrder => state.orders[index] as StoredOrder

/** A person presses Confirm. A second press is a fault. */
const presses = (state: State, { isDraft }: Rules): Move[] =>
  state.purchases.flatMap(({ state: draft, presses: made }, purchase) => {
    if (!isDraft(draft)) return []
    const press = (next: State): void => {
      ;(next.purchases[purchase] as State['purchases'][number]).presses += 1
      next.flights.push({ kind: 'press', purchase })
    }
    const name = `Confirm of purchase ${purchase + 1} is pressed`
    return made === 0 ? [move(state, name, press)] : fault(state, `${name} once more`, press)
  })

/** Decides by the current facts whether to send the order. If so, commits `sending` with a lease. */
const begin = (state: State, index: number, rules: Rules): Move[] => {
  const row = orderIn(state, index)
  const at = clockOf(state)
  if (row.placement !== 'queued' || dateOf(row.notBeforeMs) > at) return []
  const order = orderAt(state, index)
  const before = state.orders
    .map((_, other) => orderAt(state, other))
    .filter((other) => other.id !== order.id && isOpen(other.placement, other.status))
    .filter((other) => other.placement !== 'queued' || Number(other.id) < index)
    .filter((other) => rules.isPending(other, phone))
  const [blocker] = before
  const facts = {
    order,
    left: null,
    confirmedAt: order.createdAt,
    credentials: 'accepted' as const,
    isNetworkDown: false,
    blockers: new Map(blocker && [[phone as string, blocker]]),
    isItsTurn: true,
    queuedPesewas: pricePesewas,
  } as const
  const bundle = { id: 1, network: 'MTN', volume: '5GB', pricePesewas } as Bundle
  const offer = { kind: 'read' as const, prices: { bundles: [bundle], readAt: at }, balancePesewas: null }
  const decision = rules.sendDecision(facts, { ...nothingLearned, offer }, at)
  if (decision.kind !== 'send') return []
  return [
    move(state, `${nameOf(index)} is committed as sending`, (next) => {
      const stored = orderIn(next, index)
      const token = next.nowMs * 10 + stored.posts
      const endsAtMs = msOf(at) + rules.sendLeaseMs
      if (!go(stored, 'sending', rules)) return
      Object.assign(stored, { leaseToken: token, leaseUntilMs: endsAtMs, sentAtMs: msOf(at), reason: null })
      next.flights.push({ kind: 'ready', order: index, token, endsAtMs })
    }),
  ]
}

const isOpen = (placement: Placement, status: string | null): boolean =>
  ['queued', 'sending', 'unconfirmed', 'review'].includes(placement) ||
  (placement === 'placed' && status !== 'delivered')

/** Stands for `orders.go`. @returns false if the guard refuses the change. */
const go = (
  order: StoredOrder,
  to: Placement,
  { sourcesOf, holdsLease }: Rules,
  guard: { token?: number; ofInferred?: boolean } = {},
): boolean => {
  const { token, ofInferred = false } = guard
  const from =
    token === undefined
      ? sourcesOf(to).filter((each) => (each === 'placed') === ofInferred)
      : (['sending'] as const)
  if (!from.includes(order.placement as never)) return false
  if (token !== undefined && !holdsLease(order.leaseToken, token)) return false
  order.placement = to
  return true
}

const flown = (state: State, flight: Flight, index: number, rules: Rules): Move[] => {
  const without = (next: State): void => {
    next.flights.splice(index, 1)
  }
  const instead = (next: State, other: Flight): void => {
    next.flights[index] = other
  }
  const crash = (when: string): Move[] => fault(state, `its process dies ${when}`, without)
  switch (flight.kind) {
    case 'press':
      return [
        move(state, `purchase ${flight.purchase + 1} is confirmed`, (next) => {
          without(next)
          confirm(next, flight.purchase, rules)
        }),
      ]
    case 'ready': {
      const { order, token, endsAtMs } = flight
      const stop = (reason: 'unreachable' | 'refused_start') => (next: State) =>
        instead(next, { kind: 'answered', order, token, outcome: { kind: 'not_sent', reason } })
      if (endsAtMs - msOf(clockOf(state)) < rules.leaseReserveMs)
        return [
          move(
            state,
            `the POST of ${nameOf(order)} is given up because too little of the lease is left`,
            stop('refused_start'),
          ),
        ]
      return [
        move(state, `the POST of ${nameOf(order)} leaves`, (next) => {
          const id = next.charges.length + next.requests.length
          next.requests.push({ id, order })
          instead(next, { kind: 'sent', order, token, request: id })
          leaves(next, order)
        }),
        ...fault(state, `no connection for ${nameOf(order)}`, stop('unreachable')),
        ...crash(`before the first byte of ${nameOf(order)}`),
      ]
    }
    case 'sent': {
      const { order, token, request } = flight
      const charge = state.charges.findIndex((each) => each.request === request)
      const learn = (outcome: Outcome) => (next: State) =>
        instead(next, { kind: 'answered', order, token, outcome })
      const isOnItsWay = state.requests.some(({ id }) => id === request)
      const answer: Outcome | null =
        charge >= 0 ? { kind: 'placed', charge } : isOnItsWay ? null : { kind: 'rejected' }
      return [
        ...(answer
          ? [move(state, `the answer to ${nameOf(order)} comes: ${answer.kind}`, learn(answer))]
          : []),
        ...fault(state, `the answer to ${nameOf(order)} is lost`, learn({ kind: 'unconfirmed' })),
        ...crash(`while it waits for the answer to ${nameOf(order)}`),
      ]
    }
    case 'answered': {
      const { order, token, outcome } = flight
      return [
        move(state, `the outcome of ${nameOf(order)} is written: ${outcome.kind}`, (next) => {
          without(next)
          commit(next, order, token, outcome, rules)
        }),
        ...crash(`before it writes the outcome of ${nameOf(order)}`),
      ]
    }
    case 'read':
      return [
        move(state, 'what the wallet showed is applied', (next) => {
          without(next)
          find(next, flight, rules)
        }),
      ]
    case 'poll':
      return [
        move(state, `the status of ${nameOf(flight.order)} is written: ${flight.status}`, (next) => {
          without(next)
          merge(next, flight.order, flight.charge, rules, {
            source: 'poll',
            status: flight.status,
            at: dateOf(flight.beganMs),
          })
        }),
      ]
  }
}

/** Stands for the handler of Confirm: one update whose `WHERE` names the state `draft`. */
const confirm = (next: State, index: number, { isDraft }: Rules): void => {
  const purchase = next.purchases[index]
  if (!purchase || !isDraft(purchase.state)) return
  purchase.state = 'confirmed'
  next.orders.push({
    purchase: index,
    placement: 'queued',
    reason: null,
    reference: null,
    inferred: false,
    otherReference: null,
    status: null,
    reported: false,
    statusAtMs: null,
    callbackAtMs: null,
    leaseToken: null,
    leaseUntilMs: null,
    createdAtMs: msOf(clockOf(next)),
    sentAtMs: null,
    attempts: 0,
    notBeforeMs: 0,
    isWatched: false,
    isRefused409: false,
    posts: 0,
  })
}

const leaves = (next: State, index: number): void => {
  const order = orderIn(next, index)
  order.posts += 1
  if (order.posts > 1)
    next.broken ??= `${nameOf(index)} is sent again, although the provider may have carried out the first POST`
  if (order.placement !== 'sending') next.broken ??= `${nameOf(index)} is sent while it is ${order.placement}`
}

/** The provider carries out the request (charges or refuses it), or the network loses the request. */
const arrivals = (state: State, index: number): Move[] => {
  const request = state.requests[index]
  if (!request) return []
  const { order, id } = request
  const execute = (isVisible: boolean) => (next: State) => {
    next.requests.splice(index, 1)
    if (next.charges.some(({ status }) => status === 'processing')) return
    const { nowMs: atMs } = next
    next.charges.push({
      order,
      request: id,
      atMs,
      isVisible,
      status: 'processing',
      callbacks: 1,
      isProven: false,
    })
    const ofPurchase = next.charges.filter(
      (each) => orderIn(next, each.order).purchase === orderIn(next, order).purchase,
    )
    if (ofPurchase.length > 1)
      next.broken ??= `purchase ${orderIn(next, order).purchase + 1} is charged ${ofPurchase.length} times`
  }
  return [
    move(state, `the provider carries out ${nameOf(order)}`, execute(true)),
    ...fault(state, `the provider carries out ${nameOf(order)}, and shows its debit later`, execute(false)),
    ...fault(state, `the POST of ${nameOf(order)} is lost on its way`, (next) => {
      next.requests.splice(index, 1)
    }),
  ]
}

/** What happens to an order at the provider: it is delivered, its debit appears, and callbacks report it. */
const lifeOf = (state: State, index: number): Move[] => {
  const charge = state.charges[index] as Charge
  const change = (name: string, act: (charge: Charge, next: State) => void) =>
    move(state, name, (next) => act(next.charges[index] as Charge, next))
  const report = (next: State, of: number, status: string): void => {
    next.reports.push({ order: charge.order, charge: of, status, atMs: msOf(clockOf(next)) })
  }
  const own = `${referenceOf(index)} of ${nameOf(charge.order)}`
  return [
    ...(charge.isVisible ? [] : [change(`the debit ${own} shows`, (each) => (each.isVisible = true))]),
    ...(charge.status === 'delivered'
      ? []
      : [change(`${own} is delivered`, (each) => (each.status = 'delivered'))]),
    ...(charge.callbacks === 0
      ? []
      : [
          change(`a callback says ${own} is ${charge.status}`, (each, next) => {
            each.callbacks -= 1
            report(next, index, each.status)
          }),
        ]),
    ...fault(state, `a callback says ${own} is ${charge.status}, once more`, (next) =>
      report(next, index, charge.status),
    ),
    ...fault(state, `a forged callback says ${own} is delivered`, (next) => report(next, index, 'delivered')),
    ...state.charges.flatMap((_, other) =>
      other === index
        ? []
        : fault(state, `a callback of ${nameOf(charge.order)} names ${referenceOf(other)}`, (next) => {
            report(next, other, charge.status)
            next.lied.push(charge.order)
          }),
    ),
  ]
}

/**
 * Stands for `orders.leaseEnded` and what the placer does with the orders it finds. A process does not do this to an
 * order that it is sending itself, but its successor does.
 */
const sweep = (state: State, index: number, rules: Rules): Move[] => {
  const { placement, leaseUntilMs } = orderIn(state, index)
  if (placement !== 'sending' || leaseUntilMs === null || leaseUntilMs >= msOf(clockOf(state))) return []
  const isUnderWay = state.flights.some((flight) => 'token' in flight && flight.order === index)
  const end = (next: State): void => {
    const order = orderIn(next, index)
    if (go(order, 'unconfirmed', rules)) Object.assign(order, { ...unknown, reason: 'interrupted' })
  }
  const name = `the lease of ${nameOf(index)} has ended`
  return isUnderWay ? fault(state, `a successor sees that ${name}`, end) : [move(state, name, end)]
}

const unknown = { leaseToken: null, isWatched: true }

/** Stands for `commit` in `send-outcome`. */
const commit = (next: State, index: number, token: number, outcome: Outcome, rules: Rules): void => {
  const order = orderIn(next, index)
  const step = rules.stepAfter(attemptOf(outcome), order.attempts)
  const guard = { token }
  switch (step.to) {
    case 'placed':
      takeAnswer(next, index, token, indexOf(step.reference), step.status, rules)
      return
    case 'queued':
      if (!go(order, 'queued', rules, guard)) return
      Object.assign(order, {
        leaseToken: null,
        leaseUntilMs: null,
        sentAtMs: null,
        reason: step.reason,
      })
      order.attempts += step.reason === 'unreachable' ? 1 : 0
      order.notBeforeMs = msOf(clockOf(next)) + step.waitMs
      return
    case 'rejected': {
      // If no open order of ours explains a 409, it may be about this very POST.
      const others = next.orders.filter(
        (each, other) => other !== index && isOpen(each.placement, each.status),
      )
      const isOurs = others.some(({ reference }) => reference !== null)
      if (!go(order, isOurs ? 'rejected' : 'unconfirmed', rules, guard)) return
      Object.assign(order, { ...unknown, reason: 'pending', isRefused409: true })
      return
    }
    default:
      if (!go(order, step.to, rules, guard)) return
      Object.assign(order, { ...unknown, reason: step.reason })
  }
}

const attemptOf = (outcome: Outcome): AttemptOutcome => {
  switch (outcome.kind) {
    case 'placed': {
      const order = {
        reference: referenceOf(outcome.charge),
        status: 'processing',
        placedAt: null,
        chargedPesewas: pricePesewas,
        acceptedQuantity: 1,
      }
      return { kind: 'placed', order, walletBalancePesewas: null } as AttemptOutcome
    }
    case 'rejected':
      return { kind: 'rejected', httpStatus: 409, type: 'PENDING_ORDER' } as AttemptOutcome
    case 'unconfirmed':
      return { kind: 'unconfirmed', reason: 'timeout', httpStatus: null } as AttemptOutcome
    case 'not_sent':
      return { kind: 'not_sent', reason: outcome.reason } as AttemptOutcome
  }
}

/** Stands for `commitPlaced` and `keepAnswered` in `send-outcome`. */
const takeAnswer = (
  next: State,
  index: number,
  token: number,
  charge: number,
  status: string,
  rules: Rules,
): void => {
  const order = orderIn(next, index)
  ;(next.charges[charge] as Charge).isProven = true
  if (order.placement === 'placed' && !order.inferred && order.reference !== charge) {
    order.otherReference = charge
    return
  }
  if (order.reference === charge) {
    Object.assign(order, { inferred: false, reason: null })
    return
  }
  if (!free(next, index, charge, rules)) {
    if (go(order, 'unconfirmed', rules, { token })) Object.assign(order, unknown)
    return
  }
  const isTaken =
    go(order, 'placed', rules, { token }) ||
    (rules.provable.includes(order.placement) && go(order, 'placed', rules))
  if (isTaken) hold(order, charge, { inferred: false, status, atMs: msOf(clockOf(next)) })
}

const hold = (
  order: StoredOrder,
  charge: number,
  { inferred, status, atMs }: { inferred: boolean; status: string; atMs: number },
): void => {
  Object.assign(order, { placement: 'placed', reference: charge, inferred, status, statusAtMs: atMs })
  Object.assign(order, {
    reported: false,
    leaseToken: null,
    isWatched: false,
    reason: null,
    callbackAtMs: null,
  })
}

/** Stands for `freeReference` in `proof`. */
const free = (next: State, index: number, charge: number, rules: Rules): boolean => {
  const order = orderIn(next, index)
  const isOpenToProof = order.placement === 'placed' ? order.inferred : true
  const holder = next.orders.findIndex(({ reference }) => reference === charge)
  if (!isOpenToProof || holder === index) return false
  if (holder >= 0 && !orderIn(next, holder).inferred) return false
  if (holder >= 0) giveUp(next, holder, rules)
  if (order.placement === 'placed') giveUp(next, index, rules)
  return true
}

const giveUp = (next: State, index: number, rules: Rules): void => {
  const order = orderIn(next, index)
  if (!go(order, 'unconfirmed', rules, { ofInferred: true })) return
  Object.assign(order, { ...unknown, reference: null, inferred: false, reason: 'mistaken', status: null })
  Object.assign(order, { reported: false, statusAtMs: null, callbackAtMs: null })
}

const recordOf = ({ charges }: State, charge: number): DebitRecord => ({
  network: 'MTN',
  volume: '5GB',
  phone,
  quantity: null,
  phones: null,
  placedAtMs: dateOf((charges[charge] as Charge).atMs).getTime(),
})

/** Stands for `applyStatusReport` in `callbacks`. */
const applied = (state: State, index: number, rules: Rules): Move[] => {
  const report = state.reports[index]
  const order = report && orderIn(state, report.order)
  // If the order has no reference yet, its callbacks wait for the look-up; while it is being sent, they wait for the
  // answer.
  if (!report || !order || order.placement === 'sending' || rules.provable.includes(order.placement))
    return []
  if (order.placement === 'placed' && order.inferred && order.reference !== report.charge) return []
  return [
    move(state, `a callback is applied: ${nameOf(report.order)} is ${report.status}`, (next) => {
      next.reports.splice(index, 1)
      const stored = orderIn(next, report.order)
      if (stored.placement !== 'placed' || stored.reference !== report.charge) return
      if (stored.inferred) Object.assign(stored, { inferred: false, reason: null })
      stored.callbackAtMs = report.atMs
      const { status } = report
      merge(next, report.order, report.charge, rules, { source: 'callback', status, at: dateOf(report.atMs) })
    }),
  ]
}

/**
 * Models `ask` in `polling` when a callback to the order's own address has named a reference. The provider's record of
 * that reference proves that it belongs to this order.
 */
const lookUp = (state: State, index: number, rules: Rules): Move[] => {
  const order = orderIn(state, index)
  const isOpenToProof =
    rules.provable.includes(order.placement) || (order.placement === 'placed' && order.inferred)
  if (!isOpenToProof || order.placement === 'sending') return []
  const hinted = state.reports.findIndex(
    (each) => each.order === index && each.charge !== order.reference && state.charges[each.charge],
  )
  const report = state.reports[hinted]
  if (!report) return []
  return [
    move(state, `${nameOf(index)} is looked up by ${referenceOf(report.charge)}`, (next) => {
      next.reports.splice(hinted, 1)
      const record = recordOf(next, report.charge)
      const claimant = rules.claimantOf(orderAt(next, index))
      const isTooEarly = record.placedAtMs !== null && record.placedAtMs < claimant.suspectFromMs
      if (!rules.isReferenceOf('single', referenceOf(report.charge)) || isTooEarly) return
      if (!rules.fitsRecordButTime(claimant, record)) return
      if (!free(next, index, report.charge, rules)) return
      const stored = orderIn(next, index)
      if (!go(stored, 'placed', rules)) return
      hold(stored, report.charge, { inferred: false, status: 'processing', atMs: msOf(clockOf(next)) })
      const charge = next.charges[report.charge] as Charge
      if (charge.order === index) charge.isProven = true
    }),
  ]
}

const poll = (state: State, index: number): Move[] => {
  const { placement, reference, status, reported } = orderIn(state, index)
  const charge = reference === null ? undefined : state.charges[reference]
  const isKnown = charge?.status === status && !reported
  const isAsked = state.flights.some((flight) => flight.kind === 'poll' && flight.order === index)
  if (placement !== 'placed' || !charge || reference === null || isKnown || isAsked) return []
  return [
    move(state, `the status of ${nameOf(index)} is asked for`, (next) => {
      const beganMs = msOf(clockOf(next))
      next.flights.push({ kind: 'poll', order: index, beganMs, charge: reference, status: charge.status })
    }),
  ]
}

/** Stands for `applyStatus` in `status-change`. */
const merge = (
  next: State,
  index: number,
  charge: number,
  { mergeStatus }: Rules,
  incoming: Parameters<Rules['mergeStatus']>[1],
): void => {
  const order = orderIn(next, index)
  if (order.placement !== 'placed' || order.reference !== charge) return
  const date = (ms: number | null) => (ms === null ? null : dateOf(ms))
  const known = { status: order.status, reported: order.reported }
  const times = { since: date(order.statusAtMs), newestCallbackAt: date(order.callbackAtMs) }
  const change = mergeStatus({ ...known, ...times }, incoming)
  if (change.kind === 'confirmed') order.reported = false
  if (change.kind !== 'changed') return
  const told = next.charges[charge]?.status
  if (incoming.source === 'callback' && order.status === 'delivered' && change.status !== 'delivered')
    next.broken ??= `a callback lowers ${nameOf(index)} from delivered to ${change.status}`
  Object.assign(order, { status: change.status, reported: change.reported, statusAtMs: msOf(clockOf(next)) })
  if (order.status === 'delivered' && !order.reported && told !== 'delivered')
    next.broken ??= `${nameOf(index)} is shown as confirmed delivered, but at the provider it is ${told}`
}

/** The wallet is read if it may show an order's debit. */
const reads = (state: State, { debitsShowWithinMs }: Rules): Move[] => {
  const atMs = msOf(clockOf(state))
  const isShown = state.charges.some(
    ({ isVisible }, charge) => isVisible && !state.orders.some(({ reference }) => reference === charge),
  )
  const isWanted = state.orders.some(({ isWatched, placement, sentAtMs, leaseUntilMs }) => {
    if (!isWatched || placement === 'sending') return false
    // A read that shows no debit has an effect only once a debit has had time to appear.
    const isOld = Math.abs(atMs - (leaseUntilMs ?? sentAtMs ?? 0)) >= debitsShowWithinMs
    return isShown || (placement === 'unconfirmed' && isOld)
  })
  if (!isWanted || state.flights.some(({ kind }) => kind === 'read')) return []
  return [
    move(state, 'the wallet is read', (next) => {
      const entries = next.charges.flatMap(({ isVisible }, index) => (isVisible ? [index] : []))
      next.flights.push({ kind: 'read', beganMs: msOf(clockOf(next)), entries })
    }),
  ]
}

/** Stands for the reconciler and `applyFindings` in `findings`, for all orders of the wallet. */
const find = (next: State, { beganMs, entries }: Extract<Flight, { kind: 'read' }>, rules: Rules): void => {
  const watched = next.orders.flatMap(({ isWatched, placement }, index) =>
    isWatched || placement === 'sending' ? [index] : [],
  )
  const held = new Set(next.orders.flatMap(({ reference, inferred }) => (inferred ? [] : [reference])))
  const debits = entries
    .filter((charge) => !held.has(charge) && !next.orders.some(({ reference }) => reference === charge))
    .map(
      (charge): Debit => ({
        reference: referenceOf(charge),
        amountPesewas: pricePesewas,
        description: null,
        createdAtMs: dateOf((next.charges[charge] as Charge).atMs).getTime(),
      }),
    )
  const claimants = watched.map((index) => rules.claimantOf(orderAt(next, index)))
  const weighed = (claimant: (typeof claimants)[number], debit: Debit) => {
    const charge = indexOf(debit.reference ?? '')
    const named = next.reports.find((each) => each.charge === charge)
    const namedFor = named ? String(named.order) : null
    return rules.weigh(claimant, debit, { record: recordOf(next, charge), namedFor })
  }
  const pairing = rules.pair(claimants, debits, weighed, { isShared: false })
  const at = clockOf(next)
  for (const index of watched) {
    const stored = orderIn(next, index)
    if (stored.placement === 'sending' || !stored.isWatched) continue
    const order = orderAt(next, index)
    const debit = pairing.pairs.find(({ orderId }) => orderId === order.id)?.debit
    if (debit) {
      const charge = indexOf(debit.reference ?? '')
      const isFree = !next.orders.some(({ reference }) => reference === charge)
      if (isFree && go(stored, 'placed', rules)) {
        hold(stored, charge, { inferred: true, status: 'processing', atMs: msOf(at) })
        continue
      }
    }
    const sentAt = rules.latestSend(order)
    if (sentAt > at) {
      stored.leaseUntilMs = msOf(at)
      continue
    }
    const ageMs = beganMs > msOf(at) ? 0 : beganMs - msOf(sentAt)
    const isHinted = next.reports.some((each) => each.order === index)
    const isDenied = pairing.without.includes(order.id) && !isHinted
    const isDoubtful = isHinted || pairing.doubtful.includes(order.id)
    if (stored.placement === 'unconfirmed' && isDenied && ageMs >= rules.debitsShowWithinMs) {
      if (go(stored, 'not_placed', rules)) deny(next, index, entries)
    } else if (stored.placement === 'unconfirmed' && isDoubtful && ageMs >= rules.reconcilingEndsMs) {
      go(stored, 'review', rules)
    }
    if (stored.placement === 'not_placed' && rules.nextWatch(sentAt, at) === null) stored.isWatched = false
  }
}

const deny = (next: State, index: number, entries: readonly number[]): void => {
  const own = next.charges.findIndex(({ order }) => order === index)
  const isShown = entries.includes(own) && !next.orders.some(({ reference }) => reference === own)
  if (isShown)
    next.broken ??= `${nameOf(index)} is called not charged, although the wallet showed its debit ${referenceOf(own)}`
  // If the clock was ahead when a process crashed, the wait may be too short, because the next process can measure it
  // only by that clock. A later read of the wallet then finds the debit.
  const isTooSoon =
    next.aheadMs <= 0 && next.requests.some(({ order }) => order === index) && next.nowMs < debitTakesMs
  if (isTooSoon) next.broken ??= `${nameOf(index)} is called not charged while its POST may still arrive`
}

/**
 * Time passes only if something waits for it. Otherwise, the same state would be visited again at many different times.
 */
const time = (state: State): Move[] => {
  const { orders, left } = state
  if (left.waits === 0) return clockSteps(state)
  const isSending = orders.some(
    ({ placement, notBeforeMs }) =>
      placement === 'sending' || (placement === 'queued' && notBeforeMs > msOf(clockOf(state))),
  )
  const isLong = orders.some(
    ({ placement, reported, status, reference }) =>
      placement === 'unconfirmed' ||
      placement === 'queued' ||
      (reported && status !== state.charges[reference ?? -1]?.status),
  )
  // If a POST is waiting for its answer while time passes, either the answer is slow or the process is suspended.
  const isDelay = state.flights.length > 0 || state.requests.length > 0
  const pass = (ms: number): Move[] => {
    const change = (next: State): void => {
      next.left.waits -= 1
      next.nowMs += ms
    }
    const name = `${ms / 1_000} s pass`
    return isDelay ? fault(state, `${name} before anything else`, change) : [move(state, name, change)]
  }
  return [
    ...(isSending ? pass(leaseEndsMs) : []),
    ...(isLong ? pass(debitShowsMs) : []),
    ...clockSteps(state),
  ]
}

const clockSteps = (state: State): Move[] =>
  [clockStepMs, -clockStepMs].flatMap((ms) =>
    fault(state, ms > 0 ? 'the clock is set an hour ahead' : 'the clock is set back by an hour', (next) => {
      next.aheadMs += ms
    }),
  )
