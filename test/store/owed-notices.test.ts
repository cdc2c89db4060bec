import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import type { Taker } from '../../src/database/locks.ts'
import { cardOf, type Notice } from '../../src/journal/notice.ts'
import type { TurnSearch } from '../../src/store/owed-notices.ts'
import { createStore, type WholeStore } from '../../src/store/store.ts'
import { executeIn, newDatabaseUrl, testedKind } from '../support/database.ts'

const now = new Date('2026-01-05T12:00:00Z')
const isShared = testedKind === 'postgresql'
const takerOf = (token: string, ended: string[] = []): Taker => ({ token, ms: 60_000, ended })
const search: TurnSearch = { now, limit: 9, except: [], room: 2, limitOfTurn: 2 }

const subjects = (owed: Notice[] | undefined) => owed?.map(({ content }) => content.subject)

const open = async () => {
  const url = await newDatabaseUrl()
  const database = await openDatabase(url)
  onTestFinished(database.close)
  const store = createStore(database)
  const owe = async (chatId: number, ...cards: string[]) => {
    for (const card of cards) await store.notices.oweAtOnce(chatId, cardOf(card), now)
  }
  return { url, store, owe }
}

const turns = async ({ notices }: WholeStore, taker: Taker | null, changed: Partial<TurnSearch> = {}) =>
  (await notices.dueTurns({ ...search, ...changed }, taker))
    .map(({ owed, ...turn }) => ({ ...turn, owed: subjects(owed) }))
    .toSorted((a, b) => a.key - b.key)

test('chats are found and not claimed if nobody claims them', async () => {
  const { store, owe } = await open()
  await owe(7, 'a')
  expect(await turns(store, null)).toEqual([{ key: 7 }])
})

test.runIf(isShared)('chats are claimed with the search, and what they are owed is read', async () => {
  const { store, owe } = await open()
  await owe(7, 'a', 'b', 'c')
  await owe(8, 'd')
  const quiet = new Date(now.getTime() + 1)
  await store.notices.owe(8, cardOf('e'), now, null, quiet)
  const mine = [
    { key: 7, holder: 'a', owed: ['purchase:a', 'purchase:b'] },
    { key: 8, holder: 'a', owed: ['purchase:d'] },
  ]
  expect(await turns(store, takerOf('a'))).toEqual(mine)
  expect(await turns(store, takerOf('a'))).toEqual(mine)
  expect(await turns(store, takerOf('b'))).toEqual([
    { key: 7, holder: 'a' },
    { key: 8, holder: 'a' },
  ])
  expect(await turns(store, takerOf('a'), { except: [7] })).toEqual(mine.slice(1))
})

test.runIf(isShared)('more chats than there is room for are found and not claimed', async () => {
  const { store, owe } = await open()
  for (const chatId of [7, 8, 9]) await owe(chatId, 'a')
  expect(await turns(store, takerOf('a'))).toEqual([{ key: 7 }, { key: 8 }, { key: 9 }])
  expect(await turns(store, takerOf('b'), { except: [9] })).toMatchObject([
    { key: 7, holder: 'b' },
    { key: 8, holder: 'b' },
  ])
})

test.runIf(isShared)(
  'what a chat is owed is not read while another process may just have sent it',
  async () => {
    const { url, store, owe } = await open()
    await owe(7, 'a')
    await owe(8, 'b')
    await turns(store, takerOf('a'), { except: [8] })
    expect(await turns(store, takerOf('b', ['a']))).toEqual([
      { key: 7, holder: 'b' },
      { key: 8, holder: 'b', owed: ['purchase:b'] },
    ])
    await executeIn(url, `UPDATE "Lease" SET "until" = '2000-01-01'`)
    expect(await turns(store, takerOf('c'))).toEqual([
      { key: 7, holder: 'c' },
      { key: 8, holder: 'c' },
    ])
  },
)

test.runIf(isShared)('a chat with nothing due is not claimed', async () => {
  const { store, owe } = await open()
  await owe(7, 'a')
  await store.notices.done((await store.notices.ofChat(7)).map(({ id }) => id))
  expect(await turns(store, takerOf('a'))).toEqual([])
  await owe(7, 'b')
  expect(await turns(store, takerOf('b'))).toEqual([{ key: 7, holder: 'b', owed: ['purchase:b'] }])
})
