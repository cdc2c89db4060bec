import type { Client } from '../../database/database.ts'
import { openPlacements } from '../../domain/order/placement.ts'
import { aheadOf } from '../../domain/times/ahead.ts'

/** The columns of an account that are sealed, hashed or signed with `CREDENTIALS_KEY`. */
export interface SealedAccount {
  id: string
  keyHash: string
  sealedKey: string
  sealedSecret: string
}

/** How many rows still need an older key, and until when at the latest. */
export interface Remainder {
  count: number
  until: Date | null
}

const columns = { id: true, keyHash: true, sealedKey: true, sealedSecret: true } as const

const sealed = { sealedSecret: { not: '' } }

/** Everything that is sealed, hashed or signed with `CREDENTIALS_KEY`, for checks and key changes. */
export const credentialStore = (client: Client) => ({
  count: (): Promise<number> => client.account.count({ where: sealed }),

  /** A page of accounts whose id comes after the given one, sorted by id. */
  page: (after: string, size: number): Promise<SealedAccount[]> =>
    client.account.findMany({
      where: { ...sealed, id: { gt: after } },
      select: columns,
      orderBy: { id: 'asc' },
      take: size,
    }),

  byId: (id: string): Promise<SealedAccount | null> =>
    client.account.findFirst({ where: { ...sealed, id }, select: columns }),

  byHash: (keyHash: string): Promise<SealedAccount | null> =>
    client.account.findFirst({ where: { ...sealed, keyHash }, select: columns }),

  /** Accounts whose sealed secret begins with the prefix, at most `size`. */
  beginning: (prefix: string, size: number): Promise<SealedAccount[]> =>
    client.account.findMany({
      where: { sealedSecret: { startsWith: prefix } },
      select: columns,
      take: size,
    }),

  countBeginning: (prefix: string): Promise<number> =>
    client.account.count({ where: { sealedSecret: { startsWith: prefix } } }),

  /**
   * Writes re-sealed values if the row has not changed since it was read.
   * @returns `changed` if the row has changed, `taken` if another account has the same key hash.
   */
  replace: async (known: SealedAccount, anew: SealedAccount): Promise<'replaced' | 'changed' | 'taken'> => {
    const { id, ...data } = anew
    try {
      const { count } = await client.account.updateMany({ where: { ...known, id }, data })
      return count === 1 ? 'replaced' : 'changed'
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'P2002') return 'taken'
      throw error
    }
  },

  /** Pending credentials that were sealed with a key other than the one that the prefix identifies. */
  typedUnderOthers: async (prefix: string, now: Date): Promise<Remainder> => {
    const where = { expiresAt: aheadOf('typedCredentials', now), NOT: { sealedKey: { startsWith: prefix } } }
    const { _count, _max } = await client.pendingCredential.aggregate({
      where,
      _count: true,
      _max: { expiresAt: true },
    })
    return { count: _count, until: _max.expiresAt }
  },

  /** Invitations from before `since` that can still be accepted. */
  invitationsBefore: async (since: Date, now: Date): Promise<Remainder> => {
    const { _count, _max } = await client.invitation.aggregate({
      where: {
        createdAt: { lt: since },
        usedAt: null,
        revokedAt: null,
        expiresAt: aheadOf('invitation', now),
      },
      _count: true,
      _max: { expiresAt: true },
    })
    return { count: _count, until: _max.expiresAt }
  },

  /** Orders that were sent before `since` and may still get callbacks. */
  ordersBefore: async (since: Date): Promise<Omit<Remainder, 'until'> & { lastSentAt: Date | null }> => {
    const { _count, _max } = await client.order.aggregate({
      where: {
        sentAt: { lt: since },
        OR: [
          { placement: { in: [...openPlacements] } },
          { nextPollAt: { not: null } },
          { reconcileAt: { not: null } },
          { refundAt: { not: null } },
        ],
      },
      _count: true,
      _max: { sentAt: true },
    })
    return { count: _count, lastSentAt: _max.sentAt }
  },
})

export type CredentialStore = ReturnType<typeof credentialStore>
