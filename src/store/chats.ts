import type { StorageAdapter } from 'grammy'
import type { Client } from './database.ts'

/** A chat that follows an order without owning it. */
export interface Follow {
  orderId: string
  chatId: number
  messageId: number | null
}

/** Credentials that somebody typed and that belong to no account yet, sealed. */
export interface HalfCredential {
  chatId: number
  sealedKey: string
  /** Null while the secret is waited for. */
  sealedSecret: string | null
  expiresAt: Date
}

export const chatStore = (client: Client) => ({
  /** Telegram refuses messages to the chat until it writes again. */
  mute: async (chatId: number, now: Date): Promise<void> => {
    const id = BigInt(chatId)
    await client.chat.upsert({
      where: { id },
      create: { id, mutedAt: now, createdAt: now },
      update: { mutedAt: now },
    })
  },

  isMuted: async (chatId: number): Promise<boolean> =>
    (await client.chat.count({ where: { id: BigInt(chatId), mutedAt: { not: null } } })) === 1,

  /** The chat wrote. @returns whether it was muted. */
  unmute: async (chatId: number): Promise<boolean> => {
    const { count } = await client.chat.updateMany({
      where: { id: BigInt(chatId), mutedAt: { not: null } },
      data: { mutedAt: null },
    })
    return count === 1
  },

  /** A group became a supergroup: what is owed to it goes to its new id, where messages are numbered anew. */
  migrate: async (from: number, to: number): Promise<void> => {
    const [chatId, newChatId] = [BigInt(from), BigInt(to)]
    await client.notice.updateMany({ where: { chatId }, data: { chatId: newChatId } })
    const there = await client.follow.findMany({ where: { chatId: newChatId }, select: { orderId: true } })
    const twice = { in: there.map(({ orderId }) => orderId) }
    await client.follow.deleteMany({ where: { chatId, orderId: twice } })
    await client.follow.updateMany({ where: { chatId }, data: { chatId: newChatId, messageId: null } })
  },

  follow: async (orderId: string, chatId: number, now: Date): Promise<void> => {
    const key = { orderId, chatId: BigInt(chatId) }
    await client.follow.upsert({
      where: { orderId_chatId: key },
      create: { ...key, createdAt: now },
      update: key,
    })
  },

  unfollow: async (orderId: string, chatId: number): Promise<void> => {
    await client.follow.deleteMany({ where: { orderId, chatId: BigInt(chatId) } })
  },

  followOf: async (orderId: string, chatId: number): Promise<Follow | null> => {
    const key = { orderId, chatId: BigInt(chatId) }
    const row = await client.follow.findUnique({ where: { orderId_chatId: key } })
    return row && { ...row, chatId: Number(row.chatId) }
  },

  followers: async (orderId: string): Promise<Follow[]> =>
    (await client.follow.findMany({ where: { orderId } })).map((row) => ({
      ...row,
      chatId: Number(row.chatId),
    })),

  showFollowOn: async (orderId: string, chatId: number, messageId: number): Promise<void> => {
    await client.follow.updateMany({ where: { orderId, chatId: BigInt(chatId) }, data: { messageId } })
  },

  /** Typed credentials of the chat; they take the place of earlier ones. */
  holdCredentials: async (row: HalfCredential): Promise<HalfCredential> => {
    const { chatId, ...half } = row
    const id = { chatId: BigInt(chatId) }
    await client.halfCredential.upsert({ where: id, create: { ...id, ...half }, update: half })
    return row
  },

  heldCredentials: async (chatId: number): Promise<HalfCredential | null> => {
    const row = await client.halfCredential.findUnique({ where: { chatId: BigInt(chatId) } })
    return row && { ...row, chatId: Number(row.chatId) }
  },

  /** All of which both halves are there. */
  heldPairs: async (): Promise<HalfCredential[]> => {
    const rows = await client.halfCredential.findMany({ where: { sealedSecret: { not: null } } })
    return rows.map((row) => ({ ...row, chatId: Number(row.chatId) }))
  },

  /** Whether they are still there, and no others in their place. */
  isHeld: async ({ chatId, sealedKey }: HalfCredential): Promise<boolean> =>
    (await client.halfCredential.count({ where: { chatId: BigInt(chatId), sealedKey } })) === 1,

  /** @returns whether they were still there, and no others in their place. */
  dropCredentials: async ({ chatId, sealedKey }: HalfCredential): Promise<boolean> => {
    const { count } = await client.halfCredential.deleteMany({
      where: { chatId: BigInt(chatId), sealedKey },
    })
    return count === 1
  },

  /** A key that waits for its secret is waited for no more. */
  dropKey: async (chatId: number): Promise<void> => {
    await client.halfCredential.deleteMany({ where: { chatId: BigInt(chatId), sealedSecret: null } })
  },

  dropOldKeys: async (now: Date): Promise<void> => {
    await client.halfCredential.deleteMany({ where: { expiresAt: { lte: now }, sealedSecret: null } })
  },

  invite: async (invitation: {
    tokenHash: string
    createdBy: number
    createdAt: Date
    expiresAt: Date
  }): Promise<void> => {
    await client.invitation.create({ data: { ...invitation, createdBy: BigInt(invitation.createdBy) } })
  },

  /** Spends an invitation, once. */
  accept: async (tokenHashes: string[], chatId: number, now: Date): Promise<boolean> => {
    const id = BigInt(chatId)
    const { count } = await client.invitation.updateMany({
      where: {
        tokenHash: { in: tokenHashes },
        accountId: null,
        usedAt: null,
        revokedAt: null,
        expiresAt: { gt: now },
      },
      data: { usedBy: id, usedAt: now },
    })
    if (count === 0) return false
    await client.chat.upsert({
      where: { id },
      create: { id, invitedAt: now, createdAt: now },
      update: { invitedAt: now },
    })
    return true
  },

  isInvited: async (chatId: number): Promise<boolean> =>
    (await client.chat.count({ where: { id: BigInt(chatId), invitedAt: { not: null } } })) === 1,

  fact: async (name: string): Promise<string | null> =>
    (await client.fact.findUnique({ where: { name } }))?.value ?? null,

  setFact: async (name: string, value: string): Promise<void> => {
    await client.fact.upsert({ where: { name }, create: { name, value }, update: { value } })
  },
})

export type ChatStore = ReturnType<typeof chatStore>

/**
 * grammY's session storage on the database. grammY writes back each session that a handler has read: one that is
 * the same as before, or empty as it never was anything else, costs no commit.
 */
export const sessionStorage = <T>(client: Client, now: () => Date): StorageAdapter<T> => ({
  read: async (key) => {
    const row = await client.session.findUnique({ where: { key } })
    return row ? (JSON.parse(row.value) as T) : undefined
  },
  write: async (key, session) => {
    const value = JSON.stringify(session)
    const row = await client.session.findUnique({ where: { key } })
    if (value === (row?.value ?? '{}')) return
    const written = { value, updatedAt: now() }
    await client.session.upsert({ where: { key }, create: { key, ...written }, update: written })
  },
  delete: async (key) => {
    await client.session.deleteMany({ where: { key } })
  },
})
