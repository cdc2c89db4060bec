import type { Client } from '../../database/database.ts'
import type { Order, Purchase } from '../../domain/order/order.ts'
import type { Shop } from '../../domain/selling/price-rule.ts'
import { isAhead } from '../../domain/times/ahead.ts'
import type { Phone } from '../../provider/phone.ts'
import { type Account, accountStore, type MemberOfAccount } from '../accounts/accounts.ts'
import { requestStore } from '../accounts/requests.ts'
import { type Follow, followOf } from '../chats/chats.ts'
import { defaultPreferences, type Preferences, preferenceStore, preferencesOf } from '../chats/preferences.ts'
import { factStore, networksFact, switchFacts } from '../operators/facts.ts'
import { bookOf, type Contact, contactStore } from '../shop/contacts.ts'
import { shopStore } from '../shop/shops.ts'
import { readingQueries } from './order-reading.ts'
import { oldestFirst, orderOf, withRecipients } from './order-rows.ts'
import { purchaseStore } from './purchases.ts'
import { recipientQueries } from './recipients.ts'

/** An order to be sent, with the facts that decide whether it may be sent, as of one moment. */
export interface OrderToSend {
  /** Null if the order does not exist. */
  order: Order | null
  account: Account | null
  /** The stored text with the network switches; null if none was ever used. */
  networksDown: string | null
  /** How many requests the account has made since each of the given times. */
  made: number[]
  /** The account's other orders for the same phones that may still be open, oldest first. */
  open: Order[]
}

/** An order whose status may change now, with the facts that decide who is told and what follows, as of one moment. */
export interface ReportedOrder {
  order: Order
  followers: Follow[]
  /** The settings of the chat in which it was ordered. */
  preferences: Preferences
  /** Whether other orders wait for this one to end. */
  isWaitedFor: boolean
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
  /** How many requests the account has made since each of the given times. */
  made: number[]
  /** The contact in the member's book for the draft's number; null if it is not saved. */
  saved: Contact | null
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
  const [accounts, facts, requests] = [accountStore(client), factStore(client), requestStore(client)]
  const orders = { ...readingQueries(client), ...recipientQueries(client) }

  return {
    toSend: async (
      { id, accountId }: Pick<Order, 'id' | 'accountId'>,
      phones: readonly Phone[],
      since: readonly Date[] = [],
    ): Promise<OrderToSend> => {
      // Read separately, because plain SQL in the same batch makes Prisma compile its other queries again.
      const made = await requests.countsSince(accountId, since)
      const [order, account, networksDown, open] = await Promise.all([
        orders.byId(id),
        accounts.byId(accountId),
        facts.read(networksFact),
        orders.openFor(accountId, phones, id),
      ])
      return { order, account, networksDown, made, open }
    },

    /**
     * @param since orders since this time count as recent.
     * @param countedSince the times since which requests are counted.
     */
    toConfirm: async (
      id: string,
      { userId, accountId }: { userId: number; accountId: string },
      since: Date,
      countedSince: readonly Date[] = [],
    ): Promise<PurchaseToConfirm> => {
      const [purchase, member, shop, switches, made] = await Promise.all([
        purchaseStore(client).byId(id),
        accounts.orderer(userId, accountId),
        shopStore(client).of(accountId),
        facts.readAll(switchFacts),
        requests.countsSince(accountId, countedSince),
      ])
      const [line] = purchase?.lines ?? []
      const [recent, saved] = await Promise.all([
        line ? orders.recentFor(accountId, [line.phone], since) : [],
        line && member ? contactStore(client).byPhone(bookOf(member), line.phone) : null,
      ])
      return { purchase, member, recent, shop, switches, made, saved }
    },

    /** Oldest first. */
    toReport: async (ids: readonly string[], now: Date): Promise<ReportedOrder[]> => {
      const rows = await client.order.findMany({
        where: { id: { in: [...ids] } },
        include: { ...withRecipients, follows: true },
        orderBy: oldestFirst,
      })
      const accountIds = rows.map(({ accountId }) => accountId)
      const [settings, accounts, waiting] = await Promise.all([
        client.preference.findMany({ where: { userId: { in: rows.map(({ chatId }) => chatId) } } }),
        client.account.findMany({
          where: { id: { in: accountIds } },
          select: { id: true, unauthorizedSince: true, frozenUntil: true, callbackSeenAt: true },
        }),
        client.order.findMany({
          where: { placement: 'queued', accountId: { in: accountIds }, waitsForId: { in: [...ids] } },
          select: { waitsForId: true },
        }),
      ])
      return rows.map(({ follows, ...row }) => {
        const wishes = settings.find(({ userId }) => userId === row.chatId)
        const account = accounts.find(({ id }) => id === row.accountId)
        const isFrozen = account?.frozenUntil && isAhead(account.frozenUntil, 'frozenUntil', now)
        return {
          order: orderOf(row),
          followers: follows.map(followOf),
          preferences: wishes ? preferencesOf(wishes) : defaultPreferences(Number(row.chatId)),
          isWaitedFor: waiting.some(({ waitsForId }) => waitsForId === row.id),
          mayBeAsked: account?.unauthorizedSince === null && !isFrozen,
          callbackSeenAt: account?.callbackSeenAt ?? null,
        }
      })
    },

    /** @param reference the reference in the answer. */
    toAnswer: async (
      { id, accountId }: Pick<Order, 'id' | 'accountId'>,
      reference: string,
    ): Promise<AnsweredOrder> => {
      const [order, holder, account, warned] = await Promise.all([
        orders.byId(id),
        orders.byReference(reference),
        accounts.byId(accountId),
        preferenceStore(client).warnedOwners(accountId),
      ])
      return { order, holder, account, isBalanceWatched: warned.length > 0 }
    },
  }
}
