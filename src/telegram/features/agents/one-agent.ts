import type { Party } from '../../../accounts/agency.ts'
import type { AgentPatch, Member } from '../../../store/accounts/accounts.ts'
import type { BotContext } from '../../chat/context.ts'
import type { Services } from '../../chat/services.ts'
import { agentScreen, listScreen } from './agent-screens.ts'
import * as words from './words.ts'

/** The agent; null if that person is no agent of the owner's account, for example because a button is old. */
export const agentOf = async ({ store }: Services, owner: Party, agentId: number): Promise<Member | null> => {
  const member = await store.accounts.member(agentId)
  return member?.accountId === owner.accountId && member.role === 'agent' ? member : null
}

/** Says that the agent has left, and shows those who are there. */
export const gone = async (ctx: BotContext, owner: Party): Promise<void> => {
  ctx.talk.toast(words.noSuchAgent, true)
  ctx.talk.show(await listScreen(ctx.services, owner))
}

/** Changes what an agent may do, and shows the agent. */
export const changeAgent = async (
  ctx: BotContext,
  owner: Party,
  agent: Member,
  patch: AgentPatch,
): Promise<void> => {
  const settled = await ctx.services.agency.changeAgent(owner, agent.userId, patch)
  if (!settled) return gone(ctx, owner)
  ctx.talk.show(await agentScreen(ctx.services, settled))
}
