import type { MissedOrderNews } from '../../../domain/notice.ts'
import { noFilter } from '../../buttons/history-filter.ts'
import { button } from '../../chat/screen.ts'
import { orderedBy } from '../../words/agent.ts'
import { homeLabels } from '../../words/labels.ts'
import { maskedWhom } from '../../words/numbers.ts'
import { summaryScreen } from '../summary.ts'
import { orderSeenBy, roleOf, viewOf } from '../viewer.ts'
import * as digestTexts from '../words/digest.ts'
import type { Sources, Wordings } from './wording.ts'

export const digestNotices: Wordings<'digest' | 'summary'> = {
  digest: async ({ named, counted, quiet = false }, chatId, { store }) => {
    const lines = await Promise.all(named.map((missed) => digestLine(missed, chatId, store)))
    const told = lines.filter((line) => line !== null)
    const isEmpty = told.length === 0 && counted.length === 0
    if (isEmpty) return null
    const isMember = (await store.accounts.member(chatId)) !== null
    const orders = button(homeLabels.orders, { do: 'orders', page: 0, filter: noFilter })
    return { text: digestTexts.digest(told, counted, quiet), rows: isMember ? [[orders]] : [] }
  },
  summary: (period, chatId, sources) => summaryScreen(sources, chatId, period),
}

/** One line of the digest; null if the person no longer follows the order or no longer owns the account. */
const digestLine = async (
  { orderId, about, followed }: MissedOrderNews,
  chatId: number,
  store: Sources['store'],
): Promise<string | null> => {
  const order = await store.orders.byId(orderId)
  if (!order) return null
  if (followed) {
    const isFollowed = (await store.chats.followOf(orderId, chatId)) !== null
    const isBlocked = (await store.operations.blockedSince(chatId)) !== null
    return isFollowed && !isBlocked ? digestTexts.followedDigestLine(order, maskedWhom(order)) : null
  }
  const view = await viewOf(store, order, await roleOf(store, order, chatId))
  const line = digestTexts.digestLine(orderSeenBy(order, view), about)
  if (chatId === order.chatId) return line
  return view.role === 'owner' ? `${orderedBy(order.agentName)} ${line}` : null
}
