import type { Client } from '../../database/database.ts'
import { openPlacements } from '../../domain/placement.ts'
import type { Phone } from '../../provider/phone.ts'
import { type Account, accountStore } from '../accounts/accounts.ts'
import { batchesOf } from '../batches.ts'
import { chatStore, prefixFact } from '../chats/chats.ts'
import { recipientQueries } from '../orders/recipients.ts'
import { type Book, type Contact, contactStore } from './contacts.ts'

/** Everything that decides how a message with one number is read. */
export interface KnownNumber {
  /** The number in the book. */
  saved: Contact | null
  /** The network that a member confirmed although the prefix says another. */
  ported: string | null
  /** The networks on which the account has ordered for it. Refused orders do not count. */
  served: readonly string[]
  /** The fact about prefixes, as it is stored. */
  prefixes: string | null
  /** What is known of the wallet that would pay; null: there is no such account. */
  balance: Pick<Account, 'balancePesewas' | 'balanceAt'> | null
}

/** As many orders make a number familiar. */
const often = 3

/** More numbers than that have near twins by chance. */
const mostRepeated = 100_000

/** By number, in how many orders of the book's people it stands. Refused orders do not count. */
const timesOrdered = async (
  client: Client,
  { accountId, agentId }: Book,
  phones: readonly string[],
): Promise<Map<string, number>> => {
  // Agents learn nothing of the numbers that others order for.
  const theirs = agentId === 0 ? {} : { userId: BigInt(agentId) }
  const rows = await client.recipient.groupBy({
    by: ['phone'],
    where: {
      ...{ accountId, phone: { in: [...phones] } },
      order: { placement: { in: [...openPlacements, 'placed'] }, ...theirs },
    },
    _count: { phone: true },
  })
  return new Map(rows.map(({ phone, _count }) => [phone, _count.phone]))
}

/** What is known of one number, read together. */
export const knownNumberStore = (client: Client) => ({
  /** The numbers among these that are in the book, that were often ordered for, or that are `phone` and ordered for. */
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
   * The numbers that stand in several orders of the account, whatever became of these and whoever made them. Reads the
   * index alone, because an account may have a million orders: `oftenServed` looks closer.
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

  /** The numbers among these that were often ordered for. */
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
      chatStore(client).fact(prefixFact),
      accountStore(client).byId(accountId),
    ])
    return {
      ...{ saved, prefixes, ported: ported?.network ?? null, served: orders[phone] ?? [] },
      balance: account && { balancePesewas: account.balancePesewas, balanceAt: account.balanceAt },
    }
  },
})

/** The queries of `knownNumberStore`. */
export type KnownNumberStore = ReturnType<typeof knownNumberStore>
