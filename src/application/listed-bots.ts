import { readToken } from '../accounts/bot-tokens.ts'
import type { ListedBot } from '../bots-file.ts'
import type { Bots } from '../telegram/chat/bots.ts'
import { wait } from '../wait.ts'
import type { Foundation } from './foundation.ts'

/** How soon Telegram is asked again if it did not answer. */
const againMs = 10_000

/**
 * Adds the bots of `BOTS_FILE` that are new, and gives the others their tokens if those are new. It removes and starts
 * nothing else: what operators changed in the chat stays.
 * @param signal aborted when the process stops.
 */
export const admitListed = async (
  listed: readonly ListedBot[],
  bots: Pick<Bots, 'add'>,
  { store, keyring, log }: Pick<Foundation, 'store' | 'keyring' | 'log'>,
  signal: AbortSignal,
): Promise<void> => {
  for (const { token, ownerIds } of listed) {
    const id = Number(token.split(':')[0])
    const row = await store.bots.byId(id)
    if (row && readToken(keyring, row) === token) continue
    let { kind } = await bots.add(token, ownerIds)
    while (kind === 'unreachable' && !signal.aborted) {
      await wait(againMs, undefined, { signal }).catch(() => {})
      if (!signal.aborted) kind = (await bots.add(token, ownerIds)).kind
    }
    if (kind === 'added' || kind === 'renewed') log.info({ bot: id, kind }, 'a bot of BOTS_FILE was taken')
    else log.warn({ bot: id, kind }, 'BOTS_FILE: a token was not taken')
  }
}
