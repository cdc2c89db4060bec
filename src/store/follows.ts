import type { Client } from './database.ts'

/** What a chat follows, as it is listed to the chat itself. */
export const followStore = (client: Client) => ({
  /** The orders that the chat follows, that which it began to follow last first. */
  newestOf: async (chatId: number, limit: number): Promise<string[]> => {
    const rows = await client.follow.findMany({
      where: { chatId: BigInt(chatId) },
      orderBy: [{ createdAt: 'desc' }, { orderId: 'asc' }],
      take: limit,
      select: { orderId: true },
    })
    return rows.map(({ orderId }) => orderId)
  },
})

export type FollowStore = ReturnType<typeof followStore>
