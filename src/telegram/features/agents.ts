import { firstLimitPesewas, invitationName, mostInvitations, type Party } from '../../accounts/agency.ts'
import { isAwaited } from '../../accounts/departure.ts'
import { mayRemove } from '../../accounts/ownership.ts'
import { spentToday } from '../../orders/allowance.ts'
import { networks } from '../../provider/index.ts'
import type { Pesewas } from '../../provider/money.ts'
import { agentPriceKinds } from '../../shop/agent-prices.ts'
import { readAmount } from '../../shop/written-amount.ts'
import { type AgentPatch, type Member, toldLevels } from '../../store/accounts.ts'
import type { HistoryEntry } from '../../store/history.ts'
import type { AgentAct } from '../buttons/agent.ts'
import { askNext, type BotContext, forgetQuestion } from '../context.ts'
import { personOf } from '../person.ts'
import { type Key, key, link, type Screen } from '../screen.ts'
import type { Services } from '../services.ts'
import * as words from '../texts/agent.ts'
import { listLine, orderLine } from '../texts/history.ts'
import { labels } from '../texts/labels.ts'
import { needAccount, notYours } from '../texts/refusal.ts'
import { standingSeenBy } from '../viewer.ts'
import { openKey } from './history.ts'
import { join, stay } from './invitation.ts'

const { agentLabels } = words
const agentKey = (label: string, act: AgentAct): Key => key(label, { do: 'agents', act })
const homeKey = key(labels.home, { do: 'home' })
const allKey = agentKey(agentLabels.all, { act: 'list' })

/** Limits that have a button: a typed one may be any other. */
const limits = [5_000, 10_000, 20_000, 50_000] as Pesewas[]
const ordersPerPage = 8

/** `/agents`: who orders on the owner's wallet. */
export const agents = async (ctx: BotContext, services: Services): Promise<void> => {
  const owner = await ownerOf(ctx, services)
  if (owner) ctx.talk.say(await listScreen(services, owner))
}

/** A press on a button about agents. */
export const press = async (ctx: BotContext, services: Services, act: AgentAct): Promise<void> => {
  await forgetQuestion(ctx, services)
  if (act.act === 'join') return join(ctx, services, act.secret)
  if (act.act === 'stay') return stay(ctx)
  const owner = await ownerOf(ctx, services)
  if (!owner) return
  switch (act.act) {
    case 'list':
      ctx.talk.show(await listScreen(services, owner))
      return
    case 'invite':
      return invite(ctx, services, owner)
    case 'revoke_all':
      ctx.talk.toast(words.revokedAll(await services.agency.revokeAll(owner)))
      ctx.talk.show(await listScreen(services, owner))
      return
    case 'revoke': {
      const isRevoked = await services.agency.revoke(owner, act.name)
      ctx.talk.toast(isRevoked ? words.revoked : words.revokedTooLate, !isRevoked)
      ctx.talk.show(await listScreen(services, owner))
      return
    }
    case 'prices':
      ctx.talk.show(await pricesScreen(services, owner))
      return
    case 'set_prices':
      await services.store.shops.agentPrices(owner.accountId, act.prices)
      await services.security.note({ kind: 'agent_prices', ...owner, detail: act.prices })
      ctx.talk.show(await pricesScreen(services, owner))
      return
    case 'remove_owner':
      return askToRemoveOwner(ctx, services, owner, act.id)
    case 'remove_owner_sure':
      return removeOwner(ctx, services, owner, act.id)
    default:
      return pressOnAgent(ctx, services, owner, act)
  }
}

const askToRemoveOwner = async (
  ctx: BotContext,
  services: Services,
  owner: Party,
  ownerId: number,
): Promise<void> => {
  const { accounts } = services.store
  const [self, other] = [await accounts.member(owner.userId), await accounts.member(ownerId)]
  const isTheirs = other?.accountId === owner.accountId
  if (!self || !isTheirs || !mayRemove(self, other)) return noSuchOwner(ctx, services, owner)
  ctx.talk.show({
    text: words.askRemoveOwner(other),
    rows: [
      [
        agentKey(agentLabels.removeSure, { act: 'remove_owner_sure', id: ownerId }),
        agentKey(agentLabels.keep, { act: 'list' }),
      ],
    ],
  })
}

const removeOwner = async (
  ctx: BotContext,
  services: Services,
  owner: Party,
  ownerId: number,
): Promise<void> => {
  const removed = await services.agency.removeOwner(owner, ownerId)
  if (!removed) return noSuchOwner(ctx, services, owner)
  ctx.talk.show({
    text: words.ownerRemoved(removed.owner, removed.paused, removed.cancelled),
    rows: [[allKey, homeKey]],
  })
}

