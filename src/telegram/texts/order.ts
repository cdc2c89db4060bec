import { chargeOf, isReduced, type PricelessOrder, totalPesewas } from '../../orders/order.ts'
import { type Refusal, staleConfirmationMs } from '../../orders/placement.ts'
import { countsOf } from '../../orders/progress.ts'
import { isContested } from '../../orders/proof.ts'
import { pendingPhones } from '../../orders/refused.ts'
import { isTerminal } from '../../orders/status.ts'
import { formatGhs, type Pesewas } from '../../provider/money.ts'
import { phoneText } from '../phone-text.ts'
import { foreignText } from '../screen.ts'
import { clock, duration, when } from '../time.ts'
import type { SeenOrder, ViewerRole } from '../viewer.ts'
import { orderedByLine, ownerJudges } from './agent.ts'
import { bundleOf } from './bundle.ts'
import { labels } from './labels.ts'
import { listOrderWhy, progressLine } from './list.ts'
import { b, code, lines } from './markup.ts'
import { waitsForNetwork } from './network.ts'
import { forWhom } from './recipients.ts'
import { isRefunded, refundWords } from './refund.ts'
import { removedNote } from './removed.ts'
import { markOf, statusWord } from './status.ts'

/** The card of an order: what became of it, whether money moved, and what to do next. */

export const orderLabels = {
  sendAnyway: 'Send anyway',
  checkNow: '🔎 Check now',
  wasCharged: 'It was charged',
  wasNotCharged: 'It was not',
  repeat: '🔁 Repeat',
  share: '📤 Share',
  forward: '📨 Send to the customer',
  report: '🛟 Report',
  orderAgain: '🔁 Order again',
} as const

interface OrderContext {
  now: Date
  /** The order that this one waits for, or that the provider refused it for. */
  other: SeenOrder | null
  /** The wallet's balance, where it was read lately. */
  balance: Pesewas | null
  /** The provider takes nothing more for the account until then. */
  frozenUntil: Date | null
  /** Somebody here still owns the account: the provider can be asked about its orders. */
  connected: boolean
  /** The provider refuses its credentials, so nothing is asked until they change. */
  refused: boolean
  viewer: ViewerRole
  /** The names with which whoever looks has saved the numbers. */
  names?: ReadonlyMap<string, string>
  /** What it is sold for, in words. */
  sale: string | null
  /** It was refused, and a debit that may be its own has shown since. */
  isDoubted?: boolean
  /** It was confirmed by the person's setting, without a second press. */
  isUnasked?: boolean
}

export const orderCard = (order: SeenOrder, context: OrderContext) => {
  return lines(
    `${markOf(order)} ${b(bundleOf(order))} for ${namedWhom(order, context.names)}`,
    `${order.priced ? `${formatGhs(chargeOf(order.priced))} · ` : ''}${b(statusWord(order))}`,
    context.viewer === 'owner' && order.reportTo !== null ? orderedByLine(order.agentName) : null,
    context.sale,
    order.kind === 'bulk' && order.placement === 'placed' ? progressLine(countsOf([order])) : null,
    order.reference ? `Reference: ${code(order.reference)}` : null,
    order.otherReference ? `Also named for it: ${code(order.otherReference)}` : null,
    timeLine(order, context.now),
    explanation(order, context),
    context.isUnasked ? unaskedNote(order) : null,
    isReduced(order) ? `\n${removedNote(order.recipients.length)}` : null,
  )
}

const namedWhom = (order: PricelessOrder, names: OrderContext['names']): string => {
  if (isReduced(order)) return forWhom(order)
  const phones = order.recipients.map(({ phone }) => phone)
  const named = phones.slice(0, 3).map((phone) => phoneText(phone, names?.get(phone)))
  return `${named.join(', ')}${phones.length > 3 ? ` and ${phones.length - 3} more` : ''}`
}

