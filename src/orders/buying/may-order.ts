import { seenPrice } from '../../domain/agent-prices.ts'
import type { AgentPrices } from '../../domain/selling.ts'
import { type Pesewas, sum } from '../../provider/money.ts'
import type { Account, Member, MemberOfAccount } from '../../store/accounts/accounts.ts'
import type { Queries } from '../../store/store.ts'
import { type Allowance, allowanceOf, mayOrderOn } from './agent-limit.ts'
import type { Maintenance } from './maintenance.ts'
import { type Switches, switchesOf } from './switches.ts'

/** Why somebody may not order. */
export type Denial =
  /** The disk is nearly full, so nothing new is taken. */
  | { kind: 'no_room' }
  /** The account is being removed. */
  | { kind: 'closing' }
  /** They are no longer a member of the account. */
  | { kind: 'removed' }
  /** The operator has paused all orders. */
  | ({ kind: 'maintenance' } & Maintenance)
  /** The operator has switched the order's network off. `down` names all networks that are off. */
  | { kind: 'network_down'; network: string; down: string[] }
  /** The agent is paused until an owner resumes them. */
  | { kind: 'paused' }
  /** The owner does not let this agent order on that network. */
  | { kind: 'network'; network: string; allowed: string[] }
  /** The order costs more than the agent's daily limit leaves. */
  | ({ kind: 'limit'; neededPesewas: Pesewas; isNeedSeen: boolean } & Allowance)

/** An item to be ordered: one recipient's bundle or a whole order. */
export interface Wanted {
  network: string
  /** What it costs the wallet. */
  pricePesewas: Pesewas
  /** The selling price that an agent was shown. */
  agentPesewas?: Pesewas | null
}

/**
 * What somebody wants to do: `begin` an order, which only makes a draft; `confirm` a draft; `release` a confirmed
 * order that waits.
 */
export type Step = { kind: 'begin' } | { kind: 'confirm'; wanted: readonly Wanted[] } | { kind: 'release' }

/**
 * Which steps a denial stops.
 *
 * | | begin | confirm | release |
 * |---|---|---|---|
 * | room, closing account | ✗ | ✗ | allowed: the order is confirmed already |
 * | maintenance | allowed: the draft is kept until maintenance ends | ✗ | ✗ |
 * | network off | allowed: the draft's card says so | ✗ | allowed: the order waits |
 * | network not allowed, limit | allowed: the draft's card says so | ✗ | allowed: checked at the confirmation |
 * | removed, paused | ✗ | ✗ | ✗ |
 */
const stops: Record<Denial['kind'], readonly Step['kind'][]> = {
  no_room: ['begin', 'confirm'],
  closing: ['begin', 'confirm'],
  removed: ['begin', 'confirm', 'release'],
  maintenance: ['confirm', 'release'],
  network_down: ['confirm'],
  paused: ['begin', 'confirm', 'release'],
  network: ['confirm'],
  limit: ['confirm'],
}

/** What is known about somebody who wants to order. */
interface OrdererState {
  isShortOfRoom: boolean
  account: Pick<Account, 'eraseBy'> | null
  /** Null: the person is not a member of the account. */
  member: Pick<Member, 'role' | 'pausedAt' | 'networks'> | null
  maintenance: Maintenance | null
  /** Networks on which the operator takes no new orders. */
  down: readonly string[]
  /** The agent's daily limit and the prices that it counts in; null: there is none, or the step does not need it. */
  limit: (Allowance & { agentPrices: AgentPrices }) | null
}

/** The first denial that stops the step; null: none does. */
export const denialIn = (state: OrdererState, step: Step): Denial | null => {
  for (const denial of denials(state, step.kind === 'confirm' ? step.wanted : [])) {
    if (stops[denial.kind].includes(step.kind)) return denial
  }
  return null
}

/** Denials for everybody come first, then those that owners set for an agent. */
function* denials(state: OrdererState, wanted: readonly Wanted[]): Generator<Denial> {
  const { isShortOfRoom, account, member, maintenance, down, limit } = state
  if (isShortOfRoom) yield { kind: 'no_room' }
  if (account?.eraseBy) yield { kind: 'closing' }
  if (member === null) yield { kind: 'removed' }
  if (maintenance) yield { kind: 'maintenance', ...maintenance }
  const off = wanted.find(({ network }) => down.includes(network))
  if (off) yield { kind: 'network_down', network: off.network, down: [...down] }
  if (member?.role !== 'agent') return
  if (member.pausedAt !== null) yield { kind: 'paused' }
  const barred = wanted.find(({ network }) => !mayOrderOn(member, network))
  if (barred) yield { kind: 'network', network: barred.network, allowed: member.networks ?? [] }
  if (limit) yield* aboveLimit(limit, wanted)
}

const aboveLimit = (
  { agentPrices, ...allowance }: NonNullable<OrdererState['limit']>,
  wanted: readonly Wanted[],
): Denial[] => {
  const seen = wanted.map((each) => seenPrice(each, agentPrices))
  const neededPesewas = sum(wanted.map(({ pricePesewas }, index) => seen[index] ?? pricePesewas))
  return neededPesewas > allowance.leftPesewas
    ? [{ kind: 'limit', neededPesewas, isNeedSeen: !seen.includes(null), ...allowance }]
    : []
}

/**
 * Decides whether this person may take the step. Every message and every press that leads to an order asks this.
 *
 * Call it for `confirm` and `release` in a transaction that has the account to itself: concurrent presses are then
 * checked one after the other, and the second sees what the first has ordered.
 * @param read the member and the switches, if the caller has just read them.
 * @returns why they may not; null: they may.
 */
export const denialTo = async (
  queries: Pick<Queries, 'accounts' | 'chats' | 'orders' | 'shops'>,
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
  return denialIn(
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

/** The time of the step, and whether the disk is nearly full then. */
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
  return allowance && { ...allowance, agentPrices: (await queries.shops.of(member.accountId)).agentPrices }
}
