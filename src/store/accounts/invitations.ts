import type { Client } from '../../database/database.ts'
import { aheadOf } from '../../domain/times/ahead.ts'

export interface AgentInvitation {
  tokenHash: string
  createdBy: number
  accountId: string
  createdAt: Date
  expiresAt: Date
  usedBy: number | null
  usedAt: Date | null
  revokedAt: Date | null
}

export const invitationStore = (client: Client) => ({
  insert: async (
    invitation: Pick<AgentInvitation, 'tokenHash' | 'createdBy' | 'accountId' | 'createdAt' | 'expiresAt'>,
  ): Promise<void> => {
    await client.invitation.create({ data: { ...invitation, createdBy: BigInt(invitation.createdBy) } })
  },

  /** The invitation whose secret has one of these hashes. */
  byHashes: async (hashes: string[]): Promise<AgentInvitation | null> => {
    const row = await client.invitation.findFirst({
      where: { tokenHash: { in: hashes }, accountId: { not: null } },
    })
    return row && invitationOf(row)
  },

  /** The account's open invitations, newest first. */
  openOf: async (accountId: string, now: Date): Promise<AgentInvitation[]> => {
    const rows = await client.invitation.findMany({
      where: { accountId, usedAt: null, revokedAt: null, expiresAt: aheadOf('agentInvitation', now) },
      orderBy: [{ createdAt: 'desc' }, { tokenHash: 'asc' }],
    })
    return rows.map(invitationOf)
  },

  /** Marks the invitation as used. @returns false if it was not open, or if another call has just used it. */
  spend: async (tokenHash: string, usedBy: number, now: Date): Promise<boolean> => {
    const { count } = await client.invitation.updateMany({
      where: { tokenHash, usedAt: null, revokedAt: null, expiresAt: aheadOf('agentInvitation', now) },
      data: { usedBy: BigInt(usedBy), usedAt: now },
    })
    return count === 1
  },

  /** Revokes the invitation. @returns false if it was not open, or not that account's. */
  revoke: async (tokenHash: string, accountId: string, now: Date): Promise<boolean> => {
    const { count } = await client.invitation.updateMany({
      where: { tokenHash, accountId, usedAt: null, revokedAt: null },
      data: { revokedAt: now },
    })
    return count === 1
  },

  /** Revokes the account's open invitations. @returns how many there were. */
  revokeAll: async (accountId: string, now: Date): Promise<number> => {
    const { count } = await client.invitation.updateMany({
      where: { accountId, usedAt: null, revokedAt: null, expiresAt: aheadOf('agentInvitation', now) },
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
