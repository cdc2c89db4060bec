import { DatabaseSync } from 'node:sqlite'
import { openDatabase } from '../../src/database/database.ts'

/** The file of a database, past the bot's store. */
export const openRaw = (path: string): DatabaseSync => new DatabaseSync(path)

const ordersOfAccount = 1000
export const accountOf = (index: number): string => `account-${Math.floor(index / ordersOfAccount)}`

/** The rows of a database after a month of finished orders, with some under way. */
export interface Filling {
  /** How many orders there are already, and how many there will be. */
  from: number
  to: number
  /** When it is, for the times of what is under way. */
  now: Date
  /** Work that is due: of the first thousand orders, ten of each kind. */
  due?: boolean
  /** How many of each thousand are as an interrupted process left them. */
  left?: Left
}

export interface Left {
  /** Being sent. */
  sending: number
  /** Without an answer. */
  unconfirmed: number
  /** Placed, and due to be asked for. */
  polling: number
}

/**
 * Writes orders with all that belongs to each, a thousand an account: purchase, recipient, one callback. One in a
 * hundred is still to be polled, one in a thousand is watched for its refund, each an hour or more from now. Faster than the bot would by far: no sync, and the
 * indexes are built when all rows are there.
 */
export const fill = (path: string, filling: Filling): void => {
  const database = openRaw(path)
  database.exec('PRAGMA synchronous = OFF')
  database.exec('PRAGMA foreign_keys = OFF')
  database.exec('PRAGMA cache_size = -200000')
  const indexes = database
    .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
    .all() as { name: string; sql: string }[]
  database.exec('BEGIN')
  for (const { name } of indexes) database.exec(`DROP INDEX "${name}"`)
  database.exec(rows(filling))
  for (const { sql } of indexes) database.exec(sql)
  database.exec('COMMIT')
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
}

/** As Prisma writes a time, so many seconds from the Unix epoch. */
const time = (seconds: string): string => `strftime('%Y-%m-%dT%H:%M:%f', ${seconds}, 'unixepoch') || '+00:00'`

