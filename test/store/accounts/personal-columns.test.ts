import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../src/database/database.ts'
import { databaseKinds, schemaFor } from '../../../src/database/schema.ts'
import { eraseForgotten, forgetPerson } from '../../../src/settings/forgetting.ts'
import { type Ending, personalColumns } from '../../../src/store/accounts/personal-columns.ts'
import { createStore } from '../../../src/store/store.ts'
import { newDatabaseUrl, testedKind } from '../../support/database.ts'
import { type Column, tablesIn, timeLiteral } from '../../support/schema-tables.ts'

const now = new Date('2026-11-21T10:32:00Z')

/** The columns of the schema whose name or type suggests that they are about a person. */
const isAboutSomebody = (table: string, { name, type }: Column): boolean =>
  /account|user|chat|phone|agent(Id|Name)|invitedBy|ownerChatId/i.test(name) && type !== 'DateTime'
    ? !(name in countings)
    : type === 'BigInt' && table !== 'Bucket' && !/messageId$/i.test(name)

/** Settings and prices, which identify nobody. */
const countings = { agentPrices: true, agentUnitPesewas: true }

const listed: Record<string, Record<string, Ending>> = personalColumns

describe.each(databaseKinds)('the schema for %s', async (kind) => {
  const tables = tablesIn(await schemaFor(kind))

  test('has only tables that the list of personal columns names', () => {
    expect(Object.keys(listed).toSorted()).toEqual([...tables.keys()].toSorted())
    expect(tables.size).toBeGreaterThan(20)
  })

  test('has no column about a person that the list of personal columns leaves out', () => {
    for (const [table, columns] of tables) {
      const missing = columns.filter((column) => isAboutSomebody(table, column))
      const names = Object.keys(listed[table] ?? {})
      expect(names, table).toEqual(expect.arrayContaining(missing.map(({ name }) => name)))
      expect(
        columns.map(({ name }) => name),
        table,
      ).toEqual(expect.arrayContaining(names))
    }
  })
})

/** A person with an account and a row in every table. */
interface Held {
  userId: number
  accountId: string
  phone: string
}

const ama: Held = { userId: 4_242_001, accountId: 'account-of-ama', phone: '0241234567' }
const kofi: Held = { userId: 4_242_002, accountId: 'account-of-kofi', phone: '0551234567' }

/** Columns that decide whether a row has ended, and columns that refer to other rows. */
const fixed = ({ accountId }: Held): Record<string, string> => ({
  'Account.id': accountId,
  'Purchase.id': `purchase-${accountId}`,
  'Order.id': `order-${accountId}`,
  'Order.kind': 'single',
  'Order.placement': 'not_placed',
  'Purchase.kind': 'single',
  'Purchase.state': 'confirmed',
  'Purchase.lines': '[]',
  'Member.role': 'owner',
  'Notice.kind': 'follow_card',
  'Fact.name': `reported:${accountId}`,
})

const literalOf = (table: string, { name, type }: Column, held: Held): string | null => {
  const { userId, accountId, phone } = held
  const known = fixed(held)[`${table}.${name}`]
  if (known !== undefined) return `'${known}'`
  if (/^(account|purchase|order)Id$/.test(name)) {
    const id = name === 'accountId' ? accountId : `${name.slice(0, -2)}-${accountId}`
    return `'${id}'`
  }
  if (name === 'phone') return `'${phone}'`
  if (`${table}.${name}` === 'Session.key') return `'${userId}'`
  switch (type) {
    case 'BigInt':
      return String(userId)
    case 'Int':
      return '1'
    case 'Boolean':
      return testedKind === 'sqlite' ? '0' : 'false'
    case 'DateTime':
      return timeLiteral(now)
    default:
      return `'${table} ${name} ${userId}'`
  }
}

const insertion = (table: string, columns: Column[], held: Held): string => {
  const filled = columns.filter(
    ({ name, isNeeded }) => isNeeded || (name in (listed[table] ?? {}) && name !== 'answers'),
  )
  const names = filled.map(({ name }) => `"${name}"`).join(', ')
  return `INSERT INTO "${table}" (${names}) VALUES (${filled.map((column) => literalOf(table, column, held)).join(', ')})`
}

/** Sorts the tables, so that those to which others refer come first. */
const inOrder = (tables: Map<string, Column[]>): [string, Column[]][] => {
  const first = ['Account', 'Purchase', 'Order']
  return [...tables].toSorted(([a], [b]) => ((first.indexOf(a) + 4) % 4) - ((first.indexOf(b) + 4) % 4))
}

/** A database in which every table has a row about each of these people. */
const newDatabase = async (...people: Held[]) => {
  const database = await openDatabase(await newDatabaseUrl())
  onTestFinished(database.close)
  const tables = inOrder(tablesIn(await schemaFor(testedKind)))
  for (const held of people) {
    for (const [table, columns] of tables)
      await database.client.$executeRawUnsafe(insertion(table, columns, held))
  }
  /** The listed columns that contain something of that person or account. */
  const holding = async ({ userId, accountId, phone }: Held): Promise<string[]> => {
    const found: string[] = []
    for (const [table, columns] of tables) {
      for (const { name } of columns.filter(({ name }) => name in (listed[table] ?? {}))) {
        const text = `CAST("${name}" AS TEXT)`
        const rows = await database.client.$queryRawUnsafe<unknown[]>(
          `SELECT 1 FROM "${table}" WHERE ${text} LIKE '%${userId}%' OR ${text} LIKE '%${accountId}%' OR ${text} = '${phone}'`,
        )
        if (rows.length > 0) found.push(`${table}.${name}`)
      }
    }
    return found
  }
  return { store: createStore(database), holding }
}

const columnsEndedBy = (...endings: Ending[]): string[] =>
  Object.entries(listed).flatMap(([table, columns]) =>
    Object.entries(columns).flatMap(([column, ending]) =>
      endings.includes(ending) ? [`${table}.${column}`] : [],
    ),
  )

describe('the last owner of an account who deletes their data', () => {
  test('leaves nothing in a column that is listed as erased', async () => {
    const { store, holding } = await newDatabase(ama, kofi)
    const before = await holding(kofi)
    expect(before).toEqual(expect.arrayContaining(columnsEndedBy('person', 'books', 'purchases', 'account')))
    const forgotten = await forgetPerson(store, ama, 'now', now)
    expect(forgotten.kind).toBe('forgotten')
    await eraseForgotten(store, () => now)
    const left = await holding(ama)
    expect(left.filter((column) => !columnsEndedBy('time', 'kept').includes(column))).toEqual([])
    expect(await holding(kofi)).toEqual(before)
  })
})

describe('an owner who leaves the account to another and deletes their data', () => {
  test('loses their own data, and the account keeps its orders', async () => {
    const { store, holding } = await newDatabase(ama)
    const other = { userId: 7, chatId: 7, accountId: ama.accountId, role: 'owner' } as const
    await store.accounts.attach(other, now)
    await store.accounts.attach({ ...other, userId: 8, role: 'agent', invitedBy: ama.userId }, now)
    await forgetPerson(store, ama, 'confirmed', now)
    await eraseForgotten(store, () => now)
    const theirs = { ...ama, accountId: 'no account', phone: 'no phone' }
    const left = await holding(theirs)
    expect(
      left.filter((column) => columnsEndedBy('person', 'in_part', 'departure').includes(column)),
    ).toEqual([])
    expect(left).toEqual(expect.arrayContaining(['Order.userId', 'Purchase.userId']))
  })
})
