import type { Client } from './database.ts'

/** A one-time link with which somebody becomes an agent of an account. */
export interface AgentInvitation {
  tokenHash: string
  /** The owner who made it. */
  createdBy: number
  accountId: string
  createdAt: Date
  expiresAt: Date
  usedBy: number | null
  usedAt: Date | null
  /** Taken back before it was used. */
  revokedAt: Date | null
}

export const invitationStore = (client: Client) => ({
  insert: async (
    invitation: Pick<AgentInvitation, 'tokenHash' | 'createdBy' | 'accountId' | 'createdAt' | 'expiresAt'>,
  ): Promise<void> => {
    await client.invitation.create({ data: { ...invitation, createdBy: BigInt(invitation.createdBy) } })
  },

  /** By the hashes of its secret, of which one is its own. */
  byHashes: async (hashes: string[]): Promise<AgentInvitation | null> => {
    const row = await client.invitation.findFirst({
      where: { tokenHash: { in: hashes }, accountId: { not: null } },
    })
    return row && invitationOf(row)
  },

  /** Those that can still be accepted, newest first. */
  openOf: async (accountId: string, now: Date): Promise<AgentInvitation[]> => {
    const rows = await client.invitation.findMany({
      where: { accountId, usedAt: null, revokedAt: null, expiresAt: { gt: now } },
      orderBy: [{ createdAt: 'desc' }, { tokenHash: 'asc' }],
    })
    return rows.map(invitationOf)
  },

  /** @returns whether it could still be accepted, and was taken by this one. */
  spend: async (tokenHash: string, usedBy: number, now: Date): Promise<boolean> => {
    const { count } = await client.invitation.updateMany({
      where: { tokenHash, usedAt: null, revokedAt: null, expiresAt: { gt: now } },
      data: { usedBy: BigInt(usedBy), usedAt: now },
    })
    return count === 1
  },

  /** @returns whether it is that account's and could still be accepted. */
  revoke: async (tokenHash: string, accountId: string, now: Date): Promise<boolean> => {
    const { count } = await client.invitation.updateMany({
      where: { tokenHash, accountId, usedAt: null, revokedAt: null },
      data: { revokedAt: now },
    })
    return count === 1
  },

  /** All of the account that can still be accepted. @returns how many. */
  revokeAll: async (accountId: string, now: Date): Promise<number> => {
    const { count } = await client.invitation.updateMany({
      where: { accountId, usedAt: null, revokedAt: null, expiresAt: { gt: now } },
      data: { revokedAt: now },
    })
    return count
  },
})

export type InvitationStore = ReturnType<typeof invitationStore>

const invitationOf = (
  row: Omit<AgentInvitation, 'createdBy' | 'usedBy' | 'accountId'> & {
    createdBy: bigint
    usedBy: bigint | null
    accountId: string | null
  },
): AgentInvitation => ({
  ...row,
  createdBy: Number(row.createdBy),
  usedBy: row.usedBy === null ? null : Number(row.usedBy),
  accountId: row.accountId ?? '',
})
