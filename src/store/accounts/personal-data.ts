import type { Client } from '../../database/database.ts'
import type { Complaint } from '../../database/row-types.ts'
import { raw } from '../../database/sql.ts'
import type { Order, Purchase } from '../../domain/order/order.ts'
import type { Placement } from '../../domain/order/placement.ts'
import { batchesOf } from '../batches.ts'
import { auditedName } from '../chats/copies.ts'
import type { Enquiry } from '../chats/enquiries.ts'
import { orderOf, withRecipients } from '../orders/order-rows.ts'
import { purchaseOf } from '../orders/purchases.ts'
import { type Account, accountOf } from './accounts.ts'
import { columnsWith } from './personal-columns.ts'

/** The most rows of one kind that are read at once for a file with a person's data. Larger tables are read in pages. */
const maxOfPerson = 10_000

/** Queries that collect the data of a person or an account for a file, or erase it. */
export const personalDataStore = (client: Client) => ({
  /** Deletes the person's own data in every account (`personal-columns.ts`). */
  forgetPerson: async (userId: number): Promise<void> => {
    // The person's private chat with the bot has the same id as the person.
    const id = BigInt(userId)
    await deleteRows(client, 'person', id)
    await client.session.deleteMany({ where: { key: String(userId) } })
    await forgetQuestions(client, { customerChatId: id })
    // The complaint stays, because the shop still has to solve it.
    await client.complaint.updateMany({
      where: { raisedBy: id },
      data: { raisedBy: nobody, photoId: null },
    })
    await client.notice.deleteMany({ where: { chatId: id, kind: { in: ofFollowers } } })
    await client.invitation.updateMany({ where: { usedBy: id }, data: { usedBy: null } })
    await client.invitation.updateMany({ where: { createdBy: id }, data: { createdBy: nobody } })
    await client.member.updateMany({ where: { invitedBy: id }, data: { invitedBy: null } })
    // The row is kept until the chat's menu of commands is removed.
    await client.chat.updateMany({ where: { id }, data: { invitedAt: null } })
    await client.chat.deleteMany({ where: { id, menu: null, mutedAt: null, blockedAt: null } })
  },

  /** Accounts that have no owner left but have orders by that person. */
  leftBy: async (userId: number): Promise<string[]> => {
    const accounts = await client.account.findMany({
      where: {
        forgetAt: null,
        OR: [{ sealedSecret: '' }, { eraseBy: { not: null } }],
        members: { none: { role: 'owner' } },
        purchases: { some: { userId: BigInt(userId) } },
      },
      select: { id: true },
    })
    return accounts.map(({ id }) => id)
  },

  /** Marks the account to be forgotten once nothing needs it. */
  forgetFrom: async (accountId: string, at: Date): Promise<void> => {
    await client.account.updateMany({ where: { id: accountId, forgetAt: null }, data: { forgetAt: at } })
  },

  /** Deletes everything that the account keeps except orders: books, prices, questions, invitations. */
  forgetBooks: (accountId: string): Promise<void> => deleteRows(client, 'books', accountId),

  forgetting: async (): Promise<Account[]> => {
    const rows = await client.account.findMany({ where: { forgetAt: { not: null } } })
    return rows.flatMap((row) => accountOf(row) ?? [])
  },

  /**
   * The next purchases of an account that nothing needs any longer, oldest first. A list is returned alone, because it
   * may be long.
   * @param isErased whether the account is erased. If so, a purchase is needed only while one of its orders is being
   * sent.
   * @param isPatient whether to keep purchases that an enqueued message is about.
   * @param passed how many purchases earlier calls have skipped because they are needed.
   */
  erasable: async (
    accountId: string,
    { isErased, isPatient }: { isErased: boolean; isPatient: boolean },
    passed: number,
    limit: number,
  ): Promise<{ ids: string[]; passed: number }> => {
    const rows = await client.purchase.findMany({
      where: { accountId },
      select: { id: true, kind: true, orders: { select: watched } },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      skip: passed,
      take: limit,
    })
    const isOwed = isPatient ? await owedAbout(client, rows) : () => false
    const ids: string[] = []
    for (const row of rows) {
      const { id, kind, orders } = row
      if (kind === 'list' && ids.length > 0) break
      if (orders.some((order) => isNeeded(order, isErased)) || isOwed(row)) {
        if (ids.length > 0) break
        passed += 1
        continue
      }
      ids.push(id)
      if (kind === 'list') break
    }
    return { ids, passed }
  },

  erasePurchases: async (ids: string[]): Promise<void> => {
    const orders = await client.order.findMany({ where: { purchaseId: { in: ids } }, select: { id: true } })
    for (const part of batchesOf(orders.map(({ id }) => id))) await eraseOrders(client, part)
    const subject = { in: ids.flatMap((id) => [`purchase:${id}`, `list:${id}`]) }
    await client.notice.deleteMany({ where: { subject } })
    await client.warning.deleteMany({ where: { purchaseId: { in: ids } } })
    await client.list.deleteMany({ where: { purchaseId: { in: ids } } })
    await client.purchase.deleteMany({ where: { id: { in: ids } } })
  },

  /** Deletes the account itself once it has no purchases. */
  eraseAccountIfEmpty: async (accountId: string): Promise<void> => {
    if ((await client.purchase.count({ where: { accountId } })) > 0) return
    await deleteRows(client, 'books', accountId)
    await client.request.deleteMany({ where: { accountId } })
    await client.fact.deleteMany({ where: { name: auditedName(accountId) } })
    await client.member.deleteMany({ where: { accountId } })
    await client.account.deleteMany({ where: { id: accountId } })
  },

  // ── Data for the person's own file ────────────────────────────────────────────────────────────────────────────────

  /** The contacts of a book. @param agentId the agent whose book it is; 0 for the owners' book. */
  contacts: (
    accountId: string,
    agentId: number,
  ): Promise<{ name: string; phone: string; createdAt: Date }[]> =>
    client.contact.findMany({
      where: { accountId, agentId: BigInt(agentId) },
      select: { name: true, phone: true, createdAt: true },
      orderBy: { createdAt: 'asc' },
      take: maxOfPerson * 10,
    }),

  follows: async (chatId: number): Promise<{ createdAt: Date; order: Order }[]> => {
    const rows = await client.follow.findMany({
      where: { chatId: BigInt(chatId) },
      include: { order: { include: withRecipients } },
      orderBy: { createdAt: 'asc' },
      take: maxOfPerson,
    })
    return rows.map(({ createdAt, order }) => ({ createdAt, order: orderOf(order) }))
  },

  /** The person's questions as a customer. */
  asked: (chatId: number): Promise<Pick<Enquiry, 'text' | 'createdAt' | 'answeredAt'>[]> =>
    client.enquiry.findMany({
      where: { customerChatId: BigInt(chatId), text: { not: '' } },
      select: { text: true, createdAt: true, answeredAt: true },
      orderBy: { createdAt: 'asc' },
      take: maxOfPerson,
    }),

  /** The complaints that the person raised, or those about the account's orders. */
  complaints: (
    whose: { raisedBy: bigint } | { accountId: string },
  ): Promise<Pick<Complaint, 'orderId' | 'kind' | 'createdAt' | 'end' | 'endedAt'>[]> =>
    client.complaint.findMany({
      where: whose,
      select: { orderId: true, kind: true, createdAt: true, end: true, endedAt: true },
      orderBy: { createdAt: 'asc' },
      take: maxOfPerson,
    }),

  /** When shops blocked questions from that chat. */
  blocks: async (chatId: number): Promise<Date[]> => {
    const rows = await client.enquiry.findMany({
      where: { customerChatId: BigInt(chatId), blockedAt: { not: null } },
      select: { blockedAt: true },
      orderBy: { blockedAt: 'asc' },
      take: maxOfPerson,
    })
    return rows.flatMap(({ blockedAt }) => blockedAt ?? [])
  },

  /** Customers' questions about the account's orders. */
  enquiries: (accountId: string): Promise<Pick<Enquiry, 'orderId' | 'text' | 'createdAt' | 'answeredAt'>[]> =>
    client.enquiry.findMany({
      where: { accountId, text: { not: '' } },
      select: { orderId: true, text: true, createdAt: true, answeredAt: true },
      orderBy: { createdAt: 'asc' },
      take: maxOfPerson,
    }),

  /** A page of purchases with orders and reported statuses. @param userId null for everybody of the account. */
  purchases: async (
    accountId: string,
    userId: number | null,
    after: string | null,
    limit: number,
  ): Promise<KeptPurchase[]> => {
    const rows = await client.purchase.findMany({
      where: {
        accountId,
        ...(userId !== null && { userId: BigInt(userId) }),
        ...(after !== null && { id: { gt: after } }),
      },
      include: { list: true, orders: { include: withRecipients, orderBy: { position: 'asc' } } },
      orderBy: { id: 'asc' },
      take: limit,
    })
    const orderIds = rows.flatMap(({ orders }) => orders.map(({ id }) => id))
    const events: KeptReport[] = []
    for (const part of batchesOf(orderIds)) {
      const select = { orderId: true, source: true, status: true, phone: true, receivedAt: true } as const
      const where = { orderId: { in: part } }
      events.push(...(await client.statusReport.findMany({ where, select, orderBy: { id: 'asc' } })))
    }
    const byOrder = Map.groupBy(events, ({ orderId }) => orderId)
    return rows.map(({ list, orders, ...row }) => ({
      purchase: purchaseOf(row),
      listText: list?.text ?? null,
      orders: orders.map((order) => ({ order: orderOf(order), events: byOrder.get(order.id) ?? [] })),
    }))
  },
})

