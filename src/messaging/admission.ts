import type { Bucket, Rates } from './buckets.ts'

/** Limits on the updates that the bot accepts from people. */
export interface AdmissionLimits {
  /** Updates of one stranger: a person who belongs to no account. */
  stranger: Bucket
  /** Updates of all strangers together: a third of the rate at which Telegram lets a bot send. */
  strangers: Bucket
  /** Apologies to strangers whose updates are dropped because too many others write. */
  apologies: Bucket
  /** How many answers may wait for one chat; the second limit is for a press that decides about an order. */
  maxWaiting: number
  maxWaitingDecisive: number
  /** How many answers to strangers may wait to be sent. */
  maxStrangersWaiting: number
  /** A flooding chat is let in again after it has sent nothing for this long. */
  quietMs: number
  /**
   * A stranger who has sent nothing for this long counts as new again. A third of the room is reserved for new
   * strangers.
   */
  firstAfterMs: number
}

/** The default limits. */
export const floodLimits: AdmissionLimits = {
  stranger: { costMs: 2_000, burst: 30 },
  strangers: { costMs: 100, burst: 100 },
  apologies: { costMs: 1_000, burst: 5 },
  maxWaiting: 20,
  maxWaitingDecisive: 60,
  maxStrangersWaiting: 100,
  quietMs: 10_000,
  firstAfterMs: 30_000,
}

/** The part of the strangers' room that is not reserved for first messages. */
const crowdsPart = 2 / 3

/** An update that has arrived. */
export interface Arrival {
  chatId: number
  userId: number
  /**
   * Whether it is a press that orders, cancels or decides about money. Such presses are let in even while their chat is
   * left out.
   */
  isDecisive: boolean
  /** Whether the update waited while the database took no changes. Its sender was promised an answer. */
  isKept: boolean
}

/** Why an update is dropped before any work is done for it. */
export interface LeftOut {
  /** `flood`: this chat sends too much. `crowd`: all strangers together send too much. */
  why: 'flood' | 'crowd'
  /** Whether the sender belongs to an account. */
  who: 'member' | 'stranger'
  isNew: boolean
}

/**
 * Decides which updates are handled, so that nobody can fill the memory or keep others from being answered. Each
 * stranger has a bucket, and all strangers share another one. A third of the shared bucket is reserved for people who
 * have sent nothing lately, so that a single question is answered however much others send. Each chat has a limit of
 * waiting answers. A chat that exceeds its limit is left out until it has been quiet for a while. A dropped update has
 * had no effect.
 */
export interface Admission {
  /** Called before an update is queued. Null: the update is let in. */
  enter(arrival: Arrival): Promise<LeftOut | null>
  /** Called when the update's turn in its chat has come. Null: the update is let in. */
  begin(arrival: Arrival): LeftOut | null
  /** Remembers whether a person is a member, as read from the database when their update was handled. */
  meet(userId: number, isMember: boolean): void
  /** Whether the person was a member when last read from the database. */
  isMember(userId: number): boolean
}

const maxRemembered = 10_000

