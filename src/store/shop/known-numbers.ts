import type { Client } from '../../database/database.ts'
import { openPlacements } from '../../domain/order/placement.ts'
import type { Phone } from '../../provider/phone.ts'
import { type Account, accountStore } from '../accounts/accounts.ts'
import { batchesOf } from '../batches.ts'
import { factStore, prefixFact } from '../operators/facts.ts'
import { recipientQueries } from '../orders/recipients.ts'
import { type Book, type Contact, contactStore } from './contacts.ts'

/** What is stored about a phone number and decides how a message with it is read. */
export interface KnownNumber {
  /** The contact with this number; null if it is not saved. */
  saved: Contact | null
  /** The network that a member confirmed for the number although it contradicts the prefix; null if there is none. */
  ported: string | null
  /** The networks on which the account has ordered for it. Refused orders do not count. */
  served: readonly string[]
  /** The stored text with the operators' changes of prefixes. */
  prefixes: string | null
  /** The known balance of the wallet that would be charged; null if the account does not exist. */
  balance: Pick<Account, 'balancePesewas' | 'balanceAt'> | null
}

/** After this many orders, a number counts as familiar. */
const often = 3

/** The most numbers that `repeated` returns. With more numbers, some would differ by one slip merely by chance. */
const mostRepeated = 100_000

/** How many orders the book's people have made for each number. Refused orders do not count. */
const timesOrdered = async (
  client: Client,
  { accountId, agentId }: Book,
  phones: readonly string[],
): Promise<Map<string, number>> => {
  // Only the agent's own orders, because agents must not learn for which numbers others order.
  const theirs = agentId === 0 ? {} : { userId: BigInt(agentId) }
  const rows = await client.recipient.groupBy({
    by: ['phone'],
    where: {
      accountId,
      phone: { in: [...phones] },
      order: { placement: { in: [...openPlacements, 'placed'] }, ...theirs },
    },
    _count: { phone: true },
  })
  return new Map(rows.map(({ phone, _count }) => [phone, _count.phone]))
}

export const knownNumberStore = (client: Client) => ({
  /** The familiar ones among these numbers: saved, or ordered for often. For `phone` itself, one order is enough. */
  familiar: async (book: Book, phone: Phone, others: readonly string[]): Promise<Phone[]> => {
    const numbers = [phone, ...others]
    const [saved, ordered] = await Promise.all([
      contactStore(client).byPhones(book, numbers),
      timesOrdered(client, book, numbers),
    ])
    const served = [...ordered].flatMap(([each, times]) => (each === phone || times >= often ? each : []))
    return [...new Set([...saved.map((each) => each.phone), ...served])] as Phone[]
  },

  /**
   * The numbers that occur in at least `often` orders of the account, whatever the outcome and whoever ordered. Only
   * the index is read, because an account may have a million orders. `oftenServed` checks more closely.
   */
  repeated: async (accountId: string): Promise<string[]> => {
    const rows = await client.recipient.groupBy({
      by: ['phone'],
      where: { accountId },
      having: { phone: { _count: { gte: often } } },
      orderBy: { phone: 'asc' },
      take: mostRepeated,
    })
    return rows.map(({ phone }) => phone)
  },

  oftenServed: async (book: Book, phones: readonly string[]): Promise<Set<string>> => {
    const found = new Set<string>()
    for (const part of batchesOf(phones))
      for (const [phone, times] of await timesOrdered(client, book, part))
        if (times >= often) found.add(phone)
    return found
  },

  of: async (book: Book, phone: Phone): Promise<KnownNumber> => {
    const { accountId } = book
    const [saved, ported, orders, prefixes, account] = await Promise.all([
      contactStore(client).byPhone(book, phone),
      client.portedNumber.findUnique({ where: { accountId_phone: { accountId, phone } } }),
      recipientQueries(client).servedOn(accountId, [phone]),
      factStore(client).read(prefixFact),
      accountStore(client).byId(accountId),
    ])
    return {
      saved,
      prefixes,
      ported: ported?.network ?? null,
      served: orders[phone] ?? [],
      balance: account && { balancePesewas: account.balancePesewas, balanceAt: account.balanceAt },
    }
  },
})

export type KnownNumberStore = ReturnType<typeof knownNumberStore>
