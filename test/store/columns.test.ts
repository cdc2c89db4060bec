import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import { schemaFor } from '../../src/database/schema.ts'
import {
  accountColumns,
  customerColumns,
  halfCredentialColumns,
  memberColumns,
  noticeColumns,
  orderColumns,
  purchaseColumns,
  recipientColumns,
} from '../../src/store/columns.ts'
import { orderOf, withRecipients } from '../../src/store/order-rows.ts'
import { createStore } from '../../src/store/store.ts'
import { newDatabaseUrl, testedKind } from '../support/database.ts'
import { type Column, tablesIn, timeLiteral } from '../support/schema-tables.ts'

/** Tables to which others refer come first. */
const read = {
  Account: accountColumns,
  Member: memberColumns,
  Customer: customerColumns,
  Purchase: purchaseColumns,
  Order: orderColumns,
  Recipient: recipientColumns,
  HalfCredential: halfCredentialColumns,
  Notice: noticeColumns,
}
type Table = keyof typeof read

const references: Record<string, Table> = { accountId: 'Account', purchaseId: 'Purchase', orderId: 'Order' }

/** A value that no other column of the row has. */
const literalOf = (table: string, { name, type }: Column, place: number): string => {
  switch (type) {
    case 'BigInt':
      return String(7_000_000_000 + place)
    case 'Int':
      return String(100 + place)
    case 'Boolean':
      return testedKind === 'sqlite' ? '1' : 'true'
    case 'DateTime':
      return timeLiteral(new Date(Date.UTC(2026, 10, 21, 10, 32, place, 100 + place)))
    default:
      return name in references ? `'${references[name]} id'` : `'${table} ${name}'`
  }
}

/** A database in which each of the tables has one row. @param isIn which columns are set. */
const newDatabase = async (isIn: (column: Column) => boolean) => {
  const database = await openDatabase(await newDatabaseUrl())
  onTestFinished(database.close)
  const tables = tablesIn(await schemaFor(testedKind))
  for (const table of Object.keys(read)) {
    const set = (tables.get(table) ?? []).filter(isIn)
    const names = set.map(({ name }) => `"${name}"`).join(', ')
    const values = set.map((column, place) => literalOf(table, column, place)).join(', ')
    await database.client.$executeRawUnsafe(`INSERT INTO "${table}" (${names}) VALUES (${values})`)
  }
  return database
}

test.each([
  ['each column set', () => true],
  ['no column set that need not be', ({ isNeeded }: Column) => isNeeded],
])('rows with %s are read as the client reads them', async (_, isIn) => {
  const { client, select } = await newDatabase(isIn)
  const asOfClient: Record<Table, object | null> = {
    Account: await client.account.findFirst(),
    Member: await client.member.findFirst(),
    Customer: await client.customer.findFirst(),
    Purchase: await client.purchase.findFirst(),
    Order: await client.order.findFirst(),
    Recipient: await client.recipient.findFirst(),
    Notice: await client.notice.findFirst(),
    HalfCredential: await client.halfCredential.findFirst(),
  }
  for (const [table, columns] of Object.entries(read)) {
    const [row = []] = await select(`SELECT ${columns.of('each')} FROM "${table}" each`, [])
    const cells = row.values()
    expect(columns.read(cells), table).toEqual(asOfClient[table as Table])
    expect(cells.next().done, table).toBe(true)
  }
})

test.each([
  ['each column set', () => true],
  ['no column set that need not be', ({ isNeeded }: Column) => isNeeded],
])('an order with %s is read past the client as the client reads it', async (_, isIn) => {
  const database = await newDatabase(isIn)
  const row = await database.client.order.findFirstOrThrow({ include: withRecipients })
  expect(await createStore(database).orders.byId(row.id)).toEqual(orderOf(row))
})

test('an outer join that found nothing has no row', async () => {
  const { select } = await newDatabase(() => true)
  for (const [table, columns] of Object.entries(read)) {
    const [row = []] = await select(
      `SELECT ${columns.of('each')} FROM "Account" LEFT JOIN "${table}" each ON 1 = 0`,
      [],
    )
    expect(row.length, table).toBeGreaterThan(0)
    expect(columns.read(row.values()), table).toBe(null)
  }
})
