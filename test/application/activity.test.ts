import { expect, test } from 'vitest'
import { createActivity } from '../../src/application/activity.ts'
import { createObservations } from '../../src/metrics/counters.ts'

const newActivity = () => {
  const clock = { ms: 1_000_000 }
  const activity = createActivity(() => clock.ms)
  let roused = 0
  activity.onRoused(() => {
    roused += 1
  })
  return { clock, activity, watched: activity.noticedBy(createObservations()), roused: () => roused }
}

const telegram = (method: string) => ({ method, outcome: 'ok', seconds: 0, retryAfterSeconds: null })

test('a bot begins quiet, is roused once by what happens, and is quiet again two minutes after the last', () => {
  const { clock, activity, roused } = newActivity()
  expect(activity.isQuiet()).toBe(true)
  activity.note()
  clock.ms += 100_000
  activity.note()
  expect([activity.isQuiet(), roused()]).toEqual([false, 1])
  clock.ms += 120_001
  expect(activity.isQuiet()).toBe(true)
  activity.note()
  expect(roused()).toBe(2)
})

test('messages and calls to the provider rouse it; what it does by itself does not', () => {
  const { clock, activity, watched } = newActivity()
  for (const method of ['getUpdates', 'getMe', 'setMyCommands', 'deleteWebhook'])
    watched.onTelegramCall(telegram(method))
  expect(activity.isQuiet()).toBe(true)
  watched.onTelegramCall(telegram('sendMessage'))
  expect(activity.isQuiet()).toBe(false)
  clock.ms += 200_000
  watched.onProviderCall({ endpoint: 'walletBalance', outcome: 'ok', seconds: 0 } as never)
  expect(activity.isQuiet()).toBe(false)
})
