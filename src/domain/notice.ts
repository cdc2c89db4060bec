import type { Transaction } from '../provider/index.ts'
import type { Pesewas } from '../provider/money.ts'
import { isAhead } from './times/ahead.ts'

/**
 * A message to be sent to a chat, stored as data about its subject. Its text is written when it is sent, so a card that
 * had to wait shows the newest state, and several redraws of one card become one.
 */
export type NoticeContent =
  /**
   * Redraws the card of a purchase (`subject` is `purchase:<id>`). `calm`: the card changes often, so this redraw can
   * wait a little. `answers`: the person has just pressed or written something and waits for the answer. `awaits`: an
   * outcome may follow within moments, and this redraw waits to show it too.
   */
  | {
      kind: 'card'
      subject: string
      purchaseId: string
      calm?: boolean
      answers?: boolean
      awaits?: boolean
    }
  | { kind: 'follow_card'; subject: string; orderId: string }
  /** A new message about an order, because nobody would be notified of an edit. */
  | { kind: 'announce'; subject: string; orderId: string; what: Announcement }
  | { kind: 'follow_announce'; subject: string; orderId: string; status: string; reported: boolean }
  /** News of a list. `heldById`: the order that held up the list when `held` was enqueued. */
  | { kind: 'list'; subject: string; purchaseId: string; what: ListNews; heldById?: string }
  /** The news that a chat missed while it refused messages: some orders by name, the others counted by status. */
  | {
      kind: 'digest'
      subject: string
      named: MissedOrderNews[]
      counted: [status: string, count: number][]
      /** The news was held back by the chat's own quiet hours. */
      quiet?: boolean
    }
  /** Withdraws the earlier news about the order, which was in fact about another order. */
  | { kind: 'follow_mistaken'; subject: string; orderId: string }
  /** The provider refuses the account's credentials, or accepts them again. */
  | { kind: 'reconnect' | 'accepted_again'; subject: string }
  /** The problem that an alert warned of is over: the alert's message is shortened to one line. */
  | { kind: 'alert_over'; subject: string; name: AlertName; messageId: number | null; lastedMs: number }
  /**
   * A warning about an order, or about a list that waits for the order, may be over. Its message is edited to show
   * what is true now.
   */
  | { kind: 'warning'; subject: string; orderId: string; messageId: number }
  /** The wallet's balance has fallen below the owner's alert level. */
  | {
      kind: 'low_balance'
      subject: string
      accountId: string
      balancePesewas: Pesewas
      levelPesewas: Pesewas
    }
  | { kind: 'connection'; subject: string; outcome: ConnectionOutcome }
  /** The chat was removed from an account: the account was erased, or has another owner now. */
  | { kind: 'departed'; subject: string; erased: boolean; forgotten?: boolean }
  /** Somebody became an agent of an account, or stopped being one. */
  | { kind: 'agency'; subject: string; news: AgencyNews }
  /** Somebody became an owner of the chat's account, or this chat's person stopped being one. */
  | { kind: 'ownership'; subject: string; news: OwnershipNews }
  /** The chat's orders whose account was erased before their outcome was known. */
  | { kind: 'unfollowed'; subject: string; orderIds: string[] }
  /** To a follower of an order whose account was erased before its outcome was known. */
  | { kind: 'follow_ended'; subject: string; orderId: string }
  | { kind: 'enquiry'; subject: string; enquiryId: string }
  | { kind: 'answer'; subject: string; enquiryId: string; text: string }
  /** News of a complaint, for the shop and for the person who raised it. */
  | { kind: 'complaint'; subject: string; complaintId: string; news: ComplaintNews }
  /** After a restore: charges since the copy was made that no order here explains. */
  | ({ kind: 'audit'; subject: string } & AuditFindings)
  /** A summary of a period's orders (epoch ms). The period ends when the summary is queued. */
  | { kind: 'summary'; subject: string; fromMs: number; toMs: number }
  /** A reminder was due at `dueMs` (epoch ms), but no card could be made. */
  | { kind: 'reminder'; subject: string; reminderId: string; dueMs: number; why: NotReminded }
  /** Orders are accepted again. Sent to people whose order was refused during maintenance. */
  | { kind: 'orders_again'; subject: string }
  /** A network takes orders again. Sent to people who have a card for it that they can confirm now. */
  | { kind: 'network_back'; subject: string; network: string; purchaseId: string }
  /** A network became slow for the owner's orders, or no longer is. The times are medians. */
  | {
      kind: 'network_pace'
      subject: string
      network: string
      isSlow: boolean
      nowSeconds: number
      usualSeconds: number
    }
  | { kind: 'blocked'; subject: string }
  /** Asks the chat to send its message again, because Telegram did not take the bot's answer. */
  | { kind: 'send_again'; subject: string }
  /** Delete a message: the person's own message with a secret, or a card that has moved elsewhere. */
  | { kind: 'delete'; subject: string; messageId: number }

