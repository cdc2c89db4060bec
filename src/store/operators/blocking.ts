import type { Client } from '../../database/database.ts'

/** Chats that an operator has blocked. The bot does not read their messages. */
export const blockingQueries = (client: Client) => ({
  /** When the chat was blocked; null if it is not blocked. */
  blockedSince: async (chatId: number): Promise<Date | null> =>
    (await client.chat.findUnique({ where: { id: BigInt(chatId) }, select: { blockedAt: true } }))
      ?.blockedAt ?? null,

  /** Blocks the chat. @returns false if it was blocked already. */
  block: async (chatId: number, now: Date): Promise<boolean> => {
    const id = BigInt(chatId)
    await client.chat.upsert({ where: { id }, create: { id, createdAt: now }, update: { id } })
    const { count } = await client.chat.updateMany({
      where: { id, blockedAt: null },
      data: { blockedAt: now },
    })
    return count === 1
  },

  /** Unblocks the chat. @returns false if it was not blocked. */
  unblock: async (chatId: number): Promise<boolean> => {
    const id = BigInt(chatId)
    const { count } = await client.chat.updateMany({
      where: { id, blockedAt: { not: null } },
      data: { blockedAt: null },
    })
    // Deletes the chat's row if the bot has no other reason to keep it.
    await client.chat.deleteMany({
      where: { id, menu: null, mutedAt: null, invitedAt: null, blockedAt: null },
    })
    return count === 1
  },

  /** Latest first. */
  blockedChats: async (skip: number, limit: number): Promise<{ chatId: number; since: Date }[]> => {
    const rows = await client.chat.findMany({
      where: { blockedAt: { not: null } },
      orderBy: [{ blockedAt: 'desc' }, { id: 'asc' }],
      select: { id: true, blockedAt: true },
      skip,
      take: limit,
    })
    return rows.flatMap(({ id, blockedAt }) => (blockedAt ? [{ chatId: Number(id), since: blockedAt }] : []))
  },
})