const rows = (filling: Filling): string => {
  const { from, to, due = false, left = { sending: 0, unconfirmed: 0, polling: 0 } } = filling
  const unconfirmedEnd = left.sending + left.unconfirmed
  const now = Math.floor(filling.now.getTime() / 1000)
  const first = due ? 1000 : 0
  return `
  CREATE TEMP TABLE fresh AS
    WITH RECURSIVE number(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM number WHERE i + 1 < ${to})
    SELECT i,
      lower(hex(randomblob(11))) AS id,
      lower(hex(randomblob(11))) AS purchaseId,
      'account-' || (i / ${ordersOfAccount}) AS accountId,
      i / ${ordersOfAccount} + 1000 AS userId,
      '024' || printf('%07d', i) AS phone,
      'BUD-API-' || upper(hex(randomblob(5))) || '-' || i AS reference,
      ${time(`${now} - 2592000 + i % 1000 * 2500`)} AS at,
      CASE WHEN i % 1000 < ${left.sending} THEN 'sending'
        WHEN i % 1000 < ${unconfirmedEnd} THEN 'unconfirmed'
        WHEN i % 1000 < ${unconfirmedEnd + left.polling} THEN 'polling'
        WHEN i < ${first} AND i % 100 = 1 THEN 'polling'
        WHEN i < ${first} AND i % 100 = 2 THEN 'queued'
        WHEN i < ${first} AND i % 100 = 3 THEN 'unconfirmed'
        WHEN i < ${first} AND i % 100 = 4 THEN 'draft'
        WHEN i % 100 = 5 THEN 'open'
        WHEN i % 1000 = 6 THEN 'failed'
        ELSE 'delivered' END AS kind
    FROM number;
  INSERT INTO Account (id, keyHash, sealedKey, sealedSecret, createdAt)
    SELECT DISTINCT accountId, accountId, '', '', ${time(`${now}`)} FROM fresh WHERE true
    ON CONFLICT DO NOTHING;
  INSERT INTO Purchase (id, accountId, userId, chatId, cause, state, lines, createdAt, expiresAt, confirmedAt)
    SELECT purchaseId, accountId, userId, userId, 'message:' || i, iif(kind = 'draft', 'draft', 'confirmed'),
      '[]', at, at, at FROM fresh;
  INSERT INTO "Order" (id, purchaseId, accountId, userId, chatId, kind, bundleId, network, volume,
      unitPricePesewas, quantity, placement, reference, status, leaseToken, leaseUntil, sentAt, placedAt, nextPollAt, settleAt, refundAt,
      createdAt, updatedAt)
    SELECT id, purchaseId, accountId, userId, userId, 'single', 1, 'MTN', '1GB', 600, 1,
      iif(kind IN ('sending', 'queued', 'unconfirmed'), kind, 'placed'),
      iif(kind IN ('sending', 'queued', 'unconfirmed'), NULL, reference),
      CASE kind WHEN 'delivered' THEN 'delivered' WHEN 'failed' THEN 'failed' WHEN 'polling' THEN 'processing'
        WHEN 'open' THEN 'processing' END,
      iif(kind = 'sending', 'token', NULL), iif(kind = 'sending', ${time(`${now} - 30`)}, NULL),
      at, at,
      CASE kind WHEN 'polling' THEN ${time(`${now} - 60`)} WHEN 'open' THEN ${time(`${now} + 3600 + i % 3600`)} END,
      iif(kind = 'unconfirmed', ${time(`${now} - 60`)}, NULL),
      iif(kind = 'failed', ${time(`${now} + 3600 + i % 3600`)}, NULL),
      at, at FROM fresh WHERE kind <> 'draft';
  INSERT INTO Recipient (id, orderId, accountId, phone, status)
    SELECT lower(hex(randomblob(11))), id, accountId, phone, 'delivered' FROM fresh WHERE kind <> 'draft';
  INSERT INTO Event (orderId, source, digest, reference, status, receivedAt, body, appliedAt, verdict)
    SELECT id, 'callback', lower(hex(randomblob(21))), reference, 'delivered', at,
      '{"event":"order.status.updated","reference":"' || reference || '","status":"delivered"}', at, 'applied'
    FROM fresh WHERE kind <> 'draft';
  INSERT INTO Notice (chatId, subject, kind, data, createdAt)
    SELECT userId + i, 'purchase:' || purchaseId, 'card', '{}', at FROM fresh WHERE kind = 'draft';
  DROP TABLE fresh;`
}

/**
 * Makes all orders those of one account that sells them, on four networks, with the times that deliveries take. They
 * came one after the other, evenly over the last month, as they stand in the table.
 */
export const giveAll = (database: DatabaseSync, accountId: string): void => {
  const now = Math.floor(Date.now() / 1000)
  const place = 'CAST(rowid AS REAL) / (SELECT MAX(rowid) FROM "Order")'
  database
    .prepare(
      `UPDATE "Order" SET accountId = ?, createdAt = ${time(`${now} - 2500000 * (1 - ${place})`)}, sellUnitPesewas = unitPricePesewas + 100, deliverySeconds = abs(random()) % 900,
        network = CASE abs(random()) % 4 WHEN 0 THEN 'Telecel' WHEN 1 THEN 'AirtelTigo' WHEN 2 THEN 'BigTime' ELSE 'MTN' END`,
    )
    .run(accountId)
}

/** A migrated database with so many orders. @returns those that have a reference */
export const newFilled = async (
  path: string,
  orders: number,
  filling: Partial<Filling> = {},
): Promise<Filled[]> => {
  await (await openDatabase(`file:${path}`)).close()
  fill(path, { from: 0, to: orders, now: new Date(), ...filling })
  return filledOrders(path, 1000)
}

export interface Filled {
  id: string
  reference: string
}

export const filledOrders = (path: string, limit: number): Filled[] => {
  const database = openRaw(path)
  try {
    return database
      .prepare('SELECT id, reference FROM "Order" WHERE reference IS NOT NULL ORDER BY id LIMIT ?')
      .all(limit)
      .map(({ id, reference }) => ({ id: String(id), reference: String(reference) }))
  } finally {
    database.close()
  }
}
