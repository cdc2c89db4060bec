import { pino } from 'pino'
import { expect, test } from 'vitest'
import { nextSettling } from '../../src/journal/settling-schedule.ts'
import { createClockWatch } from '../../src/relay/clock-watch.ts'
import { addAccount, addOrder, orderOf } from '../orders/placed-orders.ts'
import { createMemoryStore } from '../simulation/memory/store.ts'
import { newStore } from '../support/database.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** A machine with its two clocks, and a bot on it that may be started again. */
const newMachine = () => {
  const machine = { wallMs: Date.UTC(2026, 0, 1), monotonicMs: 5_000, boot: 'first', leads: true }
  const now = () => new Date(machine.wallMs)
  const store = createMemoryStore(now)
  const told: number[] = []
  const start = () =>
    createClockWatch({
      store,
      now,
      monotonicMs: () => machine.monotonicMs,
      boot: machine.boot,
      mayAct: () => machine.leads,
      onSetBack: (byMs) => told.push(byMs),
      log: pino({ level: 'silent' }),
    })
  const pass = (ms: number) => {
    machine.wallMs += ms
    machine.monotonicMs += ms
  }
  return { machine, store, told, start, pass, now }
}

test('a clock that runs on, goes ahead or is corrected little by little is nothing', async () => {
  const { machine, told, start, pass } = newMachine()
  const watch = start()
  for (let round = 0; round < 200; round += 1) {
    await watch.round()
    pass(1_000)
    machine.wallMs -= 50
  }
  machine.wallMs += 10 * minute
  await watch.round()
  expect(told).toEqual([])
})

test.each([
  ['on the same start of the machine, exactly', 'first', 10 * minute],
  ['on another one, by what stands in the future', 'second', 9 * minute],
] as const)('a clock that is set back while the bot is stopped is noticed: %s', async (_how, boot, byMs) => {
  const { machine, store, told, start, pass, now } = newMachine()
  machine.wallMs += 10 * minute
  await start().round()
  await store.requests.claim('account', now(), [])
  pass(minute)
  machine.wallMs -= 10 * minute
  machine.boot = boot
  await start().round()
  expect(told).toEqual([byMs])
  await start().round()
  expect(told).toEqual([byMs])
})

test('only who leads brings anything back, and looks at what was before it led', async () => {
  const { machine, told, start, pass } = newMachine()
  const [leader, other] = [start(), start()]
  machine.wallMs += 10 * minute
  await leader.round()
  machine.leads = false
  await other.round()
  pass(1_000)
  machine.wallMs -= 10 * minute
  await other.round()
  expect(told).toEqual([])
  machine.leads = true
  await other.round()
  expect(told).toEqual([10 * minute])
})

test('what could not be brought back is brought back in the next round', async () => {
  const { machine, store, told, start } = newMachine()
  const watch = start()
  await watch.round()
  const { bringBack } = store.clockSetBack
  store.clockSetBack.bringBack = async () => {
    throw new Error('no answer')
  }
  machine.wallMs -= 10 * minute
  await expect(watch.round()).rejects.toThrow('no answer')
  store.clockSetBack.bringBack = bringBack
  await watch.round()
  expect(told).toEqual([10 * minute])
})

test.each([
  ['goes back with the clock', -hour, 20 * day, 20 * day - hour],
  ['is unknown where the column has no room for it', -hour, 30 * day, null],
  ['is unknown where it was cut when it was measured', -2_147_483_647, 60 * day, null],
  ['that was never measured stays so', null, 60 * day, null],
])('how far the provider’s clock was from ours at a send %s', async (_how, clockOffsetMs, byMs, after) => {
  const now = new Date(Date.UTC(2026, 0, 1))
  for (const store of [await newStore(), createMemoryStore(() => now)]) {
    const ahead = new Date(now.getTime() + byMs)
    await addAccount(store, 'a', ahead)
    await addOrder(store, { id: '1', accountId: 'a', now: ahead }, [
      ['sending', { sentAt: ahead, clockOffsetMs }],
    ])
    await store.clockSetBack.bringBack(byMs, now)
    expect(await orderOf(store, '1')).toMatchObject({ sentAt: now, clockOffsetMs: after })
  }
})

test('a read that was planned before the clock was noticed, from a send that is still to come, is brought back', async () => {
  const now = new Date(Date.UTC(2026, 0, 1))
  for (const store of [await newStore(), createMemoryStore(() => now)]) {
    const [ahead, byMs] = [new Date(now.getTime() + 10 * minute), 10 * minute]
    await addAccount(store, 'a', ahead)
    await addOrder(store, { id: '1', accountId: 'a', now: ahead }, [['sending', { sentAt: ahead }]])
    const noticed = new Date(now.getTime() + 1_000)
    const planned = { settleAt: nextSettling(ahead, now) }
    await store.transaction((tx) => tx.orders.go({ id: '1' }, 'unconfirmed', planned, now))
    await store.clockSetBack.bringBack(byMs, noticed)
    expect((await orderOf(store, '1')).settleAt).toEqual(new Date(now.getTime() + 5_000))
  }
})
