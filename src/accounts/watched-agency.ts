import { briefRule } from '../shop/brief-rule.ts'
import type { Agency } from './agency.ts'
import type { SecurityJournal, SecurityKind } from './security-trail.ts'

/** An agency that also stores a security event for each action of an owner. */
export const watchedAgency = (agency: Agency, { note }: Pick<SecurityJournal, 'note'>): Agency => ({
  ...agency,
  invite: async (owner) => {
    const invitation = await agency.invite(owner)
    if (invitation) await note({ kind: 'invited', ...actorOf(owner) })
    return invitation
  },
  revoke: async (owner, name) => {
    const isRevoked = await agency.revoke(owner, name)
    if (isRevoked) await note({ kind: 'invitation_revoked', ...actorOf(owner) })
    return isRevoked
  },
  revokeAll: async (owner) => {
    const revoked = await agency.revokeAll(owner)
    if (revoked > 0) await note({ kind: 'invitation_revoked', ...actorOf(owner), detail: String(revoked) })
    return revoked
  },
  changeAgent: async (owner, agentId, patch) => {
    const settled = await agency.changeAgent(owner, agentId, patch)
    for (const [kind, detail] of settled ? changesIn(patch) : [])
      await note({ kind, ...actorOf(owner), detail })
    return settled
  },
  answerAsk: async (owner, agentId, answer) => {
    const settled = await agency.answerAsk(owner, agentId, answer)
    if (settled && answer.raisedPesewas !== null)
      await note({ kind: 'agent_limit', ...actorOf(owner), detail: String(answer.raisedPesewas) })
    return settled
  },
  removeOwner: async (owner, ownerId) => {
    const removed = await agency.removeOwner(owner, ownerId)
    if (removed) await note({ kind: 'owner_removed', ...actorOf(owner) })
    return removed
  },
  remove: async (owner, agentId) => {
    const removed = await agency.remove(owner, agentId)
    if (removed) await note({ kind: 'agent_removed', ...actorOf(owner) })
    return removed
  },
})

const actorOf = ({ userId, accountId }: { userId: number; accountId: string }) => ({ userId, accountId })

const changesIn = (patch: Parameters<Agency['changeAgent']>[2]): [SecurityKind, string][] => {
  const { dailyLimitPesewas, networks, pausedAt, priceRule } = patch
  const changes: [SecurityKind, string][] = []
  if (dailyLimitPesewas !== undefined) changes.push(['agent_limit', String(dailyLimitPesewas ?? 'none')])
  if (networks !== undefined) changes.push(['agent_networks', networks?.join(', ') ?? 'all'])
  if (pausedAt !== undefined) changes.push([pausedAt === null ? 'agent_resumed' : 'agent_paused', ''])
  if (priceRule !== undefined) changes.push(['agent_price', briefRule(priceRule)])
  return changes
}
