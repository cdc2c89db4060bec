import type { BotRow } from '../../store/bots.ts'

/**
 * How an added bot stands in this process. `halted`: its owner stopped it. `failed`: it could not be started, and is
 * tried again.
 */
export type BotState = 'running' | 'starting' | 'stopped' | 'halted' | 'token' | 'rival' | 'failed'

/** An added bot, as operators see it. */
export interface SeenBot extends Pick<BotRow, 'id' | 'username' | 'accountId' | 'ownerIds' | 'addedAt'> {
  state: BotState
  /** Why it could not be started, in words for operators; null if it could. */
  fault: string | null
}

/** What became of a token. */
export type Admission =
  | { kind: 'added' | 'renewed'; bot: SeenBot }
  /** The text is no token. */
  | { kind: 'malformed' }
  /** It is the main bot's. */
  | { kind: 'main' }
  /** The bot was added before, and works. */
  | { kind: 'known'; bot: SeenBot }
  /** It is the token of another bot than the one that it was sent for. */
  | { kind: 'other'; username: string }
  | { kind: 'refused' }
  | { kind: 'unreachable' }

/** A bot that somebody made by the main bot's key. */
export interface MadeBot {
  id: number
  username: string
  ownerId: number
  accountId: string
}

/** The bots beside the main one, which operators add and keep in its chat. */
export interface Bots {
  /** Whether bots can be added to this deployment: not if its database is in memory. */
  readonly isPossible: boolean
  all(): Promise<SeenBot[]>
  byId(id: number): Promise<SeenBot | null>
  /**
   * Adds the bot of a token, or gives a bot that has a refused one its new token.
   * @param ownerIds become operators of a bot that is new.
   */
  add(token: string, ownerIds: readonly number[]): Promise<Admission>
  /** Gives that bot a new token. */
  renew(id: number, token: string): Promise<Admission>
  /** Adds a bot without its token, for which Telegram is asked. @returns false if its account has made another one. */
  adopt(bot: MadeBot): Promise<boolean>
  /** The bot that this person made. */
  madeBy(userId: number): Promise<SeenBot | null>
  /** The bot that an owner of that account made. */
  madeFor(accountId: string): Promise<SeenBot | null>
  /** Resolves when the running bots are those of the registry, as far as they can be started. */
  settle(): Promise<void>
  /** Asks Telegram for the token of a bot that may have a new one. */
  renewMade(id: number): Promise<void>
  /** @returns false if there is no such bot. */
  run(id: number): Promise<boolean>
  halt(id: number, by: 'operator' | 'owner'): Promise<boolean>
  /** Its database is kept. @returns where; null if there is no such bot. */
  remove(id: number): Promise<string | null>
  /** Makes somebody an operator of it, or no operator any more. */
  setOwner(id: number, userId: number, isOwner: boolean): Promise<boolean>
}
