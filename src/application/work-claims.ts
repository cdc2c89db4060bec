import type { Topic } from '../database/signals.ts'
import { type Claims, createClaims, unshared } from '../relay/claims.ts'
import { processHasEnded } from '../relay/leader-lease.ts'
import { type Foundation, monotonicMs } from './foundation.ts'
import type { Leader } from './leader.ts'

/** What this process works on, where several share a database. */
export interface WorkClaims {
  /** Accounts whose orders it sends. */
  placing: Claims<string>
  /** Accounts whose callbacks it applies. */
  applying: Claims<string>
  /** Accounts whose orders it asks for. */
  polling: Claims<string>
  /** Accounts whose wallets it reads. */
  settling: Claims<string>
  /** Chats that it sends notices to. */
  sending: Claims<number>
  /** Chats whose updates it handles. */
  turns: Claims<number>
  /** The round of `claiming`. */
  round(): Promise<void>
  /** Gives back at once what is not worked on. */
  rest(): Promise<void>
  /** Called when a connection to the database broke: the server may have lost claims. */
  doubt(): void
}

/** On SQLite the leader does all work, so there is nothing to share out. */
export const createWorkClaims = (
  { database: { shared, signals }, token, wallMs }: Foundation,
  { lease }: Pick<Leader, 'lease'>,
): WorkClaims => {
  const of = <Key extends string | number>(topic: Topic | 'chat'): Claims<Key> =>
    shared
      ? createClaims<Key>({
          ...{ topic, token, monotonicMs, wallMs },
          locks: shared.locks,
          hasEnded: processHasEnded,
          // An update waits by itself for the turn of its chat.
          wake: (holder) => topic !== 'chat' && signals.send(topic, holder),
        })
      : unshared<Key>(lease.isHeld)
  const ofAccounts = {
    placing: of<string>('placing'),
    applying: of<string>('applying'),
    polling: of<string>('polling'),
    settling: of<string>('settling'),
  }
  const sending = of<number>('sending')
  const turns = of<number>('chat')
  const all = [...Object.values(ofAccounts), sending, turns]
  return {
    ...{ ...ofAccounts, sending, turns },
    round: async () => void (await Promise.all(all.map((each) => each.round()))),
    rest: async () => void (await Promise.all(all.map((each) => each.rest()))),
    doubt: () => {
      for (const each of all) each.doubt()
    },
  }
}