/**
 * What an alert warns of. Owners are warned that the provider refuses their key, or that their balance is low.
 * Operators are warned that the disk is nearly full, that the database cannot be written, that Telegram sends
 * updates elsewhere, that another program reads them, that the bot has another username, or that the provider finds
 * no order that is looked up.
 */
export type AlertName = 'key' | 'balance' | 'disk' | 'database' | 'updates' | 'rival' | 'renamed' | 'lookups'

/** `raised` and `remind` are for the shop only. */
export type ComplaintNews = 'raised' | 'remind' | 'ended'

/**
 * `held`: the rest of the list is held up. `done`: the list's closing message. `went_on`: orders that had not ended when
 * it was sent have ended now. `changed`: it is no longer true, and has to be corrected.
 */
export type ListNews = 'held' | 'done' | 'went_on' | 'changed'

export type Announcement =
  | { about: 'status'; status: string; reported: boolean; contradicts: boolean }
  /**
   * The outcome of the order. `while`: the news is only about a doubt, and is dropped if the doubt is over before it is
   * sent (`isOutdated`). Without `while`, this may be the last message about the order.
   */
  | { about: 'placement'; while?: 'unconfirmed' | 'review' }
  /** The provider has taken the order. Sent to an owner who wants to hear of every order of an agent. */
  | { about: 'placed' }
  | { about: 'other_price' }
  /** The wallet was charged more for the order than it costs: twice, for example. */
  | { about: 'overcharged'; debits: number; chargedPesewas: Pesewas; pricePesewas: Pesewas }
  /** An order that was believed not to exist, or was in review, does exist. */
  | { about: 'proof' }
  /** The order's inferred reference belongs to another order, so all earlier news about this order was wrong. */
  | { about: 'mistaken'; reference: string }
  /** The order has another reference than the one that was inferred. */
  | { about: 'other_reference'; reference: string }
  /** Debits of the wallet that may belong to the order, but cannot be paired with the orders for certain. */
  | {
      about: 'doubt'
      debits: readonly DoubtedDebit[]
      more: number
      /** Other orders that these debits may belong to. */
      others?: readonly DoubtedOrder[]
      /** The wallet's key is used outside the bot too. */
      isShared?: boolean
    }
  /**
   * A refund of the order was seen in the wallet, or the rest of it was not seen within a day. `refundedPesewas`: all
   * that was seen. If more is seen before this is sent, it is dropped (`isOutdated`), because later news says so.
   */
  | { about: 'refund'; refundedPesewas: Pesewas }
  /** A callback has proven one reference for the order, and the order's own answer names another. Both are kept. */
  | { about: 'two_references'; reference: string }
  /** A callback reported a final status for the order's second reference. */
  | { about: 'second_status'; reference: string; status: string }
  /** The refund for the order's second reference. */
  | { about: 'second_refund'; reference: string; refundedPesewas: Pesewas }
  /** The bot has stopped asking the provider for the order's status. */
  | { about: 'stale' }
  /** The provider accepted a bulk order for fewer recipients than were sent. */
  | { about: 'accepted_in_part' }

export type AgencyNews =
  /** To the person who accepted an invitation. */
  | { what: 'welcome' }
  /** To the person who made the invitation: somebody has accepted it. */
  | { what: 'joined'; agentId: number }
  /** To the owners: the agent has not ordered for a long time, and is paused. */
  | { what: 'unused'; agentId: number }
  /** To an agent who was paused, or may order again. */
  | { what: 'paused' }
  /** To the owner: the agent needs more today than the limit leaves. */
  | { what: 'asks'; agentId: number; purchaseId: string; neededPesewas: Pesewas }
  /** To an agent who asked for more: today's new limit, or null if it stays the same. */
  | { what: 'answered'; purchaseId: string; raisedPesewas: Pesewas | null }
  /** To the owners: the agent has left. */
  | { what: 'left'; name: string | null; cancelled: number; open: number }
  /** To the agent who was removed. */
  | { what: 'dismissed'; cancelled: number; open: number }