export type PersonalDataStore = ReturnType<typeof personalDataStore>

/** A reported status as the person's file shows it. */
export interface KeptReport {
  orderId: string
  source: string
  status: string
  phone: string | null
  receivedAt: Date
}

/** A purchase as the person's file shows it. */
export interface KeptPurchase {
  purchase: Purchase
  /** The pasted text of a list. */
  listText: string | null
  orders: { order: Order; events: KeptReport[] }[]
}

/** No Telegram user has this id. */
const nobody = 0n

const deleteRows = async (
  client: Client,
  ending: 'person' | 'books',
  whose: bigint | string,
): Promise<void> => {
  for (const { table, column } of columnsWith(ending))
    await client.$executeRaw`DELETE FROM ${raw(`"${table}"`)} WHERE ${raw(`"${column}"`)} = ${whose}`
}

/** The kinds of notices that are deleted from a person's chat with the person's data. */
const ofFollowers = [
  'follow_card',
  'follow_announce',
  'follow_mistaken',
  'follow_ended',
  'complaint',
  'summary',
  'network_pace',
  'reminder',
]

const watched = { id: true, placement: true, nextPollAt: true, reconcileAt: true, refundAt: true } as const

type Watched = Pick<Order, Exclude<keyof typeof watched, 'id'>>

