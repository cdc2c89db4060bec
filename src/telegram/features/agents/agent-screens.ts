import { invitationName, type Party } from '../../../accounts/agency.ts'
import { isAwaited } from '../../../accounts/departure.ts'
import { mayRemove } from '../../../accounts/ownership.ts'
import { chargesOf } from '../../../domain/debits/charge.ts'
import { agentPriceKinds } from '../../../domain/selling/price-rule.ts'
import { limitToday, spentToday, startOfDay } from '../../../orders/permission/agent-limit.ts'
import { networks } from '../../../provider/index.ts'
import { readTally } from '../../../shop/tally.ts'
import { agentNotifyLevels, type Member } from '../../../store/accounts/accounts.ts'
import type { HistoryEntry } from '../../../store/orders/history.ts'
import type { ActOf } from '../../buttons/table.ts'
import { standingSeenBy } from '../../cards/viewer.ts'
import { agentLabel, agentLabels } from '../../cards/words/team.ts'
import { type Button, button, homeButton, inRows, pagingButtons, type Screen } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { when } from '../../chat/time.ts'
import { chosenLabel, labels } from '../../words/labels.ts'
import { openButton } from '../orders/history.ts'
import { listLine, orderLine } from '../orders/history-words.ts'
import * as invitationWords from './invitation-words.ts'
import * as ownerWords from './owner-words.ts'
import * as words from './words.ts'

export const agentButton = (label: string, act: ActOf<'agents'>): Button =>
  button(label, { do: 'agents', act })

export const allButton = agentButton(agentLabels.all, { act: 'list' })

const ordersPerPage = 5

const agentsPerPage = 4

/** How many owners or invitations have a button. */
const maxRemovals = 5

/** A page of the account's agents, with what each sold today, and its other owners. @param page counted from 0. */
export const listScreen = async (services: Services, owner: Party, page = 0): Promise<Screen> => {
  const { store, now } = services
  const at = now()
  const { agents, owners } = await teamOf(services, owner)
  const first = page * agentsPerPage
  const shown = agents.slice(first, first + agentsPerPage)
  const lines = await Promise.all(shown.map((agent) => standingOf(services, agent, at)))
  const open = await store.invitations.openOf(owner.accountId, at)
  const buttons = shown.map(({ name, pausedAt, userId }) =>
    agentButton(agentLabel(name, pausedAt !== null), { act: 'open', id: userId }),
  )
  return {
    text: words.agents(ownerWords.owners(owners, owner.userId, at), lines, {
      count: agents.length,
      open: open.length,
    }),
    rows: [
      ...inRows(buttons, 2),
      pagingButtons(page, agents.length > first + agentsPerPage, (label, to) =>
        agentButton(label, { act: 'page', page: to }),
      ),
      [agentButton(agentLabels.invite, { act: 'invite' }), agentButton(agentLabels.more, { act: 'others' })],
    ],
  }
}

/** What owners rarely need: what all agents see, open invitations and other owners. */
export const othersScreen = async (services: Services, owner: Party): Promise<Screen> => {
  const { owners } = await teamOf(services, owner)
  return {
    text: words.others,
    rows: [
      [agentButton(agentLabels.prices, { act: 'prices' })],
      [agentButton(agentLabels.invitations, { act: 'invitations' })],
      owners.length > 1 ? [agentButton(agentLabels.owners, { act: 'owners' })] : [],
      [allButton, homeButton],
    ],
  }
}

/** The account's other owners, with a button for each whom this owner may remove. */
export const ownersScreen = async (services: Services, owner: Party): Promise<Screen> => {
  const { owners } = await teamOf(services, owner)
  const self = owners.find((each) => each.userId === owner.userId)
  const removals = owners
    .filter((each) => self && mayRemove(self, each))
    .slice(0, maxRemovals)
    .map((each) => agentButton(ownerWords.removeOwnerLabel(each), { act: 'remove_owner', id: each.userId }))
  return {
    text: ownerWords.owners(owners, owner.userId, services.now()) ?? ownerWords.onlyYou,
    rows: [...removals.map((each) => [each]), [backToOthers]],
  }
}

const backToOthers = agentButton(labels.back, { act: 'others' })

/** The account's open invitations, each with a button that revokes it. */
export const invitationsScreen = async ({ store, now }: Services, { accountId }: Party): Promise<Screen> => {
  const open = await store.invitations.openOf(accountId, now())
  const revokes = open
    .slice(0, maxRemovals)
    .map((each, index) =>
      agentButton(invitationWords.revokeLabel(index + 1), { act: 'revoke', name: invitationName(each) }),
    )
  return {
    text: invitationWords.openInvitations(open),
    rows: [
      ...inRows(revokes, 2),
      open.length > 1 ? [agentButton(agentLabels.revokeAll, { act: 'revoke_all' })] : [],
      [agentButton(agentLabels.invite, { act: 'invite' }), backToOthers],
    ],
  }
}

