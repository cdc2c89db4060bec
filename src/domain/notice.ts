import type { Transaction } from '../provider/index.ts'
import type { Pesewas } from '../provider/money.ts'
import { isAhead } from './ahead.ts'

/**
 * A message owed to a chat, as data about its subject. Its words are made when it is sent, from the state at
 * that time: a card that waited shows the newest state, and several redraws of one card collapse into one.
 */
export type NoticeContent =
  /**
   * Redraw the card of a purchase (`subject` is `purchase:<id>`). `calm`: it changes often, and can wait a
   * little. `answers`: the person has pressed or written, and waits for it. `awaits`: what comes of it may follow
   * at once, and is then shown with it.
   */
  | {
      kind: 'card'
      subject: string
      purchaseId: string
      calm?: boolean
      answers?: boolean
      awaits?: boolean
    }
  /** Redraw a follower's card of an order. */
  | { kind: 'follow_card'; subject: string; orderId: string }
  /** A new message about an order, because an edit makes no sound. */
  | { kind: 'announce'; subject: string; orderId: string; what: Announcement }
  | { kind: 'follow_announce'; subject: string; orderId: string; status: string; reported: boolean }
  /** A new message about a list. */
  | { kind: 'list'; subject: string; purchaseId: string; what: ListNews }
  /** The news that a chat missed while it refused messages: orders by name, and how many more by status. */
  | {
      kind: 'digest'
      subject: string
      named: Missed[]
      counted: [status: string, count: number][]
      /** The chat's own quiet hours held the news back. */
      quiet?: boolean
    }
  /** Takes back the earlier news about the order: they were about another order. */
  | { kind: 'follow_mistaken'; subject: string; orderId: string }
  /** The provider refuses the account's credentials, or accepts them again. */
  | { kind: 'reconnect' | 'accepted_again'; subject: string }
  /** The trouble that an alert warned of is over: its message becomes one line. */
  | { kind: 'alert_over'; subject: string; name: AlertName; messageId: number | null; lastedMs: number }
  /** A warning about an order, or about a list that waits for it, may be over: its message is edited to what is true. */
  | { kind: 'warning'; subject: string; orderId: string; messageId: number }
  /** The wallet's balance has gone below the level that the owner has set. */
  | {
      kind: 'low_balance'
      subject: string
      accountId: string
      balancePesewas: Pesewas
      levelPesewas: Pesewas
    }
  /** The result of checking the credentials that somebody typed. */
  | { kind: 'connection'; subject: string; outcome: ConnectionOutcome }
  /** The chat is removed from an account: the account was erased, or has another owner now. */
  | { kind: 'departed'; subject: string; erased: boolean; forgotten?: boolean }
  /** Somebody became an agent of an account, or stopped being one. */
  | { kind: 'agency'; subject: string; news: AgencyNews }
  /** Somebody became an owner of the chat's account, or the chat's person stopped being one. */
  | { kind: 'ownership'; subject: string; news: OwnershipNews }
  /** Orders whose account was erased before their end was known. */
  | { kind: 'unfollowed'; subject: string; orderIds: string[] }
  /** The same, for a follower of one of them. */
  | { kind: 'follow_ended'; subject: string; orderId: string }
  /** A customer asks the person who ordered about an order. */
  | { kind: 'enquiry'; subject: string; enquiryId: string }
  /** The answer to the customer. */
  | { kind: 'answer'; subject: string; enquiryId: string; text: string }
  /** Charges since the copy that the bot was restored from, which no order here explains (epoch ms). */
  | ({ kind: 'audit'; subject: string } & AuditReport)
  /** The results of a period's orders; the period ends when the summary is owed (epoch ms). */
  | { kind: 'summary'; subject: string; fromMs: number; toMs: number }
  /** Orders are taken again. Sent to people whose order was refused during maintenance. */
  | { kind: 'orders_again'; subject: string }
  /** An operator has blocked the chat. */
  | { kind: 'blocked'; subject: string }
  /** Telegram took no answer to what the chat wrote. */
  | { kind: 'send_again'; subject: string }
  /** A message has to be deleted: the person's own message with a secret, or a card that has moved elsewhere. */
  | { kind: 'delete'; subject: string; messageId: number }

/**
 * What an alert warns of. To owners: the provider refuses their key, their balance is low. To operators: the disk is
 * nearly full, the database takes no changes, updates are sent elsewhere, another program reads them, the bot has
 * another name.
 */
export type AlertName = 'key' | 'balance' | 'disk' | 'database' | 'updates' | 'rival' | 'renamed' | 'lookups'

/**
 * `held`: the rest of the list is held up. `done`: all of it is done. `changed`: the closing message is no
 * longer true.
 */
export type ListNews = 'held' | 'done' | 'changed'

