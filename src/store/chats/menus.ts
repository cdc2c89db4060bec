import type { Client } from '../../database/database.ts'
import { type Member, roleOf } from '../accounts/accounts.ts'

export const menuStore = (client: Client) => ({
  /** What determines a private chat's menu: its current menu (null for the default one) and its user's role. */
  of: async (chatId: number): Promise<{ menu: string | null; role: Member['role'] | null }> => {
    const [row] = await client.$queryRaw<{ menu: string | null; role: string | null }[]>`
      SELECT (SELECT menu FROM "Chat" WHERE id = ${BigInt(chatId)}) AS "menu",
      (SELECT role FROM "Member" WHERE "userId" = ${BigInt(chatId)}) AS "role"`
    const { menu = null, role = null } = row ?? {}
    return { menu, role: role === null ? null : roleOf(role) }
  },

  remember: async (chatId: number, menu: string | null, now: Date): Promise<void> => {
    const id = BigInt(chatId)
    if (menu !== null) {
      await client.chat.upsert({ where: { id }, create: { id, menu, createdAt: now }, update: { menu } })
      return
    }
    await client.chat.updateMany({ where: { id }, data: { menu } })
    // Deletes the chat's row if the bot has no other reason to keep it.
    await client.chat.deleteMany({ where: { id, menu, mutedAt: null, invitedAt: null, blockedAt: null } })
  },

  /** Chats that still show a member's menu although their user belongs to no account any longer. */
  ofStrangers: async (limit: number): Promise<number[]> => {
    const rows = await client.$queryRaw<{ id: bigint }[]>`
      SELECT id FROM "Chat" WHERE menu IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM "Member" WHERE "Member"."userId" = "Chat".id)
      LIMIT ${limit}`
    return rows.map(({ id }) => Number(id))
  },
})

export type MenuStore = ReturnType<typeof menuStore>
