import { expect, test } from 'vitest'
import { type Arrival, createAdmission, floodLimits } from '../../src/messaging/admission.ts'
import { createRates } from '../../src/messaging/buckets.ts'

const [member, stranger] = [1, 1_000]

const admissionOf = () => {
  const clock = { ms: 0 }
  const waiting = new Map<number, number>()
  const line = { strangers: 0 }
  const database = { isAway: false, asked: 0 }
  const admission = createAdmission({
    belongs: async (userId) => {
      database.asked += 1
      if (database.isAway) throw new Error('the database is away')
      return userId < stranger
    },
    waitingFor: (chatId) => waiting.get(chatId) ?? 0,
    strangersWaiting: () => line.strangers,
    rates: createRates(() => clock.ms),
    now: () => clock.ms,
  })
  const from = (userId: number, isDecisive = false, chatId = userId, isKept = false): Arrival => ({
    chatId,
    userId,
    isDecisive,
    isKept,
  })
  return {
    clock,
    waiting,
    line,
    database,
    begins: (...of: Parameters<typeof from>) => admission.begin(from(...of)),
    enters: (...of: Parameters<typeof from>) => admission.enter(from(...of)),
    isMember: admission.isMember,
    meet: admission.meet,
  }
}

/** How many of `count` updates are admitted. */
const letIn = async (count: number, enter: (index: number) => Promise<unknown>): Promise<number> => {
  let entered = 0
  for (let index = 0; index < count; index += 1) if ((await enter(index)) === null) entered += 1
  return entered
}

test('all updates of members are admitted, and those of strangers only as fast as they can be answered', async () => {
  const { clock, enters } = admissionOf()
  let entered = 0
  for (let second = 0; second < 60; second += 1) {
    clock.ms = second * 1_000
    entered += await letIn(167, (index) => enters(stranger + second * 167 + index))
    expect(await letIn(20, (index) => enters(member + index))).toBe(20)
  }
  const { costMs, burst } = floodLimits.strangers
  expect(entered).toBeGreaterThan(burst)
  expect(entered).toBeLessThanOrEqual(burst + 60_000 / costMs)
})

test('a stranger who writes every second for minutes is refused, with one notice until they pause', async () => {
  const { clock, enters } = admissionOf()
  const told: number[] = []
  for (let second = 0; second < 600; second += 1) {
    clock.ms = second * 1_000
    if ((await enters(stranger))?.isNew) told.push(second)
  }
  expect(told).toHaveLength(1)
  clock.ms += floodLimits.quietMs
  expect(await enters(stranger)).toBeNull()
})

test('strangers refused in a crowd get at most one notice each, at a rate that leaves room for answers', async () => {
  const { enters } = admissionOf()
  await letIn(floodLimits.strangers.burst, (index) => enters(stranger + index))
  const all = await Promise.all(Array.from({ length: 500 }, (_, index) => enters(2 * stranger + index)))
  expect(all.every((each) => each?.why === 'crowd')).toBe(true)
  expect(all.filter((each) => each?.isNew)).toHaveLength(floodLimits.apologies.burst)
  expect((await enters(2 * stranger))?.isNew).toBe(false)
})

test('while too many answers to strangers wait, members are admitted and strangers are not', async () => {
  const { line, enters } = admissionOf()
  line.strangers = floodLimits.maxStrangersWaiting
  expect(await enters(stranger)).toMatchObject({ why: 'crowd' })
  expect(await enters(member)).toBeNull()
  line.strangers -= 1
  expect(await enters(stranger)).toBeNull()
})

test('a stranger who writes for the first time is admitted in spite of an endless crowd, and answered in time', async () => {
  const { clock, line, enters } = admissionOf()
  let [entered, slots] = [0, 0]
  for (let second = 0; second < 600; second += 1) {
    clock.ms = second * 1_000
    entered += await letIn(35, (index) => enters(stranger + index))
    // Each second, two customers write for the first time, each with one question.
    for (const asker of [0, 1]) {
      expect(await enters(2 * stranger + 2 * second + asker)).toBeNull()
      // Even while members use three quarters of all answers, strangers get 12.5 a second. At that rate, nobody waits
      // for 45 s.
      expect(line.strangers / 12.5).toBeLessThan(45)
    }
    entered += 2
    slots += 12.5
    line.strangers = Math.max(0, entered - slots)
  }
  // The crowd gets what the customers leave. Over time, each stranger in it gets more than a single burst.
  expect(entered).toBeGreaterThan(1_200 + 35 * floodLimits.stranger.burst)
  expect(entered).toBeLessThanOrEqual(floodLimits.strangers.burst + 600_000 / floodLimits.strangers.costMs)
})

