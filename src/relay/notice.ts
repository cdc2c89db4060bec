import type { Transaction } from '../provider/index.ts'
import type { Pesewas } from '../provider/money.ts'

/**
 * A message owed to a chat: what it is about, as data. The words are made when it is sent, from what is true
 * then, so a card that waited shows the newest state and several redraws of one card collapse into one.
 */
export type NoticeContent =
  /** Redraw the card of a purchase (`subject` is `purchase:<id>`). `calm`: it changes often, and can wait a little. */
  | { kind: 'card'; subject: string; purchaseId: string; calm?: boolean }
  /** Redraw what a follower sees of an order. */
  | { kind: 'follow_card'; subject: string; orderId: string }
  /** A new message about an order, because an edit makes no sound. */
  | { kind: 'announce'; subject: string; orderId: string; what: Announcement }
  | { kind: 'follow_announce'; subject: string; orderId: string; status: string; reported: boolean }
  /** A new message about a list. */
  | { kind: 'list'; subject: string; purchaseId: string; what: ListNews }
  /** What a chat was told while it refused messages: orders by name, and how many more by status. */
  | {
      kind: 'digest'
      subject: string
      named: Missed[]
      counted: [status: string, count: number][]
      /** It was held back by the chat's own quiet hours. */
      quiet?: boolean
    }
  /** What was said of the order before was another order's. */
  | { kind: 'follow_mistaken'; subject: string; orderId: string }
  /** The provider refuses the account's credentials; it accepts them again. */
  | { kind: 'reconnect' | 'accepted_again'; subject: string }
  /** The wallet's balance has gone below the level that the owner has settled. */
  | {
      kind: 'low_balance'
      subject: string
      accountId: string
      balancePesewas: Pesewas
      levelPesewas: Pesewas
    }
  /** What became of credentials that somebody typed. */
  | { kind: 'connection'; subject: string; outcome: ConnectionOutcome }
  /** The chat is removed from an account: it was erased, or has another owner now. */
  | { kind: 'departed'; subject: string; erased: boolean; forgotten?: boolean }
  /** Somebody became an agent of an account, or is one no more. */
  | { kind: 'agency'; subject: string; news: AgencyNews }
  /** Somebody became an owner of the chat's account, or the chat's person is one no more. */
  | { kind: 'ownership'; subject: string; news: OwnershipNews }
  /** Orders whose account was erased before their end was known. */
  | { kind: 'unfollowed'; subject: string; orderIds: string[] }
  /** The same, to who follows one of them. */
  | { kind: 'follow_ended'; subject: string; orderId: string }
  /** A customer asks about an order, of whoever ordered it. */
  | { kind: 'enquiry'; subject: string; enquiryId: string }
  /** The answer, to the customer. */
  | { kind: 'answer'; subject: string; enquiryId: string; text: string }
  /** What was charged since the copy that the bot was restored from, and is in no books here (epoch ms). */
  | ({ kind: 'audit'; subject: string } & AuditReport)
  /** What became of the orders of some time, which ends when it was owed (epoch ms). */
  | { kind: 'summary'; subject: string; fromMs: number; toMs: number }
  /** Orders are taken again: to whom maintenance had refused one. */
  | { kind: 'orders_again'; subject: string }
  /** An operator has blocked the chat. */
  | { kind: 'blocked'; subject: string }
  /** A message has to go: one of the person that holds a secret, or a card that stands elsewhere now. */
  | { kind: 'delete'; subject: string; messageId: number }

/** The rest of it is held up, all of it is done, or what was said of it when it was done is not true any more. */
export type ListNews = 'held' | 'done' | 'changed'

export type Announcement =
  | { about: 'status'; status: string; reported: boolean; contradicts: boolean }
  | { about: 'placement' }
  /** The provider has taken it: told to who wants to hear of each order of an agent. */
  | { about: 'placed' }
  /** Charged with another price than the one that was confirmed. */
  | { about: 'other_price' }
  /** An order that was believed not to exist does. */
  | { about: 'proof' }
  /** The reference that was inferred for it is another order's, and so was all that was said of it. */
  | { about: 'mistaken'; reference: string }
  /** It has another reference than the one that was inferred for it. */
  | { about: 'other_reference'; reference: string }
  /** Debits of the wallet that may be the order's, and do not pair up with the orders. */
  | {
      about: 'doubt'
      debits: readonly DoubtedDebit[]
      more: number
      /** Other orders that may be meant by them. */
      others?: readonly DoubtedOrder[]
      /** Others use the wallet's key too. */
      isShared?: boolean
    }
  /** The refund of a failed order was seen in the wallet, or was not within a day. */
  | { about: 'refund' }
  /** A callback has proven one reference of it, and its own answer names another: both are kept. */
  | { about: 'two_references'; reference: string }
  /** A callback told the end of the second of its references. */
  | { about: 'second_status'; reference: string; status: string }
  /** So much came back for the second of its references. */
  | { about: 'second_refund'; reference: string; refundedPesewas: Pesewas }
  /** Its status is asked no more. */
  | { about: 'stale' }
  /** The provider took a bulk order for fewer recipients than were sent. */
  | { about: 'accepted_in_part' }

export type AgencyNews =
  /** To whoever accepted an invitation. */
  | { what: 'welcome' }
  /** To whoever made it. */
  | { what: 'joined'; agentId: number }
  /** To an agent who was paused, or may order again. */
  | { what: 'paused' }
  /** To the owners: they have left by themselves. */
  | { what: 'left'; name: string | null; cancelled: number; open: number }
  /** To who was removed. */
  | { what: 'dismissed'; cancelled: number; open: number }

