import type { Bucket, Rates } from './buckets.ts'

/** Limits on what the bot takes in from people. */
export interface AdmissionLimits {
  /** Updates of one stranger: a person who belongs to no account. */
  stranger: Bucket
  /** Updates of all strangers together, over all instances: a third of what Telegram lets a bot answer. */
  strangers: Bucket
  /** Apologies to strangers who are left out because of other strangers. */
  apologies: Bucket
  /** How many answers may wait for one chat; the second limit is for a press that decides about an order. */
  maxWaiting: number
  maxWaitingDecisive: number
  /** Answers to strangers that wait to be sent, of each process. */
  maxStrangersWaiting: number
  /** A flooding chat is let in again after it has sent nothing for this long. */
  quietMs: number
  /** Whoever has sent nothing for this long has a first message again, for which a third of the room is kept. */
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

/** The part of the strangers' room that is not kept for first messages. */
const crowdsPart = 2 / 3

/** An update that has arrived. */
export interface Arrival {
  chatId: number
  userId: number
  /** A press that orders, cancels or decides about money. It is let in when everything else of its chat is left out. */
  isDecisive: boolean
  /** The update waited while the database took no changes, and the person was told that it would be answered. */
  isKept: boolean
}

/** Why an update is left out before anything was done for it, and whether the person is still to be told. */
export interface LeftOut {
  /** `flood`: the chat itself sends too much. `crowd`: all strangers together do. */
  why: 'flood' | 'crowd'
  /** The person who sends too much. */
  who: 'member' | 'stranger'
  isNew: boolean
}

/**
 * Decides what is taken in, so that nobody can keep others from being answered or fill the memory. Each stranger
 * has a bucket, and all strangers share another one, of which a third is kept for people who have sent nothing lately:
 * somebody who asks once is answered, however much the others send. Each chat may have only so many answers waiting. A chat that
 * exceeds that is left out until it has been quiet for a while. Nothing has been done for an update that is left
 * out.
 */
export interface Admission {
  /** Asked before an update is handled. Null: it is let in. */
  enter(arrival: Arrival): Promise<LeftOut | null>
  /** Asked when the update's turn in its chat has come. Null: it is let in. */
  begin(arrival: Arrival): LeftOut | null
  /** Notes what was read of a person in their turn. */
  meet(userId: number, isMember: boolean): void
  /** Whether that person was a member when they were last read. */
  isMember(userId: number): boolean
}

const maxRemembered = 10_000

/** Decides by chat and person. Members and operators are bounded only by the answers that wait for their chat. */
export const createAdmission = (options: {
  /** Whether somebody belongs to an account or is an operator. */
  belongs: (userId: number) => Promise<boolean>
  /** Answers to this chat that wait to be made or sent; below, the same for all strangers together. */
  waitingFor: (chatId: number) => number
  strangersWaiting: () => number
  rates: Rates
  /** Reads a clock that nobody sets, ms. */
  now: () => number
  limits?: AdmissionLimits
}): Admission => {
  const { belongs, waitingFor, strangersWaiting, rates, now, limits = floodLimits } = options
  /** Chats that are left out, with the time of their last update. */
  const floods = new Map<number, number>()
  const members = new Set<number>()
  /** When a chat was last told that there is a crowd. */
  const apologies = new Map<number, number>()

  /** When a stranger last sent anything, let in or not. A first message for which there was no room is forgotten. */
  const seen = new Map<number, number>()

  /**
   * Until when the strangers' bucket is empty, for first messages and for all others, as far as this process knows.
   * During a flood the bucket is asked less often.
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
    // The other people in a group are not left out because one of them sends too much.
    if (chatId < 0) return { why: 'flood', who, isNew: false }
    if (floods.size > maxRemembered) for (const id of floods.keys()) if (!isLeftOut(id)) floods.delete(id)
    floods.set(chatId, now())
    return { why: 'flood', who, isNew }
  }

  const meet = (userId: number, isMember: boolean): void => {
    if (isMember) members.add(userId)
    else members.delete(userId)
  }

  /** Members are read in their turn. If the database cannot be read, people are what they were. */
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

  /** Whether the person has sent nothing for a while. Notes that they have now. */
  const isFirst = (userId: number): boolean => {
    const lastMs = seen.get(userId)
    if (seen.size > maxRemembered)
      for (const [id, at] of seen) if (now() - at >= limits.firstAfterMs) seen.delete(id)
    seen.set(userId, now())
    return lastMs === undefined || now() - lastMs >= limits.firstAfterMs
  }

  /** @returns whether all strangers together leave room for the message. */
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

/** A person who is left out because of others is told once in this time. */
const sayAgainMs = 10 * 60_000
