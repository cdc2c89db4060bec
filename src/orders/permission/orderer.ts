import { type Denial, type OrdererState, orderDenial, type Step } from '../../domain/may-order.ts'
import type { Member, MemberOfAccount } from '../../store/accounts/accounts.ts'
import type { Queries } from '../../store/store.ts'
import { allowanceOf } from './agent-limit.ts'
import { type Switches, switchesOf } from './switches.ts'

/**
 * Decides whether this person may take the step. Every message and every press that leads to an order goes through this
 * check.
 *
 * Call it for `confirm` and `release` in a transaction that has the account to itself: concurrent presses are then
 * checked one after the other, and the second sees what the first has ordered.
 * @param read the member and the switches, if the caller has just read them.
 * @returns why the person may not; null if they may.
 */
export const denialFor = async (
  queries: Pick<Queries, 'accounts' | 'facts' | 'orders' | 'shops'>,
  { userId, accountId }: { userId: number; accountId: string },
  step: Step,
  { at, isShortOfRoom }: Moment,
  read?: { member: MemberOfAccount | null; switches: Switches },
): Promise<Denial | null> => {
  const { accounts } = queries
  const [known, { maintenance, down }] = read
    ? [read.member, read.switches]
    : await Promise.all([
        step.kind === 'begin' ? accounts.memberWithAccount(userId) : accounts.orderer(userId, accountId),
        switchesOf(queries),
      ])
  const member = known?.accountId === accountId ? known : null
  return orderDenial(
    {
      isShortOfRoom,
      account: member?.account ?? (await accounts.byId(accountId)),
      member,
      maintenance,
      down: [...down.keys()],
      limit: member && step.kind === 'confirm' ? await limitOf(queries, member, at) : null,
    },
    step,
  )
}

/** The time of the step, and whether the disk was nearly full at that time. */
export interface Moment {
  at: Date
  isShortOfRoom: boolean
}

const limitOf = async (
  queries: Pick<Queries, 'orders' | 'shops'>,
  member: Member,
  at: Date,
): Promise<OrdererState['limit']> => {
  const allowance = await allowanceOf(queries, member, at)
  return allowance && { ...allowance, agentPrices: (await queries.shops.asSeenBy(member)).agentPrices }
}
