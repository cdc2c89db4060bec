import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRates, take } from '../../src/messaging/buckets.ts'
import { createPacer, type PacerLimits, telegramLimits, type Urgency } from '../../src/messaging/pacer.ts'

const [second, minute] = [1000, 60_000]

/** The most times within any window of this length, both ends included. */
const maxWithin = (times: number[], windowMs: number): number =>
  Math.max(...times.map((from) => times.filter((time) => time >= from && time <= from + windowMs).length))

describe('a rate limit for messages', () => {
  const bucket = fc.record({
    costMs: fc.integer({ min: 1, max: 5000 }),
    burst: fc.integer({ min: 1, max: 20 }),
  })
  const gaps = fc.array(fc.oneof(fc.constant(0), fc.nat(20_000)), { minLength: 1, maxLength: 80 })

  test('never admits more than its burst and one message per interval', () => {
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

  test('delays nobody who keeps to its rate', () => {
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

/** A pacer with a simulated clock, which jumps to the next time that somebody waits for. */
const simulated = (limits: PacerLimits = telegramLimits) => {
  let now = 0
  const sleepers: { at: number; wake: () => void }[] = []
  const pacer = createPacer(
    limits,
    () => now,
    (ms) => new Promise((wake) => sleepers.push({ at: now + ms, wake })),
  )
  const promisesSettle = () => new Promise(setImmediate)
  return {
    pacer,
    now: () => now,
    goOn: (ms: number) => {
      now += ms
    },
    /** The times at which these chats get their slots. */
    turns: async (
      chatIds: number[],
      urgencyOf: (chatId: number) => Urgency = () => 'reply',
    ): Promise<{ chatId: number; at: number }[]> => {
      const times: { chatId: number; at: number }[] = []
      for (const chatId of chatIds)
        void pacer.slot(chatId, urgencyOf(chatId)).then(() => times.push({ chatId, at: now }))
      await promisesSettle()
      while (times.length < chatIds.length) {
        const next = sleepers.reduce((a, b) => (b.at < a.at ? b : a))
        sleepers.splice(sleepers.indexOf(next), 1)
        now = next.at
        next.wake()
        await promisesSettle()
      }
      return times
    },
  }
}

const times = (turns: { at: number }[]) => turns.map(({ at }) => at)

describe('the pacer of messages to Telegram', () => {
  test('sends at most 30 notices a second to all chats together, and nearly 30 if so many wait', async () => {
    const chatIds = Array.from({ length: 300 }, (_, index) => index + 1)
    const turns = times(await simulated().turns(chatIds, () => 'notice'))
    expect(maxWithin(turns, second)).toBeLessThanOrEqual(30)
    // At least 95 % of the rate is used.
    expect(Math.max(...turns)).toBeLessThan((300 / 28.5) * second)
  })

  test('sends at most 20 messages a minute to a group', async () => {
    const turns = times(await simulated().turns(Array.from({ length: 60 }, () => -100)))
    expect(maxWithin(turns, minute)).toBeLessThanOrEqual(20)
  })

  test('sends one message a second to a chat, after a short burst', async () => {
    const turns = times(await simulated().turns(Array.from({ length: 40 }, () => 7)))
    expect(maxWithin(turns, second)).toBeLessThan(20)
    expect(Math.max(...turns)).toBe(24 * second)
  })

  test('delays no chat because another one has to wait', async () => {
    const { turns } = simulated()
    const [last] = (await turns([...Array.from({ length: 60 }, () => 7), 8])).filter(
      ({ chatId }) => chatId === 8,
    )
    expect(last?.at).toBeLessThan(second)
  })
})

describe('“typing…” in a chat', () => {
  test('counts like a message, and leaves half of the chat’s burst to messages', async () => {
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
      await pacer.slot(7)
      now += 50
    }
    expect(sleeps).toEqual([])
    await pacer.slot(7)
    now += 50
    await pacer.slot(7)
    expect(sleeps).not.toEqual([])
  })

  test('is left out while messages wait or Telegram demands a wait', async () => {
    const { pacer, turns } = simulated()
    await turns([1], () => 'notice')
    expect(await pacer.spare(7)).toBe(false)
    pacer.block(8, 60_000)
    expect(await pacer.spare(8)).toBe(false)
  })
})

test('a chat for which Telegram demanded two waits gets nothing until the later one ends, while other chats get their messages', async () => {
  const { pacer, turns } = simulated()
  pacer.block(7, 5 * second)
  pacer.block(7, 3 * second)
  const all = await turns([7, 8, 7])
  expect(times(all.filter(({ chatId }) => chatId === 7)).every((at) => at >= 5 * second)).toBe(true)
  expect(all.find(({ chatId }) => chatId === 8)?.at).toBeLessThan(second)
})

test('a reply waits for no notice, and takes nothing from the rate of notices', async () => {
  const { turns } = simulated()
  const chatIds = Array.from({ length: 60 }, (_, index) => index + 1)
  const all = await turns([...chatIds, 99], (chatId) => (chatId === 99 ? 'reply' : 'notice'))
  expect(all.find(({ chatId }) => chatId === 99)?.at).toBe(0)
  const notices = times(all.filter(({ chatId }) => chatId !== 99))
  expect(maxWithin(notices, second)).toBeLessThanOrEqual(30)
  expect(Math.max(...notices)).toBeLessThan((60 / 28.5) * second)
})

describe('while more messages wait than may be sent', () => {
  /** Chats 1 to 999 are members who get replies, those from 1,000 are strangers, and those from 10,000 get notices. */
  const urgencyOf = (chatId: number): Urgency =>
    chatId < 1_000 ? 'reply' : chatId < 10_000 ? 'stranger' : 'notice'
  const some = (count: number, from: number) => Array.from({ length: count }, (_, index) => from + index)
  const shareOf = (turns: { chatId: number }[], urgency: Urgency) =>
    turns.filter(({ chatId }) => urgencyOf(chatId) === urgency).length / turns.length
  const maxReplies = 60
  const repliesPerSecond = 50

  test('notices keep their whole rate, and answers to members are sent before answers to strangers', async () => {
    const { turns } = simulated()
    const all = await turns([...some(400, 1_000), ...some(400, 1), ...some(400, 10_000)], urgencyOf)
    const first = all.filter(({ at }) => at <= 8 * second)
    const notices = first.filter(({ chatId }) => urgencyOf(chatId) === 'notice')
    expect(shareOf(first, 'notice')).toBeGreaterThanOrEqual(1 / 3)
    expect(notices.length).toBeGreaterThanOrEqual(8 * 28.5)
    const replies = first.filter(({ chatId }) => urgencyOf(chatId) !== 'notice')
    expect(shareOf(replies, 'reply')).toBeGreaterThanOrEqual(0.74)
    expect(shareOf(replies, 'stranger')).toBeGreaterThan(0.2)
  })

  test('answers to members and strangers together keep to one limit', async () => {
    for (const from of [1, 1_000]) {
      const all = await simulated().turns(some(400, from), urgencyOf)
      expect(maxWithin(times(all), second)).toBeLessThanOrEqual(maxReplies)
      // Slots that members do not need go to strangers, and the other way round.
      expect(all.at(-1)?.at).toBeLessThan((400 / (0.95 * repliesPerSecond)) * second)
    }
  })

  test('an answer to a member and a notice are sent next, however many strangers wait', async () => {
    const { turns } = simulated()
    const all = await turns([...some(2_000, 1_000), 1, 10_000], urgencyOf)
    const at = (wanted: number) => all.find(({ chatId }) => chatId === wanted)?.at
    expect(at(1)).toBeLessThan(second / 10)
    expect(at(10_000)).toBe(0)
  })

  test('the answers of all processes together keep to the limit, and slow no notice', async () => {
    const clock = { now: 0 }
    const sleepers: { at: number; wake: () => void }[] = []
    const rates = createRates(() => clock.now)
    const pacerOf = () =>
      createPacer(
        telegramLimits,
        () => clock.now,
        (ms) => new Promise((wake) => sleepers.push({ at: clock.now + ms, wake })),
        rates,
      )
    const [leader, ...others] = [pacerOf(), pacerOf(), pacerOf(), pacerOf()]
    const sent: { chatId: number; at: number }[] = []
    const send = (pacer: ReturnType<typeof pacerOf> | undefined, chatId: number) =>
      void pacer?.slot(chatId, urgencyOf(chatId)).then(() => sent.push({ chatId, at: clock.now }))
    for (const chatId of some(900, 1)) send(others[chatId % 3], chatId)
    for (const chatId of some(900, 10_000)) send(leader, chatId)
    const promisesSettle = () => new Promise(setImmediate)
    await promisesSettle()
    while (clock.now < 10 * second) {
      const next = sleepers.reduce((a, b) => (b.at < a.at ? b : a))
      sleepers.splice(sleepers.indexOf(next), 1)
      clock.now = next.at
      next.wake()
      await promisesSettle()
    }
    const of = (urgency: Urgency) => times(sent.filter(({ chatId }) => urgencyOf(chatId) === urgency))
    expect(maxWithin(of('notice'), second)).toBeLessThanOrEqual(30)
    expect(of('notice').length).toBeGreaterThanOrEqual(0.95 * 10 * 29)
    expect(maxWithin(of('reply'), second)).toBeLessThanOrEqual(maxReplies)
    expect(of('reply').length).toBeGreaterThanOrEqual(0.95 * 10 * repliesPerSecond)
  })

  test('an answer needs a single query for the rates of its chat and of all answers', async () => {
    const asked: string[] = []
    const rates = createRates(() => 0)
    const counting = {
      ...rates,
      take: (...[name, bucket]: Parameters<typeof rates.take>) => {
        asked.push(name)
        return rates.take(name, bucket)
      },
      takeBoth: (...both: Parameters<typeof rates.takeBoth>) => {
        asked.push(both.map(({ name }) => name).join(' and '))
        return rates.takeBoth(...both)
      },
    }
    await createPacer(
      telegramLimits,
      () => 0,
      async () => {},
      counting,
    ).slot(7)
    expect(asked).toEqual(['chat 7 and replies'])
  })
})

test('the pacer knows beforehand how long a chat would have to wait', async () => {
  const { pacer, turns, now } = simulated()
  expect(pacer.chatWaitMs(7)).toBe(0)
  await turns(Array.from({ length: 16 }, () => 7))
  const waitMs = pacer.chatWaitMs(7)
  const [next] = await turns([7])
  expect(waitMs).toBeGreaterThan(0)
  expect(next?.at).toBe(now())
  pacer.block(8, now() + 5 * second)
  expect(pacer.chatWaitMs(8)).toBe(5 * second)
})
