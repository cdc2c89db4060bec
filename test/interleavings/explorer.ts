import { createHash } from 'node:crypto'
import { beginning, movesFrom } from './moves.ts'
import { restBreach } from './promises.ts'
import { rules as ownRules, type Rules } from './rules.ts'
import type { State, StoredOrder } from './state.ts'

/** The result of an exploration. */
export interface Exploration {
  states: number
  moves: number
  /** Every state that can be reached in this many moves was visited. */
  depth: number
  /** Every state that can be reached at all was visited. */
  isComplete: boolean
  /** The first promise that was broken, with the shortest series of moves that breaks it. */
  fault: { promise: string; way: string[] } | null
}

interface Options {
  /** How many orders there are. All are for the same number. */
  orders: number
  /** How many faults may happen in one run. */
  faults: number
  untilMs: number
  rules?: Rules
}

/** A state, and the move and the state that led to it, so that the series of moves can be printed. */
interface Reached {
  state: State
  move: string
  from: Reached | null
}

/** Visits each state once, those that take the fewest moves first. */
export const explore = ({ orders, faults, untilMs, rules = ownRules }: Options): Exploration => {
  const seen = new Set<string>()
  let moves = 0
  let depth = 0
  let level: Reached[] = [{ state: beginning({ orders, faults }), move: '', from: null }]
  seen.add(keyOf(level[0]?.state as State))
  const result = (isComplete: boolean, fault: Exploration['fault'] = null): Exploration => ({
    states: seen.size,
    moves,
    depth,
    isComplete,
    fault,
  })
  while (level.length > 0) {
    const next: Reached[] = []
    for (const reached of level) {
      if (performance.now() >= untilMs) return result(false)
      let isAtRest = true
      const from = keyOf(reached.state)
      for (const { name, to } of movesFrom(reached.state, rules)) {
        moves += 1
        const there = { state: to, move: name, from: reached }
        if (to.broken !== null) return result(false, { promise: to.broken, way: wayTo(there) })
        const key = keyOf(to)
        const isOfChance = to.left.faults !== reached.state.left.faults
        if (key !== from && !isOfChance) isAtRest = false
        if (seen.has(key)) continue
        seen.add(key)
        next.push(there)
      }
      const breach = isAtRest ? restBreach(reached.state) : null
      if (breach !== null) return result(false, { promise: breach, way: wayTo(reached) })
    }
    depth += 1
    level = next
  }
  return result(true)
}

const wayTo = (reached: Reached): string[] => {
  const way: string[] = []
  for (let each: Reached | null = reached; each?.from; each = each.from) way.unshift(each.move)
  return way
}

/**
 * A key that is equal for states with the same possible futures. It leaves out the order in which processes began
 * their waits, and times that no rule will read again.
 */
const keyOf = (state: State): string => {
  const flights = state.flights.map((each) => JSON.stringify(each)).sort()
  const requests = state.requests.map((each) => JSON.stringify(each)).sort()
  const orders = state.orders.map(withoutPast)
  const charges = state.charges.map((charge, index) => {
    const isSettled = state.orders.some(({ reference, inferred }) => reference === index && !inferred)
    return isSettled ? { ...charge, atMs: 0 } : charge
  })
  const text = JSON.stringify({ ...state, flights, requests, orders, charges })
  return createHash('md5').update(text).digest('base64')
}

const withoutPast = (order: StoredOrder): StoredOrder => {
  const { placement, inferred, status, reported } = order
  const isSettled = placement === 'placed' && !inferred
  return {
    ...order,
    ...(placement !== 'queued' && { createdAtMs: 0, notBeforeMs: 0 }),
    ...(isSettled && { sentAtMs: null, leaseUntilMs: null, leaseToken: null }),
    ...(isSettled && status === 'delivered' && !reported && { statusAtMs: null, callbackAtMs: null }),
  }
}
