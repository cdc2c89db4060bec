import { invitationName, maxInvitations, type Party } from '../../../accounts/agency.ts'
import { isAwaited } from '../../../accounts/departure.ts'
import { mayRemove } from '../../../accounts/ownership.ts'
import { chargesOf } from '../../../domain/charge.ts'
import { agentPriceKinds } from '../../../domain/selling.ts'
import { spentToday } from '../../../orders/buying/agent-limit.ts'
import { networks } from '../../../provider/index.ts'
import { pesewas } from '../../../provider/money.ts'
import { type Member, toldLevels } from '../../../store/accounts/accounts.ts'
import type { HistoryEntry } from '../../../store/orders/history.ts'
import type { ActOf } from '../../buttons/button.ts'
import { standingSeenBy } from '../../cards/viewer.ts'
import { type Key, key, type Screen } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { when } from '../../chat/time.ts'
import * as words from '../../words/agent.ts'
import { labels } from '../../words/labels.ts'
import * as ownerWords from '../../words/owner.ts'
import { openKey } from '../orders/history.ts'
import { listLine, orderLine } from '../orders/history-words.ts'
import * as invitationWords from './invitation-words.ts'

const { agentLabels } = words

/** A key that does something with agents. */
export const agentKey = (label: string, act: ActOf<'agents'>): Key => key(label, { do: 'agents', act })

/** Leads to the home screen. */
export const homeKey = key(labels.home, { do: 'home' })

/** Leads back to the list of agents. */
export const allKey = agentKey(agentLabels.all, { act: 'list' })

/** Limits with a button; any other can be typed. */
const limits = [5_000, 10_000, 20_000, 50_000].map(pesewas)

const ordersPerPage = 8

/** The account's agents, open invitations and other owners. */
export const listScreen = async (services: Services, { accountId, userId }: Party): Promise<Screen> => {
  const { store, now } = services
  const at = now()
  const everybody = (await store.accounts.members(accountId)).sort(
    (a, b) => a.createdAt.getTime() - b.createdAt.getTime(),
  )
  const members = everybody.filter(({ role }) => role === 'agent')
  const owners = everybody.filter(({ role }) => role === 'owner')
  const self = owners.find((each) => each.userId === userId)
  const removable = owners.filter((each) => self && mayRemove(self, each)).slice(0, ownerWords.maxOwners)
  const removals = removable.map((each) =>
    agentKey(ownerWords.removeOwnerLabel(each), { act: 'remove_owner', id: each.userId }),
  )
  const lines = await Promise.all(
    members.slice(0, words.maxAgents).map(async (agent) => ({
      name: agent.name,
      isPaused: agent.pausedAt !== null,
      limitPesewas: agent.dailyLimitPesewas,
      spent: await spentToday(store, agent, at),
    })),
  )
  const open = await store.invitations.openOf(accountId, at)
  const keys = members.map(({ name, pausedAt, userId }) =>
    agentKey(words.agentLabel(name, pausedAt !== null), { act: 'open', id: userId }),
  )
  const revokes = open
    .slice(0, maxInvitations)
    .map((each, index) =>
      agentKey(invitationWords.revokeLabel(index + 1), { act: 'revoke', name: invitationName(each) }),
    )
  return {
    text: words.agents(ownerWords.owners(owners, userId, at), lines, open),
    rows: [
      ...inPairs(keys.slice(0, words.maxAgents)),
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

/** One agent: limit, networks, what the owner is told, and what can be changed. */
export const agentScreen = async ({ store, now }: Services, agent: Member): Promise<Screen> => {
  const at = now()
  const { userId: id, pausedAt } = agent
  return {
    text: words.agent({
      name: agent.name,
      since: agent.createdAt,
      pausedAt,
      spent: await spentToday(store, agent, at),
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

/** The prices that all agents of the account see. */
export const pricesScreen = async ({ store }: Services, { accountId }: Party): Promise<Screen> => {
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

/** Leads back to the agent without a change. */
export const cancelKey = ({ userId }: Member): Key => agentKey(labels.leave, { act: 'open', id: userId })

/** Asks for an agent's limit a day. */
export const limitScreen = (agent: Member): Screen => {
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

/** Asks on which networks an agent may order. */
export const networksScreen = (agent: Member): Screen => {
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

/** Asks what the owner is told of an agent's orders. */
export const toldScreen = (agent: Member): Screen => {
  const keys = toldLevels.map((told) =>
    agentKey(words.chosenLabel(words.toldLabels[told], told === agent.told), {
      act: 'set_tell',
      id: agent.userId,
      told,
    }),
  )
  return { text: words.askTold(agent.name, agent.told), rows: [...inPairs(keys), [backTo(agent)]] }
}

/** A page of an agent's orders. @param page 0 for the first. */
export const ordersScreen = async (
  { store, now }: Services,
  agent: Member,
  page: number,
): Promise<Screen> => {
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
    ? listLine(index, standingSeenBy(entry.parts, ownersView), when(entry.order.createdAt, now))
    : orderLine(index, entry.order, {
        name: null,
        charges: chargesOf([entry.order]),
        time: when(entry.order.createdAt, now),
      })

/** Asks whether to remove an agent, and lists their open orders. */
export const removeScreen = async ({ store }: Services, agent: Member): Promise<Screen> => {
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
