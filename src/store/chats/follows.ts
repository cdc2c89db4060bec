import type { Client } from '../../database/database.ts'

export const followStore = (client: Client) => ({
  /** The followed orders, latest follow first. */
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
