import {
  chargeOf,
  isRedacted,
  ownChargeOf,
  type PricelessOrder,
  totalPesewas,
} from '../../../domain/order/order.ts'
import { slowAnswerMs, staleConfirmationMs } from '../../../domain/order/placement.ts'
import { countsOf } from '../../../domain/order/progress.ts'
import { reasonIn } from '../../../domain/order/reason.ts'
import { isExtraOwed } from '../../../domain/order/recipient-ends.ts'
import { pendingPhones } from '../../../domain/order/refused.ts'
import { isTerminal } from '../../../domain/order/status.ts'
import { isLongReported, polledMs } from '../../../domain/times/polling-schedule.ts'
import { watchEndsMs } from '../../../domain/times/reconciling-schedule.ts'
import { heldMs } from '../../../orders/listing/topped-up.ts'
import { isContested } from '../../../orders/reconciling/claimants.ts'
import { formatGhs, minus, type Pesewas, zero } from '../../../provider/money.ts'
import type { DeliveryPace } from '../../../shop/delivery-pace.ts'
import { foreignText } from '../../chat/screen.ts'
import { clock, duration, when } from '../../chat/time.ts'
import { orderedByLine } from '../../words/agent.ts'
import { bundleOf } from '../../words/bundle.ts'
import {
  checkCharges,
  fittingCharge,
  isAgents,
  isRefunded,
  refundWords,
  whatCame,
  whoSaid,
} from '../../words/charge.ts'
import { labels } from '../../words/labels.ts'
import { b, capital, code, grouped, lengthIn, lines } from '../../words/markup.ts'
import { forWhom, phoneText, removedNote } from '../../words/numbers.ts'
import { orderMark, statusWord } from '../../words/order-state.ts'
import { paceLine } from '../../words/pace.ts'
import type { SeenOrder, ViewerRole } from '../viewer.ts'
import { ownerJudges } from './agent-permissions.ts'
import { listOrderWhy, progressLine } from './list.ts'
import { waitsForNetwork } from './paused-or-down.ts'

/** The card of an order: what happened, whether money moved, and what to do next. */

export const orderLabels = {
  sendAnyway: 'Send anyway',
  checkNow: '🔎 Check now',
  wasCharged: 'It was charged',
  wasNotCharged: 'It wasn’t charged',
  repeat: '🔁 Repeat',
  more: '⋯',
  share: '📤 Share',
  forward: '📨 Send to the customer',
  report: '🛟 Report',
  orderAgain: '🔁 Order again',
} as const

/** @param readAt when the balance was read, if it may have changed since. */
export interface BalanceLeft {
  balance: Pesewas
  readAt: string | null
}

interface OrderContext {
  now: Date
  /** The order that this one waits for, or because of which this one was refused; null if there is none. */
  other: SeenOrder | null
  /** The wallet's balance after the order; null: not shown. */
  left: BalanceLeft | null
  /** The wallet's balance, if it was read recently. */
  balance: Pesewas | null
  /** The provider accepts no requests from the account before this time. */
  frozenUntil: Date | null
  /** Whether the account still has an owner here, so that the provider can be asked about its orders. */
  connected: boolean
  /** Whether the provider refuses the account's credentials. Nothing is asked until they change. */
  refused: boolean
  viewer: ViewerRole
  /** The names that the viewer has saved for the numbers. */
  names?: ReadonlyMap<string, string>
  /** The selling price in words. */
  sale: string | null
  /** How long orders on its network take now; null if that is not known. */
  pace: DeliveryPace | null
  /** Whether the order was refused because of an open order, and a debit that may be for it has appeared since. */
  isDoubted?: boolean
  /** Whether the order was confirmed without asking the person, because their settings say so. */
  isUnasked?: boolean
}

export const orderCard = (order: SeenOrder, context: OrderContext) => {
  return lines(
    `${orderMark(order)} ${b(bundleOf(order))} for ${namedWhom(order, context.names)}`,
    `${order.priced ? `${formatGhs(chargeOf(order.priced))} · ` : ''}${b(statusWord(order))}`,
    context.viewer === 'owner' && order.ownerChatId !== null ? orderedByLine(order.agentName) : null,
    context.sale,
    extraLine(order),
    order.kind === 'bulk' && order.placement === 'placed' ? progressLine(countsOf([order])) : null,
    order.reference ? `Reference: ${code(order.reference)}` : null,
    order.otherReference ? `Second reference: ${code(order.otherReference)}` : null,
    timeLine(order, context.now),
    context.pace && paceLine(context.pace),
    context.left && leftLine(context.left),
    explanation(order, context),
    context.isUnasked ? unaskedNote(order) : null,
    isRedacted(order) ? `\n${removedNote(order.recipients.length)}` : null,
  )
}

