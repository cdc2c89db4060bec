import { type Announcement, announcementOf, listNotice, type NoticeContent } from '../../domain/notice.ts'
import type { Order } from '../../domain/order.ts'
import { quietUntil } from '../../messaging/quiet-hours.ts'
import { type AgentNotifyLevel, agentNotifyLevels } from '../../store/accounts/accounts.ts'
import type { Queries } from '../../store/store.ts'

/**
 * What is reported to the owner who answers for an agent, by the owners' setting for that agent:
 *
 * | news | `nothing` | `problems` | `ends` | `each` |
 * |---|---|---|---|---|
 * | it was placed | | | | a message |
 * | delivered, a list all of whose numbers were | | | a message | a message |
 * | another price, two references and news of the second: the agent is told that the owner knows | a message | a message | a message | a message |
 * | all else: failed, unconfirmed, charged late, refunds | | a message | a message | a message |
 *
 * For an order within a list, only news about its money is told. The list's own messages tell the rest. About a
 * former agent's order everything but `placed` is told. If that owner has left the account, another owner is told.
 *
 * A charge beyond the price, and its refund, is every owner's loss: all of them are told, whoever ordered.
 */
export type Reported = Pick<
  Order,
  'id' | 'accountId' | 'userId' | 'reportTo' | 'listed' | 'purchaseId' | 'extraPesewas'
>

/** Reports an announcement about an agent's order, or about a charge beyond the price of any. */
export const report = async (
  tx: Queries,
  order: Reported,
  what: Announcement,
  at: Date,
  notBefore: Date | null = null,
): Promise<void> => {
  if (isOfExtraCharge(order, what)) return reportToOwners(tx, order, what, at)
  const level = levelOf(what)
  if (level === null || (order.listed && !isAboutMoney(what))) return
  await oweReport(tx, order, { level, content: announcementOf(order.id, what), notBefore }, at)
}

const isOfExtraCharge = ({ extraPesewas }: Reported, { about }: Announcement): boolean =>
  about === 'overcharged' || (about === 'refund' && (extraPesewas ?? 0) > 0)

/** Tells every owner but the one who ordered, who is told anyway. */
const reportToOwners = async (tx: Queries, order: Reported, what: Announcement, at: Date): Promise<void> => {
  const content = announcementOf(order.id, what)
  for (const { role, userId, chatId } of await tx.accounts.members(order.accountId)) {
    if (role !== 'owner' || userId === order.userId) continue
    await tx.notices.awaken(chatId, content.subject)
    await tx.notices.owe(chatId, content, at)
  }
}

/** Reports a message about the list that the agent's order is part of. */
export const reportList = async (
  tx: Queries,
  order: Reported,
  news: 'held' | 'done' | 'changed',
  level: 'problems' | 'ends',
  at: Date,
  notBefore: Date | null = null,
): Promise<void> =>
  oweReport(tx, order, { level, content: listNotice(order.purchaseId, news), notBefore }, at)

interface AgentReport {
  level: AgentNotifyLevel
  content: NoticeContent
  notBefore: Date | null
}

const oweReport = async (
  tx: Queries,
  order: Reported,
  { level, content, notBefore }: AgentReport,
  at: Date,
): Promise<void> => {
  const overseer = await overseerOf(tx, order)
  if (overseer === null || !(await isTold(tx, order, level))) return
  const isUrgent = level === 'problems' || level === 'nothing'
  if (isUrgent) await tx.notices.awaken(overseer, content.subject)
  const until = isUrgent ? null : quietUntil(await tx.preferences.of(overseer), at)
  await tx.notices.owe(overseer, content, at, notBefore, until)
}

/** The chat of the owner who answers for the agent, or of another owner if that one has left. */
const overseerOf = async (tx: Queries, { accountId, reportTo }: Reported): Promise<number | null> => {
  if (reportTo === null) return null
  const owners = (await tx.accounts.members(accountId)).filter(({ role }) => role === 'owner')
  const meant = owners.find(({ chatId }) => chatId === reportTo)
  return (meant ?? owners[0])?.chatId ?? null
}

const isTold = async (
  tx: Queries,
  { accountId, userId }: Reported,
  level: AgentNotifyLevel,
): Promise<boolean> => {
  const agent = await tx.accounts.member(userId)
  const wanted = agent?.role === 'agent' && agent.accountId === accountId ? agent.notifyLevel : 'ends'
  return agentNotifyLevels.indexOf(wanted) >= agentNotifyLevels.indexOf(level)
}

/** News that only owners can look into. */
const ofTheWallet: readonly Announcement['about'][] = [
  'other_price',
  'two_references',
  'second_status',
  'second_refund',
]

/** The lowest level that reports it; null: none does. */
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
