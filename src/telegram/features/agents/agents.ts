import { firstLimitPesewas, type Party } from '../../../accounts/agency.ts'
import { mayRemove } from '../../../accounts/ownership.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import { networks } from '../../../provider/index.ts'
import type { AgentPatch, Member } from '../../../store/accounts/accounts.ts'
import type { ActOf } from '../../buttons/table.ts'
import { agentLabels } from '../../cards/words/team.ts'
import { askNext, type BotContext } from '../../chat/context.ts'
import type { Handler } from '../../chat/handler.ts'
import { botLink } from '../../chat/reference.ts'
import { forwardButton, homeButton } from '../../chat/screen.ts'
import { notYours } from '../../words/unusable.ts'
import { sayAccountNeeded } from '../guards/account-needed.ts'
import { askPrice } from './agent-price.ts'
import {
  agentButton,
  agentScreen,
  allButton,
  invitationsScreen,
  listScreen,
  moreScreen,
  networksScreen,
  ordersScreen,
  othersScreen,
  ownersScreen,
  pricesScreen,
  removeScreen,
  toldScreen,
} from './agent-screens.ts'
import * as invitationWords from './invitation-words.ts'
import { answerAsk } from './limit-ask.ts'
import { agentOf, changeAgent, gone } from './one-agent.ts'
import * as ownerWords from './owner-words.ts'
import { limitPatch, limitScreen } from './set-limit.ts'
import * as words from './words.ts'

/** `/agents`: shows the people who order with the owner's wallet. */
export const showAgents = async (ctx: BotContext, owner: Party): Promise<void> =>
  ctx.talk.say(await listScreen(ctx.services, owner))

export const pressAgents = async (
  ctx: BotContext,
  owner: Party,
  act: Exclude<ActOf<'agents'>, { act: 'join' | 'stay' | 'ask' }>,
): Promise<void> => {
  const { services } = ctx
  switch (act.act) {
    case 'list':
      return ctx.talk.show(await listScreen(services, owner))
    case 'page':
      return ctx.talk.show(await listScreen(services, owner, act.page))
    case 'others':
      return ctx.talk.show(await othersScreen(services, owner))
    case 'owners':
      return ctx.talk.show(await ownersScreen(services, owner))
    case 'invitations':
      return ctx.talk.show(await invitationsScreen(services, owner))
    case 'raise':
      return answerAsk(ctx, owner, act)
    case 'invite':
      return invite(ctx, owner)
    case 'revoke_all':
      ctx.talk.toast(invitationWords.revokedAll(await services.agency.revokeAll(owner)))
      return ctx.talk.show(await invitationsScreen(services, owner))
    case 'revoke': {
      const isRevoked = await services.agency.revoke(owner, act.name)
      ctx.talk.toast(isRevoked ? invitationWords.revoked : invitationWords.revokedTooLate, !isRevoked)
      return ctx.talk.show(await invitationsScreen(services, owner))
    }
    case 'prices':
      return ctx.talk.show(await pricesScreen(services, owner))
    case 'set_prices':
      await services.store.shops.agentPrices(owner.accountId, act.prices)
      await services.security.note({ kind: 'agent_prices', ...owner, detail: act.prices })
      return ctx.talk.show(await pricesScreen(services, owner))
    case 'remove_owner':
      return askToRemoveOwner(ctx, owner, act.id)
    case 'remove_owner_sure':
      return removeOwner(ctx, owner, act.id)
    default:
      return pressOnAgent(ctx, owner, act)
  }
}

const askToRemoveOwner = async (ctx: BotContext, owner: Party, ownerId: number): Promise<void> => {
  const { accounts } = ctx.services.store
  const [self, other] = [await accounts.member(owner.userId), await accounts.member(ownerId)]
  const isTheirs = other?.accountId === owner.accountId
  if (!self || !isTheirs || !mayRemove(self, other)) return noSuchOwner(ctx, owner)
  ctx.talk.show({
    text: ownerWords.askRemoveOwner(other),
    rows: [
      [
        agentButton(agentLabels.removeSure, { act: 'remove_owner_sure', id: ownerId }),
        agentButton(agentLabels.keep, { act: 'list' }),
      ],
    ],
  })
}

const removeOwner = async (ctx: BotContext, owner: Party, ownerId: number): Promise<void> => {
  const removed = await ctx.services.agency.removeOwner(owner, ownerId)
  if (!removed) return noSuchOwner(ctx, owner)
  ctx.talk.show({
    text: ownerWords.ownerRemoved(removed.owner, removed.paused, removed.cancelled),
    rows: [[allButton, homeButton]],
  })
}

