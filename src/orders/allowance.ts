import type { Pesewas } from '../provider/money.ts'
import { type Amounts, inAgentPrices, seenPrice } from '../shop/agent-prices.ts'
import type { Member } from '../store/accounts.ts'
import type { Queries } from '../store/store.ts'
import { type Maintenance, maintenanceOf } from './maintenance.ts'
import { networksDown } from './network-switch.ts'
import { chargeOf, type Order } from './order.ts'

/**
 * What an agent may order on the account's wallet: while not paused, on the networks that its owners allow, and as
 * much of a day (midnight to midnight in Accra, which is UTC all year) as their limit. What may still be charged
 * counts like what was; what was refused, cancelled or given back does not.
 *
 * The limit counts in the prices that the agent sees, so that nothing can be told from it of those that they do not:
 * in selling prices, or where they see the costs in those. What has no selling price counts by its cost.
 */
export type Hindrance =
  /** They are no member of the account any more. */
  | { kind: 'removed' }
  /** The operator has paused all orders, everybody's. */
  | ({ kind: 'maintenance' } & Maintenance)
  /** The disk is nearly full: nothing new is taken in. */
  | { kind: 'no_room' }
  /** The operator takes no new orders on that network now; all such are named. */
  | { kind: 'network_down'; network: string; down: string[] }
  | { kind: 'paused' }
  | { kind: 'network'; network: string; allowed: string[] }
  | ({ kind: 'limit'; neededPesewas: Pesewas; isNeedSeen: boolean } & Allowance)

/** What is left of an agent's limit of the day. */
export interface Allowance {
  limitPesewas: Pesewas
  leftPesewas: Pesewas
  /** Whether the agent may know what is left: where a cost that they do not see is in it, they may not. */
  isSeen: boolean
}

/** What is about to be ordered: for whole orders, or for recipients one by one. */
export interface Wanted {
  network: string
  /** What it costs the wallet. */
  pricePesewas: number
  /** The selling price that an agent was shown. */
  agentPesewas?: number | null
}

/**
 * What keeps somebody from ordering that now; null: nothing does. Every press that leads to an order asks it. Who is asked about stays as they are until the
 * transaction ends, and others who ask about them wait for it: so of two that press at once the second sees what the
 * first has ordered.
 */
export const hindranceTo = async (
  tx: Queries,
  { userId, accountId }: { userId: number; accountId: string },
  wanted: readonly Wanted[],
  at: Date,
): Promise<Hindrance | null> => {
  const member = await tx.accounts.hold(userId, accountId)
  if (!member) return { kind: 'removed' }
  const maintenance = await maintenanceOf(tx)
  if (maintenance) return { kind: 'maintenance', ...maintenance }
  const down = await networksDown(tx)
  const off = wanted.find(({ network }) => down.has(network))
  if (off) return { kind: 'network_down', network: off.network, down: [...down.keys()] }
  if (member.role === 'owner') return null
  if (member.pausedAt !== null) return { kind: 'paused' }
  const other = wanted.find(({ network }) => !mayOrderOn(member, network))
  if (other) return { kind: 'network', network: other.network, allowed: member.networks ?? [] }
  const allowance = await allowanceOf(tx, member, at)
  if (!allowance) return null
  const { agentPrices } = await tx.shops.of(accountId)
  const seen = wanted.map((each) => seenPrice(each, agentPrices))
  const neededPesewas = wanted.reduce(
    (sum, { pricePesewas }, index) => sum + (seen[index] ?? pricePesewas),
    0,
  ) as Pesewas
  return neededPesewas > allowance.leftPesewas
    ? { kind: 'limit', neededPesewas, isNeedSeen: !seen.includes(null), ...allowance }
    : null
}

export const mayOrderOn = ({ networks }: Pick<Member, 'networks'>, network: string): boolean =>
  networks === null || networks.includes(network)

/** What is left of a member's limit today; null where they have none. */
export const allowanceOf = async (
  queries: Pick<Queries, 'orders' | 'shops'>,
  member: Pick<Member, 'userId' | 'accountId' | 'role' | 'dailyLimitPesewas'>,
  at: Date,
): Promise<Allowance | null> => {
  const { role, dailyLimitPesewas } = member
  if (role !== 'agent' || dailyLimitPesewas === null) return null
  const spent = await spentToday(queries, member, at)
  return {
    limitPesewas: dailyLimitPesewas,
    leftPesewas: Math.max(0, dailyLimitPesewas - spent.pesewas) as Pesewas,
    isSeen: spent.isSeen,
  }
}

/** What an agent's orders of today take of their limit; `isSeen`: all of it at prices that they see. */
export const spentToday = async (
  queries: Pick<Queries, 'orders' | 'shops'>,
  { userId, accountId }: Pick<Member, 'userId' | 'accountId'>,
  at: Date,
): Promise<{ pesewas: Pesewas; isSeen: boolean }> => {
  const { agentPrices } = await queries.shops.of(accountId)
  const orders = await queries.orders.spending(accountId, userId, startOfDay(at))
  const counted = orders
    .filter((order) => costOf(order) > 0)
    .map((order) => ({ order, seen: agentPrices === 'selling' ? inAgentPrices(order) : null }))
  return {
    pesewas: counted.reduce((sum, { order, seen }) => sum + costOf(seen ?? order), 0) as Pesewas,
    isSeen: agentPrices === 'cost' || counted.every(({ seen }) => seen !== null),
  }
}

/** The columns that tell what an order costs the wallet. */
export type Spending = Amounts & Pick<Order, 'placement'>

/** What an order costs the wallet, or may, as far as is known. */
export const costOf = (order: Spending): Pesewas => {
  switch (order.placement) {
    case 'queued':
    case 'sending':
    case 'unconfirmed':
    case 'review':
    case 'placed':
      return Math.max(0, chargeOf(order) - (order.refundedPesewas ?? 0)) as Pesewas
    case 'rejected':
    case 'not_placed':
    case 'cancelled':
    case 'expired':
    case 'superseded':
      return 0 as Pesewas
  }
}

/** Midnight in Accra. */
const startOfDay = (at: Date): Date => new Date(Math.floor(at.getTime() / dayMs) * dayMs)

const dayMs = 24 * 60 * 60_000