const leftLine = ({ balance, readAt }: BalanceLeft): string =>
  `Balance: ${formatGhs(balance)}${readAt === null ? '' : ` (as of ${readAt})`}`

/** What the wallet was charged beyond the price, and whether it came back. */
const extraLine = ({ costs, refundAt }: SeenOrder): string | null => {
  if (!costs?.extraPesewas) return null
  const next = refundAt ? 'I’m watching for the refund.' : `No refund yet: press ${orderLabels.report}.`
  return isExtraOwed(costs)
    ? `⚠️ Charged ${formatGhs(chargeOf(costs))} instead of ${formatGhs(ownChargeOf(costs))}. ${next}`
    : `↩️ Charged too much, refunded ${formatGhs(costs.refundedPesewas ?? zero)}.`
}

const namedWhom = (order: PricelessOrder, names: OrderContext['names']): string => {
  if (isRedacted(order)) return forWhom(order)
  const phones = order.recipients.map(({ phone }) => phone)
  const named = phones.slice(0, 3).map((phone) => phoneText(phone, names?.get(phone)))
  return `${named.join(', ')}${phones.length > 3 ? ` and ${grouped(phones.length - 3)} more` : ''}`
}

const unaskedNote = ({ placement }: PricelessOrder): string =>
  `\n⚡ ${placement === 'queued' ? 'Going out' : 'Sent'} without Confirm, as you chose in /settings.${placement === 'queued' ? ` ${labels.cancel} can still stop it.` : ''}`

const timeLine = (order: PricelessOrder, now: Date): string => {
  const start = order.placedAt
    ? `Placed ${when(order.placedAt, now)}`
    : `Confirmed ${when(order.createdAt, now)}`
  return order.deliveredAt && order.status === 'delivered'
    ? `${start} · delivered ${when(order.deliveredAt, now)}`
    : start
}

const explanation = (order: SeenOrder, context: OrderContext): string | null => {
  const text = explain(order, context)
  return text && `\n${text}`
}

const explain = (order: SeenOrder, context: OrderContext): string | null => {
  switch (order.placement) {
    case 'queued':
      return explainWaiting(order, context)
    case 'sending':
      return isSlow(order, context.now)
        ? 'The provider is slow. Still waiting…'
        : 'Being sent to the provider.'
    case 'unconfirmed':
      return explainUnconfirmed(order, context)
    case 'review':
      return explainReview(order, context)
    case 'not_placed':
      return explainNotPlaced(order, context)
    case 'rejected':
      return order.kind === 'bulk'
        ? listOrderWhy(order, pendingPhones(order))
        : explainRefusal(order, context)
    case 'cancelled':
      return explainCancelled(order)
    case 'superseded':
      return 'Not sent. Nothing was charged.'
    case 'placed':
      return explainStatus(order, context)
  }
}

const isSlow = ({ sentAt }: SeenOrder, now: Date): boolean =>
  sentAt !== null && now.getTime() - sentAt.getTime() >= slowAnswerMs

const askTheDashboard = 'Check the provider’s dashboard before you order again.'

const explainUnconfirmed = (order: SeenOrder, { connected, refused, viewer }: OrderContext): string => {
  const may = isAgents(viewer) ? 'The wallet may have been charged' : 'You may have been charged'
  if (!connected)
    return `${whatCame(order)} ${may}. The account was removed from this bot, so I’m no longer checking. ${askTheDashboard}`
  if (refused)
    return isAgents(viewer)
      ? `${may}, so don’t order again. The provider isn’t accepting the owner’s key: ask them to /connect.`
      : `${may}, so don’t order again. The provider isn’t accepting your API key: /connect with the current one, and I’ll check.`
  const open = 'The provider already has an order for this number: this one, or one made elsewhere.'
  if (isContested(order)) return `${open} ${may}, so don’t order again. ${checking}`
  switch (reasonIn('unconfirmed', order.reason)) {
    case 'history_unreadable':
      return `${may}, so don’t order again. I can’t read the wallet’s transactions now${order.reconcileAt ? `, but I’ll try again at ${clock(order.reconcileAt)}` : ''}.`
    case 'restored':
    case 'mistaken':
    case 'reference_taken':
    case 'pending':
    case 'interrupted':
    case 'timeout':
    case 'aborted':
    case 'connection_lost':
    case 'too_large':
    case 'server_error':
    case 'unexpected_status':
    case 'bad_answer':
    case null:
      return `${whatCame(order)} ${may}, so don’t order again. ${checking}`
  }
}

