import type { Client } from '../../database/database.ts'
import { aheadOf, overSince } from '../../domain/times/ahead.ts'

/** A chat that follows an order of somebody else. */
export interface Follow {
  orderId: string
  chatId: number
  messageId: number | null
}

export const followOf = (row: { orderId: string; chatId: bigint; messageId: bigint | null }): Follow => ({
  orderId: row.orderId,
  chatId: Number(row.chatId),
  messageId: row.messageId === null ? null : Number(row.messageId),
})

/** Sealed credentials that a person typed and that belong to no account yet. */
export interface PendingCredential {
  chatId: number
  sealedKey: string
  /** Null while the bot waits for the secret. */
  sealedSecret: string | null
  expiresAt: Date
}

export const chatStore = (client: Client) => ({
  /**
   * Marks that Telegram refuses messages to the chat, until somebody writes there again. The chat's notices are marked
   * too, so that the search for due notices skips them. Call it in a transaction.
   */
  mute: async (chatId: number, now: Date): Promise<void> => {
    const id = BigInt(chatId)
    await client.chat.upsert({
      where: { id },
      create: { id, mutedAt: now, createdAt: now },
      update: { mutedAt: now },
    })
    await muteNotices(client, id, now)
  },

  /** Marks the notices that were enqueued for a chat after it was muted. Call it in a transaction. */
  muteAgain: async (chatId: number, now: Date): Promise<void> => {
    const id = BigInt(chatId)
    // The update locks the row, so that nobody unmutes the chat until the transaction has ended.
    const { count } = await client.chat.updateMany({
      where: { id, mutedAt: { not: null } },
      data: { mutedAt: now },
    })
    if (count === 1) await muteNotices(client, id, now)
  },

  isMuted: async (chatId: number): Promise<boolean> =>
    (await client.chat.count({ where: { id: BigInt(chatId), mutedAt: { not: null } } })) === 1,

  /** Marks that somebody wrote in the chat. Call it in a transaction. @returns false if it was not muted. */
  unmute: async (chatId: number): Promise<boolean> => {
    const id = BigInt(chatId)
    const { count } = await client.chat.updateMany({
      where: { id, mutedAt: { not: null } },
      data: { mutedAt: null },
    })
    await client.notice.updateMany({ where: { chatId: id }, data: { mutedAt: null } })
    return count === 1
  },

  /**
   * When a group becomes a supergroup, moves its notices and follows to its new id. Telegram numbers the supergroup's
   * messages from 1 again, so the ids of old messages are dropped.
   */
  migrate: async (from: number, to: number): Promise<void> => {
    const [chatId, newChatId] = [BigInt(from), BigInt(to)]
    await client.notice.updateMany({ where: { chatId }, data: { chatId: newChatId, mutedAt: null } })
    await client.warning.deleteMany({ where: { chatId } })
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
    return row && followOf(row)
  },

  followers: async (orderId: string): Promise<Follow[]> =>
    (await client.follow.findMany({ where: { orderId } })).map(followOf),

  showFollowOn: async (orderId: string, chatId: number, messageId: number): Promise<void> => {
    await client.follow.updateMany({ where: { orderId, chatId: BigInt(chatId) }, data: { messageId } })
  },

  /** Replaces credentials that were typed in the chat earlier. */
  keepPendingCredentials: async (row: PendingCredential): Promise<PendingCredential> => {
    const { chatId, ...credentials } = row
    const id = { chatId: BigInt(chatId) }
    await client.pendingCredential.upsert({
      where: id,
      create: { ...id, ...credentials },
      update: credentials,
    })
    return row
  },

  pendingCredentials: async (chatId: number): Promise<PendingCredential | null> => {
    const row = await client.pendingCredential.findUnique({ where: { chatId: BigInt(chatId) } })
    return row && { ...row, chatId: Number(row.chatId) }
  },

  pendingPairs: async (): Promise<PendingCredential[]> => {
    const rows = await client.pendingCredential.findMany({ where: { sealedSecret: { not: null } } })
    return rows.map((row) => ({ ...row, chatId: Number(row.chatId) }))
  },

  /** Whether these credentials are still pending and were not replaced. */
  isPending: async ({ chatId, sealedKey }: PendingCredential): Promise<boolean> =>
    (await client.pendingCredential.count({ where: { chatId: BigInt(chatId), sealedKey } })) === 1,

  /** Deletes pending credentials. @returns false if they were not pending, or had been replaced. */
  dropCredentials: async ({ chatId, sealedKey }: PendingCredential): Promise<boolean> => {
    const { count } = await client.pendingCredential.deleteMany({
      where: { chatId: BigInt(chatId), sealedKey },
    })
    return count === 1
  },

  dropKey: async (chatId: number): Promise<void> => {
    await client.pendingCredential.deleteMany({ where: { chatId: BigInt(chatId), sealedSecret: null } })
  },

  dropOldKeys: async (now: Date): Promise<void> => {
    await client.pendingCredential.deleteMany({
      where: {
        sealedSecret: null,
        OR: overSince('typedCredentials', now).map((expiresAt) => ({ expiresAt })),
      },
    })
  },

  invite: async (invitation: {
    tokenHash: string
    createdBy: number
    createdAt: Date
    expiresAt: Date
  }): Promise<void> => {
    await client.invitation.create({ data: { ...invitation, createdBy: BigInt(invitation.createdBy) } })
  },

  /** Accepts an operator's invitation for the chat. @returns false if it could not be used. */
  accept: async (tokenHashes: string[], chatId: number, now: Date): Promise<boolean> => {
    const id = BigInt(chatId)
    const { count } = await client.invitation.updateMany({
      where: {
        tokenHash: { in: tokenHashes },
        accountId: null,
        usedAt: null,
        revokedAt: null,
        expiresAt: aheadOf('invitation', now),
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
})

const muteNotices = async (client: Client, chatId: bigint, mutedAt: Date): Promise<void> => {
  await client.notice.updateMany({ where: { chatId, mutedAt: null }, data: { mutedAt } })
}

export type ChatStore = ReturnType<typeof chatStore>

/** A storage for grammY's sessions, by the chat's key. */
interface SessionStorage<T> {
  read(key: string): Promise<T | undefined>
  write(key: string, session: T): Promise<void>
  delete(key: string): Promise<void>
}

/**
 * Stores grammY's sessions in the database. grammY writes back each session that a handler has read. If a session is
 * unchanged, or is empty and was never stored, nothing is written.
 * @param known the value stored for a key, if it was read for this update already; null if nothing is stored; undefined
 * if it was not read.
 */
export const sessionStorage = <T extends object>(
  client: Client,
  now: () => Date,
  known: (key: string) => string | null | undefined = () => undefined,
): SessionStorage<T> => {
  const storedAt = async (key: string): Promise<string | null> =>
    (await client.session.findUnique({ where: { key } }))?.value ?? null
  /**
   * The stored text of each session that was read. It is compared when grammY writes back, because handlers change the
   * session object itself.
   */
  const read = new WeakMap<T, string>()
  return {
    read: async (key) => {
      const before = known(key)
      const value = (before === undefined ? await storedAt(key) : before) ?? '{}'
      const session = JSON.parse(value) as T
      read.set(session, value)
      return session
    },
    write: async (key, session) => {
      const value = JSON.stringify(session)
      if (value === (read.get(session) ?? (await storedAt(key)) ?? '{}')) return
      const written = { value, updatedAt: now() }
      await client.session.upsert({ where: { key }, create: { key, ...written }, update: written })
    },
    delete: async (key) => {
      await client.session.deleteMany({ where: { key } })
    },
  }
}
