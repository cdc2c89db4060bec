import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ratesAlone, take } from '../../src/relay/buckets.ts'
import { createPacer, sharedLimits, telegramLimits, type Urgency } from '../../src/relay/pacer.ts'

const [second, minute] = [1000, 60_000]

/** The most of the times that fall into one window of this length, both ends included. */
const maxWithin = (times: number[], windowMs: number): number =>
  Math.max(...times.map((from) => times.filter((time) => time >= from && time <= from + windowMs).length))

describe('a bucket', () => {
  const bucket = fc.record({
    costMs: fc.integer({ min: 1, max: 5000 }),
    burst: fc.integer({ min: 1, max: 20 }),
  })
  const gaps = fc.array(fc.oneof(fc.constant(0), fc.nat(20_000)), { minLength: 1, maxLength: 80 })

  test('never lets through more than its burst and one for each cost that passes, in any window', () => {
    fc.assert(
      fc.property(bucket, gaps, fc.integer({ min: 1, max: 50_000 }), (limits, waits, windowMs) => {
        let [now, fullAtMs] = [0, 0]
        const times = waits.map((gap) => {
          now += gap
          const taken = take(fullAtMs, now, limits)
          fullAtMs = taken.fullAtMs
          return now + taken.waitMs
        })
        expect(maxWithin(times, windowMs)).toBeLessThanOrEqual(limits.burst + windowMs / limits.costMs)
        expect(times).toEqual(times.toSorted((a, b) => a - b))
      }),
    )
  })

  test('makes nobody wait who keeps to the rate', () => {
    fc.assert(
      fc.property(bucket, fc.array(fc.nat(1000), { minLength: 1, maxLength: 50 }), (limits, extras) => {
        let [now, fullAtMs] = [0, 0]
        for (const extra of extras) {
          const taken = take(fullAtMs, now, limits)
          expect(taken.waitMs).toBe(0)
          fullAtMs = taken.fullAtMs
          now += limits.costMs + extra
        }
      }),
    )
  })
})

/** A pacer on a clock of its own: sleepers wake in the order of their times, and time jumps to each. */
const simulated = () => {
  let now = 0
  const sleepers: { at: number; wake: () => void }[] = []
  const pacer = createPacer(
    telegramLimits,
    () => now,
    (ms) => new Promise((wake) => sleepers.push({ at: now + ms, wake })),
  )
  const settle = () => new Promise(setImmediate)
  return {
    pacer,
    now: () => now,
    /** The times at which the turns of these chats come. */
    turns: async (
      chatIds: number[],
      urgencyOf: (chatId: number) => Urgency = () => 'reply',
    ): Promise<{ chatId: number; at: number }[]> => {
      const times: { chatId: number; at: number }[] = []
      for (const chatId of chatIds)
        void pacer.turn(chatId, urgencyOf(chatId)).then(() => times.push({ chatId, at: now }))
      await settle()
      while (times.length < chatIds.length) {
        const next = sleepers.reduce((a, b) => (b.at < a.at ? b : a))
        sleepers.splice(sleepers.indexOf(next), 1)
        now = next.at
        next.wake()
        await settle()
      }
      return times
    },
  }
}

const times = (turns: { at: number }[]) => turns.map(({ at }) => at)

describe('Telegram’s limits', () => {
  test('30 in any second to all chats together, and still most of that', async () => {
    const turns = times(await simulated().turns(Array.from({ length: 300 }, (_, index) => index + 1)))
    expect(maxWithin(turns, second)).toBeLessThanOrEqual(30)
    // 95 % of the rate at least.
    expect(Math.max(...turns)).toBeLessThan((300 / 28.5) * second)
  })

  test('20 in any minute to a group', async () => {
    const turns = times(await simulated().turns(Array.from({ length: 60 }, () => -100)))
    expect(maxWithin(turns, minute)).toBeLessThanOrEqual(20)
  })

  test('1 a second to a chat, after a short burst', async () => {
    const turns = times(await simulated().turns(Array.from({ length: 40 }, () => 7)))
    expect(maxWithin(turns, second)).toBeLessThan(20)
    expect(Math.max(...turns)).toBe(24 * second)
  })

  test('a chat that has to wait keeps no other waiting', async () => {
    const { turns } = simulated()
    const [last] = (await turns([...Array.from({ length: 60 }, () => 7), 8])).filter(
      ({ chatId }) => chatId === 8,
    )
    expect(last?.at).toBeLessThan(second)
  })
})

describe('chat actions', () => {
  test('count like messages, and leave half of a chat’s burst to them', async () => {
    let now = 0
    const sleeps: number[] = []
    const pacer = createPacer(
      telegramLimits,
      () => now,
      async (ms) => void sleeps.push(ms),
    )
    const shown: boolean[] = []
    for (let tries = 0; tries < 20; tries += 1) {
      now += 50
      shown.push(await pacer.spare(7))
    }
    expect(shown.filter(Boolean)).toHaveLength(8)
    now += 50
    for (let messages = 0; messages < 8; messages += 1) {
      await pacer.turn(7)
      now += 50
    }
    expect(sleeps).toEqual([])
    await pacer.turn(7)
    now += 50
    await pacer.turn(7)
    expect(sleeps).not.toEqual([])
  })

  test('are left out while messages wait or Telegram has put the chat off', async () => {
    const { pacer, turns } = simulated()
    await turns([1])
    expect(await pacer.spare(7)).toBe(false)
    pacer.hold(8, 60_000)
    expect(await pacer.spare(8)).toBe(false)
  })
})