/**
 * Deletes a customer's questions, or the questions about orders. If a shop blocked the customer, the block stays:
 * otherwise customers could lift it by deleting their data. The block consists of the chat, the time, and the order
 * whose card has the button that lifts it.
 */
export const forgetQuestions = async (
  client: Client,
  whose: { customerChatId: bigint } | { orderId: { in: string[] } },
): Promise<void> => {
  await client.enquiry.deleteMany({ where: { ...whose, blockedAt: null } })
  for (const { id, blockedAt } of await client.enquiry.findMany({ where: whose })) {
    const nothingAsked = { text: '', cause: `forgotten:${id}`, answerCause: null, answeredAt: blockedAt }
    await client.enquiry.update({
      where: { id },
      data: { ...nothingAsked, ...(blockedAt && { createdAt: blockedAt }) },
    })
  }
}

const isNeeded = (order: Omit<Watched, 'placement'> & { placement: string }, isErased: boolean): boolean =>
  isErased
    ? order.placement === 'sending'
    : stillOpen.includes(order.placement) ||
      order.nextPollAt !== null ||
      order.reconcileAt !== null ||
      order.refundAt !== null

const stillOpen: readonly string[] = ['queued', 'sending', 'unconfirmed', 'review'] satisfies Placement[]

interface Described {
  id: string
  orders: readonly { id: string }[]
}

const subjectsOf = ({ id, orders }: Described): string[] => [
  `purchase:${id}`,
  `list:${id}`,
  ...orders.flatMap((order) => [`order:${order.id}`, `follow:${order.id}`]),
]

/** Returns a function that says whether a message about a purchase is still enqueued. */
export const owedAbout = async (
  client: Client,
  purchases: readonly Described[],
): Promise<(purchase: Described) => boolean> => {
  const subjects = new Set<string>()
  for (const part of batchesOf(purchases.flatMap(subjectsOf))) {
    const where = { subject: { in: part }, setAsideAt: null }
    for (const { subject } of await client.notice.findMany({ where, select: { subject: true } })) {
      subjects.add(subject)
    }
  }
  const naming = await client.notice.findMany({
    where: { kind: { in: ['unfollowed', 'digest'] }, setAsideAt: null },
    select: { data: true },
  })
  const named = new Set(naming.flatMap(({ data }) => orderIdsIn(data)))
  return (purchase) =>
    subjectsOf(purchase).some((subject) => subjects.has(subject)) ||
    purchase.orders.some(({ id }) => named.has(id))
}

const orderIdsIn = (data: string): string[] => {
  const { orderIds = [], named = [] } = JSON.parse(data) as {
    orderIds?: string[]
    named?: { orderId: string }[]
  }
  return [...orderIds, ...named.map(({ orderId }) => orderId)]
}

const eraseOrders = async (client: Client, ids: string[]): Promise<void> => {
  const orderId = { in: ids }
  await client.statusReport.deleteMany({ where: { orderId } })
  await client.follow.deleteMany({ where: { orderId } })
  await client.enquiry.deleteMany({ where: { orderId } })
  await client.complaint.deleteMany({ where: { orderId } })
  await client.recipient.deleteMany({ where: { orderId } })
  const subject = { in: ids.flatMap((id) => [`order:${id}`, `follow:${id}`]) }
  await client.notice.deleteMany({ where: { subject } })
  await client.order.deleteMany({ where: { id: orderId } })
}