const checking = 'I’m checking and will tell you here.'

const explainReview = (order: SeenOrder, { connected, viewer }: OrderContext): string => {
  if (!connected)
    return `I couldn’t tell if this was charged before the account was removed from this bot. ${askTheDashboard}`
  const reason = reasonIn('review', order.reason)
  if (reason !== 'charged_by_person' && isAgents(viewer)) return ownerJudges
  switch (reason) {
    case 'charged_by_person':
      return `${whoSaid(viewer)} it was charged. Press <b>Report</b> to ask the provider’s support team about it.`
    case 'hinted':
      return `The provider sent a report on this order, but can’t find its reference yet. Don’t order again. I’ll keep asking for ${lengthIn('day', watchEndsMs)}. If you know whether it was charged, press a button.`
    case 'unexplained':
      return 'There’s a charge that may be for this. Don’t order again yet. Check /transactions, then tell me with a button.'
    case 'ambiguous':
    case null:
      return 'I can’t tell if you were charged for this. Don’t order again yet. Check /transactions, then tell me with a button.'
  }
}

const explainNotPlaced = (order: SeenOrder, { connected, viewer }: OrderContext): string => {
  const reason = reasonIn('not_placed', order.reason)
  if (reason !== 'unreachable' && !connected)
    return 'No charge was seen before the account was removed from this bot. I’m no longer checking for a late one.'
  const late = `If a charge appears within ${lengthIn('day', watchEndsMs)}, I’ll tell you here.`
  switch (reason) {
    case 'unreachable':
      return 'I couldn’t reach the provider. Nothing was sent or charged.'
    case 'not_made':
      return 'The provider can’t take this order. Nothing was sent or charged. Check the number and the bundle.'
    case 'late_doubt':
      return `A charge that may be for this has appeared. ${checkCharges(viewer)} before you order again.`
    case 'by_person':
      return `${whoSaid(viewer)} nothing was charged. ${late}`
    case 'no_debit':
    case null:
      return `Checked: nothing was charged. ${late}`
  }
}

const explainCancelled = (order: SeenOrder): string => {
  switch (reasonIn('cancelled', order.reason)) {
    case 'bundle_gone':
      return 'This bundle is no longer sold. Nothing was sent or charged.'
    case 'disconnected':
      return 'The account was removed before this was sent: nothing was charged.'
    case 'agent_left':
      return 'The agent can no longer order with this wallet. Nothing was sent or charged.'
    case 'by_person':
    case null:
      return 'Cancelled before it was sent: nothing was charged.'
  }
}

const explainStatus = (order: SeenOrder, context: OrderContext): string | null => {
  const words = [inferredNote(order), statusNote(order, context)]
  return words.filter((word) => word !== null).join(' ') || null
}

/**
 * Says that the reference is inferred from the wallet's entries alone. The line disappears once the provider's answer
 * or a report confirms the reference.
 */
const inferredNote = (order: SeenOrder): string | null => {
  if (!order.inferred) return null
  return order.reason === 'likely'
    ? `Most likely placed, as ${fittingCharge(order)}. Others use the same key, so it may be theirs.`
    : `${capital(fittingCharge(order))}.`
}

const statusNote = (order: SeenOrder, { connected, viewer, now }: OrderContext): string | null => {
  if (order.reason === 'stale')
    return `No final status for ${lengthIn('day', polledMs)}, so I’ve stopped asking. <b>Refresh</b> asks once more. <b>Report</b> has a message for the provider’s support team.`
  if (!connected && (order.statusReported || !isTerminal(order.status)))
    return 'The account was removed from this bot, so I’m no longer checking this. See the provider’s dashboard.'
  if (isLongReported(order, now))
    return 'The provider reported this, but its own records don’t confirm it yet.'
  if (order.statusReported) return 'Reported. Confirming with the provider…'
  switch (order.status) {
    case 'failed':
    case 'cancelled':
      if (!connected && !isRefunded(order))
        return 'The account was removed from this bot before the full refund was seen. See the provider’s dashboard.'
      return `Wallet: ${refundWords(order)}.`
    case 'refunded':
      return isAgents(viewer) ? 'The money is back in the wallet.' : 'The money is back in your wallet.'
    case 'delivered':
      return null
    default:
      return null
  }
}

