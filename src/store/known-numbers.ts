import type { Client } from '../database/database.ts'
import { unsettled } from '../journal/placement.ts'
import type { Phone } from '../provider/phone.ts'
import { type Account, accountStore } from './accounts.ts'
import { chatStore, prefixFact } from './chats.ts'
import { type Book, type Customer, customerStore } from './customers.ts'
import { recipientQueries } from './recipients.ts'

/** Everything that decides how a message with one number is read. */
export interface KnownNumber {
  /** The number in the book. */
  saved: Customer | null
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

/** What is known of one number, read together. */
export const knownNumberStore = (client: Client) => ({
  /** The numbers among these that are in the book, that were often ordered for, or that are `phone` and ordered for. */
  familiar: async (book: Book, phone: Phone, others: readonly string[]): Promise<Phone[]> => {
    const numbers = [phone, ...others]
    const { accountId, agentId } = book
    // Agents learn nothing of the numbers that others order for.
    const theirs = agentId === 0 ? {} : { userId: BigInt(agentId) }
    const [saved, ordered] = await Promise.all([
      customerStore(client).byPhones(book, numbers),
      client.recipient.groupBy({
        by: ['phone'],
        where: {
          ...{ accountId, phone: { in: numbers } },
          order: { placement: { in: [...unsettled, 'placed'] }, ...theirs },
        },
        _count: { phone: true },
      }),
    ])
    const served = ordered.filter((each) => each.phone === phone || each._count.phone >= often)
    return [...new Set([...saved, ...served].map((each) => each.phone as Phone))]
  },

  of: async (book: Book, phone: Phone): Promise<KnownNumber> => {
    const { accountId } = book
    const [saved, ported, orders, prefixes, account] = await Promise.all([
      customerStore(client).byPhone(book, phone),
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
