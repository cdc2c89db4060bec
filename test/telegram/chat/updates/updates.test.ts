import { type Api, GrammyError } from 'grammy'
import type { Update } from 'grammy/types'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createPolling } from '../../../../src/telegram/chat/updates/updates.ts'

type Answer = Update[] | 409

const conflict = new GrammyError(
  'getUpdates',
  { ok: false, error_code: 409, description: 'Conflict: terminated by other getUpdates request' },
  'getUpdates',
  {},
)

/** Polling on a clock that advances with each pause and each answer. */
const newPolling = (answer: (held: boolean) => { takesMs: number; answer: Answer }) => {
  const clock = { ms: 0 }
  const lease = { held: true }
  const lines: string[] = []
  const seen = { asked: 0, givenUp: false }
  const getUpdates = async (): Promise<Update[]> => {
    seen.asked += 1
    const { takesMs, answer: what } = answer(lease.held)
    clock.ms += takesMs
    await new Promise(setImmediate)
    if (what === 409) throw conflict
    return what
  }
  const polling = createPolling({
    api: { getUpdates } as unknown as Api,
    handle: async () => 'done',
    lease: {
      isHeld: () => lease.held,
      isLast: () => lease.held,
      check: async () => lease.held,
      round: async () => {},
      release: async () => {},
    },
    log: pino({ level: 'info' }, { write: (line: string) => lines.push(line) }),
    now: () => clock.ms,
    sleep: async (ms) => {
      clock.ms += ms
      await new Promise(setImmediate)
    },
  })
  void polling.givenUp.then(() => {
    seen.givenUp = true
  })
  polling.start()
  onTestFinished(() => polling.stop())
  const until = async (what: () => boolean) => {
    while (!what()) await new Promise(setImmediate)
  }
  return { polling, clock, lease, lines, seen, until }
}

test('polling ends after half a minute of conflicts, and says that another program uses the token', async () => {
  const { polling, clock, lines, seen, until } = newPolling(() => ({ takesMs: 500, answer: 409 }))
  await until(() => seen.givenUp)
  expect(clock.ms).toBeGreaterThanOrEqual(30_000)
  expect(clock.ms).toBeLessThan(60_000)
  expect(lines.at(-1)).toContain('TELEGRAM_BOT_TOKEN: another program uses this token')
  expect(polling.trouble()).toContain('TELEGRAM_BOT_TOKEN')
})

test('updates between conflicts do not hide that another program uses the token', async () => {
  let turn = 0
  const { seen, until } = newPolling(() => {
    turn += 1
    return { takesMs: 5_000, answer: turn % 2 === 0 ? 409 : [] }
  })
  await until(() => seen.givenUp)
})

test('an occasional conflict does not stop polling, and is soon no longer reported as trouble', async () => {
  let turn = 0
  const { polling, clock, seen, until } = newPolling(() => {
    turn += 1
    return turn % 3 === 0 ? { takesMs: 500, answer: 409 } : { takesMs: 30_000, answer: [] }
  })
  await until(() => clock.ms > 3_600_000)
  expect(seen.givenUp).toBe(false)
  await until(() => polling.trouble() === null)
})

test('polling by a process that is not the worker rests at a conflict until it is the worker again', async () => {
  const { polling, lease, lines, seen, until } = newPolling((held) => ({
    takesMs: 500,
    answer: held ? [] : 409,
  }))
  await until(() => seen.asked > 3)
  lease.held = false
  await until(() => polling.trouble()?.startsWith('standing by') === true)
  for (let count = 0; count < 10; count += 1) await new Promise(setImmediate)
  const { asked } = seen
  for (let count = 0; count < 100; count += 1) await new Promise(setImmediate)
  expect(seen.asked).toBe(asked)
  lease.held = true
  await until(() => seen.asked > asked)
  expect([polling.trouble(), seen.givenUp, lines]).toEqual([null, false, []])
})

/** A Telegram with these updates. It forgets those below the offset of a request. */
const newTelegram = (updates: Update[]) => {
  const asked: number[] = []
  return {
    asked,
    getUpdates: async ({ offset }: { offset: number }): Promise<Update[]> => {
      asked.push(offset)
      await new Promise(setImmediate)
      return updates.filter(({ update_id }) => update_id >= offset)
    },
  }
}

const from = (updateId: number, chat: number) =>
  ({ update_id: updateId, message: { chat: { id: chat } } }) as Update

test('an update that failed is requested again until it is handled, and no update is handled twice', async () => {
  const telegram = newTelegram([from(1, 10), from(2, 20), from(3, 20), from(4, 10)])
  const handled: number[] = []
  const isDown = { value: true }
  const lease = {
    isHeld: () => true,
    isLast: () => true,
    check: async () => true,
    round: async () => {},
    release: async () => {},
  }
  const polling = createPolling({
    api: telegram as unknown as Api,
    handle: async ({ update_id: id }) => {
      if (id === 2 && isDown.value) return 'retry'
      handled.push(id)
      return 'done'
    },
    lease,
    log: pino({ level: 'silent' }),
    now: () => 0,
    sleep: () => new Promise(setImmediate),
  })
  polling.start()
  while (telegram.asked.length < 5) await new Promise(setImmediate)
  expect([...handled]).toEqual([1, 4])
  isDown.value = false
  while (!telegram.asked.includes(5)) await new Promise(setImmediate)
  await polling.stop()
  expect(handled).toEqual([1, 4, 2, 3])
  expect(telegram.asked.filter((offset) => offset > 2 && offset < 5)).toEqual([])
})

test('a worker whose database is down answers people, but handles no update', async () => {
  const telegram = newTelegram([from(1, 10), from(2, 20)])
  const seen = { handled: [] as number[], answered: new Set<number>() }
  const state = { held: false, down: true }
  const polling = createPolling({
    api: telegram as unknown as Api,
    handle: async ({ update_id: id }) => {
      seen.handled.push(id)
      return 'done'
    },
    lease: {
      isHeld: () => state.held,
      isLast: () => true,
      check: async () => state.held,
      round: async () => {},
      release: async () => {},
    },
    inOutage: () =>
      state.down
        ? async ({ update_id: id }) => {
            seen.answered.add(id)
          }
        : null,
    log: pino({ level: 'silent' }),
    now: () => 0,
    sleep: () => new Promise(setImmediate),
  })
  polling.start()
  while (telegram.asked.length < 4) await new Promise(setImmediate)
  expect([[...seen.answered], seen.handled, new Set(telegram.asked)]).toEqual([[1, 2], [], new Set([0])])
  Object.assign(state, { held: true, down: false })
  while (!telegram.asked.includes(3)) await new Promise(setImmediate)
  await polling.stop()
  expect(seen.handled).toEqual([1, 2])
})
