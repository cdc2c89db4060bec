import type { Client } from '../database/database.ts'

/** The menu of commands that Telegram shows in a chat. */
export const menuStore = (client: Client) => ({
  /** The chat's menu; null: the one for everybody. */
  of: async (chatId: number): Promise<string | null> =>
    (await client.chat.findUnique({ where: { id: BigInt(chatId) }, select: { menu: true } }))?.menu ?? null,

  remember: async (chatId: number, menu: string | null, now: Date): Promise<void> => {
    const id = BigInt(chatId)
    if (menu !== null) {
      await client.chat.upsert({ where: { id }, create: { id, menu, createdAt: now }, update: { menu } })
      return
    }
    await client.chat.updateMany({ where: { id }, data: { menu } })
    // Strangers to the bot leave no row.
    await client.chat.deleteMany({ where: { id, menu, mutedAt: null, invitedAt: null, blockedAt: null } })
  },

  /** Chats with a member's menu although their user belongs to no account. */
  ofStrangers: async (limit: number): Promise<number[]> => {
    const rows = await client.$queryRaw<{ id: bigint }[]>`
      SELECT id FROM "Chat" WHERE menu IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM "Member" WHERE "Member"."userId" = "Chat".id)
      LIMIT ${limit}`
    return rows.map(({ id }) => Number(id))
  },
})

/** The queries of `menuStore`. */
export type MenuStore = ReturnType<typeof menuStore>
