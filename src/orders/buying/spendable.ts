import type { Shown } from '../../domain/list-draft.ts'
import type { Allowance } from '../../domain/may-order.ts'
import { pricesForAgents } from '../../domain/selling/agent-prices.ts'
import type { Bundle } from '../../provider/index.ts'
import type { Pesewas } from '../../provider/money.ts'
import type { Member } from '../../store/accounts/accounts.ts'
import type { Queries } from '../../store/store.ts'
import { allowanceOf } from '../permission/agent-limit.ts'

type Spendable = Pick<Shown, 'balancePesewas' | 'balanceAtMs' | 'limitPesewas' | 'isLeftHidden' | 'networks'>

/**
 * What the person may spend. Owners see the wallet's balance. Agents see what is left of their daily limit, and the
 * networks on which they may order.
 * @param balance reads the balance; called only for owners.
 */
export const spendableOf = async (
  queries: Queries,
  { userId, accountId }: { userId: number; accountId: string },
  balance: () => Promise<{ balancePesewas: Pesewas | null; at: Date | null }>,
  at: Date,
): Promise<Spendable> => {
  const member = await queries.accounts.member(userId)
  if (member?.accountId !== accountId || member.role === 'owner') {
    const known = await balance()
    return { balancePesewas: known.balancePesewas, balanceAtMs: known.at?.getTime() ?? null }
  }
  return { ...spendableWithin(await allowanceOf(queries, member, at)), ...allowedNetworks(member.networks) }
}

/** The networks in the form in which a preview stores them. Null (all networks, including future ones) is left out. */
export const allowedNetworks = (networks: Member['networks']): Pick<Spendable, 'networks'> =>
  networks === null ? {} : { networks }

/** What an agent may spend. Without a limit, both amounts are null. */
export const spendableWithin = (allowance: Allowance | null): Spendable => ({
  balancePesewas: allowance?.leftPesewas ?? null,
  limitPesewas: allowance?.limitPesewas ?? null,
  ...(allowance?.isSeen === false && { isLeftHidden: true }),
})

/** The prices that an agent sees in place of the costs. Empty for a person who sees the costs. */
export const pricesSeenBy = async (
  queries: Pick<Queries, 'accounts' | 'shops'>,
  { userId, accountId }: { userId: number; accountId: string },
  bundles: readonly Bundle[],
): Promise<Pick<Shown, 'seen'>> => {
  const member = await queries.accounts.member(userId)
  if (member?.accountId === accountId && member.role === 'owner') return {}
  const seen = pricesForAgents(await queries.shops.asSeenBy({ userId, accountId }), bundles)
  return seen === null ? {} : { seen }
}
