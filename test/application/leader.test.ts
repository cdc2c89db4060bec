import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLeader, type LoopPlan, type LoopPlans } from '../../src/application/leader.ts'
import type { Topic } from '../../src/database/signals.ts'
import { topics } from '../../src/database/signals.ts'
import type { WholeStore } from '../../src/store/store.ts'
import { newStore } from '../support/database.ts'

const hourMs = 60 * 60_000
const now = () => new Date()

/**
 * A process on the store, whose loops do nothing within the test unless they are woken.
 * @param by who does the rounds of `sending`.
 */
const newProcess = async (store: WholeStore, token: string, by: LoopPlan['by'] = 'leader') => {
  const rounds: string[] = []
  const sent: Topic[] = []
  let hear: (topic: Topic, to?: string) => void = () => {}
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
        signals: {
          send: (topic) => sent.push(topic),
          onSignal: (listen) => {
            hear = listen
          },
          close: async () => {},
        },
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
  const own = { recovering: plan('recovering', 'each'), sending: plan('sending', by) }
  await leader.begin({ ...(leaders as LoopPlans), ...own })
  onTestFinished(async () => {
    await leader.stopWork()
    await leader.stopSending()
    await leader.resign()
  })
  const heard = (topic: Topic, to?: string) => hear(topic, to)
  return { leader, rounds, sent, heard, taken: () => taken }
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

test('a loop that each process runs is woken where the work is, and by a signal to that process or to all', async () => {
  const store = await newStore()
  await newProcess(store, 'a', 'each')
  const { leader, rounds, sent, heard } = await newProcess(store, 'b', 'each')
  const next = async (wake: () => void): Promise<string[]> => {
    const before = rounds.length
    wake()
    await vi.waitFor(() => expect(rounds.length).toBeGreaterThan(before))
    return rounds.slice(before)
  }
  await vi.waitFor(() => expect(rounds.toSorted()).toEqual(['recovering', 'sending']))
  expect(await next(() => leader.wake('sending'))).toEqual(['sending'])
  expect(await next(() => heard('sending'))).toEqual(['sending'])
  expect(await next(() => heard('sending', 'b'))).toEqual(['sending'])
  expect(sent).toEqual([])

  const before = rounds.length
  heard('sending', 'a')
  expect(await next(() => leader.wake('sending'))).toEqual(['sending'])
  expect(rounds).toHaveLength(before + 1)
})
