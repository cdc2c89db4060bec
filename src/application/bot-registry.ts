import { Api, GrammyError } from 'grammy'
import { readToken, sealToken } from '../accounts/bot-tokens.ts'
import type { Config } from '../config.ts'
import { addedDatabasePlace, addedDatabaseUrl } from '../database/added-databases.ts'
import type { BotChange, BotRow } from '../store/bots.ts'
import type { WholeStore } from '../store/store.ts'
import type { Admission, BotState, Bots, SeenBot } from '../telegram/chat/bots.ts'
import type { Keyring } from '../wallets/keyring.ts'

/** The registry's view of the running bots. */
interface RegistryOptions {
  config: Config
  /** The main bot's. */
  ground: () => { store: WholeStore; keyring: Keyring; now: () => Date }
  /** Asks Telegram for the token of a bot that the main one manages. @throws Telegram's errors. */
  askToken: (id: number) => Promise<string>
  /** How the bot stands in this process, and why it could not be started. */
  stateOf: (row: BotRow) => { state: BotState; fault: string | null }
  /** Resolves when the running bots are those of the registry, as far as they can be started. */
  settle: () => Promise<void>
}

/** The registry of added bots, in the main bot's database. */
export const createBotRegistry = ({ config, ground, askToken, stateOf, settle }: RegistryOptions): Bots => {
  const { telegram } = config
  const mainId = Number(telegram.token.split(':')[0])
  const seen = (row: BotRow): SeenBot => ({ ...row, ...stateOf(row) })

  const change = async (id: number, changed: BotChange): Promise<boolean> => {
    const isThere = await ground().store.bots.change(id, changed)
    await settle()
    return isThere
  }

  const byId = async (id: number): Promise<SeenBot | null> => {
    const row = await ground().store.bots.byId(id)
    return row && seen(row)
  }

  const shown = async (kind: 'added' | 'renewed', id: number): Promise<Admission> => {
    await settle()
    const bot = await byId(id)
    return bot ? { kind, bot } : { kind: 'refused' }
  }

  /** Asks Telegram whose token it is. */
  const ask = async (token: string): Promise<{ id: number; username: string } | Admission> => {
    if (!/^\d{1,15}:[\w-]{20,}$/.test(token)) return { kind: 'malformed' }
    if (Number(token.split(':')[0]) === mainId) return { kind: 'main' }
    try {
      return await new Api(token, { apiRoot: telegram.apiRoot, timeoutSeconds: 10 }).getMe()
    } catch (error) {
      const isRefused = error instanceof GrammyError && error.error_code < 500 && error.error_code !== 429
      return { kind: isRefused ? 'refused' : 'unreachable' }
    }
  }

  const sealed = (id: number, token: string): string => sealToken(ground().keyring, id, token)

  const renew = async (row: BotRow, username: string, token: string): Promise<Admission> => {
    const { id, stopped } = row
    if (stopped === null && readToken(ground().keyring, row) === token)
      return { kind: 'known', bot: seen(row) }
    await ground().store.bots.change(id, { username, sealedToken: sealed(id, token), stopped: null })
    return shown('renewed', id)
  }

  return {
    isPossible: addedDatabaseUrl(config.databaseUrl, 0) !== null,
    all: async () => (await ground().store.bots.all()).map(seen),
    byId,
    add: async (token, ownerIds) => {
      const asked = await ask(token)
      if ('kind' in asked) return asked
      const { id, username } = asked
      const { store, now } = ground()
      const before = await store.bots.byId(id)
      if (before) return renew(before, username, token)
      await store.bots.add({
        ...{ id, username, sealedToken: sealed(id, token) },
        ...{ accountId: null, ownerIds },
        ...{ addedAt: now(), startedAt: null, stopped: null },
      })
      return shown('added', id)
    },
    renew: async (id, token) => {
      const asked = await ask(token)
      if ('kind' in asked) return asked
      if (asked.id !== id) return { kind: 'other', username: asked.username }
      const row = await ground().store.bots.byId(id)
      return row ? renew(row, asked.username, token) : { kind: 'refused' }
    },
    adopt: async ({ id, username, ownerId, accountId }) => {
      const { store, now } = ground()
      const isAdded = await store.bots.addMade({
        ...{ id, username, sealedToken: '', accountId, ownerIds: [ownerId] },
        ...{ addedAt: now(), startedAt: null, stopped: null },
      })
      return isAdded || (await store.bots.byId(id)) !== null
    },
    madeBy: async (userId) => {
      const rows = await ground().store.bots.all()
      const made = rows.find(({ accountId, ownerIds }) => accountId !== null && ownerIds.includes(userId))
      return made ? seen(made) : null
    },
    madeFor: async (accountId) => {
      const row = await ground().store.bots.ofAccount(accountId)
      return row && seen(row)
    },
    settle,
    renewMade: async (id) => {
      const row = await ground().store.bots.byId(id)
      if (!row || row.sealedToken === '') return
      const token = await askToken(id).catch(() => null)
      if (token !== null && token === readToken(ground().keyring, row)) return
      const isHeld = row.stopped === 'operator' || row.stopped === 'owner'
      await change(id, {
        sealedToken: token === null ? '' : sealed(id, token),
        ...(!isHeld && { stopped: null }),
      })
    },
    run: (id) => change(id, { stopped: null }),
    halt: (id, by) => change(id, { stopped: by }),
    remove: async (id) => {
      const isThere = await ground().store.bots.remove(id)
      await settle()
      const url = addedDatabaseUrl(config.databaseUrl, id)
      return isThere && url !== null ? addedDatabasePlace(url) : null
    },
    setOwner: async (id, userId, isOwner) => {
      const row = await ground().store.bots.byId(id)
      if (!row) return false
      const others = row.ownerIds.filter((each) => each !== userId)
      return change(id, { ownerIds: isOwner ? [...others, userId] : others })
    },
  }
}
