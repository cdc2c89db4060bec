import type { Bundle } from '../provider/index.ts'
import type { Pesewas } from '../provider/money.ts'
import { pricesForAgents } from '../shop/agent-prices.ts'
import type { Member } from '../store/accounts.ts'
import type { Queries } from '../store/store.ts'
import { type Allowance, allowanceOf } from './allowance.ts'
import type { Shown } from './list.ts'

/** What a preview says there is to spend, and on which networks. */
type Purse = Pick<Shown, 'balancePesewas' | 'balanceAtMs' | 'limitPesewas' | 'isLeftHidden' | 'networks'>

/**
 * Owners see the wallet's balance; agents never do: they see what is left of their limit of the day, and what
 * they may not order is left out.
 * @param balance asked for owners alone.
 */
export const purseOf = async (
  queries: Queries,
  { userId, accountId }: { userId: number; accountId: string },
  balance: () => Promise<{ balancePesewas: Pesewas | null; at: Date | null }>,
  at: Date,
): Promise<Purse> => {
  const member = await queries.accounts.member(userId)
  if (member?.accountId !== accountId || member.role === 'owner') {
    const known = await balance()
    return { balancePesewas: known.balancePesewas, balanceAtMs: known.at?.getTime() ?? null }
  }
  return { ...allowedPurse(await allowanceOf(queries, member, at)), ...allowedNetworks(member.networks) }
}

/** Null: all, those that the provider sells one day too. */
export const allowedNetworks = (networks: Member['networks']): Pick<Purse, 'networks'> =>
  networks === null ? {} : { networks }

/** What an agent may spend; without a limit neither is known. */
export const allowedPurse = (allowance: Allowance | null): Purse => ({
  balancePesewas: allowance?.leftPesewas ?? null,
  limitPesewas: allowance?.limitPesewas ?? null,
  ...(allowance?.isSeen === false && { isLeftHidden: true }),
})

/** What whoever orders sees in place of the costs of those bundles; nothing for owners, who see the costs. */
export const pricesSeenBy = async (
  queries: Pick<Queries, 'accounts' | 'shops'>,
  { userId, accountId }: { userId: number; accountId: string },
  bundles: readonly Bundle[],
): Promise<Pick<Shown, 'seen'>> => {
  const member = await queries.accounts.member(userId)
  if (member?.accountId === accountId && member.role === 'owner') return {}
  const seen = pricesForAgents(await queries.shops.of(accountId), bundles)
  return seen === null ? {} : { seen }
}
