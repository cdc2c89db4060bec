import { type Pesewas, sum } from '../provider/money.ts'
import { seenPrice } from './selling/agent-prices.ts'
import type { AgentPrices } from './selling/price-rule.ts'

/**
 * The operator's pause of all orders: while it lasts, no press orders anything, on any instance. Orders that were
 * confirmed before are still sent, reconciled and followed to their end.
 */
export interface Maintenance {
  since: Date
  /** When the operator expects the pause to end. It does not end by that time automatically: the operator ends it. */
  until: Date | null
  reason: string | null
}

export interface Allowance {
  limitPesewas: Pesewas
  leftPesewas: Pesewas
  /** Whether the agent may know how much is left. They may not if that would reveal a cost that they do not see. */
  isSeen: boolean
}

export type Denial =
  /** The disk is nearly full, so no new orders are accepted. */
  | { kind: 'no_room' }
  | { kind: 'closing' }
  /** The person is no longer a member of the account. */
  | { kind: 'removed' }
  | ({ kind: 'maintenance' } & Maintenance)
  /** The order's network is down. `down` names all networks that are down. */
  | { kind: 'network_down'; network: string; down: string[] }
  /** The agent is paused until an owner resumes them. */
  | { kind: 'paused' }
  /** The owner does not let this agent order on that network. */
  | { kind: 'network'; network: string; allowed: string[] }
  /** The order costs more than the agent's daily limit leaves. */
  | ({ kind: 'limit'; neededPesewas: Pesewas; isNeedSeen: boolean } & Allowance)

export interface Wanted {
  network: string
  /** What the item costs the wallet. */
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
 * | network down | allowed: the draft's card says so | ✗ | allowed: the order waits |
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

/** The facts about a member that decide whether they may order. */
interface OrderingMember {
  role: 'owner' | 'agent'
  pausedAt: Date | null
  /** Null allows all networks. */
  networks: readonly string[] | null
}

/** Whether owners let this member order on the network. Null allows all networks, including future ones. */
export const isNetworkAllowed = ({ networks }: Pick<OrderingMember, 'networks'>, network: string): boolean =>
  networks === null || networks.includes(network)

export interface OrdererState {
  isShortOfRoom: boolean
  account: { eraseBy: Date | null } | null
  /** Null if the person is not a member of the account. */
  member: OrderingMember | null
  maintenance: Maintenance | null
  /** Networks that are down. */
  down: readonly string[]
  /**
   * The agent's daily limit and the kind of prices that it counts in; null if there is no limit, or the step does not
   * need it.
   */
  limit: (Allowance & { agentPrices: AgentPrices }) | null
}

export const orderDenial = (state: OrdererState, step: Step): Denial | null => {
  for (const denial of denials(state, step.kind === 'confirm' ? step.wanted : [])) {
    if (stops[denial.kind].includes(step.kind)) return denial
  }
  return null
}

/** Denials that apply to everybody come first, then those that owners set for an agent. */
function* denials(state: OrdererState, wanted: readonly Wanted[]): Generator<Denial> {
  const { isShortOfRoom, account, member, maintenance, down, limit } = state
  if (isShortOfRoom) yield { kind: 'no_room' }
  if (account?.eraseBy) yield { kind: 'closing' }
  if (member === null) yield { kind: 'removed' }
  if (maintenance) yield { kind: 'maintenance', ...maintenance }
  const waiting = wanted.find(({ network }) => down.includes(network))
  if (waiting) yield { kind: 'network_down', network: waiting.network, down: [...down] }
  if (member?.role !== 'agent') return
  if (member.pausedAt !== null) yield { kind: 'paused' }
  const barred = wanted.find(({ network }) => !isNetworkAllowed(member, network))
  if (barred) yield { kind: 'network', network: barred.network, allowed: [...(member.networks ?? [])] }
  if (limit) yield* aboveLimit(limit, wanted)
}

const aboveLimit = (
  { agentPrices, ...allowance }: NonNullable<OrdererState['limit']>,
  wanted: readonly Wanted[],
): Denial[] => {
  const neededPesewas = neededFor(wanted, agentPrices)
  const isNeedSeen = wanted.every((each) => seenPrice(each, agentPrices) !== null)
  return neededPesewas > allowance.leftPesewas
    ? [{ kind: 'limit', neededPesewas, isNeedSeen, ...allowance }]
    : []
}

/** What the items count towards an agent's limit: the prices that the agent sees, or else the costs. */
export const neededFor = (wanted: readonly Wanted[], agentPrices: AgentPrices): Pesewas =>
  sum(wanted.map((each) => seenPrice(each, agentPrices) ?? each.pricePesewas))
