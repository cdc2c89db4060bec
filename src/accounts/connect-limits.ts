import type { Bucket, Rates } from '../messaging/buckets.ts'

/**
 * How often credentials may be tried at the provider. Without limits, anybody could use the bot to guess credentials,
 * and guesses with somebody's key would use up the provider's request limit for that key:
 *
 * | tries | without a wait | after that |
 * |---|---|---|
 * | of one chat | 10 | one a minute |
 * | of all chats together, with keys that no account here has | 120 | two a second |
 * | of everybody but the owners, with the key of one account | 5 | one every ten minutes |
 */
export type Limits = Pick<Rates, 'tryTake'>

const minute = 60_000

const perChat: Bucket = { costMs: minute, burst: 10 }
const unknownKeys: Bucket = { costMs: 500, burst: 120 }
const knownKey: Bucket = { costMs: 10 * minute, burst: 5 }
/** Owners are alerted by the third wrong secret within an hour, but at most once an hour. */
const wrongSecrets: Bucket = { costMs: 60 * minute, burst: 2 }
const alerts: Bucket = { costMs: 60 * minute, burst: 1 }

interface Try {
  chatId: number
  /** The account that has the key; null if no account here has it. */
  accountId: string | null
  isOwner: boolean
}

/** Counts a try. @returns 0 if these credentials may be tried now; otherwise how long to wait, ms. */
export const waitForTry = async (limits: Limits, { chatId, accountId, isOwner }: Try): Promise<number> => {
  const waitMs = await limits.tryTake(`connects ${chatId}`, perChat)
  if (waitMs > 0 || isOwner) return waitMs
  return accountId === null
    ? limits.tryTake('connects with unknown keys', unknownKeys)
    : limits.tryTake(`connects to ${accountId}`, knownKey)
}

/** Counts a wrong secret for the account's key. @returns true if the account's owners have to be alerted. */
export const isAlerting = async (limits: Limits, accountId: string): Promise<boolean> =>
  (await limits.tryTake(`wrong secrets ${accountId}`, wrongSecrets)) > 0 &&
  (await limits.tryTake(`told of wrong secrets ${accountId}`, alerts)) === 0
