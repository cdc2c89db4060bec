import { expect, test } from 'vitest'
import { sendAgain } from '../../src/domain/notice.ts'
import { createSentMarks } from '../../src/messaging/sent-marks.ts'
import { newStore } from '../support/database.ts'

const now = new Date('2026-11-21T10:32:00Z')

const newMarks = async () => {
  const store = await newStore()
  const commits: number[][] = []
  const markSent = createSentMarks({
    notices: {
      ...store.notices,
      done: (ids) => {
        commits.push([...ids])
        return store.notices.done(ids)
      },
    },
  })
  const queued = (chatId: number): Promise<number> => store.notices.enqueueDirectly(chatId, sendAgain, now)
  return { store, commits, markSent, queued }
}

test('notices sent to several chats at the same time are marked as sent in one commit', async () => {
  const { store, commits, markSent, queued } = await newMarks()
  const ids = [await queued(1), await queued(2), await queued(3)]
  expect(await Promise.all(ids.map((id) => markSent([id])))).toEqual([true, true, true])
  expect(commits).toEqual([ids])
  expect(await store.notices.count()).toBe(0)
  const later = await queued(1)
  expect(await markSent([later])).toBe(true)
  expect(commits).toEqual([ids, [later]])
})

test('if another process already marked one notice of a commit as sent, all notices of that commit are reported as already marked', async () => {
  const { store, markSent, queued } = await newMarks()
  const [gone, other] = [await queued(1), await queued(2)]
  await store.notices.done([gone])
  expect(await Promise.all([markSent([gone]), markSent([other])])).toEqual([false, false])
  expect(await store.notices.count()).toBe(0)
})

test('notices sent while others are being marked as sent are marked together afterwards', async () => {
  const { store, queued } = await newMarks()
  const commits: number[][] = []
  const markSent = createSentMarks({
    notices: {
      ...store.notices,
      done: async (ids) => {
        commits.push([...ids])
        if (commits.length === 1) throw new Error('The disk is full.')
        return store.notices.done(ids)
      },
    },
  })
  const [first, second, third] = [await queued(1), await queued(2), await queued(3)]
  const failed = markSent([first])
  await Promise.resolve()
  const others = [markSent([second]), markSent([third])]
  await expect(failed).rejects.toThrow('The disk is full.')
  expect(await Promise.all(others)).toEqual([true, true])
  expect(commits).toEqual([[first], [second, third]])
})