test('a customer who asks every half minute is always admitted, while people of a crowd are sometimes admitted', async () => {
  const { clock, enters } = admissionOf()
  const asked: unknown[] = []
  const theCrowd = new Set<number>()
  for (let second = 0; second < 300; second += 1) {
    clock.ms = second * 1_000
    for (let index = 0; index < 80; index += 1)
      if ((await enters(stranger + index)) === null && second > 60) theCrowd.add(second)
    if (second % 31 === 30) asked.push(await enters(2 * stranger))
  }
  expect(asked).toEqual(asked.map(() => null))
  expect(theCrowd.size).toBeGreaterThan(0)
})

test('a chat for which twenty answers wait is refused until it is quiet, with one notice', async () => {
  const { clock, waiting, enters, begins } = admissionOf()
  waiting.set(member, floodLimits.maxWaiting - 1)
  expect(await enters(member)).toBeNull()
  expect(begins(member)).toBeNull()
  waiting.set(member, floodLimits.maxWaiting)
  expect(begins(member)).toMatchObject({ why: 'flood', who: 'member', isNew: true })
  // The chat's other waiting updates are refused, and so are new ones, although the answers have been sent.
  waiting.delete(member)
  expect(begins(member)).toMatchObject({ isNew: false })
  for (let second = 1; second < 30; second += 1) {
    clock.ms = second * 1_000
    expect(await enters(member)).toMatchObject({ isNew: false })
  }
  expect(await enters(member + 1)).toBeNull()
  clock.ms += floodLimits.quietMs
  expect(await enters(member)).toBeNull()
  expect(begins(member)).toBeNull()
})

test('a member’s press of Confirm is admitted while the rest of the chat is refused, within a limit of its own', async () => {
  const { waiting, enters, begins } = admissionOf()
  waiting.set(member, floodLimits.maxWaiting)
  expect(begins(member)).not.toBeNull()
  expect(await enters(member, true)).toBeNull()
  expect(begins(member, true)).toBeNull()
  waiting.set(member, floodLimits.maxWaitingDecisive)
  expect(begins(member, true)).toMatchObject({ who: 'member' })
  for (let sent = 0; sent <= floodLimits.stranger.burst; sent += 1) await enters(stranger)
  expect(await enters(stranger, true)).toMatchObject({ who: 'stranger' })
})

test('an update that was kept through an outage is admitted, whatever others have sent since', async () => {
  const { line, waiting, enters, begins, isMember } = admissionOf()
  line.strangers = floodLimits.maxStrangersWaiting
  expect(await enters(stranger)).not.toBeNull()
  expect(await enters(stranger, false, stranger, true)).toBeNull()
  waiting.set(member, floodLimits.maxWaiting)
  expect(begins(member)).not.toBeNull()
  expect(await enters(member, false, member, true)).toBeNull()
  expect(begins(member, false, member, true)).toBeNull()
  expect(isMember(member)).toBe(true)
})

test('in a group nobody is refused because of what others send', async () => {
  const { waiting, enters, begins } = admissionOf()
  const group = -5
  for (let sent = 0; sent < 3 * floodLimits.stranger.burst; sent += 1) await enters(stranger, false, group)
  expect(await enters(stranger, false, group)).not.toBeNull()
  expect(await enters(stranger + 1, false, group)).toBeNull()
  waiting.set(group, floodLimits.maxWaiting)
  expect(begins(member, false, group)).not.toBeNull()
  waiting.delete(group)
  expect(begins(member, false, group)).toBeNull()
})

test('while the database is down, known members are still admitted as members and all others count as strangers', async () => {
  const { database, enters, isMember } = admissionOf()
  await enters(member)
  database.isAway = true
  expect(await enters(member)).toBeNull()
  expect(isMember(member)).toBe(true)
  expect(await enters(member + 1)).toBeNull()
  expect(isMember(member + 1)).toBe(false)
})

test('a member is looked up once in the database, and a stranger at each update', async () => {
  const { database, enters, isMember, meet } = admissionOf()
  await enters(member)
  await enters(member)
  expect(database.asked).toBe(1)
  meet(member, false)
  expect(isMember(member)).toBe(false)
  await enters(member)
  expect(database.asked).toBe(2)
  await enters(stranger)
  await enters(stranger)
  expect(database.asked).toBe(4)
  meet(stranger, true)
  expect(isMember(stranger)).toBe(true)
  await enters(stranger)
  expect(database.asked).toBe(4)
})
