import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLeader, type LoopPlan, type LoopPlans } from '../../src/application/leader.ts'
import type { Topic } from '../../src/database/signals.ts'
import { topics } from '../../src/database/signals.ts'
import type { WholeStore } from '../../src/store/store.ts'
import { newStore } from '../support/database.ts'

const hourMs = 60 * 60_000
const now = () => new Date()

/** A process on the store, whose loops do nothing within the test unless they are woken. */
const newProcess = async (store: WholeStore, token: string) => {
  const rounds: string[] = []
  const sent: Topic[] = []
  let taken = 0
  const leader = createLeader(
    {
      store,
      token,
      now,
      wallMs: Date.now,
      clock: { now, measure: async () => {} },
      log: pino({ level: 'silent' }),
      database: {
        signals: { send: (topic) => sent.push(topic), onSignal: () => {}, close: async () => {} },
      },
    },
    {
      onTaken: () => {
        taken += 1
      },
      onSetBack: () => {},
    },
  )
  const plan = (name: string, by: LoopPlan['by']): LoopPlan => ({
    by,
    everyMs: hourMs,
    work: async () => void rounds.push(name),
  })
  const leaders = Object.fromEntries(topics.map((topic) => [topic, plan(topic, 'leader')]))
  await leader.begin({ ...(leaders as LoopPlans), recovering: plan('recovering', 'each') })
  onTestFinished(async () => {
    await leader.stopWork()
    await leader.stopSending()
    await leader.resign()
  })
  return { leader, rounds, sent, taken: () => taken }
}

test('one of two processes on a database leads: it alone runs the loops of all, the other tells it what is due', async () => {
  const store = await newStore()
  const first = await newProcess(store, 'a')
  const second = await newProcess(store, 'b')
  expect([first, second].map(({ leader }) => leader.lease.isHeld())).toEqual([true, false])
  expect([first, second].map(({ taken }) => taken())).toEqual([1, 0])
  await vi.waitFor(() => expect(first.rounds).toContain('placing'))
  await vi.waitFor(() => expect(second.rounds).toEqual(['recovering']))

  const before = first.rounds.length
  first.leader.wake('placing')
  second.leader.wake('placing')
  await vi.waitFor(() => expect(first.rounds.slice(before)).toContain('placing'))
  expect(first.sent).toEqual([])
  expect(second.sent).toEqual(['placing'])
  expect(second.rounds).toEqual(['recovering'])
})

test('notices go on until their loop is stopped by itself, and a lease that was given back is free at once', async () => {
  const store = await newStore()
  const { leader, rounds } = await newProcess(store, 'a')
  await vi.waitFor(() => expect(rounds).toContain('sending'))
  await leader.stopWork()
  const before = rounds.length
  leader.wake('placing')
  leader.wake('sending')
  await vi.waitFor(() => expect(rounds.slice(before)).toEqual(['sending']))
  await leader.stopSending()
  await leader.resign()
  const next = await newProcess(store, 'b')
  expect(next.leader.lease.isHeld()).toBe(true)
})
