import { crashPoint } from '../../base/crash-point.ts'
import { isAnswer, type Notice, reachesBlocked } from '../../domain/notice.ts'
import type { Delivery } from '../../messaging/chat-delivery.ts'
import { isHushed, quietUntil } from '../../messaging/quiet-hours.ts'
import type { Sender, Sent } from '../chat/sender.ts'
import { deliveryAfter } from '../chat/telegram-refusal.ts'
import { accountNotices } from './notices/accounts.ts'
import { complaintNotices } from './notices/complaints.ts'
import { digestNotices } from './notices/digests.ts'
import { enquiryNotices } from './notices/enquiries.ts'
import { followerNotices } from './notices/followers.ts'
import { operationNotices } from './notices/operator-acts.ts'
import { orderNotices } from './notices/orders.ts'
import { reminderNotices } from './notices/reminders.ts'
import { teamNotices } from './notices/team.ts'
import { warningNotices } from './notices/warnings.ts'
import type { Amendment, Content, NoticeKind, Sources, Worded, Wordings } from './notices/wording.ts'

/** The wording of each kind of notice. The compiler rejects a missing kind. */
const wordings: Wordings<NoticeKind> = {
  ...orderNotices,
  ...digestNotices,
  ...followerNotices,
  ...enquiryNotices,
  ...complaintNotices,
  ...accountNotices,
  ...teamNotices,
  ...warningNotices,
  ...operationNotices,
  ...reminderNotices,
}

/** `member` sends notices that a person is waiting for, `notice` sends announcements. */
interface NoticeSenders {
  member: Sender
  notice: Sender
}

interface DeliverOptions extends Sources {
  senders: NoticeSenders
}

/**
 * Words a notice from what is true now, and sends it. A notice counts as sent if it is no longer true, or if its chat
 * is blocked and the notice need not reach blocked chats.
 */
export const createDeliver = ({ senders, ...sources }: DeliverOptions) => {
  const { store } = sources

  const word = async <Kind extends NoticeKind>(
    kind: Kind,
    content: Content<Kind>,
    chatId: number,
  ): Promise<Worded> => wordings[kind](content, chatId, sources)

  /** Failed database writes about sent messages. They are tried again before the next notice. */
  const unnoted = new Set<() => Promise<void>>()
  const note = (work: () => Promise<void>): Promise<void> =>
    work().then(
      () => void unnoted.delete(work),
      () => void unnoted.add(work),
    )

  const amend = async (
    sender: Sender,
    chatId: number,
    { screen, messageId, noted }: Amendment,
  ): Promise<Sent> => {
    const sent = await sender.amend(chatId, messageId, screen)
    // If this write fails, the notice stays in the outbox and the message is edited again.
    if (sent.kind === 'sent' || sent.refusal.kind === 'nothing_to_edit') await noted()
    return sent
  }

  const put = async (
    { chatId, content }: Notice,
    worded: NonNullable<Worded>,
    silent: boolean,
  ): Promise<Sent> => {
    const sender = isAnswer(content) ? senders.member : senders.notice
    if (typeof worded === 'string') return sender.send(chatId, { text: worded, silent })
    if (!('kind' in worded)) return sender.send(chatId, { ...worded, silent })
    if (worded.kind === 'removal') return sender.remove(chatId, worded.messageId)
    if (worded.kind === 'amendment') return amend(sender, chatId, worded)
    const { screen, messageId, setsOut, standsOn, isWarning } = worded
    await setsOut?.()
    const sent =
      messageId === null ? await sender.send(chatId, screen) : await sender.edit(chatId, messageId, screen)
    if (setsOut) crashPoint('alert_accepted')
    if (sent.kind === 'failed' || sent.messageId === messageId) return sent
    // If this write fails, the next redraw of the card sends one more message. That is better than sending this message
    // again until the write succeeds. For a warning, the write is tried again later, because the message must be edited
    // when the warning is over.
    const noted = () => standsOn(sent.messageId)
    await (isWarning ? note(noted) : noted().catch(() => {}))
    return sent
  }

  const isQuiet = async (chatId: number): Promise<boolean> =>
    quietUntil(await store.preferences.of(chatId), sources.now()) !== null

  return async (notice: Notice): Promise<Delivery> => {
    const { chatId, content } = notice
    await Promise.all([...unnoted].map(note))
    if (!reachesBlocked(content) && (await store.operations.blockedSince(chatId))) return { kind: 'sent' }
    const worded = await word(content.kind, content, chatId)
    if (worded === null) return { kind: 'sent' }
    const sent = await put(notice, worded, isHushed(content) && (await isQuiet(chatId)))
    if (sent.kind === 'sent') return { kind: 'sent' }
    if (sent.refusal.kind === 'migrated') await store.chats.migrate(chatId, sent.refusal.to)
    return deliveryAfter(sent.refusal)
  }
}
