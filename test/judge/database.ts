import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Database } from './evidence.ts'

type Row = Record<string, unknown>
/** Runs a query, and returns its rows unchanged. */
export type Ask = (sql: string) => Promise<Row[]>

/**
 * Reads the tables of a bot.
 * @param address the path of a SQLite file, with or without `file:`, or a PostgreSQL URL.
 */
export const readDatabase = (address: string): Promise<Database> =>
  /^postgres(ql)?:/.test(address) ? fromPostgres(address) : fromFile(address.replace(/^file:/, ''))

const fromFile = async (path: string): Promise<Database> => {
  const file = new DatabaseSync(path, { readOnly: true })
  try {
    return await tablesBy(async (sql) => file.prepare(sql).all())
  } finally {
    file.close()
  }
}

const fromPostgres = async (address: string): Promise<Database> => {
  const url = new URL(address)
  const schema = url.searchParams.get('schema') ?? 'public'
  for (const ours of ['schema', 'connection_limit']) url.searchParams.delete(ours)
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  try {
    await client.query(`SET search_path = ${client.escapeIdentifier(schema)}`)
    return await tablesBy(async (sql) => (await client.query<Row>(sql)).rows)
  } finally {
    await client.end()
  }
}

/** The tables' content in the judge's own types. */
export const tablesBy = async (ask: Ask): Promise<Database> => ({
  purchases: (await ask('SELECT * FROM "Purchase" ORDER BY "createdAt", "id"')).map((row) => ({
    id: text(row.id),
    accountId: text(row.accountId),
    chatId: Number(row.chatId),
    kind: text(row.kind),
    lines: text(row.lines),
    cardMessageId: number(row.cardMessageId),
    isConfirmed: row.confirmedAt !== null,
    remark: word(row.remark),
  })),
  orders: (await ask('SELECT * FROM "Order" ORDER BY "createdAt", "id"')).map(orderOf),
  recipients: (await ask('SELECT "orderId", "phone", "status" FROM "Recipient"')).map((row) => ({
    orderId: text(row.orderId),
    phone: text(row.phone),
    status: word(row.status),
  })),
  notices: (await ask('SELECT "chatId", "subject" FROM "Notice"')).map((row) => ({
    chatId: Number(row.chatId),
    subject: text(row.subject),
  })),
  warnings: (await ask('SELECT * FROM "Warning"')).map((row) => ({
    chatId: Number(row.chatId),
    orderId: text(row.orderId),
    says: text(row.says),
    isOwed: Boolean(row.isOwed),
  })),
  named: (await ask(`SELECT "orderId", "reference" FROM "StatusReport" WHERE "source" = 'callback'`)).map(
    (row) => ({ orderId: text(row.orderId), reference: text(row.reference) }),
  ),
  members: (
    await ask(
      // A limit that an owner raised for a day counts instead of the daily one.
      `SELECT "userId", "accountId", "chatId", "role", "createdAt", "resumedAt",
        CASE WHEN "raisedPesewas" > "dailyLimitPesewas" THEN "raisedPesewas" ELSE "dailyLimitPesewas" END
        AS "dailyLimitPesewas" FROM "Member"`,
    )
  ).map((row) => ({
    userId: Number(row.userId),
    accountId: text(row.accountId),
    chatId: Number(row.chatId),
    role: text(row.role),
    dailyLimitPesewas: number(row.dailyLimitPesewas),
    createdAtMs: Number(time(row.createdAt)),
    resumedAtMs: time(row.resumedAt),
  })),
  invited: (
    await ask(
      'SELECT "accountId", "usedBy" FROM "Invitation" WHERE "accountId" IS NOT NULL AND "usedBy" IS NOT NULL',
    )
  ).map((row) => ({ accountId: text(row.accountId), usedBy: Number(row.usedBy) })),
  chats: (await ask('SELECT "id", "mutedAt" FROM "Chat"')).map((row) => ({
    id: Number(row.id),
    isMuted: row.mutedAt !== null,
  })),
  shops: (await ask('SELECT "accountId", "phone", "agentPrices" FROM "Shop"')).map((row) => ({
    accountId: text(row.accountId),
    phone: word(row.phone),
    agentPrices: word(row.agentPrices),
  })),
  follows: (await ask('SELECT "orderId", "chatId" FROM "Follow"')).map((row) => ({
    orderId: text(row.orderId),
    chatId: Number(row.chatId),
  })),
})

const orderOf = (row: Row): Database['orders'][number] => ({
  id: text(row.id),
  purchaseId: text(row.purchaseId),
  accountId: text(row.accountId),
  userId: Number(row.userId),
  chatId: Number(row.chatId),
  ownerChatId: number(row.ownerChatId),
  listed: Boolean(row.listed),
  network: text(row.network),
  volume: text(row.volume),
  quantity: Number(row.quantity),
  unitPricePesewas: Number(row.unitPricePesewas),
  agentUnitPesewas: number(row.agentUnitPesewas),
  chargedPesewas: number(row.chargedPesewas),
  refundedPesewas: number(row.refundedPesewas),
  placement: text(row.placement),
  reason: word(row.reason),
  reference: word(row.reference),
  inferred: Boolean(row.inferred),
  otherReference: word(row.otherReference),
  status: word(row.status),
  createdAtMs: Number(time(row.createdAt)),
  sentAtMs: time(row.sentAt),
  isRedacted: row.redactedAt !== null,
})

const text = (value: unknown): string => String(value)
const word = (value: unknown): string | null => (value === null ? null : String(value))
/** SQLite returns a time as text, PostgreSQL's driver as a date. */
const time = (value: unknown): number | null =>
  value === null ? null : (value instanceof Date ? value : new Date(String(value))).getTime()
const number = (value: unknown): number | null => (value === null ? null : Number(value))