/** The news about one order. */
export type Announcement =
  | { about: 'status'; status: string; reported: boolean; contradicts: boolean }
  /**
   * How the order stands. `while`: the news of a doubt, left out if the order was settled before (`isOutdated`).
   * Without it the notice may be the last word about the order.
   */
  | { about: 'placement'; while?: 'unconfirmed' | 'review' }
  /** The provider has taken the order. Sent to an owner who wants to hear of each order of an agent. */
  | { about: 'placed' }
  /** The charge differs from the confirmed price. */
  | { about: 'other_price' }
  /** The wallet was charged more for the order than it costs: twice, for example. */
  | { about: 'overcharged'; debits: number; chargedPesewas: Pesewas; pricePesewas: Pesewas }
  /**
   * An order that was in doubt, or believed not to exist, does exist. `isUntold`: the doubt was over before anybody was
   * told of it, so it is no news; the card shows the order.
   */
  | { about: 'proof'; isUntold?: true }
  /** The order's inferred reference belongs to another order, and so does all earlier news about it. */
  | { about: 'mistaken'; reference: string }
  /** The order has another reference than the inferred one. */
  | { about: 'other_reference'; reference: string }
  /** Debits of the wallet that may be the order's, but cannot be paired with the orders. */
  | {
      about: 'doubt'
      debits: readonly DoubtedDebit[]
      more: number
      /** Other orders that these debits may belong to. */
      others?: readonly DoubtedOrder[]
      /** Others use the wallet's key too. */
      isShared?: boolean
    }
  /** The refund of a failed order was seen in the wallet, or was not seen within a day. */
  | { about: 'refund' }
  /** A callback has proven one of the order's references, and the order's own answer names another: both are kept. */
  | { about: 'two_references'; reference: string }
  /** A callback told the end of the order's second reference. */
  | { about: 'second_status'; reference: string; status: string }
  /** The refund for the order's second reference. */
  | { about: 'second_refund'; reference: string; refundedPesewas: Pesewas }
  /** The order's status is not polled any more. */
  | { about: 'stale' }
  /** The provider took a bulk order for fewer recipients than were sent. */
  | { about: 'accepted_in_part' }

/** The news about an agent, for the agent or the owners. */
export type AgencyNews =
  /** To the person who accepted an invitation. */
  | { what: 'welcome' }
  /** To the person who made it. */
  | { what: 'joined'; agentId: number }
  /** To the owners: the agent has not ordered for long, and is paused. */
  | { what: 'unused'; agentId: number }
  /** To an agent who was paused, or may order again. */
  | { what: 'paused' }
  /** To the owners: the agent has left. */
  | { what: 'left'; name: string | null; cancelled: number; open: number }
  /** To the agent who was removed. */
  | { what: 'dismissed'; cancelled: number; open: number }

/**
 * A person with the name that Telegram gave; null if the name has no letters to call them by, or is not known
 * any more.
 */
interface Named {
  userId: number
  name: string | null
}

/** The news about an account's owners, and about attempts to become one. */
export type OwnershipNews =
  /** To the owners: somebody else connected the account. */
  | { what: 'connected'; who: Named; atMs: number }
  /** To the owners: others typed the key with wrong secrets, several times. */
  | { what: 'guessed'; atMs: number }
  /** To a former owner: somebody connected a new key of the account, or removed them. */
  | { what: 'replaced' | 'removed'; who: Named; atMs: number; cancelled: number; open: number }
  /**
   * To the person who connected the new key: the other owners, and the agents who are paused until they are
   * confirmed.
   */
  | { what: 'took_over'; owners: Named[]; paused: Named[]; cancelled: number }

/** A debit that may be an order's, as the person is shown it. */
export interface DoubtedDebit {
  /** Null if the entry has none: then its description tells it from others. */
  reference: string | null
  description?: string | null
  amountPesewas: Pesewas
  /** The time of the charge by the provider's clock, epoch ms. */
  atMs: number | null
}

/** Another order that the debits may belong to. */
export interface DoubtedOrder {
  network: string
  volume: string
  quantity: number
  sentAtMs: number
}

/** The result of checking typed credentials. */
export type ConnectionOutcome =
  | { kind: 'connected'; accountType: string | null; balancePesewas: Pesewas; left: Left | null }
  | { kind: 'refused' }
  /** The provider could not be asked: nothing was changed. */
  | { kind: 'unchecked'; code: string; retryAfterMs: number | null }
  /**
   * The credentials are good, but of another account than the person's, or of one that may be another. The
   * person is asked whether to switch, until then (epoch ms). `mayBeSame`: or whether it is a new key of their account.
   */
  | {
      kind: 'other_account'
      isCertain: boolean
      mayBeSame: boolean
      accountType: string | null
      balancePesewas: Pesewas
      untilMs: number
    }
  /** Another account here is sending an order with that key: nothing was changed. */
  | { kind: 'busy' }
  /** The credentials waited too long for a check, because the bot was not running. */
  | { kind: 'interrupted' }

/** The account that the person left for another one. */
export interface Left {
  /** Orders that had not been sent. */
  cancelled: number
  /** Orders that are followed to their end. */
  open: number
  /** The latest time of its erasure, epoch ms; null if it was erased at once. */
  eraseByMs: number | null
}

/** The debits since `sinceMs` (epoch ms) that no order explains. */
export interface AuditReport {
  sinceMs: number
  debits: UnknownDebit[]
  /** How many more there are. */
  more: number
}