/** A person with their name in Telegram; null if the name has no letters, or is no longer known. */
interface Named {
  userId: number
  name: string | null
}

export type OwnershipNews =
  /** To the owners: somebody else connected the account. */
  | { what: 'connected'; who: Named; atMs: number }
  /** To the owners: somebody tried the account's key with wrong secrets, several times. */
  | { what: 'guessed'; atMs: number }
  /** To a former owner: somebody connected a new key of the account, or removed them. */
  | { what: 'replaced' | 'removed'; who: Named; atMs: number; cancelled: number; open: number }
  /**
   * To the person who connected the new key: the former owners, and the agents who are paused until the new owner
   * confirms them.
   */
  | { what: 'took_over'; owners: Named[]; paused: Named[]; cancelled: number }

/** A debit that may be an order's, as shown to the person. */
export interface DoubtedDebit {
  /** Null if the entry has no reference; then its description identifies it. */
  reference: string | null
  description?: string | null
  amountPesewas: Pesewas
  /** The time of the charge by the provider's clock, epoch ms. */
  atMs: number | null
}

export interface DoubtedOrder {
  network: string
  volume: string
  quantity: number
  sentAtMs: number
}

/**
 * Why a reminder made no card. `away`: the bot did not run at that time. `restored`: the database
 * is a restored copy, so a card may have been made. `not_sold`: the bundle is no longer sold.
 * `unread`: the prices could not be read. `denied`: the person may not order now.
 */
export type NotReminded =
  | { kind: 'away' }
  | { kind: 'restored' }
  | { kind: 'not_sold' }
  | { kind: 'unread'; code: string; retryAfterMs: number | null }
  | { kind: 'denied'; denial: 'no_room' | 'closing' | 'paused' }

export type ConnectionOutcome =
  | { kind: 'connected'; accountType: string | null; balancePesewas: Pesewas; left: LeftAccount | null }
  | { kind: 'refused' }
  /** The provider could not be asked. Nothing was changed. */
  | { kind: 'unchecked'; code: string; retryAfterMs: number | null }
  /**
   * The credentials are valid, but certainly (`isCertain`) or possibly belong to another account than the person's.
   * The person is asked whether to switch, until `untilMs` (epoch ms). `mayBeSame`: they may also be a new key of
   * the person's own account, and that is asked too.
   */
  | {
      kind: 'other_account'
      isCertain: boolean
      mayBeSame: boolean
      accountType: string | null
      balancePesewas: Pesewas
      untilMs: number
    }
  /** Another account here is sending an order with that key. Nothing was changed. */
  | { kind: 'busy' }
  /** The credentials waited too long to be checked, because the bot was not running. */
  | { kind: 'interrupted' }

/** What happened to the account that the person left for another one. */
export interface LeftAccount {
  /** Unsent orders, which were cancelled. */
  cancelled: number
  /** Sent orders, which the bot still follows to their end. */
  open: number
  /** When the account is erased at the latest, epoch ms; null if it was erased immediately. */
  eraseByMs: number | null
}

/** The debits since `sinceMs` (epoch ms) that no order explains. */
export interface AuditFindings {
  sinceMs: number
  debits: UnknownDebit[]
  /** How many more unexplained debits there are. */
  more: number
}

export interface UnknownDebit extends Pick<Transaction, 'amountPesewas' | 'description' | 'reference'> {
  atMs: number | null
}

export const auditOf = (accountId: string, report: AuditFindings): NoticeContent => ({
  kind: 'audit',
  subject: `account:${accountId}`,
  ...report,
})

export interface MissedOrderNews {
  orderId: string
  /** The newest status in the missed news. */
  status: string
  about: Announcement['about'][]
  isMoney: boolean
  /** The chat follows an order that somebody else made. */
  followed: boolean
}

/** The subject of a digest. It is the same for all, so that a chat has one digest at a time. */
export const digestSubject = 'digest'

/** A row of the outbox: the message, and when it may be sent. */
export interface Notice {
  id: number
  chatId: number
  content: NoticeContent
  attempts: number
  notBefore: Date | null
  /** Until when the person's quiet hours hold the notice back; null if they do not. */
  quietUntil: Date | null
  createdAt: Date
}