const noSuchOwner = async (ctx: BotContext, services: Services, owner: Party): Promise<void> => {
  ctx.talk.toast(words.noSuchOwner, true)
  ctx.talk.show(await listScreen(services, owner))
}

type ActOnAgent = Exclude<Extract<AgentAct, { id: number }>, { act: 'remove_owner' | 'remove_owner_sure' }>

/** The agent is one of the account at this moment; what was one when the button was made may not be any more. */
const pressOnAgent = async (
  ctx: BotContext,
  services: Services,
  owner: Party,
  act: ActOnAgent,
): Promise<void> => {
  const agent = await agentOf(services, owner, act.id)
  if (!agent) return gone(ctx, services, owner)
  const change = (patch: AgentPatch) => settle(ctx, services, owner, agent, patch)
  switch (act.act) {
    case 'open':
      ctx.talk.show(await agentScreen(services, agent))
      return
    case 'limit':
      await askNext(ctx, { what: 'agent_limit', agentId: agent.userId })
      ctx.talk.show(limitScreen(agent))
      return
    case 'set_limit':
      ctx.talk.toast(words.limitSet(act.pesewas as Pesewas | null))
      return change({ dailyLimitPesewas: act.pesewas as Pesewas | null })
    case 'networks':
      ctx.talk.show(networksScreen(agent))
      return
    case 'network': {
      const settled = await services.agency.settle(owner, agent.userId, {
        networks: withNetwork(agent.networks, act.network, act.allowed),
      })
      return settled ? ctx.talk.show(networksScreen(settled)) : gone(ctx, services, owner)
    }
    case 'pause':
      ctx.talk.toast(act.paused ? words.paused : words.resumed, act.paused)
      return change({ pausedAt: act.paused ? (agent.pausedAt ?? services.now()) : null })
    case 'tell':
      ctx.talk.show(toldScreen(agent))
      return
    case 'set_tell':
      ctx.talk.toast(words.toldSet(act.told))
      return change({ told: act.told })
    case 'orders':
      ctx.talk.show(await ordersScreen(services, agent, act.page))
      return
    case 'remove':
      ctx.talk.show(await removeScreen(services, agent))
      return
    case 'remove_sure':
      return remove(ctx, services, owner, agent)
  }
}

/** The typed limit of an agent. */
export const takeLimit = async (
  ctx: BotContext,
  services: Services,
  agentId: number,
  text: string,
): Promise<void> => {
  const owner = await ownerOf(ctx, services)
  const agent = owner && (await agentOf(services, owner, agentId))
  if (!owner || !agent) {
    await forgetQuestion(ctx, services)
    if (owner) await gone(ctx, services, owner)
    return
  }
  const isNone = /^(none|no|no limit)$/i.test(text.trim())
  const amount = readAmount(text)
  if (!isNone && amount.kind === 'refused') {
    ctx.talk.say({ text: words.notALimit(text), rows: [[cancelKey(agent)]] })
    return
  }
  await forgetQuestion(ctx, services)
  const dailyLimitPesewas = amount.kind === 'amount' ? amount.pesewas : null
  return settle(ctx, services, owner, agent, { dailyLimitPesewas })
}

/** The owner who writes or presses; who is none is told that it is not theirs to do. */
const ownerOf = async (ctx: BotContext, services: Services): Promise<Party | null> => {
  const person = await personOf(ctx, services)
  if (person?.role === 'owner') return person
  if (ctx.callbackQuery) ctx.talk.toast(person ? words.notForAgents : notYours, true)
  else ctx.talk.say(person ? words.notForAgents : needAccount)
  return null
}

const agentOf = async ({ store }: Services, owner: Party, agentId: number): Promise<Member | null> => {
  const member = await store.accounts.member(agentId)
  return member?.accountId === owner.accountId && member.role === 'agent' ? member : null
}

const gone = async (ctx: BotContext, services: Services, owner: Party): Promise<void> => {
  ctx.talk.toast(words.noSuchAgent, true)
  ctx.talk.show(await listScreen(services, owner))
}

const settle = async (
  ctx: BotContext,
  services: Services,
  owner: Party,
  agent: Member,
  patch: AgentPatch,
): Promise<void> => {
  const settled = await services.agency.settle(owner, agent.userId, patch)
  if (!settled) return gone(ctx, services, owner)
  ctx.talk.show(await agentScreen(services, settled))
}

