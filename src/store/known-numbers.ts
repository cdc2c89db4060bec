import type { Select } from '../database/selection.ts'
import { type Placement, unsettled } from '../journal/placement.ts'
import type { Phone } from '../provider/phone.ts'
import { type Account, accountIn } from './accounts.ts'
import { prefixFact } from './chats.ts'
import { accountColumns, customerColumns } from './columns.ts'
import { type Book, type Customer, customerOf } from './customers.ts'

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

/** One statement in place of one for each of these, past the client. */
export const knownNumberStore = (select: Select) => ({
  of: async ({ accountId, agentId }: Book, phone: Phone): Promise<KnownNumber> => {
    const number = [accountId, phone]
    const rows = await select(knownSql, [prefixFact, accountId, ...number, ...number, agentId, ...number])
    const cells = rows[0]?.values() ?? [].values()
    const saved = customerColumns.read(cells)
    const account = accountColumns.read(cells)
    const [prefixes, ported] = [...cells].map((cell) => cell?.toString() ?? null)
    return {
      saved: saved && customerOf(saved),
      ported: ported ?? null,
      served: rows.flatMap((row) => row.at(-1)?.toString() ?? []),
      prefixes: prefixes ?? null,
      balance: account && balanceIn(accountIn(account)),
    }
  },
})

/** The queries of `knownNumberStore`. */
export type KnownNumberStore = ReturnType<typeof knownNumberStore>

const balanceIn = ({ balancePesewas, balanceAt }: Account) => ({ balancePesewas, balanceAt })

const served: readonly Placement[] = [...unsettled, 'placed']

/** A row for each network, and one if there is none. */
const knownSql = `
  SELECT ${customerColumns.of('saved')}, ${accountColumns.of('account')}, prefixes."value", ported."network", served."network"
  FROM (SELECT 1) number
  LEFT JOIN "Fact" prefixes ON prefixes."name" = ?
  LEFT JOIN "Account" account ON account."id" = ?
  LEFT JOIN "PortedNumber" ported ON ported."accountId" = ? AND ported."phone" = ?
  LEFT JOIN "Customer" saved ON saved."accountId" = ? AND saved."phone" = ? AND saved."agentId" = ?
  LEFT JOIN (
    SELECT DISTINCT "Order"."network" FROM "Recipient" JOIN "Order" ON "Order"."id" = "Recipient"."orderId"
    WHERE "Recipient"."accountId" = ? AND "Recipient"."phone" = ?
      AND "Order"."placement" IN (${served.map((placement) => `'${placement}'`).join(', ')})
  ) served ON TRUE
  ORDER BY served."network"`
