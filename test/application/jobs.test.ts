import { expect, test } from 'vitest'
import { createJobs } from '../../src/application/jobs.ts'

const turn = () => new Promise(setImmediate)

test('each job runs when it is due, and a long job delays no other job and never runs twice at the same time', async () => {
  const clock = { ms: 0 }
  const ran: string[] = []
  const long = Promise.withResolvers<void>()
  const jobs = createJobs(
    [
      { name: 'often', everyMs: 10, work: async () => ran.push('often') },
      { name: 'rarely', everyMs: 100, work: async () => ran.push('rarely') },
      {
        name: 'long',
        everyMs: 10,
        work: () => {
          ran.push('long')
          return long.promise
        },
      },
    ],
    { monotonicMs: () => clock.ms, onError: () => {} },
  )
  await jobs.round()
  expect(ran.splice(0)).toEqual(['often', 'rarely', 'long'])
  clock.ms = 10
  await turn()
  await jobs.round()
  expect(ran.splice(0)).toEqual(['often'])
  long.resolve()
  await turn()
  clock.ms = 11
  jobs.hasten('rarely')
  await jobs.round()
  expect(ran).toEqual(['rarely', 'long'])
})

test('a job that fails is reported, and runs again when it is due', async () => {
  const clock = { ms: 0 }
  const failed: string[] = []
  let runs = 0
  const work = async () => {
    runs += 1
    throw new Error('no')
  }
  const jobs = createJobs([{ name: 'failing', everyMs: 10, work }], {
    monotonicMs: () => clock.ms,
    onError: (name) => failed.push(name),
  })
  for (const ms of [0, 5, 10]) {
    clock.ms = ms
    await jobs.round()
    await turn()
  }
  expect([runs, failed]).toEqual([2, ['failing', 'failing']])
})