/** A debit that no order explains, in the provider's words. */
export interface UnknownDebit extends Pick<Transaction, 'amountPesewas' | 'description' | 'reference'> {
  atMs: number | null
}

/** The notice of an account's unexplained debits. */
export const auditOf = (accountId: string, report: AuditReport): NoticeContent => ({
  kind: 'audit',
  subject: `account:${accountId}`,
  ...report,
})

/** The news that a chat missed about one order. */
export interface Missed {
  orderId: string
  /** The newest status in that news. */
  status: string
  about: Announcement['about'][]
  isMoney: boolean
  /** The order is followed: it is not the chat's own. */
  followed: boolean
}

/** The subject of a digest: a chat has one digest at a time. */
export const digestSubject = 'digest'

/** A row of the outbox: content, and when it may be sent. */
export interface Notice {
  id: number
  chatId: number
  content: NoticeContent
  attempts: number
  notBefore: Date | null
  /** The person's quiet hours hold the notice back until then. */
  quietUntil: Date | null
  createdAt: Date
}

/** A redraw of a purchase's card. */
export const cardOf = (purchaseId: string, calm = false): NoticeContent => ({
  kind: 'card',
  subject: `purchase:${purchaseId}`,
  purchaseId,
  ...(calm && { calm }),
})

/**
 * A redraw of a purchase's card that answers what its person did.
 * @param awaits whether an outcome may follow at once.
 */
export const answeringCard = (purchaseId: string, awaits = false): NoticeContent => ({
  kind: 'card',
  subject: `purchase:${purchaseId}`,
  purchaseId,
  answers: true,
  ...(awaits && { awaits }),
})

/** A redraw of a purchase's card whose news the provider may confirm at once. */
export const reportedCard = (purchaseId: string): NoticeContent => ({
  kind: 'card',
  subject: `purchase:${purchaseId}`,
  purchaseId,
  awaits: true,
})

/** A new message about a list. */
export const listNotice = (purchaseId: string, what: ListNews): NoticeContent => ({
  kind: 'list',
  subject: `list:${purchaseId}`,
  purchaseId,
  what,
})

/** A summary of the orders from one time to another. */
export const summaryOf = (from: Date, to: Date): NoticeContent => ({
  kind: 'summary',
  subject: 'summary',
  fromMs: from.getTime(),
  toMs: to.getTime(),
})

/** The deletion of a message in the chat. */
export const deletionOf = (messageId: number): NoticeContent => ({
  kind: 'delete',
  subject: `message:${messageId}`,
  messageId,
})

/** The subject that all news about one order shares. */
export const announcementSubject = (orderId: string): string => `order:${orderId}`

/** A new message about an order. */
export const announcementOf = (orderId: string, what: Announcement): NoticeContent => ({
  kind: 'announce',
  subject: announcementSubject(orderId),
  orderId,
  what,
})

/** Holds a notice back until somebody lets it go: no quiet hours end then. */
export const untilLetGo = new Date('9999-01-01T00:00:00Z')

/** Whether the quiet hours that hold a notice back are over. */
export const isQuietOver = (quietUntil: Date, now: Date): boolean =>
  quietUntil < untilLetGo && !isAhead(quietUntil, 'quietUntil', now)

/** The end of maintenance. */
export const ordersAgain: NoticeContent = { kind: 'orders_again', subject: 'maintenance' }

/** One is enough, however many answers were lost. */
export const sendAgain: NoticeContent = { kind: 'send_again', subject: 'answers' }

/** The notice that an operator has blocked the chat. */
export const blockedNotice: NoticeContent = { kind: 'blocked', subject: 'blocked' }

/**
 * Whether a notice reaches a chat that an operator has blocked. Such a chat still hears of its confirmed orders
 * and its money.
 */
export const reachesBlocked = ({ kind }: NoticeContent): boolean => {
  switch (kind) {
    case 'card':
    case 'announce':
    case 'warning':
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
    case 'alert_over':
    case 'low_balance':
    case 'connection':
    case 'agency':
    case 'enquiry':
    case 'answer':
    case 'summary':
    case 'orders_again':
    case 'send_again':
      return false
  }
}

/** Notices that only redraw one thing: the last one for a subject is enough. */
export const isRedraw = (content: NoticeContent): boolean =>
  content.kind === 'card' ||
  content.kind === 'follow_card' ||
  content.kind === 'send_again' ||
  (content.kind === 'list' && content.what === 'changed')

/** News that is worded by how the list is when it is sent: several that waited would say the same. */
export const isHeldNews = (content: NoticeContent): boolean =>
  content.kind === 'list' && content.what === 'held'

/** Whether its person has just done something and waits for it. Anything else is announced. */
export const isAnswer = (content: NoticeContent): boolean =>
  content.kind === 'connection' ||
  content.kind === 'delete' ||
  (content.kind === 'card' && content.answers === true)

/** Notices after which the chat's user may have become a member, or may have stopped being one. */
export const changesMembership = ({ kind }: NoticeContent): boolean =>
  kind === 'connection' || kind === 'departed' || kind === 'ownership' || kind === 'agency'
