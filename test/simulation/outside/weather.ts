import type { Random } from '../random.ts'

/** The probabilities of faults. They are drawn for each run, so that runs differ in kind, not only in detail. */
export interface Weather {
  post: {
    unreachable: number
    resetBefore: number
    answerLost: number
    badAnswer: number
    errorBefore: number
    errorAfter: number
    rateLimited: number
    /** The request is carried out late, up to minutes after the client has given up. */
    hang: number
    /** The debit appears late in the wallet's entries. */
    debitLate: number
    maxDebitDelayMs: number
  }
  read: { fails: number; rateLimited: number; unauthorized: number }
  callback: {
    never: number
    late: number
    twice: number
    reversed: number
    early: number
    /** The callback names another order than the one of its address. */
    foreign: number
    /** Somebody who knows the callback's address invents a status. */
    forged: number
    /** The callback names an order that somebody else made with the same key for the same number and bundle. */
    misdirected: number
  }
  wallet: {
    pageSize: number
    isOrdered: boolean
    /**
     * The oldest entries of the wallet are listed first, and the others after them, newest first. The pages then do
     * not show how the wallet is sorted, so all are read.
     */
    isMixed: boolean
    describes: boolean
  }
  doubts: DoubtsWeather
  /** The probability, for each purchase, that somebody else orders with the same key. */
  outsiders: number
  telegram: { blocked: number; flood: number; lost: number; refused: number }
  database: number
  /** A query or commit is carried out, but its answer is lost. */
  answerLost: number
  /** A transaction is rolled back because of another one, and runs again. */
  conflict: number
  /** How often the database restarts in a run. */
  databaseRestarts: number
  /** How often the disk is full in a run, for seconds to minutes. */
  fullDisks: number
  instances: InstancesWeather
  /** How often owners type a key in a run: a new key of their wallet, or a key of another one. */
  typedKeys: number
  /** The probability that an agent is removed soon after they press Confirm. */
  removals: number
  /** How often an operator marks a network as down in a run, for minutes to an hour. */
  networkSwitches: number
  /** How often an operator pauses all orders in a run, for minutes to an hour. */
  maintenance: number
  /** A process dies: at any wait, and at the waits around a POST, where it does the most harm. */
  crash: { anywhere: number; atPost: number }
  /** A process is suspended for seconds to minutes. */
  pause: {
    anywhere: number
    atPost: number
    /**
     * True: the whole machine is suspended, so the monotonic clock stops too. False: only the process is stopped, and
     * the clock continues.
     */
    suspends: boolean
  }
  clockOffsetMs: number
  ahead: AheadWeather
  failedDelivery: number
  slowDelivery: number
  priceChanges: number
  /** How many purchases are lists, and how the provider handles bulk orders. */
  lists: {
    rate: number
    most: number
    /** Whether the status record names the recipients. */
    names: boolean
    callbacks: 'order' | 'recipient' | 'both'
    /** True: a number with a pending order is left out. False: the whole order is refused. */
    skips: boolean
  }
}

/** Faults that make it unclear which order a debit belongs to. */
export interface DoubtsWeather {
  /** The status record of a bulk order says `processing` forever. */
  lags: boolean
  /** A POST is duplicated on its way, and the bot gets the answer to the second one. */
  repeated: number
  /** An entry has no reference, for hours or forever. */
  unreferenced: number
  /** The look-up does not find a reference for hours. */
  unknown: number
  /** A POST is answered with 401 once, although the credentials are valid. */
  refused: number
  /** A proxy writes the `Date` header, with the right time. */
  dateByProxy: boolean
  /** Entries are listed from old to new, if they are sorted by time at all. */
  oldestFirst: boolean
  /** How many entries each wallet has that are older than all others. They all have the same time. */
  olderEntries: number
  /** An order is debited twice under one reference. */
  debitedTwice: number
}

/**
 * How far the machine's clock is ahead until it is set right in the middle of the run. Used only if there is a single
 * process.
 */
export interface AheadWeather {
  ms: number
  /** Whether the clock is set while no process runs, so that the next process starts with the right time. */
  isBetweenLives: boolean
}

/** @param random a source of its own, so that the rest of a seed's weather stays the same. */
export const drawAhead = (random: Random): AheadWeather => ({
  ms: random.pick([0, 0, 600_000, 60 * 3_600_000]),
  isBetweenLives: random.chance(0.5),
})

/** @param random a source of its own, so that the rest of a seed's weather stays the same. */
export const drawDoubts = (random: Random): DoubtsWeather => {
  const rate = rateOf(random)
  return {
    repeated: rate(0.1),
    unreferenced: rate(0.3),
    unknown: rate(0.2),
    dateByProxy: random.chance(0.4),
    lags: random.chance(0.3),
    oldestFirst: random.chance(0.3),
    olderEntries: random.pick([0, 0, 0, 150]),
    refused: rate(0.1),
    debitedTwice: rate(0.1),
  }
}

/** Faults that involve several processes on one database. */
export interface InstancesWeather {
  /**
   * How many processes there are. A single one has no lease: if it is suspended, another is started, and both send
   * messages.
   */
  count: number
  /** How wrong each wall clock is, how fast it drifts, and how often one is set in a run. */
  clocks: { offMs: number; driftPpm: number; sets: number }
  /** A process loses its database for seconds to minutes, at any wait. Everything outside continues. */
  cutOff: number
  /** Whether processes can see that another one has ended, because all run on one machine. */
  seesEnds: boolean
  /** How often a process is shut down properly, which gives its lease back. */
  leaves: number
  /** How often people write many messages at once. */
  chatter: number
}