const listScreen = async (services: Services, { accountId, userId }: Party): Promise<Screen> => {
  const { store, now } = services
  const at = now()
  const everybody = (await store.accounts.members(accountId)).sort(
    (a, b) => a.createdAt.getTime() - b.createdAt.getTime(),
  )
  const members = everybody.filter(({ role }) => role === 'agent')
  const owners = everybody.filter(({ role }) => role === 'owner')
  const self = owners.find((each) => each.userId === userId)
  const removable = owners.filter((each) => self && mayRemove(self, each)).slice(0, words.mostOwners)
  const removals = removable.map((each) =>
    agentKey(words.removeOwnerLabel(each), { act: 'remove_owner', id: each.userId }),
  )
  const lines = await Promise.all(
    members.slice(0, words.mostAgents).map(async (agent) => ({
      name: agent.name,
      isPaused: agent.pausedAt !== null,
      limitPesewas: agent.dailyLimitPesewas,
      spentPesewas: (await spentToday(store, agent, at)).pesewas,
    })),
  )
  const open = await store.invitations.openOf(accountId, at)
  const keys = members.map(({ name, pausedAt, userId }) =>
    agentKey(words.agentLabel(name, pausedAt !== null), { act: 'open', id: userId }),
  )
  const revokes = open
    .slice(0, mostInvitations)
    .map((each, index) =>
      agentKey(words.revokeLabel(index + 1), { act: 'revoke', name: invitationName(each) }),
    )
  return {
    text: words.agents(words.owners(owners, userId, at), lines, open),
    rows: [
      ...inPairs(keys.slice(0, words.mostAgents)),
      ...inPairs(removals),
      ...inPairs(revokes),
      open.length > 1 ? [agentKey(agentLabels.revokeAll, { act: 'revoke_all' })] : [],
      [agentKey(agentLabels.prices, { act: 'prices' })],
      [agentKey(agentLabels.invite, { act: 'invite' }), homeKey],
    ],
  }
}

const inPairs = (keys: Key[]): Key[][] =>
  keys.flatMap((_, index) => (index % 2 === 0 ? [keys.slice(index, index + 2)] : []))

const agentScreen = async ({ store, now }: Services, agent: Member): Promise<Screen> => {
  const at = now()
  const { userId: id, pausedAt } = agent
  return {
    text: words.agent({
      name: agent.name,
      since: agent.createdAt,
      pausedAt,
      spentPesewas: (await spentToday(store, agent, at)).pesewas,
      prices: (await store.shops.of(agent.accountId)).agentPrices,
      limitPesewas: agent.dailyLimitPesewas,
      networks: agent.networks,
      told: agent.told,
      now: at,
    }),
    rows: [
      [
        agentKey(agentLabels.limit, { act: 'limit', id }),
        agentKey(agentLabels.networks, { act: 'networks', id }),
      ],
      [
        agentKey(agentLabels.tell, { act: 'tell', id }),
        agentKey(agentLabels.orders, { act: 'orders', id, page: 0 }),
      ],
      [
        agentKey(pausedAt ? agentLabels.resume : agentLabels.pause, { act: 'pause', id, paused: !pausedAt }),
        agentKey(agentLabels.remove, { act: 'remove', id }),
      ],
      [allKey, homeKey],
    ],
  }
}

/** What all agents of the account see of prices. */
const pricesScreen = async ({ store }: Services, { accountId }: Party): Promise<Screen> => {
  const { agentPrices } = await store.shops.of(accountId)
  const keys = agentPriceKinds.map((prices) =>
    agentKey(words.chosenLabel(words.priceLabels[prices], prices === agentPrices), {
      act: 'set_prices',
      prices,
    }),
  )
  return { text: words.askPrices(agentPrices), rows: [...keys.map((each) => [each]), [allKey, homeKey]] }
}

const backTo = ({ userId }: Member): Key => agentKey(labels.back, { act: 'open', id: userId })
const cancelKey = ({ userId }: Member): Key => agentKey(labels.leave, { act: 'open', id: userId })

const limitScreen = (agent: Member): Screen => {
  const { userId: id, dailyLimitPesewas: limit } = agent
  const keys = limits.map((pesewas) =>
    agentKey(words.limitLabel(pesewas, pesewas === limit), { act: 'set_limit', id, pesewas }),
  )
  const none = agentKey(words.chosenLabel(agentLabels.noLimit, limit === null), {
    act: 'set_limit',
    id,
    pesewas: null,
  })
  return {
    text: words.askLimit(agent.name, limit),
    rows: [...inPairs(keys), [none, cancelKey(agent)]],
  }
}

