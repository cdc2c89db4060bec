import type { Client } from '../../database/database.ts'
import type {
  Account as AccountRow,
  Member as MemberRow,
  Purchase as PurchaseRow,
} from '../../database/row-types.ts'
import type { Order, Purchase } from '../../domain/order/order.ts'
import type { Shop } from '../../domain/selling/price-rule.ts'
import { isAhead } from '../../domain/times/ahead.ts'
import type { Phone } from '../../provider/phone.ts'
import { type Account, accountIn, type MemberOfAccount, memberOf } from '../accounts/accounts.ts'
import { type Follow, followOf } from '../chats/chats.ts'
import { defaultPreferences, type Preferences, preferenceStore, preferencesOf } from '../chats/preferences.ts'
import { factStore, networksFact, switchFacts } from '../operators/facts.ts'
import { type ShopRows, shopIn, withShop } from '../shop/shops.ts'
import { readingQueries } from './order-reading.ts'
import { oldestFirst, orderOf, withRecipients } from './order-rows.ts'
import { purchaseOf } from './purchases.ts'
import { recipientQueries } from './recipients.ts'

/** An order to be sent, with the facts that decide whether it may be sent, as of one moment. */
export interface OrderToSend {
  /** Null if the order does not exist. */
  order: Order | null
  account: Account | null
  /** The stored text with the network switches; null if none was ever used. */
  networksDown: string | null
  /** The account's other orders for the same phones that may still be open, oldest first. */
  open: Order[]
}

/** An order whose status may change now, with the facts that decide who is told and what follows, as of one moment. */
export interface ReportedOrder {
  order: Order
  followers: Follow[]
  /** The settings of the chat in which it was ordered; null: not read, because few orders need them. */
  preferences: Preferences | null
  /** Whether other orders wait for the end of this one; null: not read, like `preferences`. */
  isWaitedFor: boolean | null
  /** Whether the provider may be asked about it: the account's key is accepted, and the account is not frozen. */
  mayBeAsked: boolean
  /** When the account last received a callback. */
  callbackSeenAt: Date | null
}

/** A draft to be confirmed, with the facts that decide whether it may be confirmed, as of one moment. */
export interface PurchaseToConfirm {
  purchase: Purchase | null
  /** The member who confirms it; null if they are not a member of the account. */
  member: MemberOfAccount | null
  /** The orders for the draft's number that `recentFor` returns, oldest first. */
  recent: Order[]
  shop: Shop
  /** The stored facts with the operators' switches, by name. */
  switches: ReadonlyMap<string, string>
}

/** An order whose POST was answered, with the facts that the answer is compared with, as of one moment. */
export interface AnsweredOrder {
  order: Order | null
  account: Account | null
  /** Whether an owner wants to be told when the balance is low. */
  isBalanceWatched: boolean
  /** The order that has the answer's reference; null if no order does. */
  holder: Order | null
}

/**
 * Reads an order or a purchase with the facts for a decision about it. The result stays true only in a transaction that
 * has the account to itself.
 */
