import type { ComplaintNews } from '../../../domain/notice.ts'
import { type ComplaintKind, complaintKinds } from '../../../domain/order/complaint.ts'
import type { PricelessOrder } from '../../../domain/order/order.ts'
import type { TimelineReport } from '../../../domain/order/timeline.ts'
import { type ComplaintRefusal, maxComplaints } from '../../../orders/following/complaints.ts'
import type { Complaint } from '../../../store/chats/complaints.ts'
import { clock, moment, when } from '../../chat/time.ts'
import { bundleOf, checkYourself } from '../../words/bundle.ts'
import { b, capital, lines } from '../../words/markup.ts'
import { recipientWord, statusWord } from '../../words/order-state.ts'
import { notYours } from '../../words/unusable.ts'
import * as enquiryTexts from './enquiry.ts'
import { timelineLines } from './follower.ts'
import { orderLabels } from './order.ts'

/** Complaints that a delivered order has not arrived. */

export const complaintLabels = {
  begin: '📭 It hasn’t arrived',
  noPicture: 'Send without a picture',
  goOn: '📭 Continue',
  solved: '✅ Solved',
  arrived: '✅ It has arrived',
} as const

/** What is wrong. Plain text. */
export const kindWords: Record<ComplaintKind, string> = {
  nothing: 'nothing arrived',
  less: 'less than ordered',
  other_number: 'it went to another number',
  unsaid: 'it hasn’t arrived',
}

/** The labels of the answers to what is wrong. */
export const kindLabels: readonly [ComplaintKind, string][] = complaintKinds.map((kind) => [
  kind,
  kind === 'unsaid' ? 'I’m not sure' : capital(kindWords[kind]),
])

// ── The questions ──────────────────────────────────────────────────────────────────────────────────────────────

export const askNumber = (order: PricelessOrder) =>
  `${b(bundleOf(order))} for ${order.recipients.length} numbers\nWhich number didn’t get it?`

export const askKind = (order: PricelessOrder, whom: string) =>
  `${b('What went wrong?')}\n${bundleOf(order)} for ${whom}: ${statusWord(order)}`

/** @param code the network's balance code. */
export const askPicture = (code: string | undefined) =>
  lines(
    b('Send a picture of the data balance'),
    'Your complaint hasn’t been sent yet. A screenshot or photo helps, but isn’t needed.',
    code === undefined ? null : checkYourself(code),
  )

export const needsPicture = `That isn’t a picture. Nothing has been sent yet. Send a picture, or press “${complaintLabels.noPicture}”.`

/** Replaces the question for a picture if the person did something else. */
export const notSent = `${b('This complaint wasn’t sent.')}`

export const refused = (refusal: Exclude<ComplaintRefusal, { kind: 'open' }>): string => {
  switch (refusal.kind) {
    case 'not_theirs':
      return notYours
    case 'not_delivered':
      return 'This order isn’t marked as delivered, or it’s too old for a complaint. Nothing was sent.'
    case 'too_many':
      return `You’ve already sent ${maxComplaints} complaints in 24 hours, so this one wasn’t sent. Try again tomorrow, or ask the shop.`
    default:
      return enquiryTexts.refused(refusal)
  }
}

export const complaintGone = 'This complaint is gone, or the order isn’t yours. Nothing was changed.'

// ── What the shop reads ────────────────────────────────────────────────────────────────────────────────────────

interface ShopContext {
  /** The number, or how many there are. */
  whom: string
  /** Who raised it. */
  by: string
  events: readonly TimelineReport[]
  news: ComplaintNews
  now: Date
}

export const raisedByYou = 'you'
export const raisedByCustomer = 'a customer'

export const shopComplaint = (
  order: PricelessOrder,
  complaint: Complaint,
  { whom, by, events, news, now }: ShopContext,
) => {
  const { kind, createdAt, end } = complaint
  const open = news === 'remind' ? `⏰ ${b('Not solved yet')}` : `📭 ${b('It hasn’t arrived')}`
  const steps = ['', ...timelineLines(order, events, now), '', deadlineLine(complaint, now)]
  const ends = {
    solved: `✅ ${b('Solved')}`,
    arrived: `✅ ${b('It has arrived')} after all.`,
    taken_back: `↩️ ${b(takenBack(order, complaint))}, so this complaint is closed.`,
    expired: `⌛ ${b('Not solved in time')}, so this complaint is closed.`,
  }
  return lines(
    end === null ? open : ends[end],
    `Complaint from ${by}, ${when(createdAt, now)}: ${kindWords[kind]}`,
    enquiryTexts.orderLine(order, whom),
    ...(end === null ? steps : []),
  )
}

/** Says the status of the number that the complaint is about, or of the order. */
const takenBack = (order: PricelessOrder, { position }: Complaint): string => {
  const recipient = order.recipients.find((each) => each.position === position)
  return recipient
    ? `The provider now says “${recipientWord(order, recipient)}”`
    : `The provider now says “${statusWord(order)}”`
}

const deadlineLine = ({ deadlineAt, expiresAt }: Complaint, now: Date): string => {
  const toSend = `press ${orderLabels.report} for a message to send.`
  if (deadlineAt === null)
    return `This complaint stays open until ${dayAndClock(expiresAt, now)}. To pass it on to the provider, ${toSend}`
  return deadlineAt > now
    ? `⏳ The provider’s deadline is ${b(dayAndClock(deadlineAt, now))}: ${toSend}`
    : `⌛ The provider’s deadline was ${moment(deadlineAt, now)}. To try anyway, ${toSend}`
}

/** `23:59 today`, or with the date. */
const dayAndClock = (at: Date, now: Date): string =>
  at.toISOString().slice(0, 10) === now.toISOString().slice(0, 10) ? `${clock(at)} today` : moment(at, now)

// ── What the customer reads ────────────────────────────────────────────────────────────────────────────────────

/** @param isTheirs whether the reader raised it. */
export const customerComplaint = (
  order: PricelessOrder,
  complaint: Complaint,
  { maskedWhom, isTheirs, now }: { maskedWhom: string; isTheirs: boolean; now: Date },
) => {
  const { end, kind, createdAt } = complaint
  const since = when(createdAt, now)
  const open = isTheirs
    ? `📭 ${b(capital(kindWords[kind]))}. Complaint sent to the shop: ${since}. I’ll tell you here what happens.`
    : `📭 The shop has known since ${since} that this hasn’t arrived.`
  const ends = {
    solved: `✅ The shop says ${b('it’s solved')}. If it isn’t, ask the shop.`,
    arrived: `✅ ${b('It has arrived')}. I’ve told the shop.`,
    taken_back: `↩️ ${b(takenBack(order, complaint))}. The shop knows. Ask them what happens next.`,
    expired: `⌛ The shop ${b('didn’t solve it in time')}. Ask them what happens next.`,
  }
  return lines(end === null ? open : ends[end], enquiryTexts.orderLine(order, maskedWhom))
}