const networksScreen = (agent: Member): Screen => {
  const keys = networks.map((network) => {
    const isAllowed = agent.networks === null || agent.networks.includes(network)
    return agentKey(words.networkLabel(network, isAllowed), {
      act: 'network',
      id: agent.userId,
      network,
      allowed: !isAllowed,
    })
  })
  return { text: words.networksOf(agent.name, agent.networks), rows: [...inPairs(keys), [backTo(agent)]] }
}

/** Null where all are allowed: those that the provider sells one day too. */
const withNetwork = (allowed: string[] | null, network: string, isAllowed: boolean): string[] | null => {
  const next = networks.filter((each) =>
    each === network ? isAllowed : allowed === null || allowed.includes(each),
  )
  return next.length === networks.length ? null : [...next]
}

const toldScreen = (agent: Member): Screen => {
  const keys = toldLevels.map((told) =>
    agentKey(words.chosenLabel(words.toldLabels[told], told === agent.told), {
      act: 'set_tell',
      id: agent.userId,
      told,
    }),
  )
  return { text: words.askTold(agent.name, agent.told), rows: [...inPairs(keys), [backTo(agent)]] }
}

const ordersScreen = async ({ store, now }: Services, agent: Member, page: number): Promise<Screen> => {
  const { userId, accountId, name } = agent
  const first = page * ordersPerPage
  const query = { accountId, userId, state: 'all', since: null, network: null, search: null } as const
  const found = await store.history.page(query, first, ordersPerPage + 1)
  if (found.length === 0 && page === 0) return { text: words.noAgentOrders(name), rows: [[backTo(agent)]] }
  const shown = found.slice(0, ordersPerPage)
  const keys = shown.map(({ order }, index) => openKey(order, words.openLabel(first + index + 1)))
  const paging = (label: string, to: number) => agentKey(label, { act: 'orders', id: userId, page: to })
  return {
    text: words.agentOrders(
      name,
      shown.map((entry, index) => lineOf(entry, first + index + 1, now())),
      page,
    ),
    rows: [
      keys.slice(0, 4),
      keys.slice(4),
      [
        ...(page > 0 ? [paging(labels.previous, page - 1)] : []),
        ...(found.length > ordersPerPage ? [paging(labels.next, page + 1)] : []),
      ],
      [backTo(agent)],
    ],
  }
}

const ownersView = { role: 'owner', prices: 'cost' } as const

const lineOf = (entry: HistoryEntry, index: number, now: Date): string =>
  entry.kind === 'list'
    ? listLine(index, standingSeenBy(entry.parts, ownersView), entry.order.createdAt, now)
    : orderLine(index, entry.order, null, now)

const removeScreen = async ({ store }: Services, agent: Member): Promise<Screen> => {
  const { accountId, userId: id } = agent
  const isTheirs = ({ userId }: { userId: number }) => userId === id
  const waiting = (await store.orders.queuedOfAccount(accountId)).filter(isTheirs).length
  const open = (await store.orders.underWatch(accountId)).filter(isTheirs).filter(isAwaited).length
  return {
    text: words.askRemove(agent.name, waiting, open),
    rows: [
      [
        agentKey(agentLabels.removeSure, { act: 'remove_sure', id }),
        agentKey(agentLabels.keep, { act: 'open', id }),
      ],
    ],
  }
}

const remove = async (ctx: BotContext, services: Services, owner: Party, agent: Member): Promise<void> => {
  const removed = await services.agency.remove(owner, agent.userId)
  if (!removed) return gone(ctx, services, owner)
  ctx.talk.show({
    text: words.removed(removed.name, removed.cancelled, removed.open),
    rows: [[agentKey(agentLabels.inviteAgain, { act: 'invite' }), allKey]],
  })
}

/** A link for one person. It stands in a message of its own, to be forwarded. */
const invite = async (ctx: BotContext, services: Services, owner: Party): Promise<void> => {
  const invitation = await services.agency.invite(owner)
  if (!invitation) {
    ctx.talk.toast(words.tooManyInvitations, true)
    ctx.talk.show(await listScreen(services, owner))
    return
  }
  const { secret, name, expiresAt } = invitation
  const url = `https://t.me/${ctx.me.username}?start=a${secret}`
  const query = new URLSearchParams({ url, text: words.invitationText })
  ctx.talk.say({
    text: words.invitationReady(url, expiresAt, firstLimitPesewas),
    rows: [
      [link(agentLabels.forward, `https://t.me/share/url?${query}`)],
      [agentKey(agentLabels.revoke, { act: 'revoke', name }), allKey],
    ],
  })
}