/** Members and operators are limited only by the number of answers that wait for their chat. */
export const createAdmission = (options: {
  /** Whether somebody belongs to an account or is an operator. */
  belongs: (userId: number) => Promise<boolean>
  /** How many answers to this chat wait to be made or sent. */
  waitingFor: (chatId: number) => number
  strangersWaiting: () => number
  rates: Rates
  /** A monotonic clock, ms. */
  now: () => number
  limits?: AdmissionLimits
}): Admission => {
  const { belongs, waitingFor, strangersWaiting, rates, now, limits = floodLimits } = options
  /** Chats that are left out, each with the time of its last update. */
  const floods = new Map<number, number>()
  const members = new Set<number>()
  /** When each chat last got an apology. */
  const apologies = new Map<number, number>()

  /**
   * When each stranger last sent anything, let in or not. If a first message finds no room, its entry is deleted, so
   * that the next one counts as first.
   */
  const seen = new Map<number, number>()

  /**
   * How long the strangers' bucket stays empty, for first messages and for all others. Until then the bucket is not
   * asked again.
   */
  const crowdedUntil = { first: Number.NEGATIVE_INFINITY, other: Number.NEGATIVE_INFINITY }
  let saidUntil = Number.NEGATIVE_INFINITY

  const isLeftOut = (chatId: number): boolean => {
    const lastMs = floods.get(chatId)
    return lastMs !== undefined && now() - lastMs < limits.quietMs
  }

  const leaveOut = ({ chatId, userId }: Arrival): LeftOut => {
    const who = members.has(userId) ? 'member' : 'stranger'
    const isNew = !isLeftOut(chatId)
    // A group is never left out: one member who sends too much must not silence the others.
    if (chatId < 0) return { why: 'flood', who, isNew: false }
    if (floods.size > maxRemembered) for (const id of floods.keys()) if (!isLeftOut(id)) floods.delete(id)
    floods.set(chatId, now())
    return { why: 'flood', who, isNew }
  }

  const meet = (userId: number, isMember: boolean): void => {
    if (isMember) members.add(userId)
    else members.delete(userId)
  }

  /**
   * Known members are not read here: `meet` updates them when their update is handled. If the database cannot be read,
   * the person counts as a stranger.
   */
  const learn = async (userId: number): Promise<void> => {
    if (!members.has(userId)) meet(userId, await belongs(userId).catch(() => false))
  }

  const crowd = async ({ chatId }: Arrival): Promise<LeftOut> => {
    const at = now()
    if (apologies.size > maxRemembered) apologies.clear()
    const isLately = at - (apologies.get(chatId) ?? Number.NEGATIVE_INFINITY) < sayAgainMs
    const isNew = !isLately && at >= saidUntil && (await mayApologise())
    if (isNew) apologies.set(chatId, at)
    return { why: 'crowd', who: 'stranger', isNew }
  }

  const mayApologise = async (): Promise<boolean> => {
    const waitMs = await rates.tryTake('apologies', limits.apologies)
    if (waitMs > 0) saidUntil = now() + waitMs
    return waitMs === 0
  }

  /** Whether the person has sent nothing for a while. Records this message. */
  const isFirst = (userId: number): boolean => {
    const lastMs = seen.get(userId)
    if (seen.size > maxRemembered)
      for (const [id, at] of seen) if (now() - at >= limits.firstAfterMs) seen.delete(id)
    seen.set(userId, now())
    return lastMs === undefined || now() - lastMs >= limits.firstAfterMs
  }

  /** Takes a slot from the bucket that all strangers share. @returns whether there was one. */
  const takeRoom = async (kind: 'first' | 'other'): Promise<boolean> => {
    const part = kind === 'first' ? 1 : crowdsPart
    if (now() < crowdedUntil[kind] || strangersWaiting() >= part * limits.maxStrangersWaiting) return false
    const { costMs, burst } = limits.strangers
    const waitMs = await rates.tryTake('strangers', { costMs, burst: Math.ceil(part * burst) })
    if (waitMs > 0) crowdedUntil[kind] = now() + waitMs
    return waitMs === 0
  }

  return {
    enter: async (arrival) => {
      const { chatId, userId, isDecisive, isKept } = arrival
      if (isLeftOut(chatId) && !isDecisive && !isKept) return leaveOut(arrival)
      await learn(userId)
      if (isKept || members.has(userId)) return null
      const kind = isFirst(userId) ? 'first' : 'other'
      if (isLeftOut(chatId)) return leaveOut(arrival)
      if (!(await takeRoom(kind))) {
        if (kind === 'first') seen.delete(userId)
        return crowd(arrival)
      }
      return (await rates.tryTake(`stranger ${userId}`, limits.stranger)) > 0 ? leaveOut(arrival) : null
    },
    begin: (arrival) => {
      const { chatId, isDecisive, isKept } = arrival
      if (isKept) return null
      const most = isDecisive ? limits.maxWaitingDecisive : limits.maxWaiting
      const isOpen = isDecisive || !isLeftOut(chatId)
      return isOpen && waitingFor(chatId) < most ? null : leaveOut(arrival)
    },
    meet,
    isMember: (userId) => members.has(userId),
  }
}

/** A stranger who is left out because of a crowd gets at most one apology in this time. */
const sayAgainMs = 10 * 60_000