test('a chat that Telegram put off is silent until then, also when it is put off again, and others go on', async () => {
  const { pacer, turns } = simulated()
  pacer.hold(7, 5 * second)
  pacer.hold(7, 3 * second)
  const all = await turns([7, 8, 7])
  expect(times(all.filter(({ chatId }) => chatId === 7)).every((at) => at >= 5 * second)).toBe(true)
  expect(all.find(({ chatId }) => chatId === 8)?.at).toBeLessThan(second)
})

test('a reply goes before every notice that is in line, and takes nothing of the rate', async () => {
  const { turns } = simulated()
  const chatIds = Array.from({ length: 60 }, (_, index) => index + 1)
  const all = await turns([...chatIds, 99], (chatId) => (chatId === 99 ? 'reply' : 'notice'))
  expect(all.find(({ chatId }) => chatId === 99)?.at).toBeLessThan(second / 20)
  expect(maxWithin(times(all), second)).toBeLessThanOrEqual(30)
})

describe('while more is to be sent than may be', () => {
  /** Chats by whom they are of: 1 to 999 members, from 1,000 on strangers, from 10,000 on those who are owed a notice. */
  const urgencyOf = (chatId: number): Urgency =>
    chatId < 1_000 ? 'reply' : chatId < 10_000 ? 'stranger' : 'notice'
  const some = (count: number, from: number) => Array.from({ length: count }, (_, index) => from + index)
  const shareOf = (turns: { chatId: number }[], urgency: Urgency) =>
    turns.filter(({ chatId }) => urgencyOf(chatId) === urgency).length / turns.length

  test('notices have a third, and members’ answers go before those to strangers', async () => {
    const { turns } = simulated()
    const all = await turns([...some(400, 1_000), ...some(400, 1), ...some(400, 10_000)], urgencyOf)
    const first = all.slice(0, 300)
    expect(shareOf(first, 'notice')).toBeGreaterThanOrEqual(1 / 3)
    expect(shareOf(first, 'reply')).toBeGreaterThanOrEqual(1 / 2)
    expect(shareOf(first, 'stranger')).toBeGreaterThan(0)
  })

  test('a member’s answer and a notice are among the next, however many strangers wait', async () => {
    const { turns } = simulated()
    const all = await turns([...some(2_000, 1_000), 1, 10_000], urgencyOf)
    const place = (chatId: number) => all.findIndex((turn) => turn.chatId === chatId)
    expect(place(1)).toBeLessThan(3)
    expect(place(10_000)).toBeLessThan(3)
  })

  test('what one kind has no use for goes to the others', async () => {
    const { turns } = simulated()
    const all = await turns(some(300, 1_000), urgencyOf)
    expect(all.at(-1)?.at).toBeLessThan((300 / 28.5) * second)
  })

  test('several processes leave a third of the rate to the notices of the one that sends them', async () => {
    const clock = { now: 0 }
    const sleepers: { at: number; wake: () => void }[] = []
    const rates = ratesAlone(() => clock.now)
    const pacerOf = () =>
      createPacer(
        sharedLimits(telegramLimits),
        () => clock.now,
        (ms) => new Promise((wake) => sleepers.push({ at: clock.now + ms, wake })),
        rates,
      )
    const [leader, ...others] = [pacerOf(), pacerOf(), pacerOf(), pacerOf()]
    const sent: { chatId: number; at: number }[] = []
    const send = (pacer: ReturnType<typeof pacerOf> | undefined, chatId: number) =>
      void pacer?.turn(chatId, urgencyOf(chatId)).then(() => sent.push({ chatId, at: clock.now }))
    for (const chatId of some(900, 1)) send(others[chatId % 3], chatId)
    for (const chatId of some(900, 10_000)) send(leader, chatId)
    const settle = () => new Promise(setImmediate)
    await settle()
    while (clock.now < 20 * second) {
      const next = sleepers.reduce((a, b) => (b.at < a.at ? b : a))
      sleepers.splice(sleepers.indexOf(next), 1)
      clock.now = next.at
      next.wake()
      await settle()
    }
    // The bucket of answers is full at the beginning.
    const later = sent.filter(({ at }) => at > 10 * second)
    expect(shareOf(later, 'notice')).toBeGreaterThanOrEqual(0.33)
    expect(maxWithin(times(sent), second)).toBeLessThanOrEqual(30)
  })
})

test('how long a chat would have to wait is known beforehand', async () => {
  const { pacer, turns, now } = simulated()
  expect(pacer.chatWaitMs(7)).toBe(0)
  await turns(Array.from({ length: 16 }, () => 7))
  const waitMs = pacer.chatWaitMs(7)
  const [next] = await turns([7])
  expect(waitMs).toBeGreaterThan(0)
  expect(next?.at).toBe(now())
  pacer.hold(8, now() + 5 * second)
  expect(pacer.chatWaitMs(8)).toBe(5 * second)
})