export const surroundingQueries = (client: Client) => {
  const facts = factStore(client)
  const orders = { ...readingQueries(client), ...recipientQueries(client) }

  return {
    toSend: async (
      { id, accountId }: Pick<Order, 'id' | 'accountId'>,
      phones: readonly Phone[],
    ): Promise<OrderToSend> => {
      const [found, networksDown, open] = await Promise.all([
        withAccount(client, id),
        facts.read(networksFact),
        orders.openFor(accountId, phones, id),
      ])
      return { ...found, networksDown, open }
    },

    /**
     * A draft with the facts that decide whether it may be confirmed.
     * @param since orders since this time count as recent.
     */
    toConfirm: async (
      id: string,
      { userId, accountId }: { userId: number; accountId: string },
      since: Date,
    ): Promise<PurchaseToConfirm> => {
      const members = { where: { userId: BigInt(userId) } }
      const [row, switches] = await Promise.all([
        client.purchase.findUnique({
          where: { id, accountId },
          include: { account: { include: { ...withShop, members } } },
        }),
        facts.readAll(switchFacts),
      ])
      const found = draftIn(row)
      const [line] = found.purchase?.lines ?? []
      const recent = line ? await orders.recentFor(accountId, [line.phone], since) : []
      return { ...found, recent, switches }
    },

    /**
     * The orders with these ids, oldest first. For a single order, `preferences` and `isWaitedFor` are not read yet,
     * because few changes need them.
     */
    toReport: async (ids: readonly string[], now: Date): Promise<ReportedOrder[]> => {
      const rows = await client.order.findMany({
        where: { id: { in: [...ids] } },
        include: { ...withRecipients, follows: true, account: { select: reportedOf } },
        orderBy: oldestFirst,
      })
      const read = rows.map(({ follows, account, ...row }): ReportedOrder => {
        const isFrozen = account.frozenUntil && isAhead(account.frozenUntil, 'frozenUntil', now)
        return {
          order: orderOf(row),
          followers: follows.map(followOf),
          preferences: null,
          isWaitedFor: null,
          mayBeAsked: account.unauthorizedSince === null && !isFrozen,
          callbackSeenAt: account.callbackSeenAt,
        }
      })
      return read.length > 1 ? withCommon(client, read) : read
    },

    /**
     * An order whose POST was answered, with the facts to compare the answer with.
     * @param reference the reference in the answer.
     */
    toAnswer: async (
      { id, accountId }: Pick<Order, 'id' | 'accountId'>,
      reference: string,
    ): Promise<AnsweredOrder> => {
      const [found, holder, warned] = await Promise.all([
        withAccount(client, id),
        orders.byReference(reference),
        preferenceStore(client).warnedOwners(accountId),
      ])
      return { ...found, holder, isBalanceWatched: warned.length > 0 }
    },
  }
}

/** What is read of a reported order's account. */
const reportedOf = { unauthorizedSince: true, frozenUntil: true, callbackSeenAt: true } as const

/** Adds facts that many of the orders share. They are read once for all orders. */
const withCommon = async (client: Client, read: readonly ReportedOrder[]): Promise<ReportedOrder[]> => {
  const orders = read.map(({ order }) => order)
  const [settings, waiting] = await Promise.all([
    client.preference.findMany({ where: { userId: { in: orders.map(({ chatId }) => BigInt(chatId)) } } }),
    client.order.findMany({
      where: {
        placement: 'queued',
        accountId: { in: orders.map(({ accountId }) => accountId) },
        waitsForId: { in: orders.map(({ id }) => id) },
      },
      select: { waitsForId: true },
    }),
  ])
  return read.map((each) => {
    const { id, chatId } = each.order
    const wishes = settings.find(({ userId }) => Number(userId) === chatId)
    return {
      ...each,
      preferences: wishes ? preferencesOf(wishes) : defaultPreferences(chatId),
      isWaitedFor: waiting.some(({ waitsForId }) => waitsForId === id),
    }
  })
}

/** The order with its account; nulls if it does not exist. */
const withAccount = async (
  client: Client,
  id: string,
): Promise<{ order: Order | null; account: Account | null }> => {
  const row = await client.order.findUnique({ where: { id }, include: { ...withRecipients, account: true } })
  if (!row) return { order: null, account: null }
  const { account, ...order } = row
  return { order: orderOf(order), account: accountIn(account) }
}

/** The purchase with its shop and the member who looks at it. */
const draftIn = (
  row: (PurchaseRow & { account: AccountRow & ShopRows & { members: MemberRow[] } }) | null,
): Pick<PurchaseToConfirm, 'purchase' | 'member' | 'shop'> => {
  if (!row) return { purchase: null, member: null, shop: shopIn(null) }
  const {
    account: { members, shop, priceTiers, sellingPrices, ...account },
    ...purchase
  } = row
  const [member] = members
  return {
    purchase: purchaseOf(purchase),
    member: member ? { ...memberOf(member), account: accountIn(account) } : null,
    shop: shopIn({ shop, priceTiers, sellingPrices }),
  }
}
