import type { Bucket, Rates } from './buckets.ts'

/** Limits on the updates that the bot accepts from people. */
export interface AdmissionLimits {
  /** How many updates of one stranger are accepted. A stranger is a person who belongs to no account. */
  stranger: Bucket
  /** How many updates of all strangers together are accepted: a third of the rate at which Telegram lets a bot send. */
  strangers: Bucket
  /** How often strangers are told that their updates are dropped because too many others write. */
  apologies: Bucket
  /** How many answers may wait for one chat. The second limit is for a press that decides about an order. */
  maxWaiting: number
  maxWaitingDecisive: number
  maxStrangersWaiting: number
  /** A chat that floods the bot is let in again after it has sent nothing for this long. */
  quietMs: number
  /**
   * After sending nothing for this long, a stranger counts as new again. A third of the accepted updates is reserved
   * for new strangers.
   */
  firstAfterMs: number
}

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

/** The part of the strangers' shared limit that is not reserved for first messages. */
const crowdsPart = 2 / 3

export interface Arrival {
  chatId: number
  userId: number
  /**
   * Whether the update is a press that orders, cancels or decides about money. Such presses are accepted even while
   * their chat's other updates are dropped.
   */
  isDecisive: boolean
  /** Whether the update was stored because the database could not be written to. Its sender was promised an answer. */
  isKept: boolean
}

/** Why an update is dropped before any work is done for it. */
export interface LeftOut {
  /** `flood`: this chat sends too much. `crowd`: all strangers together send too much. */
  why: 'flood' | 'crowd'
  who: 'member' | 'stranger'
  isNew: boolean
}

/**
 * Decides which updates are handled, so that nobody can fill the memory or keep others from being answered. Each
 * stranger has a bucket, and all strangers share another one. A third of the shared bucket is reserved for people who
 * have sent nothing lately, so that a single question is answered however much others send. Only a limited number of
 * answers may wait for each chat. If a chat exceeds that, its updates are dropped until it has been quiet for a while.
 * A dropped update has no effect.
 */
export interface Admission {
  /** Called before an update is queued. @returns why it is dropped; null if it is accepted. */
  enter(arrival: Arrival): Promise<LeftOut | null>
  /** Called once the chat's earlier updates are handled. @returns why the update is dropped; null if it is accepted. */
  begin(arrival: Arrival): LeftOut | null
  /** Remembers whether a person belongs to an account, as read from the database while their update was handled. */
  meet(userId: number, isMember: boolean): void
  /** Whether the person belongs to an account, as last read from the database. */
  isMember(userId: number): boolean
}

const maxRemembered = 10_000

/** Members and operators are limited only by the number of answers that wait for their chat. */
export const createAdmission = (options: {
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
  /** Chats whose updates are dropped, each with the time of its last update. */
  const floods = new Map<number, number>()
  const members = new Set<number>()
  const apologies = new Map<number, number>()

  /**
   * When each stranger last sent anything, accepted or not. If a first message is dropped for lack of room, its entry
   * is deleted, so that the stranger's next message counts as the first.
   */
  const seen = new Map<number, number>()

  /**
   * Until when the strangers' bucket is empty, for first messages and for all others. Until then, it need not be asked
   * for a token.
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
    // A group is never blocked as a whole, because one member who sends too much must not silence the others.
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
   * Reads whether the person belongs to an account, unless they are known to be a member: `meet` keeps that up to date.
   * If the database cannot be read, the person counts as a stranger.
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

  /** Whether the person has sent nothing for a while. Also records this message. */
  const isFirst = (userId: number): boolean => {
    const lastMs = seen.get(userId)
    if (seen.size > maxRemembered)
      for (const [id, at] of seen) if (now() - at >= limits.firstAfterMs) seen.delete(id)
    seen.set(userId, now())
    return lastMs === undefined || now() - lastMs >= limits.firstAfterMs
  }

  /** Takes a token of the bucket that all strangers share. @returns false if it had none. */
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

/** If a stranger's updates are dropped because too many others write, they are told at most once in this time. */
const sayAgainMs = 10 * 60_000
