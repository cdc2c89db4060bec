import type { Order, Recipient } from '../../domain/order/order.ts'
import { isOtherEnd } from '../../domain/order/recipient-ends.ts'
import type { IncomingStatus, KnownStatus } from '../../domain/order/status.ts'
import { isTerminal, mergeStatus, rankOf } from '../../domain/order/status.ts'
import type { RecipientStatus } from '../../provider/index.ts'
import type { Phone } from '../../provider/phone.ts'
import type { Queries } from '../../store/store.ts'

/**
 * Statuses of a bulk order's single recipients. They follow the same rules as an order's own (see
 * `domain/order/status`). The API does not say whether the provider sends them, or in what form (API §2, §4.4), so
 * nothing relies on them.
 */

const knownOf = ({ status, statusAt, reported }: Recipient): KnownStatus => ({
  status,
  reported,
  since: statusAt,
  newestCallbackAt: reported ? statusAt : null,
})

type RecipientChange =
  | { kind: 'same' }
  /** The callback contradicts what is known, so the provider has to be asked again. */
  | { kind: 'doubted' }
  /** `confirm`: only a callback reported the status, so the provider's record has to confirm it. */
  | { kind: 'changed'; status: string; confirm: boolean }

/**
 * Applies a callback about one recipient.
 * @param isLater whether the callback is newer than the one that gave the recipient its current status; false if
 * unknown.
 */
export const applyRecipientCallback = async (
  tx: Queries,
  order: Order,
  phone: Phone,
  incoming: IncomingStatus,
  { now, isLater }: { now: Date; isLater: (recipient: Recipient) => Promise<boolean> },
): Promise<RecipientChange> => {
  const recipient = order.recipients.find((each) => each.phone === phone)
  if (!recipient) return { kind: 'same' }
  const merge = mergeStatus(knownOf(recipient), incoming)
  const isContradicted = merge.kind === 'same' && isOtherEnd(recipient.status, incoming.status)
  // A callback never replaces a status from the provider's record, and never lowers a status's rank. Of two callbacks
  // with the same rank, the one with the newer time counts, because callbacks may arrive out of order.
  const isOfOneRank = rankOf(incoming.status) === rankOf(recipient.status ?? '')
  if (isContradicted && !(recipient.reported && isOfOneRank && (await isLater(recipient))))
    return { kind: 'doubted' }
  if (merge.kind !== 'changed' && !isContradicted) return { kind: 'same' }
  const reported = merge.kind === 'changed' ? merge.reported : true
  await tx.orders.patchRecipients(order.id, [phone], incoming.status, now, reported)
  return { kind: 'changed', status: incoming.status, confirm: reported }
}

/**
 * Applies the recipients' statuses in the provider's record. If the record lists no recipients but the whole order has
 * ended, the record only confirms statuses that callbacks reported and that equal its own.
 * @returns the recipients after that.
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
    const merge = mergeStatus(knownOf(recipient), { source: 'poll', status, at: record.began })
    if (merge.kind === 'same') return recipient
    changed.set(status, [...(changed.get(status) ?? []), recipient.phone])
    return { ...recipient, status, statusAt: now, reported: false }
  })
  for (const [status, phones] of changed) await tx.orders.patchRecipients(order.id, phones, status, now)
  return recipients
}

const wordOfTheWhole = (recipient: Recipient, record: { status: string }): string | null =>
  isTerminal(record.status) && recipient.reported && recipient.status === record.status ? record.status : null