export const cardOf = (purchaseId: string, calm = false): NoticeContent => ({
  kind: 'card',
  subject: `purchase:${purchaseId}`,
  purchaseId,
  ...(calm && { calm }),
})

/**
 * Redraws a purchase's card in answer to the person's press or message.
 * @param awaits whether an outcome may follow within moments
 */
export const answeringCard = (purchaseId: string, awaits = false): NoticeContent => ({
  kind: 'card',
  subject: `purchase:${purchaseId}`,
  purchaseId,
  answers: true,
  ...(awaits && { awaits }),
})

/** Redraws a purchase's card after a reported status, which the provider may confirm within moments. */
export const reportedCard = (purchaseId: string): NoticeContent => ({
  kind: 'card',
  subject: `purchase:${purchaseId}`,
  purchaseId,
  awaits: true,
})

export const listNotice = (purchaseId: string, what: Exclude<ListNews, 'held'>): NoticeContent => ({
  kind: 'list',
  subject: listSubject(purchaseId),
  purchaseId,
  what,
})

export const heldNotice = (purchaseId: string, heldById: string): NoticeContent => ({
  kind: 'list',
  subject: listSubject(purchaseId),
  purchaseId,
  what: 'held',
  heldById,
})

export const listSubject = (purchaseId: string): string => `list:${purchaseId}`

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

/**
 * The `quietUntil` of a notice that waits for the end of maintenance. It is so late that the end of quiet hours never
 * releases the notice.
 */
export const untilLetGo = new Date('9999-01-01T00:00:00Z')

export const isQuietOver = (quietUntil: Date, now: Date): boolean =>
  quietUntil < untilLetGo && !isAhead(quietUntil, 'quietUntil', now)

export const ordersAgain: NoticeContent = { kind: 'orders_again', subject: 'maintenance' }

/** Tells a chat that a network takes orders again. @param purchaseId the chat's latest draft that waited for it */
export const networkBack = (network: string, purchaseId: string): NoticeContent => ({
  kind: 'network_back',
  subject: `network:${network}`,
  network,
  purchaseId,
})

/** Tells an owner that a network became slow, or no longer is. */
export const networkPace = (
  network: string,
  pace: Pick<Extract<NoticeContent, { kind: 'network_pace' }>, 'isSlow' | 'nowSeconds' | 'usualSeconds'>,
): NoticeContent => ({ kind: 'network_pace', subject: `pace:${network}`, network, ...pace })

/**
 * Asks the chat to write again. The subject is always the same, so a chat gets only one such notice, however many
 * answers were lost.
 */
export const sendAgain: NoticeContent = { kind: 'send_again', subject: 'answers' }

export const blockedNotice: NoticeContent = { kind: 'blocked', subject: 'blocked' }

/**
 * Whether a notice is sent to a chat that an operator has blocked. Such a chat still gets the news of its confirmed
 * orders and its money.
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
    case 'complaint':
    case 'summary':
    case 'reminder':
    case 'orders_again':
    case 'network_back':
    case 'network_pace':
    case 'send_again':
      return false
  }
}

/** Whether the notice only redraws a message. If so, the last one for a subject replaces the earlier ones. */
export const isRedraw = (content: NoticeContent): boolean =>
  content.kind === 'card' ||
  content.kind === 'follow_card' ||
  content.kind === 'send_again' ||
  (content.kind === 'list' && content.what === 'changed')

/**
 * Notices with the same key would say the same, because their text is written when they are sent, so they are sent as
 * one; null if the notice says something of its own.
 */
export const mergeKey = (content: NoticeContent): string | null => {
  if (content.kind === 'list' && content.what === 'held') return `held/${content.heldById}`
  return isRedraw(content) ? `${content.kind}/${content.subject}` : null
}

/** Whether the person has just done something and waits for this notice. Any other notice is news. */
export const isAnswer = (content: NoticeContent): boolean =>
  content.kind === 'connection' ||
  content.kind === 'delete' ||
  (content.kind === 'card' && content.answers === true)

/** Whether the notice may mean that the chat's user became a member, or stopped being one. */
export const changesMembership = ({ kind }: NoticeContent): boolean =>
  kind === 'connection' || kind === 'departed' || kind === 'ownership' || kind === 'agency'
