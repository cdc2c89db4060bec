import type { ComplaintNews } from '../../domain/notice.ts'
import type { Order } from '../../domain/order/order.ts'
import { mayRead } from '../../orders/buying/purchases.ts'
import type { Member } from '../../store/accounts/accounts.ts'
import type { Complaint } from '../../store/chats/complaints.ts'
import { bookOf } from '../../store/shop/contacts.ts'
import type { Queries } from '../../store/store.ts'
import { button, type Screen } from '../chat/screen.ts'
import { agentName } from '../words/agent.ts'
import { howMany, maskedWhom, phoneText } from '../words/numbers.ts'
import { reportButton } from './order-buttons.ts'
import { askButton } from './shared-card.ts'
import * as words from './words/complaint.ts'
import { enquiryLabels } from './words/enquiry.ts'

type Asked = Pick<Queries, 'accounts' | 'contacts' | 'statusReports'>

/** A complaint as the reader may see it; null if it is neither their shop's nor about an order that they follow. */
export const complaintCard = async (
  queries: Asked & Pick<Queries, 'chats'>,
  { complaint, order }: { complaint: Complaint; order: Order },
  chatId: number,
  now: Date,
  news: ComplaintNews = 'raised',
): Promise<Screen | null> => {
  const reader = await queries.accounts.member(chatId)
  if (reader && mayRead(reader, order)) return shopCard(queries, { complaint, order, reader, news, now })
  const isTheirs = complaint.raisedBy === chatId
  if (!isTheirs && !(await queries.chats.followOf(order.id, chatId))) return null
  const isOpen = complaint.end === null
  const asks = !isOpen && complaint.end !== 'arrived'
  return {
    text: words.customerComplaint(order, complaint, { maskedWhom: maskedWhom(order), isTheirs, now }),
    rows: [
      [
        ...(isOpen && isTheirs ? [solveButton(complaint, words.complaintLabels.arrived)] : []),
        ...(asks ? [askButton(order, enquiryLabels.ask)] : []),
        button(enquiryLabels.openOrder, { do: 'open_shared', orderId: order.id }),
      ],
    ],
  }
}

const shopCard = async (
  queries: Asked,
  about: { complaint: Complaint; order: Order; reader: Member; news: ComplaintNews; now: Date },
): Promise<Screen> => {
  const { complaint, order, reader, news, now } = about
  const isOpen = complaint.end === null
  const text = words.shopComplaint(order, complaint, {
    whom: await whomOf(queries, complaint, order, reader),
    by: await raiserOf(queries, complaint, reader),
    events: await queries.statusReports.ofOrder(order.id, 'applied'),
    news,
    now,
  })
  const open = button(enquiryLabels.openOrder, { do: 'open', orderId: order.id })
  if (!isOpen) return { text, rows: [[open]] }
  return {
    text,
    ...(complaint.photoId !== null && { photoId: complaint.photoId }),
    rows: [[reportButton(order), solveButton(complaint, words.complaintLabels.solved)], [open]],
  }
}

const solveButton = ({ id: complaintId }: Complaint, label: string) =>
  button(label, { do: 'complaint', act: { act: 'solve', complaintId } })

/** The number that the complaint is about, with its name in the reader's book, or how many numbers the order has. */
const whomOf = async (
  { contacts }: Asked,
  { position }: Complaint,
  { recipients }: Order,
  reader: Member,
): Promise<string> => {
  const [one, ...others] = recipients.filter((each) => position === null || each.position === position)
  if (!one || others.length > 0) return howMany(recipients.length)
  const names = await contacts.names(bookOf(reader), [one.phone])
  return phoneText(one.phone, names.get(one.phone))
}

/** Who raised the complaint, as the reader may know them; null: a customer, whom the shop does not get to know. */
const raiserOf = async (
  { accounts }: Asked,
  { raisedBy, accountId }: Complaint,
  reader: Member,
): Promise<string | null> => {
  if (raisedBy === null || raisedBy === reader.chatId) return raisedBy === null ? null : words.byYou
  const raiser = await accounts.member(raisedBy)
  return raiser?.accountId === accountId ? agentName(raiser.name) : null
}
