import { invitationName, maxInvitations, type Party } from '../../../accounts/agency.ts'
import { isAwaited } from '../../../accounts/departure.ts'
import { mayRemove } from '../../../accounts/ownership.ts'
import { chargesOf } from '../../../domain/debits/charge.ts'
import { agentPriceKinds } from '../../../domain/selling/price-rule.ts'
import { spentToday } from '../../../orders/permission/agent-limit.ts'
import { networks } from '../../../provider/index.ts'
import { pesewas } from '../../../provider/money.ts'
import { agentNotifyLevels, type Member } from '../../../store/accounts/accounts.ts'
import type { HistoryEntry } from '../../../store/orders/history.ts'
import type { ActOf } from '../../buttons/table.ts'
import { standingSeenBy } from '../../cards/viewer.ts'
import { agentLabel, agentLabels } from '../../cards/words/team.ts'
import { type Button, button, inRows, type Screen } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { when } from '../../chat/time.ts'
import { labels } from '../../words/labels.ts'
import { openButton } from '../orders/history.ts'
import { listLine, orderLine } from '../orders/history-words.ts'
import * as invitationWords from './invitation-words.ts'
import * as ownerWords from './owner-words.ts'
import * as words from './words.ts'

/** A button about agents. */
export const agentButton = (label: string, act: ActOf<'agents'>): Button =>
  button(label, { do: 'agents', act })

export const homeButton = button(labels.home, { do: 'home' })

export const allButton = agentButton(agentLabels.all, { act: 'list' })

/** Limits that have a button. Other limits can be typed. */
const limits = [5_000, 10_000, 20_000, 50_000].map(pesewas)

const ordersPerPage = 8

/** The account's agents, its open invitations and its other owners. */
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
    agentButton(ownerWords.removeOwnerLabel(each), { act: 'remove_owner', id: each.userId }),
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
  const buttons = members.map(({ name, pausedAt, userId }) =>
    agentButton(agentLabel(name, pausedAt !== null), { act: 'open', id: userId }),
  )
  const revokes = open
    .slice(0, maxInvitations)
    .map((each, index) =>
      agentButton(invitationWords.revokeLabel(index + 1), { act: 'revoke', name: invitationName(each) }),
    )
  return {
    text: words.agents(ownerWords.owners(owners, userId, at), lines, open),
    rows: [
      ...inRows(buttons.slice(0, words.maxAgents), 2),
      ...inRows(removals, 2),
      ...inRows(revokes, 2),
      open.length > 1 ? [agentButton(agentLabels.revokeAll, { act: 'revoke_all' })] : [],
      [agentButton(agentLabels.prices, { act: 'prices' })],
      [agentButton(agentLabels.invite, { act: 'invite' }), homeButton],
    ],
  }
}

/** One agent: limit, networks, what the owner is told, and buttons to change them. */
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
      told: agent.notifyLevel,
      now: at,
    }),
    rows: [
      [
        agentButton(agentLabels.limit, { act: 'limit', id }),
        agentButton(agentLabels.networks, { act: 'networks', id }),
      ],
      [
        agentButton(agentLabels.tell, { act: 'tell', id }),
        agentButton(agentLabels.orders, { act: 'orders', id, page: 0 }),
      ],
      [
        agentButton(pausedAt ? agentLabels.resume : agentLabels.pause, {
          act: 'pause',
          id,
          paused: !pausedAt,
        }),
        agentButton(agentLabels.remove, { act: 'remove', id }),
      ],
      [allButton, homeButton],
    ],
  }
}

/** The prices that all agents of the account see. */
export const pricesScreen = async ({ store }: Services, { accountId }: Party): Promise<Screen> => {
  const { agentPrices } = await store.shops.of(accountId)
  const buttons = agentPriceKinds.map((prices) =>
    agentButton(words.chosenLabel(words.priceLabels[prices], prices === agentPrices), {
      act: 'set_prices',
      prices,
    }),
  )
  return {
    text: words.askPrices(agentPrices),
    rows: [...buttons.map((each) => [each]), [allButton, homeButton]],
  }
}

const backTo = ({ userId }: Member): Button => agentButton(labels.back, { act: 'open', id: userId })

/** A button back to the agent, without a change. */
export const cancelButton = ({ userId }: Member): Button =>
  agentButton(labels.leave, { act: 'open', id: userId })

/** Asks for an agent's daily limit. */
export const limitScreen = (agent: Member): Screen => {
  const { userId: id, dailyLimitPesewas: limit } = agent
  const buttons = limits.map((pesewas) =>
    agentButton(words.limitLabel(pesewas, pesewas === limit), { act: 'set_limit', id, pesewas }),
  )
  const none = agentButton(words.chosenLabel(agentLabels.noLimit, limit === null), {
    act: 'set_limit',
    id,
    pesewas: null,
  })
  return {
    text: words.askLimit(agent.name, limit),
    rows: [...inRows(buttons, 2), [none, cancelButton(agent)]],
  }
}

/** Asks on which networks an agent may order. */
export const networksScreen = (agent: Member): Screen => {
  const buttons = networks.map((network) => {
    const isAllowed = agent.networks === null || agent.networks.includes(network)
    return agentButton(words.networkLabel(network, isAllowed), {
      act: 'network',
      id: agent.userId,
      network,
      allowed: !isAllowed,
    })
  })
  return {
    text: words.networksOf(agent.name, agent.networks),
    rows: [...inRows(buttons, 2), [backTo(agent)]],
  }
}

/** Asks what the owner wants to be told about an agent's orders. */
export const toldScreen = (agent: Member): Screen => {
  const buttons = agentNotifyLevels.map((level) =>
    agentButton(words.chosenLabel(words.toldLabels[level], level === agent.notifyLevel), {
      act: 'set_tell',
      id: agent.userId,
      level,
    }),
  )
  return {
    text: words.askTold(agent.name, agent.notifyLevel),
    rows: [...inRows(buttons, 2), [backTo(agent)]],
  }
}

/** A page of an agent's orders. @param page counted from 0. */
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
  const buttons = shown.map(({ order }, index) => openButton(order, words.openLabel(first + index + 1)))
  const paging = (label: string, to: number) => agentButton(label, { act: 'orders', id: userId, page: to })
  return {
    text: words.agentOrders(
      name,
      shown.map((entry, index) => lineOf(entry, first + index + 1, now())),
      page,
    ),
    rows: [
      buttons.slice(0, 4),
      buttons.slice(4),
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
        agentButton(agentLabels.removeSure, { act: 'remove_sure', id }),
        agentButton(agentLabels.keep, { act: 'open', id }),
      ],
    ],
  }
}
