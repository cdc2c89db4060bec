/**
 * A message owed to a chat: what it is about, as data. The words are made when it is sent, from what is true
 * then, so a card that waited shows the newest state and several redraws of one card collapse into one.
 */
export type NoticeContent =
  /** Redraw the card of a purchase (`subject` is `purchase:<id>`). */
  | { kind: 'card'; subject: string; purchaseId: string }
  /** Redraw what a follower sees of an order. */
  | { kind: 'follow_card'; subject: string; orderId: string }
  /** A new message about an order, because an edit makes no sound. */
  | { kind: 'announce'; subject: string; orderId: string; what: Announcement }
  | { kind: 'follow_announce'; subject: string; orderId: string; status: string; reported: boolean }
  /** What a chat was told while it refused messages: orders by name, and how many more by status. */
  | { kind: 'digest'; subject: string; named: Missed[]; counted: [status: string, count: number][] }
  /** The provider refuses the account's credentials. */
  | { kind: 'reconnect'; subject: string }
  /** A message of the person that holds a secret has to go. */
  | { kind: 'delete'; subject: string; messageId: number }

export type Announcement =
  | { about: 'status'; status: string; reported: boolean; contradicts: boolean }
  | { about: 'placement' }
  /** Charged with another price than the one that was confirmed. */
  | { about: 'other_price' }
  /** An order that was believed not to exist does. */
  | { about: 'proof' }
  /** The refund of a failed order was seen in the wallet, or was not within a day. */
  | { about: 'refund' }
  /** Its status is asked no more. */
  | { about: 'stale' }

/** What a chat missed of one order. */
export interface Missed {
  orderId: string
  /** The newest that was said. */
  status: string
  about: Announcement['about'][]
  isMoney: boolean
  /** It is not the chat's own order. */
  followed: boolean
}

export const digestSubject = 'digest'

export interface Notice {
  id: number
  chatId: number
  content: NoticeContent
  attempts: number
  notBefore: Date | null
  createdAt: Date
}

export const cardOf = (purchaseId: string): NoticeContent => ({
  kind: 'card',
  subject: `purchase:${purchaseId}`,
  purchaseId,
})

export const announcementSubject = (orderId: string): string => `order:${orderId}`

export const announcementOf = (orderId: string, what: Announcement): NoticeContent => ({
  kind: 'announce',
  subject: announcementSubject(orderId),
  orderId,
  what,
})

/** Notices that only redraw one thing: of several for one subject the last is enough. */
export const isRedraw = ({ kind }: NoticeContent): boolean => kind === 'card' || kind === 'follow_card'
