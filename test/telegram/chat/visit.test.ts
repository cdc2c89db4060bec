import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Visit } from '../../../src/store/chats/visits.ts'
import { duringVisit, endingVisits, sessionNow, visitNow } from '../../../src/telegram/chat/visit.ts'
import { newStore } from '../../support/database.ts'

const visit: Visit = {
  ...{ chatId: 7, userId: 7, session: null, menu: null, held: null, member: null },
  ...{ isMuted: false, isBlocked: false, switches: new Map(), cause: null, purchaseId: null },
}

test('what was read for an update holds in its handler, and no longer in the work that goes on after it', async () => {
  const later = Promise.withResolvers<void>()
  let after: Promise<Visit | null> | null = null
  const left = await duringVisit(visit, async () => {
    expect(visitNow()).toBe(visit)
    expect(sessionNow('7')).toBeNull()
    expect(sessionNow('8')).toBeUndefined()
    after = later.promise.then(visitNow)
  })
  later.resolve()
  expect(left).toBe(visit)
  expect(await after).toBeNull()
  expect(visitNow()).toBeNull()
  expect(sessionNow('7')).toBeUndefined()
})

test('each update has a visit of its own', async () => {
  const other = { ...visit, chatId: 8 }
  const seen = async () => {
    await wait(1)
    return visitNow()?.chatId
  }
  const chats: unknown[] = []
  await Promise.all(
    [visit, other].map((each) => duringVisit(each, async () => void chats.push(await seen()))),
  )
  expect(chats.toSorted()).toEqual([7, 8])
})

test('a handler that throws ends its visit', async () => {
  let after: Promise<Visit | null> | null = null
  const failing = duringVisit(visit, async () => {
    after = wait(1).then(visitNow)
    throw new Error('on purpose')
  })
  await expect(failing).rejects.toThrow('on purpose')
  expect(await after).toBeNull()
})

test('a transaction ends what was read, a single query does not', async () => {
  const store = endingVisits(await newStore())
  const left = await duringVisit(visit, async () => {
    await store.purchases.newestDraft(7, 7, new Date())
    expect(visitNow()).toBe(visit)
    await store.transaction(async (tx) => tx.chats.mute(7, new Date()))
    expect(visitNow()).toBeNull()
  })
  expect(left).toBeNull()
})
