import { unsettled } from '../orders/placement.ts'
import type { Client } from './database.ts'

/** What of an account depends on `CREDENTIALS_KEY`. */
export interface SealedAccount {
  id: string
  keyHash: string
  sealedKey: string
  sealedSecret: string
}

/** Something that an older key is still needed for, and the latest time at which that ends. */
export interface Remainder {
  count: number
  until: Date | null
}

const columns = { id: true, keyHash: true, sealedKey: true, sealedSecret: true } as const

/** Accounts whose credentials were not erased. */
const sealed = { sealedSecret: { not: '' } }

/** What is sealed, hashed or signed with `CREDENTIALS_KEY`, for who checks or changes it. */
export const credentialStore = (client: Client) => ({
  count: (): Promise<number> => client.account.count({ where: sealed }),

  /** Those after that id, in the order of their ids. */
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

  /** Some of the accounts whose secrets begin so. */
  beginning: (prefix: string, size: number): Promise<SealedAccount[]> =>
    client.account.findMany({
      where: { sealedSecret: { startsWith: prefix } },
      select: columns,
      take: size,
    }),

  countBeginning: (prefix: string): Promise<number> =>
    client.account.count({ where: { sealedSecret: { startsWith: prefix } } }),

  /**
   * Writes them sealed anew, where the row still stands as it was read.
   * @returns `changed` where it does not, `taken` where another account has that hash.
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

  /** Typed credentials that wait under another key than the one whose values begin so. */
  typedUnderOthers: async (prefix: string, now: Date): Promise<Remainder> => {
    const where = { expiresAt: { gt: now }, NOT: { sealedKey: { startsWith: prefix } } }
    const { _count, _max } = await client.halfCredential.aggregate({
      where,
      _count: true,
      _max: { expiresAt: true },
    })
    return { count: _count, until: _max.expiresAt }
  },

  /** Invitations from before that time which can still be accepted. */
  invitationsBefore: async (since: Date, now: Date): Promise<Remainder> => {
    const { _count, _max } = await client.invitation.aggregate({
      where: { createdAt: { lt: since }, usedAt: null, revokedAt: null, expiresAt: { gt: now } },
      _count: true,
      _max: { expiresAt: true },
    })
    return { count: _count, until: _max.expiresAt }
  },

  /** Orders that were sent before that time and about which the provider may still have news. */
  ordersBefore: async (since: Date): Promise<Omit<Remainder, 'until'> & { lastSentAt: Date | null }> => {
    const { _count, _max } = await client.order.aggregate({
      where: {
        sentAt: { lt: since },
        OR: [
          { placement: { in: [...unsettled] } },
          { nextPollAt: { not: null } },
          { settleAt: { not: null } },
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
