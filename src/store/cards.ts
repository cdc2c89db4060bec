import { takenIn, takingBeside } from '../database/postgres-rates.ts'
import type { TurnBeside } from '../database/rates.ts'
import type { DatabaseKind } from '../database/schema.ts'
import type { Select, SelectLightly, Stored } from '../database/selection.ts'
import { bound } from '../database/sql.ts'
import type { Order, Purchase } from '../journal/order.ts'
import { type Account, accountIn, type Member, memberOf } from './accounts.ts'
import {
  accountColumns,
  customerColumns,
  memberColumns,
  orderColumns,
  purchaseColumns,
  recipientColumns,
} from './columns.ts'
import { type Customer, customerOf } from './customers.ts'
import { orderOf } from './order-rows.ts'
import { nonceAfter, purchaseOf } from './purchases.ts'
import { switchColumns, switchesIn } from './switch-facts.ts'

/** A purchase with what its card shows beside it, as of one moment. */
export interface ShownPurchase {
  purchase: Purchase
  /** Null: nothing was ordered, or it is a list, whose card reads its orders by itself. */
  order: Order | null
  account: Account
  /** Whoever looks at it; null: no member of the account. */
  viewer: Member | null
  /** The numbers of the order, or of the draft, that are saved in the viewer's book. */
  saved: Customer[]
  /** The number that the cause of the order's next repeat ends with. */
  nextRepeat: number
  /** The facts that hold the operators' switches, by name. */
  switches: ReadonlyMap<string, string>
}

/** An order with what its card and news of it show beside it. */
export type ShownOrder = ShownPurchase & { order: Order }

/** Causes of purchases that repeat an order begin so; a number follows. */
export const againCause = (orderId: string): string => `again:${orderId}:`

/**
 * What cards and news are drawn from, in one statement past the client: outside of transactions. A turn beside it is
 * taken by the same statement, if the processes on the database share turns.
 * @param light runs statements that take turns; null: the database has one process.
 */
export const cardStore = (select: Select, light: SelectLightly | null, kind: DatabaseKind) => {
  const texts = textsFor(kind)
  const rowsOf = async (sql: string, values: [number, string], turn: TurnBeside | null) => {
    if (!light || !turn) return select(sql, values)
    const rows = (await light(takingBeside(turn.first, turn.second, bound(sql, values)))).map(takenIn)
    if (rows[0]) turn.onTaken(rows[0])
    return rows.map(({ rest }) => rest)
  }
  return {
    ofPurchase: async (
      id: string,
      viewerId: number,
      turn: TurnBeside | null = null,
    ): Promise<ShownPurchase | null> => shownIn(await rowsOf(texts.ofPurchase, [viewerId, id], turn)),

    ofOrder: async (
      id: string,
      viewerId: number,
      turn: TurnBeside | null = null,
    ): Promise<ShownOrder | null> => {
      const found = shownIn(await rowsOf(texts.ofOrder, [viewerId, id], turn))
      return found?.order ? { ...found, order: found.order } : null
    },
  }
}

/** The queries of `cardStore`. */
export type CardStore = ReturnType<typeof cardStore>

/** The number of the draft. */
const draftPhone: Record<DatabaseKind, string> = {
  sqlite: `purchase."lines" -> 0 ->> 'phone'`,
  postgresql: `CAST(purchase."lines" AS json) -> 0 ->> 'phone'`,
}

/** The beginning of the causes of repeats, within quotation marks. The range below uses the index. */
const repeats = againCause(`' || "order"."id" || '`)

/** A row for each recipient, with all that stands beside it. */
const textsFor = (kind: DatabaseKind) => {
  const beginning = `
    SELECT ${purchaseColumns.of('purchase')}, ${accountColumns.of('account')}, ${memberColumns.of('viewer')},
      ${orderColumns.of('"order"')}, ${recipientColumns.of('recipient')}, ${customerColumns.of('saved')},
      (SELECT string_agg("cause", ' ') FROM "Purchase"
        WHERE "cause" >= '${repeats}' AND "cause" < '${repeats}a'),
      ${switchColumns}
    FROM "Purchase" purchase
    JOIN "Account" account ON account."id" = purchase."accountId"
    LEFT JOIN "Member" viewer ON viewer."userId" = ? AND viewer."accountId" = account."id"`
  const beside = `
    LEFT JOIN "Recipient" recipient ON recipient."orderId" = "order"."id"
    LEFT JOIN "Customer" saved ON saved."accountId" = viewer."accountId"
      AND saved."agentId" = CASE viewer."role" WHEN 'agent' THEN viewer."userId" ELSE 0 END
      AND saved."phone" = COALESCE(recipient."phone", ${draftPhone[kind]})`
  const inListOrder = `
    ORDER BY "order"."position", "order"."createdAt", "order"."id", recipient."position", recipient."phone"`
  return {
    ofPurchase: `${beginning}
      LEFT JOIN "Order" "order" ON "order"."purchaseId" = purchase."id" AND "order"."listed" = FALSE ${beside}
      WHERE purchase."id" = ? ${inListOrder}`,
    ofOrder: `${beginning}
      JOIN "Order" "order" ON "order"."purchaseId" = purchase."id" ${beside}
      WHERE "order"."id" = ? ${inListOrder}`,
  }
}

const shownIn = (stored: Stored[][]): ShownPurchase | null => {
  const rows = stored.map(rowOf)
  const [first] = rows
  if (!first?.purchase || !first.account) return null
  const { purchase, account, viewer, order, causes, switches } = first
  const own = rows.filter((row) => row.order?.id === order?.id)
  const recipients = own.flatMap(({ recipient }) => recipient ?? [])
  return {
    purchase: purchaseOf(purchase),
    order: order && orderOf({ ...order, recipients }),
    account: accountIn(account),
    viewer: viewer && memberOf(viewer),
    saved: own.flatMap(({ saved }) => (saved ? customerOf(saved) : [])),
    nextRepeat: order ? nonceAfter(againCause(order.id), causes) : 0,
    switches,
  }
}

const rowOf = (stored: readonly Stored[]) => {
  const cells = stored.values()
  return {
    purchase: purchaseColumns.read(cells),
    account: accountColumns.read(cells),
    viewer: memberColumns.read(cells),
    order: orderColumns.read(cells),
    recipient: recipientColumns.read(cells),
    saved: customerColumns.read(cells),
    causes: cells.next().value?.toString().split(' ') ?? [],
    switches: switchesIn(cells),
  }
}
