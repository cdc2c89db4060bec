import { isAhead } from '../../../src/domain/ahead.ts'
import type { ChatStore } from '../../../src/store/chats/chats.ts'
import type { ChatRow, NoticeRow, Tables } from './rows.ts'
import { warningKey } from './warnings.ts'

const keyOf = ({ orderId, chatId }: { orderId: string; chatId: number }): string => `${orderId}/${chatId}`

export const memoryChats = (tables: Tables): ChatStore => {
  const { chats, follows, notices, warnings, halfCredentials, invitations, facts } = tables

  const change = (id: number, patch: Partial<ChatRow>): void =>
    chats.set(id, { mutedAt: null, invitedAt: null, ...chats.get(id), ...patch, id })

  const changeNotices = (of: number, to: (row: NoticeRow) => NoticeRow): void => {
    notices.update(
      ({ chatId }) => chatId === of,
      ({ id }) => id,
      to,
    )
  }

  return {
    mute: async (chatId, now) => {
      change(chatId, { mutedAt: now })
      changeNotices(chatId, (row) => ({ ...row, mutedAt: row.mutedAt ?? now }))
    },

    muteAgain: async (chatId, now) => {
      if (!chats.get(chatId)?.mutedAt) return
      change(chatId, { mutedAt: now })
      changeNotices(chatId, (row) => ({ ...row, mutedAt: row.mutedAt ?? now }))
    },

    isMuted: async (chatId) => Boolean(chats.get(chatId)?.mutedAt),

    unmute: async (chatId) => {
      if (!chats.get(chatId)?.mutedAt) return false
      change(chatId, { mutedAt: null })
      changeNotices(chatId, (row) => ({ ...row, mutedAt: null }))
      return true
    },

    migrate: async (from, to) => {
      changeNotices(from, (row) => ({ ...row, chatId: to, mutedAt: null }))
      for (const warning of warnings.where(({ chatId }) => chatId === from))
        warnings.delete(warningKey(warning))
      for (const follow of follows.where(({ chatId }) => chatId === from)) {
        follows.delete(keyOf(follow))
        const moved = { ...follow, chatId: to, messageId: null }
        if (!follows.get(keyOf(moved))) follows.set(keyOf(moved), moved)
      }
    },

    follow: async (orderId, chatId, now) => {
      const key = keyOf({ orderId, chatId })
      if (!follows.get(key)) follows.set(key, { orderId, chatId, messageId: null, createdAt: now })
    },

    unfollow: async (orderId, chatId) => follows.delete(keyOf({ orderId, chatId })),
    followOf: async (orderId, chatId) => follows.get(keyOf({ orderId, chatId })) ?? null,
    followers: async (orderId) => follows.where((row) => row.orderId === orderId),

    showFollowOn: async (orderId, chatId, messageId) => {
      const follow = follows.get(keyOf({ orderId, chatId }))
      if (follow) follows.set(keyOf(follow), { ...follow, messageId })
    },

    keepPendingCredentials: async (row) => {
      halfCredentials.set(row.chatId, row)
      return row
    },

    pendingCredentials: async (chatId) => halfCredentials.get(chatId) ?? null,
    pendingPairs: async () => halfCredentials.where(({ sealedSecret }) => sealedSecret !== null),
    isPending: async ({ chatId, sealedKey }) => halfCredentials.get(chatId)?.sealedKey === sealedKey,

    dropCredentials: async ({ chatId, sealedKey }) => {
      if (halfCredentials.get(chatId)?.sealedKey !== sealedKey) return false
      halfCredentials.delete(chatId)
      return true
    },

    dropKey: async (chatId) => {
      if (halfCredentials.get(chatId)?.sealedSecret === null) halfCredentials.delete(chatId)
    },

    dropOldKeys: async (now) => {
      const old = halfCredentials.where(
        (row) => row.sealedSecret === null && !isAhead(row.expiresAt, 'typedCredentials', now),
      )
      for (const { chatId } of old) halfCredentials.delete(chatId)
    },

    invite: async ({ tokenHash, expiresAt }) =>
      invitations.set(tokenHash, { tokenHash, expiresAt, usedAt: null }),

    accept: async (tokenHashes, chatId, now) => {
      const open = invitations.where(
        ({ tokenHash, expiresAt, usedAt }) =>
          tokenHashes.includes(tokenHash) && usedAt === null && isAhead(expiresAt, 'invitation', now),
      )
      for (const invitation of open) invitations.set(invitation.tokenHash, { ...invitation, usedAt: now })
      if (open.length > 0) change(chatId, { invitedAt: now })
      return open.length > 0
    },

    isInvited: async (chatId) => Boolean(chats.get(chatId)?.invitedAt),
    fact: async (name) => facts.get(name)?.value ?? null,
    lockFact: async (name) => facts.get(name)?.value ?? '',
    facts: async (names) =>
      new Map(names.flatMap((name) => facts.get(name) ?? []).map(({ name, value }) => [name, value])),
    setFact: async (name, value) => facts.set(name, { name, value }),
  }
}
