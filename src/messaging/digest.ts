import {
  type Announcement,
  digestSubject,
  isQuietOver,
  type MissedOrderNews,
  type NoticeContent,
} from '../domain/notice.ts'
import type { Store } from '../store/store.ts'

/**
 * How many orders a digest names. The others are only counted. A digest is one message in place of many about orders.
 */
export const maxNamed = 8

type Digest = Extract<NoticeContent, { kind: 'digest' }>

/**
 * Unmutes a chat in which somebody has written again. The order news that it missed becomes one message, a digest. All
 * other notices are sent as they are.
 * @returns how many pieces of order news the chat missed; null if it was not muted.
 */
export const endMute = async (store: Store, chatId: number, now: Date): Promise<number | null> => {
  if (!(await store.chats.isMuted(chatId))) return null
  return store.transaction(async (tx) => {
    if (!(await tx.chats.unmute(chatId))) return null
    const news = (await tx.notices.ofChat(chatId)).filter(({ content }) => isNews(content))
    // A single message is sent as it is.
    if (news.length > 1) {
      // The digest is a new notice. If an old notice were reused while it is being sent, marking it as sent would
      // delete the news of the others.
      await tx.notices.done(news.map(({ id }) => id))
      await tx.notices.enqueue(chatId, digestOf(news.map(({ content }) => content)), now)
    }
    return news.length
  })
}

/** After quiet hours, up to this many held-back announcements are sent one by one. More become a digest. */
export const maxSentSingly = 5

/**
 * If quiet hours held back more than `maxSentSingly` announcements to a chat, replaces them with a digest. Call it when
 * the chat's quiet hours are over. A muted chat keeps them for the digest that ends its mute.
 * @returns false if nothing was replaced.
 */
export const wakeUp = (store: Store, chatId: number, now: Date): Promise<boolean> =>
  store.transaction(async (tx) => {
    if (await tx.chats.isMuted(chatId)) return false
    const held = (await tx.notices.ofChat(chatId)).filter(
      ({ content, quietUntil }) => quietUntil !== null && isQuietOver(quietUntil, now) && isNews(content),
    )
    if (held.length <= maxSentSingly) return false
    // If nothing was left to delete, another process has made the digest.
    if ((await tx.notices.done(held.map(({ id }) => id))) === 0) return false
    const digest = digestOf(held.map(({ content }) => content))
    await tx.notices.enqueue(chatId, { ...digest, quiet: true }, now)
    return true
  })

/**
 * Whether a notice is order news that can become part of a digest. Questions about a debit cannot, because a digest has
 * no room for their details.
 */
const isNews = (content: NoticeContent): boolean =>
  content.kind === 'announce'
    ? content.what.about !== 'doubt'
    : content.kind === 'follow_announce' || content.kind === 'digest'

/**
 * Makes a digest that names each order once, those with news about money first, and counts the orders beyond
 * `maxNamed`. A pure function.
 */
export const digestOf = (contents: NoticeContent[]): Digest => {
  const orders = new Map<string, MissedOrderNews>()
  const counted = new Map<string, number>()
  const count = (status: string, by: number) => counted.set(status, (counted.get(status) ?? 0) + by)
  for (const content of contents) {
    for (const missed of missedOf(content)) {
      orders.set(missed.orderId, joined(orders.get(missed.orderId), missed))
    }
    if (content.kind === 'digest') for (const [status, by] of content.counted) count(status, by)
  }
  const byWeight = [...orders.values()].sort((a, b) => Number(b.isMoney) - Number(a.isMoney))
  for (const { status } of byWeight.slice(maxNamed)) count(status, 1)
  return {
    kind: 'digest',
    subject: digestSubject,
    named: byWeight.slice(0, maxNamed),
    counted: [...counted],
  }
}

const missedOf = (content: NoticeContent): MissedOrderNews[] => {
  switch (content.kind) {
    case 'announce': {
      const { orderId, what } = content
      const status = what.about === 'status' ? what.status : what.about
      return [{ orderId, status, about: [what.about], isMoney: !isGood(what), followed: false }]
    }
    case 'follow_announce': {
      const { orderId, status } = content
      return [{ orderId, status, about: ['status'], isMoney: false, followed: true }]
    }
    case 'digest':
      return content.named
    default:
      return []
  }
}

/** Whether the news is only good. A delivered order moves no money and needs nobody's attention. */
const isGood = (what: Announcement): boolean =>
  what.about === 'status' && what.status === 'delivered' && !what.contradicts

const joined = (earlier: MissedOrderNews | undefined, later: MissedOrderNews): MissedOrderNews =>
  earlier
    ? {
        ...later,
        about: [...new Set([...earlier.about, ...later.about])],
        isMoney: earlier.isMoney || later.isMoney,
        followed: earlier.followed && later.followed,
      }
    : later
