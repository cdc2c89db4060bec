import pg from 'pg'

/**
 * What went over this process's connections to PostgreSQL. A statement that is sent while an earlier one of its
 * connection is unanswered shares that one's round trip.
 */
export interface Traffic {
  /** Without the looks. */
  statements: number
  /** Without those of the looks. */
  roundTrips: number
  /** Statements that are sent all the time: loops that look whether there is something to do. */
  looks: number
  /** Transactions that were begun by a statement of their own. */
  transactions: number
  /** Round trips in transactions that have accounts to themselves; not the first. */
  roundTripsLocked: number
  /** How long each transaction waited for its locks, with the round trip that asks for them. */
  lockWaitsMs: number[]
  /** How often each text was sent, without the looks. */
  texts: Record<string, number>
}

export interface TrafficWatch {
  /** All since it was taken last. */
  take(): Traffic
  /** The same, of a time in which nothing was to do: from now on such statements outside of transactions are looks. */
  takeAsIdle(): Traffic
  /** Statements since the watch began, without the looks. */
  worked(): number
  end(): void
}

const nothing = (): Traffic => ({
  statements: 0,
  roundTrips: 0,
  looks: 0,
  transactions: 0,
  roundTripsLocked: 0,
  lockWaitsMs: [],
  texts: {},
})

/** What is under way on a connection. */
interface Flight {
  unanswered: number
}

type Query = (this: object, ...args: unknown[]) => unknown

const driver = pg.Client.prototype as unknown as { query: Query }

/** Watches the driver of PostgreSQL in this process, until it is ended. */
export const watchTraffic = (): TrafficWatch => {
  const { query } = driver
  /** Connections whose transaction has locks of accounts. */
  const locked = new WeakSet<object>()
  const inTransaction = new WeakSet<object>()
  const flights = new WeakMap<object, Flight>()
  const looks = new Set<string>()
  const seen = new Set<string>()
  let traffic = nothing()
  let worked = 0

  const flightOf = (connection: object): Flight => {
    const flight = flights.get(connection) ?? { unanswered: 0 }
    flights.set(connection, flight)
    return flight
  }

  const count = (connection: object, text: string, values: unknown, isShared: boolean): void => {
    const isAlone = !inTransaction.has(connection)
    if (/^BEGIN\b/i.test(text)) {
      traffic.transactions += 1
      if (!isWhole(text)) inTransaction.add(connection)
    }
    if (isEnd(text)) inTransaction.delete(connection)
    const kind = kindOf(text, values)
    if (isAlone) seen.add(kind)
    if (isAlone && (looks.has(kind) || isOfNoWork(text))) {
      traffic.looks += 1
      return
    }
    worked += 1
    traffic.statements += isWhole(text) ? partsOfWhole : 1
    if (!isShared) traffic.roundTrips += 1
    traffic.texts[text] = (traffic.texts[text] ?? 0) + 1
  }

  /** @returns what is to be done when it was answered. */
  const note = (connection: object, text: string, values: unknown): (() => void) => {
    const flight = flightOf(connection)
    const isShared = flight.unanswered > 0
    flight.unanswered += 1
    count(connection, text, values, isShared)
    if (locked.has(connection) && !isShared) traffic.roundTripsLocked += 1
    const onAnswer = whenAnswered(connection, text)
    return () => {
      flight.unanswered -= 1
      onAnswer()
    }
  }

  const whenAnswered = (connection: object, text: string): (() => void) => {
    const startedMs = performance.now()
    if (text.endsWith('FOR UPDATE'))
      return () => {
        locked.add(connection)
        traffic.lockWaitsMs.push(performance.now() - startedMs)
      }
    return isEnd(text) ? () => void locked.delete(connection) : () => {}
  }

  driver.query = function (...args) {
    const [first, second] = args
    const { text = 'a stream', values = second } = (
      typeof first === 'string' ? { text: first } : first
    ) as Asked
    const answered = note(this, text, values)
    const callback = args.at(-1)
    if (typeof callback === 'function') {
      args[args.length - 1] = (...results: unknown[]) => {
        answered()
        Reflect.apply(callback, undefined, results)
      }
      return Reflect.apply(query, this, args)
    }
    const answer = Reflect.apply(query, this, args)
    if (answer instanceof Promise) answer.then(answered, answered)
    return answer
  }

  const take = (): Traffic => {
    const taken = traffic
    traffic = nothing()
    seen.clear()
    return taken
  }

  return {
    take,
    takeAsIdle: () => {
      for (const kind of seen) looks.add(kind)
      return take()
    },
    worked: () => worked,
    end: () => {
      driver.query = query
    },
  }
}

/**
 * What is sent whatever goes on then: claims are given back when they have been idle for a while, loops come by while
 * some keys are busy, and the connection for signals is opened in the background.
 */
const isOfNoWork = (text: string): boolean =>
  /DELETE FROM "Lease"\s+WHERE "name" IN|FROM "Duty"\s+WHERE [^)]* AND "key" NOT IN|^LISTEN /.test(text)

/** A transaction that is one round trip: its locks are given back with the answer. */
const isWhole = (text: string): boolean => /^BEGIN\b.*; COMMIT$/s.test(text)

/** The one that begins it and takes the locks, its work, and COMMIT. */
const partsOfWhole = 3

const isEnd = (text: string): boolean => /^(COMMIT|ROLLBACK)$/i.test(text)

interface Asked {
  text?: string
  values?: unknown
}

/** Statements that differ in nothing but times and numbers are of one kind. */
const kindOf = (text: string, values: unknown): string => {
  const words = (Array.isArray(values) ? values : []).filter(
    (value) => typeof value === 'string' && !/^\d{4}-\d\d-/.test(value),
  )
  return JSON.stringify([text, ...words])
}
