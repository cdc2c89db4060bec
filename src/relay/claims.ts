import type { Locks } from '../database/locks.ts'
import type { Topic } from '../database/signals.ts'

/**
 * Shares out work of one kind among the processes on a database, so that all work at once and none on the same: the
 * orders of an account, the messages of a chat. A process claims what it finds due, and keeps it while it works on it
 * and a moment longer.
 *
 * A claim saves double work and keeps an order among steps. It does not prevent double orders: guarded updates and the
 * lease of each send do.
 */
export interface Claims<Key extends string | number> {
  /**
   * How many keys to take for one round of long work. An instance that took all that is due would leave the others
   * nothing, although they would be done sooner.
   */
  readonly share: number
  /** Claims what there is work for. Each key that is returned has to be given back. @returns the keys held now. */
  take(keys: readonly Key[]): Promise<ReadonlySet<Key>>
  /** Keys that other processes hold, which were told of the work: searches leave them out for a moment. */
  others(): Key[]
  /** Whether the key is held, as far as is known without asking: to be asked before each step. */
  holds(key: Key): boolean
  /**
   * The work on the key has ended. More of it often follows, so the key is kept for a moment.
   * @param keptMs keeps it for so long, because only this process can go on with the work.
   */
  give(key: Key, keptMs?: number): void
  /** To be called every second or so: renews what is worked on, and gives back what is idle. */
  round(): Promise<void>
  /** Gives back at once what is not worked on, because this process stops. */
  rest(): Promise<void>
  /** Believes in no claim until the database has confirmed it again. */
  doubt(): void
}

/** Thrown in place of a step on a key that another process may hold by now. */
export class ClaimLost extends Error {
  override name = 'ClaimLost'
}

/** Claims the keys of work that was found. @returns the work whose key is held now: each key has to be given back. */
export const claimed = async <Key extends string | number, Work>(
  claims: Pick<Claims<Key>, 'take'>,
  found: readonly Work[],
  keyOf: (work: Work) => Key,
): Promise<Work[]> => {
  if (found.length === 0) return []
  const mine = await claims.take([...new Set(found.map(keyOf))])
  return found.filter((work) => mine.has(keyOf(work)))
}

/** For a database that one process at a time works on. @param mayWork whether this process is the one. */
export const unshared = <Key extends string | number>(mayWork: () => boolean = () => true): Claims<Key> => ({
  share: Number.POSITIVE_INFINITY,
  take: async (keys) => new Set(mayWork() ? keys : []),
  others: () => [],
  holds: mayWork,
  give: () => {},
  round: async () => {},
  rest: async () => {},
  doubt: () => {},
})

/** What a process leaves behind that stands still, or ends where others cannot see it, is free after this time. */
export const claimMs = 6_000
/** Renewed if less than this is left. */
const renewWithMs = 4_000
/** With less than this left a key is not held any more: a step that is begun now ends in that time. */
const reserveMs = 1_000
/** Work on an account or a chat comes in bursts. One that has been idle for this long is given back. */
const idleMs = 1_000
/** A key that another process holds is left to it for this long. */
const othersMs = 500
/** As many as the tracker asks for at once. */
const share = 8
/** How often it is looked whether another holder has ended. */
const lookMs = 1_000

/** Keys that were asked for, each with its holder as far as it is known. */
type Holders<Key extends string | number> = readonly { key: Key; holder: string | undefined }[]

/** Times of this process's two clocks, ms. A suspended machine stops one of them, and somebody may set the other. */
interface Moment {
  monotonicMs: number
  wallMs: number
}

interface Claim {
  /** It ends when the first of the clocks says so; null: it is not believed in. */
  until: Moment | null
  /** When it is given back, by the monotonic clock; null while it is worked on. */
  keptUntilMs: number | null
}

/**
 * @param topic the kind of work, or `chat` for turns of updates. Claims of different kinds do not meet.
 * @param token names this process, unlike every other.
 * @param hasEnded whether the process of a token is known to be gone: its claims are taken over at once.
 * @param monotonicMs a clock that nobody sets.
 * @param wallMs this machine's clock, ms since 1970.
 * @param wake tells another process that there is work on what it holds.
 */
