import type { Client } from '../database/database.ts'
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

/** What is known of one number, read together. */
export const knownNumberStore = (client: Client) => ({
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
