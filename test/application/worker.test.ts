import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createWorker, type LoopPlan, type LoopPlans } from '../../src/application/worker.ts'
import type { Store } from '../../src/store/store.ts'
import { newStore } from '../support/database.ts'

const hourMs = 60 * 60_000
const now = () => new Date()

const names = ['heartbeat', 'place', 'follow', 'reconcile', 'send', 'apply', 'upkeep'] as const

/** A process that uses the store. Its loops do nothing during the test unless they are woken. */
const newProcess = async (store: Store, token: string) => {
  const rounds: string[] = []
  let taken = 0
  const worker = createWorker(
    {
      store,
      token,
      wallMs: Date.now,
      clock: { now, measure: async () => {} },
      log: pino({ level: 'silent' }),
    },
    {
      onTaken: () => {
        taken += 1
      },
    },
  )
  const plan = (name: string): LoopPlan => ({ everyMs: hourMs, work: async () => void rounds.push(name) })
  await worker.begin(Object.fromEntries(names.map((name) => [name, plan(name)])) as unknown as LoopPlans)
  onTestFinished(async () => {
    await worker.stopWork()
    await worker.stopSending()
    await worker.resign()
  })
  return { worker, rounds, taken: () => taken }
}

test('if two processes share a database, the first works and the second runs only its heartbeat', async () => {
  const store = await newStore()
  const first = await newProcess(store, 'a')
  const second = await newProcess(store, 'b')
  expect([first, second].map(({ worker }) => worker.lease.isHeld())).toEqual([true, false])
  expect([first, second].map(({ taken }) => taken())).toEqual([1, 0])
  await vi.waitFor(() => expect(new Set(first.rounds)).toEqual(new Set(names)))

  const before = first.rounds.length
  first.worker.wake('place')
  second.worker.wake('place')
  await vi.waitFor(() => expect(first.rounds.slice(before)).toEqual(['place']))
  expect(second.rounds).toEqual(['heartbeat'])
})

test('a worker that is stopping goes on sending notices for a while, and then hands over its lease immediately', async () => {
  const store = await newStore()
  const { worker, rounds } = await newProcess(store, 'a')
  await vi.waitFor(() => expect(rounds).toContain('send'))
  await worker.stopWork()
  const before = rounds.length
  worker.wake('place')
  worker.wake('send')
  await vi.waitFor(() => expect(rounds.slice(before)).toEqual(['send']))
  await worker.stopSending()
  await worker.resign()
  const next = await newProcess(store, 'b')
  expect(next.worker.lease.isHeld()).toBe(true)
})
