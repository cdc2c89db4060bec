import type { ComplaintNews } from '../../domain/notice.ts'
import { complainedNumbers } from '../../domain/order/complaint.ts'
import type { Order } from '../../domain/order/order.ts'
import { mayRead } from '../../orders/buying/purchases.ts'
import type { Member } from '../../store/accounts/accounts.ts'
import type { Complaint } from '../../store/chats/complaints.ts'
import { bookOf } from '../../store/shop/contacts.ts'
import type { Queries } from '../../store/store.ts'
import { button, type Screen } from '../chat/screen.ts'
import { agentName } from '../words/agent.ts'
import { forWhom, maskedWhom } from '../words/numbers.ts'
import { reportButton } from './order-buttons.ts'
import { askButton } from './shared-card.ts'
import * as words from './words/complaint.ts'
import { enquiryLabels } from './words/enquiry.ts'

/** A complaint as the reader may see it; null if it is neither their shop's nor about an order that they follow. */
export const complaintCard = async (
  queries: Pick<Queries, 'accounts' | 'chats' | 'contacts' | 'statusReports'>,
  { complaint, order }: { complaint: Complaint; order: Order },
  chatId: number,
  now: Date,
  news: ComplaintNews = 'raised',
): Promise<Screen | null> => {
  const { raisedBy, end, photoId } = complaint
  const reader = await queries.accounts.member(chatId)
  if (!reader || !mayRead(reader, order)) {
    const isTheirs = raisedBy === chatId
    if (!isTheirs && !(await queries.chats.followOf(order.id, chatId))) return null
    const text = words.customerComplaint(order, complaint, { maskedWhom: maskedWhom(order), isTheirs, now })
    const solve = end === null && isTheirs ? [solveButton(complaint, words.complaintLabels.arrived)] : []
    const ask = end === null || end === 'arrived' ? [] : [askButton(order, enquiryLabels.ask)]
    const open = button(enquiryLabels.openOrder, { do: 'open_shared', orderId: order.id })
    return { text, rows: [[...solve, ...ask, open]] }
  }
  const recipients = complainedNumbers(order, complaint.position)
  const [phone = ''] = recipients.map((each) => each.phone)
  const text = words.shopComplaint(order, complaint, {
    whom: forWhom({ recipients }, (await queries.contacts.names(bookOf(reader), [phone])).get(phone)),
    by: raisedBy === chatId ? words.raisedByYou : await raiser(queries, complaint),
    events: await queries.statusReports.ofOrder(order.id, 'applied'),
    news,
    now,
  })
  const open = button(enquiryLabels.openOrder, { do: 'open', orderId: order.id })
  if (end !== null) return { text, rows: [[open]] }
  const solve = solveButton(complaint, words.complaintLabels.solved)
  return { text, ...(photoId !== null && { photoId }), rows: [[reportButton(order), solve], [open]] }
}

const solveButton = ({ id: complaintId }: Complaint, label: string) =>
  button(label, { do: 'complaint', act: { act: 'solve', complaintId } })

/** Who raised the complaint. The shop does not get to know its customers. */
const raiser = async (
  { accounts }: Pick<Queries, 'accounts'>,
  { raisedBy, accountId }: Complaint,
): Promise<string> => {
  const member: Member | null = raisedBy === null ? null : await accounts.member(raisedBy)
  return member?.accountId === accountId ? agentName(member.name) : words.raisedByCustomer
}
