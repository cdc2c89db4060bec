import type { Update } from 'grammy/types'
import type { Client } from '../../database/database.ts'

/**
 * An update that Telegram sent to the webhook and that is not handled yet. It is sealed, because it may contain a
 * secret.
 */
export interface KeptUpdate {
  id: number
  sealed: string
}

export const keptUpdateStore = (client: Client) => ({
  /**
   * Stores an update. Telegram repeats an update that was not acknowledged, so one that is stored already is left as it
   * is.
   */
  keep: async ({ update_id }: Pick<Update, 'update_id'>, sealed: string, receivedAt: Date): Promise<void> => {
    const id = BigInt(update_id)
    await client.keptUpdate.upsert({ where: { id }, create: { id, sealed, receivedAt }, update: {} })
  },

  /** The oldest updates, in the order in which Telegram numbered them. */
  oldest: async (limit: number): Promise<KeptUpdate[]> => {
    const rows = await client.keptUpdate.findMany({ orderBy: { id: 'asc' }, take: limit })
    return rows.map(({ id, sealed }) => ({ id: Number(id), sealed }))
  },

  done: async (id: number): Promise<void> => {
    await client.keptUpdate.deleteMany({ where: { id: BigInt(id) } })
  },
})

export type KeptUpdateStore = ReturnType<typeof keptUpdateStore>
