import { chargeKnownOf } from '../../domain/debits/charge.ts'
import type { Allowance } from '../../domain/may-order.ts'
import { inAgentPrices } from '../../domain/selling/agent-prices.ts'
import { costOf } from '../../domain/selling/spending.ts'
import { atLeastZero, larger, minus, type Pesewas, pesewas, sum, times } from '../../provider/money.ts'
import type { Member } from '../../store/accounts/accounts.ts'
import type { Queries } from '../../store/store.ts'

/**
 * An agent's limits: the networks on which they may order, and the most that they may spend in a day (midnight to
 * midnight in Accra, which is UTC all year). Orders that may still be charged count in full. Orders that were refused,
 * cancelled or refunded do not count.
 *
 * The daily limit counts the prices that the agent sees: selling prices, or costs. Otherwise an agent could work out
 * the costs from the limit. An order without a selling price counts with its cost.
 */

/** How much of the member's limit for today is left; null if the member has no limit. */
export const allowanceOf = async (
  queries: Pick<Queries, 'orders' | 'shops'>,
  member: Limited & Pick<Member, 'userId' | 'accountId' | 'role'>,
  at: Date,
): Promise<Allowance | null> => {
  const limitPesewas = limitToday(member, at)
  if (member.role !== 'agent' || limitPesewas === null) return null
  const spent = await spentToday(queries, member, at)
  return {
    limitPesewas,
    leftPesewas: atLeastZero(minus(limitPesewas, spent.pesewas)),
    isSeen: spent.isSeen,
  }
}

/**
 * How much of the limit today's orders use. `maybePesewas` is the part for orders whose charge is uncertain. `isSeen`
 * says whether the agent may see every price in the sum.
 */
export const spentToday = async (
  queries: Pick<Queries, 'orders' | 'shops'>,
  { userId, accountId }: Pick<Member, 'userId' | 'accountId'>,
  at: Date,
): Promise<{ pesewas: Pesewas; maybePesewas: Pesewas; isSeen: boolean }> => {
  const { agentPrices } = await queries.shops.asSeenBy({ userId, accountId })
  const orders = await queries.orders.spending(accountId, userId, startOfDay(at))
  const counted = orders
    .filter((order) => costOf(order) > 0)
    .map((order) => ({ order, seen: agentPrices === 'selling' ? inAgentPrices(order) : null }))
  return {
    pesewas: sum(counted.map(({ order, seen }) => costOf(seen ?? order))),
    maybePesewas: sum(
      counted
        .filter(({ order }) => chargeKnownOf(order) === 'maybe')
        .map(({ order, seen }) => costOf(seen ?? order)),
    ),
    isSeen: agentPrices === 'cost' || counted.every(({ seen }) => seen !== null),
  }
}

type Limited = Pick<Member, 'dailyLimitPesewas' | 'raisedPesewas' | 'raisedAt'>

/** The agent's limit of the day: the daily one, or a higher one that an owner allowed for this day; null: none. */
export const limitToday = (
  { dailyLimitPesewas, raisedPesewas, raisedAt }: Limited,
  at: Date,
): Pesewas | null =>
  dailyLimitPesewas !== null && raisedPesewas !== null && raisedAt && isSameDay(raisedAt, at)
    ? larger(dailyLimitPesewas, raisedPesewas)
    : dailyLimitPesewas

export const isSameDay = (one: Date, other: Date): boolean =>
  startOfDay(one).getTime() === startOfDay(other).getTime()

/** The limit to offer to an agent who needs this much today, rounded up to GHS 50. */
export const raisedFor = (neededTodayPesewas: Pesewas): Pesewas =>
  times(raiseStep, Math.ceil(neededTodayPesewas / raiseStep))

const raiseStep = pesewas(5_000)

/** Midnight in Accra. */
export const startOfDay = (at: Date): Date => new Date(Math.floor(at.getTime() / dayMs) * dayMs)

const dayMs = 24 * 60 * 60_000