const unaskedNote = ({ placement }: PricelessOrder): string =>
  `\n⚡ Sent without asking, as you have set for repeats (/settings).${placement === 'queued' ? ` ${labels.cancel} stops it until it is sent.` : ''}`

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
      return 'Being sent to the provider.'
    case 'unconfirmed':
      if (context.refused && context.connected && isAgents(context.viewer)) return unconfirmedOfAgent
      if (context.refused && context.connected)
        return 'It may have been charged or not, and the provider refuses your API key, so the wallet’s entries cannot be read to tell. Do not order again: send the current key with /connect, then they are read at once.'
      if (order.reason === 'history_unreadable' && context.connected) return unreadableHistory(order)
      if (order.reason === 'restored' && context.connected)
        return 'This bot was restored from an older copy of its data, in which this order was still to be sent. It may have been sent since, so it may have been charged or not. Do not order again: the wallet’s entries are being read to tell, and you will be told here.'
      if (isContested(order) && context.connected) return contested
      return context.connected
        ? 'The provider did not answer, so it may have been charged or not. Do not order again: its outcome is being followed, and you will be told here.'
        : 'The provider did not answer, so it may have been charged or not. The account was removed from this bot, so it cannot be followed here: look at the wallet’s entries in the provider’s dashboard before you order again.'
    case 'review':
      if (!context.connected)
        return 'The wallet had entries that may be this order’s, but they did not pair up with the orders. The account was removed from this bot, so it cannot be cleared up here: look at the wallet’s entries in the provider’s dashboard before you order again.'
      return order.reason === 'charged_by_person'
        ? 'You said that it was charged. The provider’s support can tell by the number and the time what became of it.'
        : isAgents(context.viewer)
          ? ownerJudges
          : order.reason === 'hinted'
            ? 'The provider reported on this order, but does not know its reference yet, so I cannot tell if you were charged. Do not order again. I ask for a day; if you know, say so with a button.'
            : order.reason === 'unexplained'
              ? 'Your wallet was charged for what may be this order, and nothing proves it. Look at /transactions, then say so with a button. Do not order again before it is cleared up.'
              : 'The wallet has entries that may be this order’s, but they do not pair up with your orders, so I cannot tell whether it was charged. Look at /transactions: is there an entry for it? Do not order again before it is cleared up.'
    case 'not_placed':
      if (order.reason !== 'unreachable' && !context.connected)
        return 'No debit for it was seen while the account was here. It was removed from this bot, so the wallet is no longer watched for a late one.'
      return order.reason === 'unreachable'
        ? 'The provider could not be reached, nothing was sent and nothing was charged.'
        : order.reason === 'not_made'
          ? 'Nothing was sent and nothing was charged: the order could not be made into a request that the provider takes. Check the number and the bundle, then Order again. Should it happen again, tell who runs this bot.'
          : order.reason === 'late_doubt'
            ? 'No debit could be said to be this order’s, but one that may be has appeared: see the message about it, and look at /transactions before you order again.'
            : order.reason === 'by_person'
              ? 'You said that nothing was charged. Should a debit appear within a day, you are told here.'
              : 'Checked: nothing was charged. Should a debit appear within a day all the same, you are told here.'
    case 'rejected':
      return order.kind === 'bulk'
        ? listOrderWhy(order, pendingPhones(order))
        : explainRefusal(order, context)
    case 'cancelled':
      return order.reason === 'bundle_gone'
        ? 'This bundle is no longer sold: nothing was sent and nothing was charged.'
        : order.reason === 'disconnected'
          ? 'The account was removed before this was sent: nothing was charged.'
          : order.reason === 'agent_left'
            ? 'Who ordered it may no longer order on this wallet: it was not sent, and nothing was charged.'
            : 'Cancelled before it was sent: nothing was charged.'
    case 'expired':
    case 'superseded':
      return 'Not sent, nothing was charged.'
    case 'placed':
      return explainStatus(order, context)
  }
}

const isAgents = (viewer: ViewerRole): boolean => viewer === 'agent' || viewer === 'removed_agent'

const contested =
  'The provider says that an order for this number is open already. It may be this one, sent twice on the way, or another that was made elsewhere: you may have been charged. Do not order again. The wallet is being read to tell, and you will be told here.'

const unconfirmedOfAgent =
  'It may have been charged or not, and the provider refuses the account’s key, so the wallet’s entries cannot be read to tell. Do not order again: its owner has to /connect with the current key, then you are told.'

const unreadableHistory = (order: SeenOrder): string =>
  `It may have been charged or not, and the wallet’s entries cannot be read to tell. Do not order again. ${order.settleAt ? `The next look is at ${clock(order.settleAt)}.` : ''}`.trim()

const explainStatus = (order: SeenOrder, context: OrderContext): string | null => {
  const words = [order.reason === 'likely' ? likely : null, statusNote(order, context)]
  return words.filter((word) => word !== null).join(' ') || null
}

const likely =
  'Most likely this one: its charge was found in the wallet, but others order with the same key, so it may be theirs.'

