import { isNetworkAllowed } from '../../domain/may-order.ts'
import { allowanceOf } from '../../orders/permission/agent-limit.ts'
import { networks } from '../../provider/index.ts'
import type { Queries } from '../../store/store.ts'
import type { AgentPermissions } from './words/agent-permissions.ts'

/** What an agent may order, and on whose wallet; null if the user is not an agent. */
export const agentPermissionsOf = async (
  queries: Pick<Queries, 'accounts' | 'orders' | 'shops'>,
  userId: number,
  at: Date,
): Promise<AgentPermissions | null> => {
  const member = await queries.accounts.member(userId)
  if (member?.role !== 'agent') return null
  return {
    shop: (await queries.shops.of(member.accountId)).name,
    isPaused: member.pausedAt !== null,
    networks: member.networks,
    allowance: await allowanceOf(queries, member, at),
  }
}

/** The networks that a member may order on. Only agents may be limited to some. */
export const networksFor = async (
  { accounts }: Pick<Queries, 'accounts'>,
  { userId }: { userId: number },
): Promise<readonly string[]> => {
  const member = await accounts.member(userId)
  return member?.role === 'agent' ? networks.filter((network) => isNetworkAllowed(member, network)) : networks
}