export const maxInstances = 4

const rateOf =
  (random: Random) =>
  (high: number): number =>
    random.pick([0, 0, high / 4, high])

/**
 * Uses a separate random source, so that another count leaves the rest of the weather unchanged.
 * @param count null: drawn.
 */
export const drawInstances = (random: Random, count: number | null): InstancesWeather => {
  const rate = rateOf(random)
  const drawn = random.between(1, maxInstances)
  const several: InstancesWeather = {
    count: count ?? drawn,
    clocks: {
      offMs: random.pick([0, 1_000, 5_000]),
      driftPpm: random.pick([0, 20, 200]),
      sets: random.pick([0, 0, 4]),
    },
    cutOff: rate(0.0005),
    seesEnds: random.chance(0.3),
    leaves: random.pick([0, 0, 3]),
    chatter: random.pick([0, 1, 4]),
  }
  return several.count > 1 ? several : { ...alone, count: 1 }
}

const alone: InstancesWeather = {
  count: 1,
  clocks: { offMs: 0, driftPpm: 0, sets: 0 },
  cutOff: 0,
  seesEnds: false,
  leaves: 0,
  chatter: 0,
}

export const drawWeather = (
  random: Random,
  instances: InstancesWeather,
  doubts: DoubtsWeather,
  ahead: AheadWeather,
): Weather => {
  const rate = rateOf(random)
  return {
    post: {
      unreachable: rate(0.1),
      resetBefore: rate(0.15),
      answerLost: rate(0.25),
      badAnswer: rate(0.1),
      errorBefore: rate(0.1),
      errorAfter: rate(0.1),
      rateLimited: rate(0.1),
      hang: rate(0.15),
      debitLate: rate(0.3),
      maxDebitDelayMs: random.pick([4, 30, 600]) * 60_000,
    },
    read: { fails: rate(0.2), rateLimited: rate(0.05), unauthorized: rate(0.01) },
    callback: {
      never: random.pick([0, 0.1, 1]),
      late: rate(0.3),
      twice: rate(0.3),
      reversed: rate(0.3),
      early: rate(0.5),
      foreign: rate(0.05),
      forged: rate(0.05),
      misdirected: rate(0.2),
    },
    wallet: {
      pageSize: random.pick([7, 20, 100]),
      isOrdered: random.chance(0.8),
      isMixed: false,
      describes: random.chance(0.7),
    },
    doubts,
    outsiders: random.pick([0, 0, 0.3]),
    telegram: { blocked: rate(0.02), flood: rate(0.05), lost: rate(0.1), refused: rate(0.01) },
    database: rate(0.003),
    answerLost: rate(0.002),
    conflict: rate(0.1),
    databaseRestarts: random.pick([0, 0, 2]),
    fullDisks: random.pick([0, 0, 2]),
    instances,
    typedKeys: 4,
    removals: 0.05,
    networkSwitches: random.pick([0, 0, 3]),
    maintenance: random.pick([0, 0, 2]),
    crash: { anywhere: rate(0.001), atPost: rate(0.05) },
    pause: { anywhere: rate(0.0003), atPost: rate(0.03), suspends: random.chance(0.5) },
    clockOffsetMs: random.pick([0, 0, 600_000, -600_000]),
    ahead: instances.count > 1 ? { ...ahead, ms: 0 } : ahead,
    failedDelivery: rate(0.4),
    slowDelivery: rate(0.3),
    priceChanges: rate(0.1),
    lists: {
      rate: random.pick([0, 0.1, 0.3]),
      most: random.pick([4, 12, 12, 250]),
      names: random.chance(0.5),
      callbacks: random.pick(['order', 'recipient', 'both']),
      skips: random.chance(0.3),
    },
  }
}

/** The weather after the faults have ended. */
export const calm = (weather: Weather): Weather => ({
  ...weather,
  post: {
    unreachable: 0,
    resetBefore: 0,
    answerLost: 0,
    badAnswer: 0,
    errorBefore: 0,
    errorAfter: 0,
    rateLimited: 0,
    hang: 0,
    debitLate: 0,
    maxDebitDelayMs: 0,
  },
  read: { fails: 0, rateLimited: 0, unauthorized: 0 },
  callback: {
    never: weather.callback.never,
    late: 0,
    twice: 0,
    reversed: 0,
    early: 0,
    foreign: 0,
    forged: 0,
    misdirected: 0,
  },
  doubts: { ...weather.doubts, repeated: 0, unreferenced: 0, unknown: 0, refused: 0, debitedTwice: 0 },
  outsiders: 0,
  telegram: { blocked: 0, flood: 0, lost: 0, refused: 0 },
  database: 0,
  answerLost: 0,
  conflict: 0,
  databaseRestarts: 0,
  fullDisks: 0,
  instances: { ...weather.instances, cutOff: 0 },
  crash: { anywhere: 0, atPost: 0 },
  pause: { ...weather.pause, anywhere: 0, atPost: 0 },
  priceChanges: 0,
})