/** The account's agents and owners, the earliest first. */
const teamOf = async ({ store }: Services, { accountId }: Party) => {
  const everybody = (await store.accounts.members(accountId)).toSorted(
    (a, b) => a.createdAt.getTime() - b.createdAt.getTime(),
  )
  return {
    agents: everybody.filter(({ role }) => role === 'agent'),
    owners: everybody.filter(({ role }) => role === 'owner'),
  }
}

/** What an agent has sold today, and how much of the limit it used. */
const standingOf = async ({ store }: Services, agent: Member, at: Date): Promise<words.Standing> => {
  const { accountId, userId } = agent
  const whose = { accountId, userId, prices: 'cost' } as const
  return {
    name: agent.name,
    isPaused: agent.pausedAt !== null,
    limitPesewas: limitToday(agent, at),
    spent: await spentToday(store, agent, at),
    sold: await readTally(store.tallies, whose, { from: startOfDay(at), to: at }),
  }
}

/** One agent: what they sold, and buttons for what they may do. */
export const agentScreen = async (services: Services, agent: Member): Promise<Screen> => {
  const at = services.now()
  const { userId: id, pausedAt } = agent
  const { agentPrices } = await services.store.shops.of(agent.accountId)
  return {
    text: words.agent({
      ...(await standingOf(services, agent, at)),
      since: agent.createdAt,
      pausedAt,
      prices: agentPrices,
      rule: agent.priceRule,
      networks: agent.networks,
      told: agent.notifyLevel,
      now: at,
    }),
    rows: [
      [
        agentButton(agentLabels.limit, { act: 'limit', id }),
        agentButton(agentLabels.price, { act: 'price', id }),
      ],
      [
        agentButton(agentLabels.orders, { act: 'orders', id, page: 0 }),
        agentButton(pausedAt ? agentLabels.resume : agentLabels.pause, {
          act: 'pause',
          id,
          paused: !pausedAt,
        }),
      ],
      [agentButton(agentLabels.more, { act: 'more', id }), allButton],
    ],
  }
}

/** What owners rarely change about an agent. */
export const moreScreen = (agent: Member): Screen => {
  const { userId: id, name } = agent
  return {
    text: words.more(name, agent.networks, agent.notifyLevel),
    rows: [
      [
        agentButton(agentLabels.networks, { act: 'networks', id }),
        agentButton(agentLabels.tell, { act: 'tell', id }),
      ],
      [agentButton(agentLabels.remove, { act: 'remove', id }), backTo(agent)],
    ],
  }
}

/** The prices that all agents of the account see. */
export const pricesScreen = async ({ store }: Services, { accountId }: Party): Promise<Screen> => {
  const { agentPrices } = await store.shops.of(accountId)
  const buttons = agentPriceKinds.map((prices) =>
    agentButton(chosenLabel(words.priceLabels[prices], prices === agentPrices), {
      act: 'set_prices',
      prices,
    }),
  )
  return {
    text: words.askPrices(agentPrices),
    rows: [...buttons.map((each) => [each]), [backToOthers]],
  }
}

const backTo = ({ userId }: Member): Button => agentButton(labels.back, { act: 'open', id: userId })

const backToMore = ({ userId }: Member): Button => agentButton(labels.back, { act: 'more', id: userId })

/** A button back to the agent, without a change. */
export const cancelButton = ({ userId }: Member): Button =>
  agentButton(labels.leave, { act: 'open', id: userId })

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
    rows: [...inRows(buttons, 2), [backToMore(agent)]],
  }
}

/** Asks what the owner wants to be told about an agent's orders. */
export const toldScreen = (agent: Member): Screen => {
  const buttons = agentNotifyLevels.map((level) =>
    agentButton(chosenLabel(words.toldLabels[level], level === agent.notifyLevel), {
      act: 'set_tell',
      id: agent.userId,
      level,
    }),
  )
  return {
    text: words.askNotifyLevel(agent.name, agent.notifyLevel),
    rows: [...inRows(buttons, 2), [backToMore(agent)]],
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
  const query = {
    accountId,
    userId,
    state: 'all',
    since: null,
    until: null,
    network: null,
    search: null,
  } as const
  const found = await store.history.page(query, first, ordersPerPage + 1)
  if (found.length === 0 && page === 0) return { text: words.noAgentOrders(name), rows: [[backTo(agent)]] }
  const shown = found.slice(0, ordersPerPage)
  const buttons = shown.map(({ order }, index) => openButton(order, words.openLabel(first + index + 1)))
  return {
    text: words.agentOrders(
      name,
      shown.map((entry, index) => lineOf(entry, first + index + 1, now())),
      page,
    ),
    rows: [
      buttons,
      pagingButtons(page, found.length > ordersPerPage, (label, to) =>
        agentButton(label, { act: 'orders', id: userId, page: to }),
      ),
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
