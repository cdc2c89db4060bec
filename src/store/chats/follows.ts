import type { Client } from '../../database/database.ts'

/** Which orders a chat follows, for display in that chat. */
export const followStore = (client: Client) => ({
  /** The orders that the chat follows, latest follow first. */
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
