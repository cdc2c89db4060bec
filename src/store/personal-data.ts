import type { Order, Purchase } from '../orders/order.ts'
import type { Placement } from '../orders/placement.ts'
import { type Account, accountOf } from './accounts.ts'
import { reportedName } from './copies.ts'
import type { Client } from './database.ts'
import type { Enquiry } from './enquiries.ts'
import { orderOf, withRecipients } from './orders.ts'
import { purchaseOf } from './purchases.ts'

/** What one commit deletes by a list of ids. */
const mostIds = 500
/** How many of a kind a file holds that is read at once; of what grows without end there are pages. */
const mostOfPerson = 10_000

/** What the bot keeps of people, to be given to them or erased: by person, and by account. */
export const personalDataStore = (client: Client) => ({
  /** What is a person's own, whatever account they belong to. */
  forgetPerson: async (userId: number): Promise<void> => {
    const id = BigInt(userId)
    // The chat with the bot has the person's id.
    await client.preference.deleteMany({ where: { userId: id } })
    await client.session.deleteMany({ where: { key: String(userId) } })
    await client.halfCredential.deleteMany({ where: { chatId: id } })
    await client.follow.deleteMany({ where: { chatId: id } })
    await forgetQuestions(client, { customerChatId: id })
    await client.customer.deleteMany({ where: { agentId: id } })
    await client.bookChange.deleteMany({ where: { agentId: id } })
    await client.notice.deleteMany({ where: { chatId: id, kind: { in: ofFollowers } } })
    await client.invitation.updateMany({ where: { usedBy: id }, data: { usedBy: null } })
    // Its menu of commands is still to be taken back, which forgets the rest.
    await client.chat.updateMany({ where: { id }, data: { invitedAt: null } })
    await client.chat.deleteMany({ where: { id, menu: null, mutedAt: null, blockedAt: null } })
  },

  /** Accounts that have no owner any more, and orders of that person. */
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

  /** All of the account is to be forgotten, when nothing of it is needed any more. */
  forgetFrom: async (accountId: string, at: Date): Promise<void> => {
    await client.account.updateMany({ where: { id: accountId, forgetAt: null }, data: { forgetAt: at } })
  },

  /** What the account keeps besides its orders. Its shop is `shops.forget`. */
  forgetBooks: async (accountId: string): Promise<void> => {
    await client.customer.deleteMany({ where: { accountId } })
    await client.bookChange.deleteMany({ where: { accountId } })
    await client.portedNumber.deleteMany({ where: { accountId } })
    await client.enquiry.deleteMany({ where: { accountId } })
    await client.invitation.deleteMany({ where: { accountId } })
  },

  forgetting: async (): Promise<Account[]> => {
    const rows = await client.account.findMany({ where: { forgetAt: { not: null } } })
    return rows.flatMap((row) => accountOf(row) ?? [])
  },

  /**
   * The next purchases of an account of which nothing is needed any more, oldest first: a list alone, because it may
   * be long.
   * @param isErased nothing is followed any more, but what is being sent at this moment still has its answer taken.
   * @param isPatient what somebody is still to be told of is needed too: its message has no words without it.
   * @param passed how many purchases were found to be needed before.
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

  /** With all that hangs on them. */
  erasePurchases: async (ids: string[]): Promise<void> => {
    const orders = await client.order.findMany({ where: { purchaseId: { in: ids } }, select: { id: true } })
    for (const part of partsOf(orders.map(({ id }) => id))) await eraseOrders(client, part)
    const subject = { in: ids.flatMap((id) => [`purchase:${id}`, `list:${id}`]) }
    await client.notice.deleteMany({ where: { subject } })
    await client.list.deleteMany({ where: { purchaseId: { in: ids } } })
    await client.purchase.deleteMany({ where: { id: { in: ids } } })
  },

  /** The account itself, once it has no purchases any more. */
  eraseAccountIfEmpty: async (accountId: string): Promise<void> => {
    if ((await client.purchase.count({ where: { accountId } })) > 0) return
    await client.customer.deleteMany({ where: { accountId } })
    await client.bookChange.deleteMany({ where: { accountId } })
    await client.portedNumber.deleteMany({ where: { accountId } })
    await client.enquiry.deleteMany({ where: { accountId } })
    await client.invitation.deleteMany({ where: { accountId } })
    await client.sellingPrice.deleteMany({ where: { accountId } })
    await client.shop.deleteMany({ where: { accountId } })
    await client.request.deleteMany({ where: { accountId } })
    await client.fact.deleteMany({ where: { name: reportedName(accountId) } })
    await client.member.deleteMany({ where: { accountId } })
    await client.account.deleteMany({ where: { id: accountId } })
  },

  // ── To be given to the person ──────────────────────────────────────────────────────────────────────────────────

  /** Who has saved no numbers has none. @param agentId whose book; 0 for the owners'. */
  customers: (
    accountId: string,
    agentId: number,
  ): Promise<{ name: string; phone: string; createdAt: Date }[]> =>
    client.customer.findMany({
      where: { accountId, agentId: BigInt(agentId) },
      select: { name: true, phone: true, createdAt: true },
      orderBy: { createdAt: 'asc' },
      take: mostOfPerson * 10,
    }),

  follows: async (chatId: number): Promise<{ createdAt: Date; order: Order }[]> => {
    const rows = await client.follow.findMany({
      where: { chatId: BigInt(chatId) },
      include: { order: { include: withRecipients } },
      orderBy: { createdAt: 'asc' },
      take: mostOfPerson,
    })
    return rows.map(({ createdAt, order }) => ({ createdAt, order: orderOf(order) }))
  },

  /** What the person asked as a customer. */
  asked: (chatId: number): Promise<Pick<Enquiry, 'text' | 'createdAt' | 'answeredAt'>[]> =>
    client.enquiry.findMany({
      where: { customerChatId: BigInt(chatId), text: { not: '' } },
      select: { text: true, createdAt: true, answeredAt: true },
      orderBy: { createdAt: 'asc' },
      take: mostOfPerson,
    }),

  /** Since when shops take no questions of that chat. */
  blocks: async (chatId: number): Promise<Date[]> => {
    const rows = await client.enquiry.findMany({
      where: { customerChatId: BigInt(chatId), blockedAt: { not: null } },
      select: { blockedAt: true },
      orderBy: { blockedAt: 'asc' },
      take: mostOfPerson,
    })
    return rows.flatMap(({ blockedAt }) => blockedAt ?? [])
  },

  /** What customers asked about the account's orders. */
  enquiries: (accountId: string): Promise<Pick<Enquiry, 'orderId' | 'text' | 'createdAt' | 'answeredAt'>[]> =>
    client.enquiry.findMany({
      where: { accountId, text: { not: '' } },
      select: { orderId: true, text: true, createdAt: true, answeredAt: true },
      orderBy: { createdAt: 'asc' },
      take: mostOfPerson,
    }),

  /** A page of purchases with their orders and what was reported of them. @param userId null: all of the account. */
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
    const events: KeptEvent[] = []
    for (const part of partsOf(orderIds)) {
      const select = { orderId: true, source: true, status: true, phone: true, receivedAt: true } as const
      const where = { orderId: { in: part } }
      events.push(...(await client.event.findMany({ where, select, orderBy: { id: 'asc' } })))
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

export interface KeptEvent {
  orderId: string
  source: string
  status: string
  phone: string | null
  receivedAt: Date
}

export interface KeptPurchase {
  purchase: Purchase
  /** What was pasted, for a list. */
  listText: string | null
  orders: { order: Order; events: KeptEvent[] }[]
}

/** What is owed to a chat about what it follows, and about its own. */
const ofFollowers = ['follow_card', 'follow_announce', 'follow_mistaken', 'follow_ended', 'summary']

const watched = { id: true, placement: true, nextPollAt: true, settleAt: true, refundAt: true } as const

type Watched = Pick<Order, Exclude<keyof typeof watched, 'id'>>

/**
 * All that a customer asked, or that was asked about orders. Of a question whose asker a shop has blocked, the block
 * stays, else deleting one's data would lift it: whose, when, and the order on whose card the shop lifts it.
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

/** Whether settling needs the order, or its person. */
const isNeeded = (order: Omit<Watched, 'placement'> & { placement: string }, isErased: boolean): boolean =>
  isErased
    ? order.placement === 'sending'
    : stillOpen.includes(order.placement) ||
      order.nextPollAt !== null ||
      order.settleAt !== null ||
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

/** Tells of each of the purchases whether a chat is still owed a message about it. */
export const owedAbout = async (
  client: Client,
  purchases: readonly Described[],
): Promise<(purchase: Described) => boolean> => {
  const subjects = new Set<string>()
  for (const part of partsOf(purchases.flatMap(subjectsOf))) {
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

/** The orders that a message about several names. */
const orderIdsIn = (data: string): string[] => {
  const { orderIds = [], named = [] } = JSON.parse(data) as {
    orderIds?: string[]
    named?: { orderId: string }[]
  }
  return [...orderIds, ...named.map(({ orderId }) => orderId)]
}

const eraseOrders = async (client: Client, ids: string[]): Promise<void> => {
  const orderId = { in: ids }
  await client.event.deleteMany({ where: { orderId } })
  await client.follow.deleteMany({ where: { orderId } })
  await client.enquiry.deleteMany({ where: { orderId } })
  await client.recipient.deleteMany({ where: { orderId } })
  const subject = { in: ids.flatMap((id) => [`order:${id}`, `follow:${id}`]) }
  await client.notice.deleteMany({ where: { subject } })
  await client.order.deleteMany({ where: { id: orderId } })
}

const partsOf = (ids: string[]): string[][] => {
  const parts: string[][] = []
  for (let from = 0; from < ids.length; from += mostIds) parts.push(ids.slice(from, from + mostIds))
  return parts
}
