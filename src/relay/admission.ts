import type { Bucket, Rates } from './rates.ts'

/** How much of what people send is taken in. */
export interface AdmissionLimits {
  /** Updates of one person who belongs to no account. */
  stranger: Bucket
  /** Updates of all of these together, over all instances: a third of what Telegram lets a bot answer. */
  strangers: Bucket
  /** The word to those who are left out because of others. */
  apologies: Bucket
  /** Answers that wait for one chat, and with a press that decides about an order. */
  mostWaiting: number
  mostWaitingDecisive: number
  /** Answers to strangers that wait to be sent, of each process. */
  mostStrangersWaiting: number
  /** A chat that was left out is let in again when it has sent nothing for so long. */
  quietMs: number
}

export const floodLimits: AdmissionLimits = {
  stranger: { costMs: 2_000, burst: 30 },
  strangers: { costMs: 100, burst: 100 },
  apologies: { costMs: 1_000, burst: 5 },
  mostWaiting: 20,
  mostWaitingDecisive: 60,
  mostStrangersWaiting: 100,
  quietMs: 10_000,
}

/** What somebody sends. */
export interface Arrival {
  chatId: number
  userId: number
  /** A press that orders, cancels or decides about money: it is let in where anything else of its chat is not. */
  isDecisive: boolean
  /** It waited while the database took no changes, and its person was told that it would be answered. */
  isKept: boolean
}

/** Why an update is left out before anything was done for it, and whether that is still to be said. */
export interface LeftOut {
  /** The chat itself sends too much; or all strangers together do. */
  why: 'flood' | 'crowd'
  /** Who sends too much. */
  who: 'member' | 'stranger'
  isNew: boolean
}

/**
 * Decides what is taken in, so that nobody can keep others from being answered or fill the memory. Strangers have a
 * bucket each and one together; of any chat only so many answers wait. A chat that exceeds that is left out until it has
 * been quiet for a while. What is left out was never begun.
 */
export interface Admission {
  /** Asked before an update is handled. Null: it is let in. */
  enter(arrival: Arrival): Promise<LeftOut | null>
  /** Asked when its turn in its chat has come. Null: it is let in. */
  begin(arrival: Arrival): LeftOut | null
  /** What that person was when they last entered. */
  isMember(userId: number): boolean
}

const mostRemembered = 10_000

export const createAdmission = (options: {
  /** Whether somebody belongs to an account or is an operator. */
  belongs: (userId: number) => Promise<boolean>
  /** Answers that wait to be made or sent: to a chat, and of all to strangers. */
  waitingFor: (chatId: number) => number
  strangersWaiting: () => number
  rates: Rates
  /** ms, of a clock that is never set. */
  now: () => number
  limits?: AdmissionLimits
}): Admission => {
  const { belongs, waitingFor, strangersWaiting, rates, now, limits = floodLimits } = options
  /** Chats that are left out, with when they last sent something. */
  const floods = new Map<number, number>()
  const members = new Set<number>()
  /** When a chat was last told that there is a crowd. */
  const apologies = new Map<number, number>()

  /** Until when the buckets of all strangers have nothing, as far as this process knows: a flood asks them less often. */
  let crowdedUntil = Number.NEGATIVE_INFINITY
  let saidUntil = Number.NEGATIVE_INFINITY

  const isLeftOut = (chatId: number): boolean => {
    const lastMs = floods.get(chatId)
    return lastMs !== undefined && now() - lastMs < limits.quietMs
  }

  const leaveOut = ({ chatId, userId }: Arrival): LeftOut => {
    const who = members.has(userId) ? 'member' : 'stranger'
    const isNew = !isLeftOut(chatId)
    // What one of a group sends too much is not the others'.
    if (chatId < 0) return { why: 'flood', who, isNew: false }
    if (floods.size > mostRemembered) for (const id of floods.keys()) if (!isLeftOut(id)) floods.delete(id)
    floods.set(chatId, now())
    return { why: 'flood', who, isNew }
  }

  /** Without the database they are what they were when they last sent something. */
  const learn = async (userId: number): Promise<void> => {
    const isMember = await belongs(userId).catch(() => members.has(userId))
    if (isMember) members.add(userId)
    else members.delete(userId)
  }

  const crowd = async ({ chatId }: Arrival): Promise<LeftOut> => {
    const at = now()
    if (apologies.size > mostRemembered) apologies.clear()
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

  const isCrowded = (): boolean => now() < crowdedUntil || strangersWaiting() >= limits.mostStrangersWaiting

  return {
    enter: async (arrival) => {
      const { chatId, userId, isDecisive, isKept } = arrival
      if (isLeftOut(chatId) && !isDecisive && !isKept) return leaveOut(arrival)
      await learn(userId)
      if (isKept || members.has(userId)) return null
      if (isLeftOut(chatId)) return leaveOut(arrival)
      if (isCrowded()) return crowd(arrival)
      if ((await rates.tryTake(`stranger ${userId}`, limits.stranger)) > 0) return leaveOut(arrival)
      const waitMs = await rates.tryTake('strangers', limits.strangers)
      if (waitMs > 0) crowdedUntil = now() + waitMs
      return waitMs > 0 ? crowd(arrival) : null
    },
    begin: (arrival) => {
      const { chatId, isDecisive, isKept } = arrival
      if (isKept) return null
      const most = isDecisive ? limits.mostWaitingDecisive : limits.mostWaiting
      const isOpen = isDecisive || !isLeftOut(chatId)
      return isOpen && waitingFor(chatId) < most ? null : leaveOut(arrival)
    },
    isMember: (userId) => members.has(userId),
  }
}

/** Somebody who is left out because of others is told so once in this time. */
const sayAgainMs = 10 * 60_000
