import { type Client, isTaken } from '../database/database.ts'

/**
 * Why an added bot does not run: an operator or its owner stopped it, Telegram refuses its token, or another program uses
 * it.
 */
export type StopReason = 'operator' | 'owner' | 'token' | 'rival'

/** A bot beside the main one. */
export interface BotRow {
  /** Telegram's id of it. */
  id: number
  username: string
  /** Empty: Telegram has to be asked for it. */
  sealedToken: string
  /** The account whose owner made it; null: an operator added it. An account makes one. */
  accountId: string | null
  /** Its own operators. */
  ownerIds: readonly number[]
  addedAt: Date
  /** When it first ran; null: not yet. */
  startedAt: Date | null
  /** Null: it is to run. */
  stopped: StopReason | null
}

/** The changes that operators make. */
export type BotChange = Partial<Pick<BotRow, 'username' | 'sealedToken' | 'ownerIds' | 'stopped'>>

/** The bots that were added, in the main bot's database. */
export const botStore = (client: Client) => ({
  /** All of them, the newest first. */
  all: async (): Promise<BotRow[]> =>
    (await client.bot.findMany({ orderBy: [{ addedAt: 'desc' }, { id: 'desc' }] })).map(asBot),

  byId: async (id: number): Promise<BotRow | null> => {
    const row = await client.bot.findUnique({ where: { id: BigInt(id) } })
    return row && asBot(row)
  },

  /** Adds a bot. An earlier row of the same bot stays as it is. */
  add: async ({ id, ownerIds, ...row }: BotRow): Promise<void> => {
    const where = { id: BigInt(id) }
    const create = { ...row, ...where, ownerIds: ownerIds.join(',') }
    await client.bot.upsert({ where, create, update: {} })
  },

  /** Adds a bot that somebody made. @returns false if it was added before, or its account made another one. */
  addMade: async ({ id, ownerIds, ...row }: BotRow): Promise<boolean> => {
    try {
      await client.bot.create({ data: { ...row, id: BigInt(id), ownerIds: ownerIds.join(',') } })
      return true
    } catch (error) {
      if (isTaken(error)) return false
      throw error
    }
  },

  /** The bot that an owner of that account made. */
  ofAccount: async (accountId: string): Promise<BotRow | null> => {
    const row = await client.bot.findUnique({ where: { accountId } })
    return row && asBot(row)
  },

  /** @returns false if there is no such bot. */
  change: async (id: number, { ownerIds, ...change }: BotChange): Promise<boolean> => {
    const data = { ...change, ...(ownerIds && { ownerIds: ownerIds.join(',') }) }
    return (await client.bot.updateMany({ where: { id: BigInt(id) }, data })).count === 1
  },

  /** Replaces the sealed token, unless another one was given meanwhile. */
  reseal: async (id: number, before: string, sealedToken: string): Promise<void> => {
    await client.bot.updateMany({ where: { id: BigInt(id), sealedToken: before }, data: { sealedToken } })
  },

  /** Notes that the bot stopped by itself. @returns false if it has another token by now, or was stopped before. */
  stopped: async (id: number, sealedToken: string, why: StopReason): Promise<boolean> => {
    const where = { id: BigInt(id), sealedToken, stopped: null }
    return (await client.bot.updateMany({ where, data: { stopped: why } })).count === 1
  },

  /** Notes that the bot has a database. @returns whether it had none before. */
  started: async (id: number, at: Date): Promise<boolean> => {
    const where = { id: BigInt(id), startedAt: null }
    return (await client.bot.updateMany({ where, data: { startedAt: at } })).count === 1
  },

  remove: async (id: number): Promise<boolean> =>
    (await client.bot.deleteMany({ where: { id: BigInt(id) } })).count === 1,
})

const asBot = (row: {
  id: bigint
  ownerIds: string
  stopped: string | null
  username: string
  sealedToken: string
  accountId: string | null
  addedAt: Date
  startedAt: Date | null
}): BotRow => ({
  ...row,
  id: Number(row.id),
  ownerIds: row.ownerIds === '' ? [] : row.ownerIds.split(',').map(Number),
  stopped: row.stopped as StopReason | null,
})

/** The queries of `botStore`. */
export type BotStore = ReturnType<typeof botStore>
