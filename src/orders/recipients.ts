import type { RecipientStatus } from '../provider/index.ts'
import type { Pesewas } from '../provider/money.ts'
import type { Phone } from '../provider/phone.ts'
import type { Queries } from '../store/store.ts'
import { chargeOf, type Order, type Recipient } from './order.ts'
import { isTerminal, type KnownStatus, mergeReport, type Report, rankOf } from './status.ts'

/**
 * Statuses of the single recipients of a bulk order. They follow the same rules as an order's own (see `status.ts`);
 * the API shows neither whether they come nor in what form (API §2, §4.4), so nothing here relies on their coming.
 */

const knownOf = ({ status, statusAt, reported }: Recipient): KnownStatus => ({
  status,
  reported,
  since: statusAt,
  newestCallbackAt: reported ? statusAt : null,
})

/** What a callback about one recipient changed. */
type RecipientChange =
  | { kind: 'same' }
  /** It contradicts the provider's record, which is to be asked again. */
  | { kind: 'doubted' }
  /** `confirm`: only a callback said so, and the provider's record is to be asked. */
  | { kind: 'changed'; status: string; confirm: boolean }

/**
 * Whether the end of each number that the provider took is told, if only by callbacks: nobody waits for more then. The
 * record of the whole may still say `processing`, and know nothing of single numbers (API §4.4).
 */
export const isEachEndTold = ({
  kind,
  placement,
  status,
  recipients,
  acceptedQuantity,
  quantity,
}: Pick<Order, 'kind' | 'placement' | 'status' | 'acceptedQuantity' | 'quantity'> & {
  recipients: readonly Pick<Recipient, 'status'>[]
}): boolean => {
  if (placement !== 'placed') return false
  if (kind === 'single') return isTerminal(status)
  return recipients.filter((each) => isTerminal(each.status)).length >= (acceptedQuantity ?? quantity)
}

/** The word on the whole fits none of its numbers, of which each end is told. */
export const isOtherThanEach = (order: Order, status: string): boolean =>
  order.kind === 'bulk' &&
  isTerminal(status) &&
  isEachEndTold(order) &&
  !order.recipients.some((each) => isTerminal(each.status) && !isOtherEnd(each.status, status))

/** @param isLater whether the callback was produced after the one that told the recipient's status; false where their times do not tell. */
export const applyRecipientCallback = async (
  tx: Queries,
  order: Order,
  phone: Phone,
  report: Report,
  { now, isLater }: { now: Date; isLater: (recipient: Recipient) => Promise<boolean> },
): Promise<RecipientChange> => {
  const recipient = order.recipients.find((each) => each.phone === phone)
  if (!recipient) return { kind: 'same' }
  const merge = mergeReport(knownOf(recipient), report)
  const isContradicted = merge.kind === 'same' && isOtherEnd(recipient.status, report.status)
  // What the record said stays until it is asked again, and no callback lowers a rank. Between two of one rank the later
  // one counts, by their own times: the record may know nothing of single numbers, and callbacks overtake each other.
  const isOfOneRank = rankOf(report.status) === rankOf(recipient.status ?? '')
  if (isContradicted && !(recipient.reported && isOfOneRank && (await isLater(recipient))))
    return { kind: 'doubted' }
  if (merge.kind !== 'changed' && !isContradicted) return { kind: 'same' }
  const reported = merge.kind === 'changed' ? merge.reported : true
  await tx.orders.patchRecipients(order.id, [phone], report.status, now, reported)
  return { kind: 'changed', status: report.status, confirm: reported }
}

/**
 * What the provider's record says of the recipients. Where it lists none but the order as a whole is at an end, it
 * confirms those of whom a callback said the same; nobody else is given a status by that.
 *
 * @returns the recipients as they stand then.
 */
export const applyRecipientRecord = async (
  tx: Queries,
  order: Order,
  record: { status: string; recipients: readonly RecipientStatus[] | null; began: Date },
  now: Date,
): Promise<Recipient[]> => {
  const told = new Map<string, string | null>(record.recipients?.map(({ phone, status }) => [phone, status]))
  const changed = new Map<string, string[]>()
  const recipients = order.recipients.map((recipient) => {
    const status = told.get(recipient.phone) ?? wordOfTheWhole(recipient, record)
    if (status === null) return recipient
    const merge = mergeReport(knownOf(recipient), { source: 'poll', status, at: record.began })
    if (merge.kind === 'same') return recipient
    changed.set(status, [...(changed.get(status) ?? []), recipient.phone])
    return { ...recipient, status, statusAt: now, reported: false }
  })
  for (const [status, phones] of changed) await tx.orders.patchRecipients(order.id, phones, status, now)
  return recipients
}

/** Delivered and not delivered; that the money came back is told by itself. */
const isOtherEnd = (before: string | null, after: string): boolean =>
  isTerminal(before) && isTerminal(after) && (before === 'delivered') !== (after === 'delivered')

const wordOfTheWhole = (recipient: Recipient, record: { status: string }): string | null =>
  isTerminal(record.status) && recipient.reported && recipient.status === record.status ? record.status : null

/** Whether the provider may still have an order for that phone pending. */
export const isPending = (order: Order, phone: string): boolean => {
  const recipient = order.recipients.find((each) => each.phone === phone)
  const isEnded =
    order.placement === 'placed' && order.kind === 'bulk' && isTerminal(recipient?.status ?? null)
  return recipient !== undefined && !isEnded
}

/** What has to come back to the wallet, in pesewas: of a bulk order the price of each recipient that got nothing. */
export const owedRefund = (order: Order): number => {
  if (isFailure(order.status) && !order.statusReported) {
    const delivered = order.kind === 'bulk' ? order.recipients.filter(isDelivered).length : 0
    return chargeOf(order) - delivered * order.unitPricePesewas
  }
  return order.kind === 'bulk' ? failedOf(order).length * order.unitPricePesewas : 0
}

/** What is looked for of an order that failed: its whole charge where nobody is known to have got nothing. */
export const awaitedRefund = (order: Order): Pesewas =>
  order.kind === 'bulk' ? ((owedRefund(order) || chargeOf(order)) as Pesewas) : chargeOf(order)

/**
 * The recipients of a bulk order that failed. What only a callback said of one counts from when the order itself is
 * at an end, or each of them: then its record tells no more of them, and the wallet can.
 */
export const failedOf = (order: Order): Recipient[] => {
  const isTold = (isTerminal(order.status) && !order.statusReported) || isEachEndTold(order)
  return order.recipients.filter(
    ({ status, reported }) => isTerminal(status) && status !== 'delivered' && (isTold || !reported),
  )
}

/** Failures that only callbacks told, and that the money which came back for all of them confirms. */
export const confirmedByRefund = (order: Order, refundedPesewas: number): Recipient[] => {
  const failed = failedOf(order)
  if (failed.length === 0 || refundedPesewas < failed.length * order.unitPricePesewas) return []
  return failed.filter(({ reported }) => reported)
}

/** Since when money is owed back: the last failure counts, for each has its own day. */
export const failedAt = (order: Order): Date => {
  const ofRecipients = order.kind === 'bulk' ? failedOf(order) : []
  const times = ofRecipients.flatMap(({ statusAt }) => statusAt?.getTime() ?? [])
  return times.length > 0 ? new Date(Math.max(...times)) : (order.statusAt ?? order.createdAt)
}

const isDelivered = ({ status, reported }: Recipient): boolean => status === 'delivered' && !reported

/** A status with which the money is owed back. */
export const isFailure = (status: string | null): boolean => status === 'failed' || status === 'cancelled'