const noSuchOwner = async (ctx: BotContext, owner: Party): Promise<void> => {
  ctx.talk.toast(ownerWords.noSuchOwner, true)
  ctx.talk.show(await listScreen(ctx.services, owner))
}

type ActOnAgent = Exclude<
  Extract<ActOf<'agents'>, { id: number }>,
  { act: 'remove_owner' | 'remove_owner_sure' | 'raise' }
>

/**
 * Handles a button about one agent. The button may be old, so this checks that the agent still belongs to the account.
 */
const pressOnAgent = async (ctx: BotContext, owner: Party, act: ActOnAgent): Promise<void> => {
  const { services } = ctx
  const agent = await agentOf(services, owner, act.id)
  if (!agent) return gone(ctx, owner)
  const change = (patch: AgentPatch) => changeAgent(ctx, owner, agent, patch)
  switch (act.act) {
    case 'open':
      return ctx.talk.show(await agentScreen(services, agent))
    case 'limit':
      await askNext(ctx, { what: 'agent_limit', agentId: agent.userId })
      return ctx.talk.show(limitScreen(agent))
    case 'set_limit':
      ctx.talk.toast(words.limitSet(act.pesewas))
      return change(limitPatch(act.pesewas))
    case 'price':
      return askPrice(ctx, agent)
    case 'set_price':
      ctx.talk.toast(words.priceSet(act.rule))
      return change({ priceRule: act.rule })
    case 'more':
      return ctx.talk.show(moreScreen(agent))
    case 'networks':
      return ctx.talk.show(networksScreen(agent))
    case 'network': {
      const settled = await services.agency.changeAgent(owner, agent.userId, {
        networks: withNetwork(agent.networks, act.network, act.allowed),
      })
      return settled ? ctx.talk.show(networksScreen(settled)) : gone(ctx, owner)
    }
    case 'pause':
      ctx.talk.toast(act.paused ? words.paused : words.resumed, act.paused)
      return change({ pausedAt: act.paused ? (agent.pausedAt ?? services.now()) : null })
    case 'tell':
      return ctx.talk.show(toldScreen(agent))
    case 'set_tell':
      ctx.talk.toast(words.notifyLevelSaved(act.level))
      return change({ notifyLevel: act.level })
    case 'orders':
      return ctx.talk.show(await ordersScreen(services, agent, act.page))
    case 'remove':
      return ctx.talk.show(await removeScreen(services, agent))
    case 'remove_sure':
      return remove(ctx, owner, agent)
    default:
      return act satisfies never
  }
}

/** Refuses commands and buttons about agents to everybody but owners. */
export const refuseAgents: Handler<Person | null> = (ctx, agent) => {
  if (ctx.callbackQuery) ctx.talk.toast(agent ? words.notForAgents : notYours, true)
  else if (agent) ctx.talk.say(words.notForAgents)
  else sayAccountNeeded(ctx)
}

/**
 * The networks that the agent may order on after the change; null: all, including networks that the provider adds
 * later.
 */
const withNetwork = (allowed: string[] | null, network: string, isAllowed: boolean): string[] | null => {
  const next = networks.filter((each) =>
    each === network ? isAllowed : allowed === null || allowed.includes(each),
  )
  return next.length === networks.length ? null : [...next]
}

/** Removes an agent from the owner's account, and shows the result. */
export const remove = async (ctx: BotContext, owner: Party, agent: Member): Promise<void> => {
  const removed = await ctx.services.agency.remove(owner, agent.userId)
  if (!removed) return gone(ctx, owner)
  ctx.talk.show({
    text: words.removed(removed.name, removed.cancelled, removed.open),
    rows: [[agentButton(agentLabels.inviteAgain, { act: 'invite' }), allButton]],
  })
}

/** Sends an invitation link that works for one person, in a message of its own that the owner can forward. */
export const invite = async (ctx: BotContext, owner: Party): Promise<void> => {
  const invitation = await ctx.services.agency.invite(owner)
  if (!invitation) {
    ctx.talk.toast(invitationWords.tooManyInvitations, true)
    return ctx.talk.show(await invitationsScreen(ctx.services, owner))
  }
  const { secret, name, expiresAt } = invitation
  const url = botLink(ctx.me, `a${secret}`)
  ctx.talk.say({
    text: invitationWords.invitationReady(url, expiresAt, firstLimitPesewas),
    rows: [
      // Telegram puts the address first, so the whole text is given as the address.
      [forwardButton(agentLabels.forward, invitationWords.invitationText(url))],
      [agentButton(agentLabels.revoke, { act: 'revoke', name }), allButton],
    ],
  })
}
