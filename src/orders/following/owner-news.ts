import {
  type Announcement,
  announcementOf,
  type ListNews,
  listNotice,
  type NoticeContent,
} from '../../domain/notice.ts'
import type { Order } from '../../domain/order/order.ts'
import { quietUntil } from '../../messaging/quiet-hours.ts'
import { type AgentNotifyLevel, agentNotifyLevels } from '../../store/accounts/accounts.ts'
import type { Queries } from '../../store/store.ts'
import { enqueueListNews } from './list-news.ts'

/**
 * Which news about an agent's orders the owner in `ownerChatId` gets, by the notify level set for that agent:
 *
 * | news | `nothing` | `problems` | `ends` | `each` |
 * |---|---|---|---|---|
 * | placed | | | | a message |
 * | an order or a whole list was delivered | | | a message | a message |
 * | charged at another price; an order with two references, and the outcome of the second (the agent is told that the owner knows) | a message | a message | a message | a message |
 * | anything else: failed, unconfirmed, charged late, refunds | | a message | a message | a message |
 *
 * For an order in a list, only news about money is sent; messages about the whole list cover the rest. News about a
 * former agent's order is sent as at the level `ends`. If the owner in `ownerChatId` has left the account, another
 * owner gets the news.
 *
 * The owners pay for a charge beyond the price, so all owners get the news of such a charge and of its refund, whoever
 * ordered.
 */
export type NewsOrder = Pick<
  Order,
  'id' | 'accountId' | 'userId' | 'ownerChatId' | 'listed' | 'purchaseId' | 'extraPesewas'
>

/** Enqueues for owners an announcement about an agent's order, or about any order's charge beyond its price. */
export const enqueueForOwner = async (
  tx: Queries,
  order: NewsOrder,
  what: Announcement,
  at: Date,
  notBefore: Date | null = null,
): Promise<void> => {
  if (isOfExtraCharge(order, what)) return enqueueForAllOwners(tx, order, what, at)
  const level = levelOf(what)
  if (level === null || (order.listed && !isAboutMoney(what))) return
  await enqueueIfWanted(tx, order, { level, content: announcementOf(order.id, what), notBefore }, at)
}

const isOfExtraCharge = ({ extraPesewas }: NewsOrder, { about }: Announcement): boolean =>
  about === 'overcharged' || (about === 'refund' && (extraPesewas ?? 0) > 0)

/** Enqueues news for all owners except the one who ordered, who gets it anyway. */
const enqueueForAllOwners = async (
  tx: Queries,
  order: NewsOrder,
  what: Announcement,
  at: Date,
): Promise<void> => {
  const content = announcementOf(order.id, what)
  for (const { role, userId, chatId } of await tx.accounts.members(order.accountId)) {
    if (role !== 'owner' || userId === order.userId) continue
    await tx.notices.awaken(chatId, content.subject)
    await tx.notices.enqueue(chatId, content, at)
  }
}

/** Enqueues a message about the list that contains the agent's order. */
export const enqueueListForOwner = async (
  tx: Queries,
  order: NewsOrder,
  what: Exclude<ListNews, 'held'>,
  level: 'problems' | 'ends',
  at: Date,
): Promise<void> => {
  const { purchaseId } = order
  const reader = await readerOf(tx, order, { level, content: listNotice(purchaseId, what) }, at)
  const hold = { notBefore: null, quietUntil: reader?.quietUntil ?? null }
  if (reader) await enqueueListNews(tx, reader.chatId, { purchaseId, what }, at, hold)
}

/** Enqueues for an owner that the list with the agent's order is held up. */
export const enqueueHeldForOwner = async (
  tx: Queries,
  order: NewsOrder,
  content: NoticeContent,
  at: Date,
  notBefore: Date | null,
): Promise<void> => enqueueIfWanted(tx, order, { level: 'problems', content, notBefore }, at)

interface OwnerNews {
  level: AgentNotifyLevel
  content: NoticeContent
  notBefore: Date | null
}

const enqueueIfWanted = async (
  tx: Queries,
  order: NewsOrder,
  { level, content, notBefore }: OwnerNews,
  at: Date,
): Promise<void> => {
  const reader = await readerOf(tx, order, { level, content }, at)
  if (reader) await tx.notices.enqueue(reader.chatId, content, at, notBefore, reader.quietUntil)
}

/**
 * The owner's chat that gets the news, and until when its quiet hours hold it back; null if nobody gets it. Earlier
 * news about the same subject is released before urgent news.
 */
const readerOf = async (
  tx: Queries,
  order: NewsOrder,
  { level, content }: Pick<OwnerNews, 'level' | 'content'>,
  at: Date,
): Promise<{ chatId: number; quietUntil: Date | null } | null> => {
  const chatId = await overseerOf(tx, order)
  if (chatId === null || !(await isWanted(tx, order, level))) return null
  const isUrgent = level === 'problems' || level === 'nothing'
  if (isUrgent) await tx.notices.awaken(chatId, content.subject)
  return { chatId, quietUntil: isUrgent ? null : quietUntil(await tx.preferences.of(chatId), at) }
}

/** The chat of the owner who gets news about the agent; that of another owner if that one has left. */
const overseerOf = async (tx: Queries, { accountId, ownerChatId }: NewsOrder): Promise<number | null> => {
  if (ownerChatId === null) return null
  const owners = (await tx.accounts.members(accountId)).filter(({ role }) => role === 'owner')
  const meant = owners.find(({ chatId }) => chatId === ownerChatId)
  return (meant ?? owners[0])?.chatId ?? null
}

const isWanted = async (
  tx: Queries,
  { accountId, userId }: NewsOrder,
  level: AgentNotifyLevel,
): Promise<boolean> => {
  const agent = await tx.accounts.member(userId)
  const wanted = agent?.role === 'agent' && agent.accountId === accountId ? agent.notifyLevel : 'ends'
  return agentNotifyLevels.indexOf(wanted) >= agentNotifyLevels.indexOf(level)
}

/** News about the wallet, which only owners can check. */
const ofTheWallet: readonly Announcement['about'][] = [
  'other_price',
  'two_references',
  'second_status',
  'second_refund',
]

/** The lowest level at which the news is sent; null if it is sent at none. */
const levelOf = (what: Announcement): AgentNotifyLevel | null => {
  if (what.about === 'placed') return 'each'
  if (ofTheWallet.includes(what.about)) return 'nothing'
  if (what.about !== 'status' || what.contradicts) return 'problems'
  switch (what.status) {
    case 'delivered':
      return 'ends'
    case 'failed':
    case 'cancelled':
    case 'refunded':
      return 'problems'
    default:
      return null
  }
}

const isAboutMoney = ({ about }: Announcement): boolean =>
  about !== 'status' && about !== 'placement' && about !== 'placed' && about !== 'stale'
