import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createSharing, type Database, openDatabase } from '../../src/database/database.ts'
import { newFolder } from '../support/folder.ts'

const added = { mustExist: false }

const databases = async (count: number): Promise<Database[]> => {
  const folder = await newFolder()
  const sharing = createSharing()
  const opened: Database[] = []
  for (let index = 0; index < count; index += 1)
    opened.push(await openDatabase(`file:${join(folder, `${index}.db`)}`, { sharing, added }))
  onTestFinished(async () => {
    for (const { close } of opened) await close()
  })
  return opened
}

const write = ({ client }: Database, name: string, value: string) =>
  client.fact.create({ data: { name, value } })

test('look-ups of one moment are answered by each client’s own database', async () => {
  const opened = await databases(8)
  for (const [index, database] of opened.entries()) await write(database, 'who', String(index))
  for (let round = 0; round < 20; round += 1) {
    const found = await Promise.all(
      opened.flatMap(({ client }) => [
        client.fact.findUnique({ where: { name: 'who' } }),
        client.fact.findFirst({ where: { name: 'who' } }),
        client.fact.findUnique({ where: { name: 'nobody' } }),
      ]),
    )
    expect(found.map((row) => row?.value)).toEqual(
      opened.flatMap((_, index) => [String(index), String(index), undefined]),
    )
  }
})

test('transactions that run at the same time stay in their databases, committed or rolled back', async () => {
  const opened = await databases(6)
  await Promise.all(
    opened.flatMap((database, index) =>
      Array.from({ length: 10 }, (_, round) => {
        const work = database.transaction(async (tx) => {
          await tx.fact.create({ data: { name: `${round}`, value: String(index) } })
          expect(await tx.fact.findUnique({ where: { name: `${round}` } })).toMatchObject({
            value: String(index),
          })
          if (round % 2 === 1) throw new RangeError('taken back')
        }, 10_000)
        return round % 2 === 1 ? expect(work).rejects.toThrow('taken back') : work
      }),
    ),
  )
  for (const [index, { client }] of opened.entries()) {
    const rows = await client.fact.findMany({ orderBy: { name: 'asc' } })
    expect(rows).toEqual(['0', '2', '4', '6', '8'].map((name) => ({ name, value: String(index) })))
  }
})

test('a query is made when it is awaited, and asks its own database even then', async () => {
  const [one, other] = await databases(2)
  if (!one || !other) throw new Error('There are two.')
  await write(one, 'who', 'one')
  await write(other, 'who', 'other')
  const lazy = one.client.fact.findMany()
  const raw = one.client.$queryRawUnsafe('SELECT value FROM Fact')
  await other.transaction(async (tx) => {
    expect(await lazy).toEqual([{ name: 'who', value: 'one' }])
    expect(await raw).toEqual([{ value: 'one' }])
    expect(await tx.fact.findMany()).toEqual([{ name: 'who', value: 'other' }])
  }, 10_000)
})

test('the end of one connection leaves the others', async () => {
  const sharing = createSharing()
  const folder = await newFolder()
  const first = await openDatabase(`file:${join(folder, 'first.db')}`, { sharing, added })
  const second = await openDatabase(`file:${join(folder, 'second.db')}`, { sharing, added })
  onTestFinished(() => second.close())
  await first.close()
  await write(second, 'still', 'here')
  expect(await second.client.fact.count()).toBe(1)
  await expect(first.client.fact.count()).rejects.toThrow()
})
