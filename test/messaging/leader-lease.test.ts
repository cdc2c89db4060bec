import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { pino } from 'pino'
import { describe, expect, test, vi } from 'vitest'
import {
  createLease,
  leaseLengthMs,
  processHasEnded,
  processToken,
} from '../../src/messaging/leader-lease.ts'
import type { Store } from '../../src/store/store.ts'
import { newStore } from '../support/database.ts'

const log = pino({ level: 'silent' })
const clock = { ms: 0 }
const now = () => new Date(clock.ms)

const leaseOf = (store: Pick<Store, 'leases'>, token: string, ended: string[] = []) =>
  createLease({
    store: { leases: store.leases, clock: async () => now() },
    name: 'l',
    token,
    now,
    monotonicMs: () => clock.ms,
    log,
    hasEnded: (other) => ended.includes(other),
  })

describe('the worker’s lease', () => {
  test('belongs to the first of two processes, and to the second as soon as the first no longer renews it', async () => {
    const store = await newStore()
    const [first, second] = [leaseOf(store, 'a'), leaseOf(store, 'b')]
    expect([await first.check(), await second.check()]).toEqual([true, false])
    clock.ms += 6_000
    await first.round()
    clock.ms += leaseLengthMs - 1
    expect([await second.check(), first.isHeld()]).toEqual([false, true])
    clock.ms += 1
    expect(first.isHeld()).toBe(false)
    expect([await second.check(), await first.check()]).toEqual([true, false])
    expect([first.isHeld(), second.isHeld()]).toEqual([false, true])
  })

  test('goes to exactly one of many processes that find it free or expired at the same moment', async () => {
    const store = await newStore()
    for (let turn = 0; turn < 3; turn += 1) {
      const rivals = Array.from({ length: 8 }, (_, index) => leaseOf(store, `${turn}/${index}`))
      const taken = await Promise.all(rivals.map((each) => each.check()))
      expect(taken.filter(Boolean)).toHaveLength(1)
      clock.ms += leaseLengthMs
    }
  })

  test('goes to a process even if it asks for the lease several times at the same moment', async () => {
    const store = await newStore()
    const lease = leaseOf(store, 'a')
    expect(await Promise.all([lease.check(), lease.check(), lease.round()])).toEqual([true, true, undefined])
    expect(lease.isHeld()).toBe(true)
  })

  test('passes to another process immediately if it is released or its process is known to have ended', async () => {
    const store = await newStore()
    const first = leaseOf(store, 'a')
    await first.check()
    await first.release()
    expect([await first.check(), await leaseOf(store, 'b').check()]).toEqual([false, true])
    expect(await leaseOf(store, 'c').check()).toBe(false)
    expect(await leaseOf(store, 'c', ['b']).check()).toBe(true)
  })

  test('stays with a process that gets no answer from the database until the lease ends, and no longer', async () => {
    const store = await newStore()
    let broken = false
    const leases = {
      ...store.leases,
      holder: (name: string) => (broken ? Promise.reject(new Error('locked')) : store.leases.holder(name)),
    }
    const [first, second] = [leaseOf({ leases }, 'a'), leaseOf(store, 'b')]
    await first.check()
    broken = true
    clock.ms += leaseLengthMs - 1
    expect([await first.check(), first.isHeld()]).toEqual([true, true])
    clock.ms += 1
    expect([await first.check(), first.isHeld(), await second.check()]).toEqual([false, false, true])
    broken = false
    await first.round()
    expect(first.isHeld()).toBe(false)
    await second.release()
    await first.round()
    expect(first.isHeld()).toBe(true)
  })
})

describe('the process that a lease names', () => {
  const own = processToken('x')
  const withPid = (pid: number) => own.replace(`/${process.pid}/`, `/${pid}/`)

  test('counts as ended if no process has its id, or if only this process has', () => {
    expect(processHasEnded(own)).toBe(true)
    expect(processHasEnded(withPid(process.ppid))).toBe(false)
    // Above the largest id that Linux gives.
    expect(processHasEnded(withPid(4_194_305))).toBe(true)
  })

  test('does not count as ended on another machine, or if the name cannot be read', () => {
    for (const token of [`elsewhere${withPid(4_194_305)}`, 'nonsense', '', `${own}/y`]) {
      expect(processHasEnded(token)).toBe(false)
    }
  })

  test.runIf(process.platform === 'linux')('counts as ended if it is a zombie', async () => {
    const parent = spawn('sh', ['-c', 'true & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    try {
      const [line] = (await once(parent.stdout, 'data')) as [Buffer]
      const token = withPid(Number(line.toString()))
      await vi.waitFor(() => expect(processHasEnded(token)).toBe(true), { timeout: 30_000 })
      expect(processHasEnded(withPid(parent.pid ?? 0))).toBe(false)
    } finally {
      parent.kill('SIGKILL')
    }
  })
})

test('the worker’s lease ends as soon as the wall clock or the monotonic clock says so', async () => {
  const store = await newStore()
  const wall = { ms: 0 }
  const monotonic = { ms: 0 }
  const lease = createLease({
    store: { leases: store.leases, clock: async () => new Date(wall.ms) },
    name: 'l',
    token: 'a',
    now: () => new Date(wall.ms),
    monotonicMs: () => monotonic.ms,
    log,
    hasEnded: () => false,
  })
  await lease.check()
  wall.ms = leaseLengthMs
  expect(lease.isHeld()).toBe(false)
  wall.ms = -60_000
  expect(lease.isHeld()).toBe(true)
  monotonic.ms = leaseLengthMs
  expect(lease.isHeld()).toBe(false)
})