export const createClaims = <Key extends string | number>(options: {
  topic: Topic | 'chat'
  locks: Pick<Locks, 'takeAll' | 'giveAll'>
  token: string
  hasEnded: (token: string) => boolean
  monotonicMs: () => number
  wallMs: () => number
  wake: (token: string) => void
}): Claims<Key> => {
  const { topic, locks, token, monotonicMs, wallMs, wake } = options
  const claims = new Map<Key, Claim>()
  /** Keys that other processes hold, and until when they are left out (ms, by the monotonic clock). */
  const others = new Map<Key, number>()
  const endedAmong = watchEnded(options)
  let doubts = 0
  let last: Promise<unknown> = Promise.resolve()

  const nameOf = (key: Key): string => `${topic} ${key}`
  const leftMs = (key: Key): number => {
    const until = claims.get(key)?.until
    return until ? Math.min(until.monotonicMs - monotonicMs(), until.wallMs - wallMs()) : 0
  }
  const holds = (key: Key): boolean => leftMs(key) > reserveMs

  const note = (key: Key, keptUntilMs: number | null): void => {
    const claim = claims.get(key)
    if (claim) claim.keptUntilMs = keptUntilMs
  }

  const forgetOthers = (): void => {
    for (const [key, untilMs] of others) if (untilMs <= monotonicMs()) others.delete(key)
  }

  /**
   * A standby that takes the server's place may not have the last claims, and another process may then take what this
   * one holds. All connections break with that, so this one believes in no claim before the server is back.
   */
  const doubt = (): void => {
    doubts += 1
    for (const claim of claims.values()) claim.until = null
  }

  /** One statement at a time: a key that is given back and wanted again is not deleted after it was taken. */
  const inTurn = <T>(statement: () => Promise<T>): Promise<T> => {
    const turn = last.then(statement)
    last = turn.catch(doubt)
    return turn
  }

  const ask = async (keys: readonly Key[]): Promise<Holders<Key>> => {
    const doubtsBefore = doubts
    // Counted from before the question, so that by our own clocks the claims end no later than in the database.
    const until = { monotonicMs: monotonicMs() + claimMs, wallMs: wallMs() + claimMs }
    const found = await locks.takeAll(keys.map(nameOf), { token, ms: claimMs, ended: endedAmong.known() })
    const holders = keys.map((key) => ({ key, holder: found.get(nameOf(key)) }))
    for (const { key, holder } of holders) {
      const claim = claims.get(key) ?? { until, keptUntilMs: monotonicMs() + idleMs }
      if (holder !== token) claims.delete(key)
      else if (doubts === doubtsBefore) claims.set(key, { ...claim, until })
    }
    return holders
  }

  /** Asks once more for keys whose holder turns out to have ended, and tells other holders that there is work. */
  const seeTo = async (holders: Holders<Key>): Promise<void> => {
    const others = holders.flatMap(({ key, holder }) =>
      holder === undefined || holder === token ? [] : [{ key, holder }],
    )
    const ended = endedAmong.of(others.map(({ holder }) => holder))
    const left = others.filter(({ holder }) => ended.has(holder)).map(({ key }) => key)
    if (left.length > 0) await ask(left)
    for (const holder of new Set(others.map((each) => each.holder))) if (!ended.has(holder)) wake(holder)
  }

  const askFor = (keys: readonly Key[]): Promise<void> => inTurn(async () => seeTo(await ask(keys)))

  /** Begins work on the keys that are held, and leaves the others alone for a moment. @returns the keys that are held. */
  const begin = (keys: readonly Key[]): ReadonlySet<Key> => {
    const mine = keys.filter(holds)
    for (const key of mine) note(key, null)
    for (const key of keys) if (!holds(key)) others.set(key, monotonicMs() + othersMs)
    return new Set(mine)
  }

  /** What cannot be given back runs out. */
  const giveBack = (isLetGo: (keptUntilMs: number) => boolean): Promise<void> =>
    // Looked at in its turn: a question before it may have got one of them for work that has begun.
    inTurn(async () => {
      const idle = [...claims].flatMap(([key, { keptUntilMs }]) =>
        keptUntilMs !== null && isLetGo(keptUntilMs) ? [key] : [],
      )
      for (const key of idle) claims.delete(key)
      if (idle.length > 0) await locks.giveAll(idle.map(nameOf), token)
    })

  return {
    share,
    take: async (keys) => {
      const missing = keys.filter((key) => !holds(key))
      if (missing.length > 0) await askFor(missing)
      return begin(keys)
    },
    others: () => {
      forgetOthers()
      return [...others.keys()]
    },
    holds,
    give: (key, keptMs = idleMs) => note(key, monotonicMs() + keptMs),
    round: async () => {
      forgetOthers()
      await giveBack((keptUntilMs) => keptUntilMs <= monotonicMs())
      const isWanted = ({ keptUntilMs }: Claim) =>
        keptUntilMs === null || keptUntilMs - monotonicMs() > idleMs
      const worn = [...claims].filter(([key, claim]) => isWanted(claim) && leftMs(key) < renewWithMs)
      if (worn.length > 0) await askFor(worn.map(([key]) => key))
    },
    rest: () => giveBack(() => true),
    doubt,
  }
}

/** Remembers which processes have ended, and looks at each other one now and then. */
const watchEnded = ({
  hasEnded,
  monotonicMs,
}: {
  hasEnded: (token: string) => boolean
  monotonicMs: () => number
}) => {
  const ended = new Set<string>()
  const lookedMs = new Map<string, number>()
  const look = (token: string): void => {
    if (monotonicMs() - (lookedMs.get(token) ?? Number.NEGATIVE_INFINITY) < lookMs) return
    lookedMs.set(token, monotonicMs())
    if (hasEnded(token)) ended.add(token)
  }
  return {
    known: (): string[] => [...ended],
    of: (tokens: readonly string[]): ReadonlySet<string> => {
      for (const token of new Set(tokens)) if (!ended.has(token)) look(token)
      return ended
    },
  }
}