/** Names are as Telegram told them; null where nobody could be called by it, or nobody knows any more. */
interface Named {
  userId: number
  name: string | null
}

export type OwnershipNews =
  /** To the owners: somebody else connected the account. */
  | { what: 'connected'; who: Named; atMs: number }
  /** To the owners: others typed the key with wrong secrets, several times. */
  | { what: 'guessed'; atMs: number }
  /** To who is an owner no more: somebody connected a new key of the account, or removed them. */
  | { what: 'replaced' | 'removed'; who: Named; atMs: number; cancelled: number; open: number }
  /** To whoever connected the new key: the other owners, and the agents who are paused until they are confirmed. */
  | { what: 'took_over'; owners: Named[]; paused: Named[]; cancelled: number }

export interface DoubtedDebit {
  /** Null where the entry has none: then its description tells it from others. */
  reference: string | null
  description?: string | null
  amountPesewas: Pesewas
  /** When it was charged by the provider's clock, epoch ms. */
  atMs: number | null
}

export interface DoubtedOrder {
  network: string
  volume: string
  quantity: number
  sentAtMs: number
}

export type ConnectionOutcome =
  | { kind: 'connected'; accountType: string | null; balancePesewas: Pesewas; left: Left | null }
  | { kind: 'refused' }
  /** The provider could not be asked: nothing was changed. */
  | { kind: 'unchecked'; code: string; retryAfterMs: number | null }
  /**
   * Good, but of another account than the person's, or of one that cannot be told from another: they are asked whether
   * to switch, until then (epoch ms).
   */
  | {
      kind: 'other_account'
      isCertain: boolean
      accountType: string | null
      balancePesewas: Pesewas
      untilMs: number
    }
  /** An order is being sent with that key by another account here: nothing was changed. */
  | { kind: 'busy' }
  /** They waited too long to be checked: the bot was not running. */
  | { kind: 'interrupted' }

/** The account that was left for another one. */
export interface Left {
  /** Orders that had not been sent. */
  cancelled: number
  /** Orders that are followed to their end. */
  open: number
  /** When it is erased at the latest, epoch ms; null where it was erased at once. */
  eraseByMs: number | null
}

export interface AuditReport {
  sinceMs: number
  debits: UnknownDebit[]
  /** How many there are besides. */
  more: number
}

/** A debit that no order explains, as the provider words it. */
export interface UnknownDebit extends Pick<Transaction, 'amountPesewas' | 'description' | 'reference'> {
  atMs: number | null
}

export const auditOf = (accountId: string, report: AuditReport): NoticeContent => ({
  kind: 'audit',
  subject: `account:${accountId}`,
  ...report,
})

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
  /** Held back until then by the quiet hours of its person. */
  quietUntil: Date | null
  createdAt: Date
}

export const cardOf = (purchaseId: string, calm = false): NoticeContent => ({
  kind: 'card',
  subject: `purchase:${purchaseId}`,
  purchaseId,
  ...(calm && { calm }),
})

export const listNotice = (purchaseId: string, what: ListNews): NoticeContent => ({
  kind: 'list',
  subject: `list:${purchaseId}`,
  purchaseId,
  what,
})

export const summaryOf = (from: Date, to: Date): NoticeContent => ({
  kind: 'summary',
  subject: 'summary',
  fromMs: from.getTime(),
  toMs: to.getTime(),
})

export const deletionOf = (messageId: number): NoticeContent => ({
  kind: 'delete',
  subject: `message:${messageId}`,
  messageId,
})

export const announcementSubject = (orderId: string): string => `order:${orderId}`

export const announcementOf = (orderId: string, what: Announcement): NoticeContent => ({
  kind: 'announce',
  subject: announcementSubject(orderId),
  orderId,
  what,
})

/** Held back until somebody lets it go: no quiet hours end then. */
export const untilLetGo = new Date('9999-01-01T00:00:00Z')

export const ordersAgain: NoticeContent = { kind: 'orders_again', subject: 'maintenance' }

export const blockedNotice: NoticeContent = { kind: 'blocked', subject: 'blocked' }

/** What a chat that an operator has blocked is told all the same: what it has confirmed, and where its money is. */
export const reachesBlocked = ({ kind }: NoticeContent): boolean => {
  switch (kind) {
    case 'card':
    case 'announce':
    case 'list':
    case 'digest':
    case 'audit':
    case 'unfollowed':
    case 'departed':
    case 'ownership':
    case 'blocked':
    case 'delete':
      return true
    case 'follow_card':
    case 'follow_announce':
    case 'follow_mistaken':
    case 'follow_ended':
    case 'reconnect':
    case 'accepted_again':
    case 'low_balance':
    case 'connection':
    case 'agency':
    case 'enquiry':
    case 'answer':
    case 'summary':
    case 'orders_again':
      return false
  }
}

/** Notices that only redraw one thing: of several for one subject the last is enough. */
export const isRedraw = (content: NoticeContent): boolean =>
  content.kind === 'card' ||
  content.kind === 'follow_card' ||
  (content.kind === 'list' && content.what === 'changed')

/** Notices after which the chat's user may be a member that they were not before, or none any more. */
export const changesMembership = ({ kind }: NoticeContent): boolean =>
  kind === 'connection' || kind === 'departed' || kind === 'ownership' || kind === 'agency'
