import { isComplainableAtAll } from '../../domain/order/complaint.ts'
import { isRedacted, type Order } from '../../domain/order/order.ts'
import { isTerminal } from '../../domain/order/status.ts'
import type { ShownOrder } from '../../store/orders/cards.ts'
import { type Button, button, inRows } from '../chat/screen.ts'
import { whatsAppButtons } from '../chat/whatsapp.ts'
import { labels } from '../words/labels.ts'
import type { MemberRole } from './viewer.ts'
import { complaintLabels } from './words/complaint.ts'
import { contactLabel, contactLabels } from './words/contact.ts'
import { arrived } from './words/follower.ts'
import { listLabels } from './words/list.ts'
import { orderLabels } from './words/order.ts'
import { reminderLabels } from './words/reminder.ts'
import { sellingLabels } from './words/shop.ts'

/** The buttons of an order's card: the few that suit its state, and behind `⋯` the others. */

/** What the buttons depend on. `other`: the order that this one waits for. */
export interface ActingOn extends Pick<ShownOrder, 'order' | 'saved' | 'nextRepeat'> {
  other: Order | null
  viewer: MemberRole
  viewerId: number
}

export const orderButtons = (acting: ActingOn): Button[][] => {
  const { order, other, viewer, viewerId, nextRepeat } = acting
  const { id, purchaseId } = order
  if (order.listed) {
    const receipt = order.placement === 'placed' ? [receiptButton(order)] : []
    const report = isSent(order) ? [reportButton(order)] : []
    const isComplainable = isComplainableAtAll(order) && !isRedacted(order)
    return [
      judgeButtons(order, viewer),
      [refreshButton(order), listButton(order)],
      [...receipt, ...(isComplainable ? [complaintButton(order)] : report)],
    ]
  }
  switch (order.placement) {
    case 'queued': {
      if (order.userId !== viewerId) return []
      const mayHurry = other !== null && other.placement !== 'unconfirmed' && !order.sendAnyway
      return [
        [
          ...(mayHurry ? [button(orderLabels.sendAnyway, { do: 'send_anyway', orderId: id })] : []),
          button(labels.cancel, { do: 'cancel', purchaseId }),
        ],
      ]
    }
    case 'sending':
      return []
    case 'unconfirmed':
    case 'review':
      return [
        judgeButtons(order, viewer),
        [button(orderLabels.checkNow, { do: 'refresh', orderId: id }), reportButton(order)],
      ]
    case 'rejected':
    case 'not_placed':
      if (isRedacted(order)) return []
      return [
        [
          againButton(order, nextRepeat, orderLabels.orderAgain),
          ...(isSent(order) ? [reportButton(order)] : []),
        ],
      ]
    case 'cancelled':
    case 'superseded':
      return isRedacted(order) ? [] : [[againButton(order, nextRepeat, orderLabels.repeat)]]
    case 'placed':
      return inRows([...placedButtons(acting).slice(0, maxOnCard), moreButton(order)], 3)
  }
}

const maxOnCard = 4

/** The buttons of a placed order, those that people need most first. An erased number cannot be ordered again. */
export const placedButtons = ({
  order,
  saved: [saved],
  nextRepeat,
}: Pick<ActingOn, 'order' | 'saved' | 'nextRepeat'>): Button[] => {
  const again = isRedacted(order) ? [] : [againButton(order, nextRepeat, againLabel(order))]
  const share = isRedacted(order) ? [] : [button(orderLabels.share, { do: 'share', orderId: order.id })]
  const receipt = receiptButton(order)
  const report = reportButton(order)
  const contact = isRedacted(order) || order.recipients.length !== 1 ? [] : [contactButton(order, saved)]
  const remind = contact.length === 0 ? [] : [remindButton(order)]
  if (order.status === 'delivered') {
    // The shop reports from the complaint's card.
    const complaint = isRedacted(order) ? report : complaintButton(order)
    const phone = order.recipients[0]?.phone ?? ''
    const whatsApp = whatsAppButtons(phone, arrived(order))
    return [...again, receipt, ...share, refreshButton(order), ...whatsApp, ...contact, ...remind, complaint]
  }
  if (!isTerminal(order.status) || order.statusReported) {
    // The card of an order whose status is no longer asked for names Report.
    const papers = order.reason === 'stale' ? [report, receipt] : [receipt, report]
    return [refreshButton(order), ...share, ...again, ...papers, ...contact, ...remind]
  }
  return [...again, report, ...share, refreshButton(order), receipt, ...contact, ...remind]
}

/** `Order again` is only for an order that certainly failed. */
const againLabel = ({ status, statusReported }: Order): string =>
  isTerminal(status) && status !== 'delivered' && !statusReported
    ? orderLabels.orderAgain
    : orderLabels.repeat

export const againButton = ({ id }: Order, nonce: number, label: string): Button =>
  button(label, { do: 'again', orderId: id, nonce })

/** Shows all buttons of a placed order. */
export const moreButton = ({ id }: Pick<Order, 'id'>): Button =>
  button(orderLabels.more, { do: 'more', orderId: id })

export const reportButton = ({ id }: Order): Button =>
  button(orderLabels.report, { do: 'report', orderId: id })

export const complaintButton = ({ id }: Pick<Order, 'id'>): Button =>
  button(complaintLabels.begin, { do: 'complaint', act: { act: 'begin', orderId: id } })

export const listButton = ({ purchaseId }: Pick<Order, 'purchaseId'>): Button =>
  button(listLabels.openList, { do: 'list', purchaseId, act: { act: 'open' } })

const receiptButton = ({ id }: Order): Button =>
  button(sellingLabels.receipt, { do: 'selling', act: { act: 'receipt', orderId: id } })

const refreshButton = ({ id }: Order): Button => button(labels.refresh, { do: 'refresh', orderId: id })

/** Opens the contact with the order's number, or saves the number as a contact. */
const contactButton = (order: Order, saved: ShownOrder['saved'][number] | undefined): Button =>
  saved
    ? button(contactLabel(saved.name), { do: 'contacts', act: { act: 'open', id: saved.id } })
    : button(contactLabels.save, { do: 'contacts', act: { act: 'save', orderId: order.id } })

/** Asks when to remind the person of an order like this. */
const remindButton = ({ id }: Order): Button =>
  button(reminderLabels.remind, { do: 'remind', act: { act: 'days', orderId: id } })

/** Agents see no wallet entries, so they cannot know whether the order was charged. */
const judgeButtons = ({ id, placement, reason }: Order, viewer: MemberRole): Button[] =>
  placement === 'review' && reason !== 'charged_by_person' && viewer === 'owner'
    ? [
        button(orderLabels.wasCharged, { do: 'judge', orderId: id, charged: true }),
        button(orderLabels.wasNotCharged, { do: 'judge', orderId: id, charged: false }),
      ]
    : []

/** Whether the order was sent, so that the provider's support can be asked about it. */
const isSent = ({ placement, reason }: Order): boolean =>
  placement === 'rejected' || (reason !== 'unreachable' && reason !== 'not_made')