const statusNote = (order: SeenOrder, { connected, viewer }: OrderContext): string | null => {
  if (order.reason === 'stale')
    return 'The provider has not named an end in 7 days, so it is asked no more. Refresh asks once; Report has a text for the provider’s support.'
  if (!connected && (order.statusReported || !isTerminal(order.status)))
    return 'The account was removed from this bot, so this is no longer checked here. The provider’s dashboard shows what becomes of it.'
  if (order.statusReported) return 'A callback said so; the provider’s own record is being asked.'
  switch (order.status) {
    case 'failed':
    case 'cancelled':
      if (!connected && !isRefunded(order))
        return 'The account was removed from this bot before its whole refund was seen: the wallet’s entries in the provider’s dashboard show it.'
      return `${refundWords(order)}.`
    case 'refunded':
      return isAgents(viewer) ? 'The amount is back in the wallet.' : 'The amount is back in your wallet.'
    case 'delivered':
      return null
    default:
      return null
  }
}

const waitsForLimit = (order: PricelessOrder, until: Date, now: Date): string => {
  const time = `${clock(until)}${until > now ? `, in ${duration(until.getTime() - now.getTime())}` : ''}`
  const asksAgain = until.getTime() - order.createdAt.getTime() > staleConfirmationMs
  const next = asksAgain ? `You are asked again at ${time}` : `It goes on by itself at ${time}`
  return `The provider’s request limit is reached, nothing was sent. ${next}. Nothing is charged before it is sent.`
}

const explainWaiting = (order: PricelessOrder, { now, other, frozenUntil }: OrderContext): string => {
  switch (order.reason) {
    case 'waits':
      if (other?.placement === 'unconfirmed' || other?.placement === 'review') {
        return `Waits: your order for the same number is ${statusWord(other)}, and nobody knows yet whether it was charged. It goes when that is known. Nothing is charged before.`
      }
      return other
        ? `Waits for your open order for the same number${other.reference ? ` (${code(other.reference)})` : ''}: the provider takes one at a time. It goes when that one ends; after more than 15 minutes you are asked again first. Nothing is charged before.`
        : 'Waits for another open order for the same number. Nothing is charged before it is sent.'
    case 'network_down':
      return waitsForNetwork(order.network)
    case 'verifying':
      return 'Waits: the provider refused the API key a moment ago, which is being checked. Not sent and not charged yet.'
    case 'rate_limited':
      return waitsForLimit(order, order.notBefore ?? frozenUntil ?? now, now)
    case 'unreachable':
      return 'The provider cannot be reached just now, nothing was sent. It is tried again in a few seconds.'
    default:
      return frozenUntil !== null && frozenUntil > now
        ? waitsForLimit(order, frozenUntil, now)
        : 'It is sent in a moment.'
  }
}

const explainRefusal = (
  order: SeenOrder,
  { other, balance: present, viewer, refused, isDoubted }: OrderContext,
): string => {
  const said = order.providerMessage ? `\nThe provider says: “${foreignText(order.providerMessage)}”` : ''
  switch (order.reason as Refusal) {
    case 'balance': {
      if (viewer !== 'owner' || !order.priced)
        return 'The wallet does not have enough for it. Nothing was charged. Tell its owner, then Order again.'
      const price = totalPesewas(order.priced)
      const balanceNow = order.balancePesewas ?? present
      const short = balanceNow === null ? null : ((price - balanceNow) as Pesewas)
      const numbers =
        balanceNow === null || short === null || short <= 0
          ? `The price is ${formatGhs(price)}.`
          : `The price is ${formatGhs(price)}, your balance ${formatGhs(balanceNow)}: ${formatGhs(short)} short.`
      return `Your wallet does not have enough. ${numbers} Nothing was charged. Top up at the provider, then Order again.${said}`
    }
    case 'pending': {
      const open = `An order for this number is still open${other?.reference ? `: yours, ${code(other.reference)}` : ' at the provider'}.`
      return isDoubted
        ? `${open} A charge that may be for this one has appeared since: see the message about it, and look at /transactions before you order it again.`
        : `${open} Nothing was charged for this one. Order again when that one has ended.`
    }
    case 'unauthorized':
      if (!refused)
        return 'The provider refused the API key for this order. Nothing was charged. Order again: the key is checked first.'
      if (isAgents(viewer))
        return 'The provider refuses the account’s key. Nothing was charged. Its owner has to /connect again: tell them, then Order again.'
      return `The provider refuses your API key. Nothing was charged. /connect with the current key from the dashboard, then Order again.${said}`
    case 'not_found':
      return `The provider no longer knows this bundle. Nothing was charged. /bundles shows what is sold now.${said}`
    case 'invalid':
      return `The provider does not accept this order as it is. Nothing was charged. Check the number and the bundle.${said}`
    case 'unprocessable':
      return `The provider refused the order. Nothing was charged.${said}`
  }
}

export const refreshed = 'Up to date'

export const refreshing = 'Asking the provider…'