const waitsForLimit = (order: PricelessOrder, until: Date, now: Date): string => {
  const time = `${clock(until)}${until > now ? `, in ${duration(until.getTime() - now.getTime())}` : ''}`
  const asksAgain = until.getTime() - order.createdAt.getTime() > staleConfirmationMs
  const next = asksAgain ? `I’ll ask you again at ${time}` : `I’ll send this at ${time}`
  return `Waiting: I’ve reached the provider’s request limit. ${next}. Not charged yet.`
}

const explainWaiting = (order: PricelessOrder, { now, other, frozenUntil }: OrderContext): string => {
  switch (reasonIn('queued', order.reason)) {
    case 'waits':
      return waitsForOther(other)
    case 'network_down':
      return waitsForNetwork(order.network)
    case 'verifying':
      return 'Waiting: the provider refused the API key a moment ago. I’m checking it. Not charged yet.'
    case 'rate_limited':
      return waitsForLimit(order, order.notBefore ?? frozenUntil ?? now, now)
    case 'unreachable':
      return 'I can’t reach the provider just now. I’ll try again in a few seconds. Not charged yet.'
    case 'interrupted':
    case null:
      return frozenUntil !== null && frozenUntil > now
        ? waitsForLimit(order, frozenUntil, now)
        : 'This will be sent in a moment.'
  }
}

/** The answer to a press if the person or the provider has already settled whether the order was charged. */
export const alreadySettled = 'Already settled. The card shows what I know.'

export const openOrderPhrase = 'this number has an open order'

const waitsForOther = (other: SeenOrder | null): string => {
  if (other?.placement === 'unconfirmed' || other?.placement === 'review')
    return `Waiting: your earlier order for this number is ${statusWord(other)}. This one goes out when that’s cleared up. Not charged yet.`
  const reference = other?.reference ? ` (${code(other.reference)})` : ''
  return `Waiting: ${openOrderPhrase}${reference}. This one goes next. If that takes more than ${lengthIn('minute', staleConfirmationMs)}, I’ll ask you first. Not charged yet.`
}

const explainRefusal = (
  order: SeenOrder,
  { other, balance: present, viewer, refused, isDoubted }: OrderContext,
): string => {
  const said = order.providerMessage ? `\nThe provider says: “${foreignText(order.providerMessage)}”` : ''
  switch (reasonIn('rejected', order.reason)) {
    case 'balance': {
      if (viewer !== 'owner' || !order.priced)
        return `The wallet doesn’t have enough for this. Nothing was charged. Tell the owner. If they top up within ${lengthIn('hour', heldMs)}, I’ll offer this order again.`
      const balanceNow = order.balancePesewas ?? present
      const short = balanceNow === null ? null : minus(totalPesewas(order.priced), balanceNow)
      const isKnown = balanceNow !== null && short !== null && short > 0
      const why = isKnown
        ? `Your wallet has ${formatGhs(balanceNow)}, which is ${formatGhs(short)} short.`
        : 'Your wallet doesn’t have enough for this.'
      return `${why} Nothing was charged. Top up within ${lengthIn('hour', heldMs)}, and I’ll offer this order again.${isKnown ? '' : said}`
    }
    case 'pending': {
      const open = other?.reference
        ? `Your order ${code(other.reference)} for this number is still open.`
        : 'An order for this number is still open at the provider.'
      return isDoubted
        ? `${open} A charge that may be for this one has appeared since. ${checkCharges(viewer)} before you order again.`
        : `${open} Nothing was charged for this one. Order again when that one is done.`
    }
    case 'unauthorized':
      if (!refused)
        return 'The provider refused the API key for this order. Nothing was charged. Order again: I’ll check the key first.'
      if (isAgents(viewer))
        return 'The provider isn’t accepting the owner’s key. Nothing was charged. Ask them to /connect, then order again.'
      return `The provider isn’t accepting your API key. Nothing was charged. /connect with the current key, then order again.${said}`
    case 'not_found':
      return `The provider no longer sells this bundle. Nothing was charged. See /bundles.${said}`
    case 'invalid':
      return `The provider refused this order. Nothing was charged. Check the number and the bundle.${said}`
    case 'unprocessable':
    case null:
      return `The provider refused this order. Nothing was charged.${said}`
  }
}

export const refreshed = 'Up to date'

export const refreshing = 'Asking the provider…'

/** Sent if the provider was asked and said nothing new. */
export const unchanged = (order: PricelessOrder) =>
  `${isTerminal(order.status) ? 'No change:' : 'No change yet: still'} ${b(statusWord(order))}. I’ve just checked.`

/** The same for a list. */
export const listUnchanged = 'No change yet. I’ve just checked.'
