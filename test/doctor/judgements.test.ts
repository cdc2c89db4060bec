import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { PostgresEngine, SqliteEngine } from '../../src/database/inspection.ts'
import { type ClockReading, examineClock } from '../../src/doctor/clock-check.ts'
import { examineDatabase } from '../../src/doctor/database-check.ts'
import type { Finding } from '../../src/doctor/finding.ts'
import type { Reached } from '../../src/doctor/reach.ts'
import { examineTelegram } from '../../src/doctor/telegram.ts'
import { createKeyring } from '../../src/wallets/credentials/keyring.ts'

/** These tests judge states that no test can produce with a real database, server or clock. */

const told = (findings: readonly Finding[]) => findings.map(({ grade, finding }) => `${grade} ${finding}`)

const keyring = createKeyring([randomBytes(32)])
const empty = {
  unknown: [],
  missing: [],
  facts: new Map<string, string>(),
  sealed: [],
  leases: [],
  bots: [],
  isEmpty: false,
}

const sqlite: SqliteEngine = {
  kind: 'sqlite',
  path: 'bundlegram.db',
  bytes: 5_000_000,
  freeBytes: 50_000_000_000,
  isOpen: false,
  journal: 'wal',
  soundness: { kind: 'sound' },
}

const postgres: PostgresEngine = {
  kind: 'postgresql',
  version: 160_004,
  encoding: 'UTF8',
  isReplica: false,
  keepsCommits: true,
  connections: { most: 97, used: 12, pool: 10 },
  tookMs: 1,
  clock: { at: new Date(), ourAt: new Date() },
}

const judged = (engine: SqliteEngine | PostgresEngine) => told(examineDatabase({ ...empty, engine }, keyring))

describe('the doctor’s judgement of a SQLite database', () => {
  test.each<[string, Partial<SqliteEngine>, RegExp]>([
    ['fails a disk with 50 MB free', { freeBytes: 50_000_000 }, /^fail .*50 MB free/],
    ['warns of a disk with 900 MB free', { freeBytes: 900_000_000 }, /^warn .*900 MB free/],
    [
      'warns of a disk with little room for a large database',
      { bytes: 30_000_000_000 },
      /^warn .*50000 MB free/,
    ],
    ['warns of another journal mode than WAL', { journal: 'delete' }, /^warn its journal mode is delete/],
    [
      'warns of a database that is too large to be checked',
      { soundness: { kind: 'unfinished' } },
      /^warn is too large to be checked/,
    ],
    [
      'fails a damaged database',
      { soundness: { kind: 'damaged', how: 'row 3 missing' } },
      /^fail .*is damaged \(row 3 missing\)/,
    ],
  ])('%s', (_, other, words) => {
    expect(judged({ ...sqlite, ...other })).toContainEqual(expect.stringMatching(words))
    expect(judged(sqlite).every((each) => each.startsWith('ok'))).toBe(true)
  })
})

describe('the doctor’s judgement of a PostgreSQL database', () => {
  test.each<[string, Partial<PostgresEngine>, RegExp]>([
    ['fails a version that is too old', { version: 120_020 }, /^fail PostgreSQL 12\.20/],
    ['warns of a slow server', { tookMs: 80 }, /^warn PostgreSQL 16\.4, answers in 80 ms/],
    ['fails a replica', { isReplica: true }, /^fail is a read-only replica/],
    ['fails a server that may lose commits', { keepsCommits: false }, /^fail may lose committed data/],
    ['fails another encoding than UTF-8', { encoding: 'SQL_ASCII' }, /^fail its encoding is SQL_ASCII/],
    [
      'fails a server with too few connections',
      { connections: { most: 5, used: 0, pool: 10 } },
      /^fail allows 5 connections, but the bot may use 10/,
    ],
    [
      'warns of a server with few connections left',
      { connections: { most: 97, used: 90, pool: 10 } },
      /^warn 90 of 97 connections are in use/,
    ],
  ])('%s', (_, other, words) => {
    expect(judged({ ...postgres, ...other })).toContainEqual(expect.stringMatching(words))
    expect(judged(postgres).every((each) => each.startsWith('ok'))).toBe(true)
  })
})

describe('the doctor’s judgement of the clocks', () => {
  const reading = (whose: string, aheadMs: number, uncertainMs = 600): ClockReading => ({
    whose,
    aheadMs,
    uncertainMs,
  })

  test('blames this machine’s clock if all others differ from it by the same amount', () => {
    const { grade, remedy } = examineClock([reading('Telegram', 90_000), reading('the provider', 90_400)])
    expect(grade).toBe('fail')
    expect(remedy).toMatch(/This machine’s clock is wrong/)
  })

  test('names the one clock that differs if the others agree with this machine', () => {
    const { grade, remedy } = examineClock([reading('Telegram', 100), reading('the database', -40_000)])
    expect(grade).toBe('fail')
    expect(remedy).toMatch(/^Telegram agrees with this machine/)
  })

  test('accepts a difference that is within the accuracy of the measurement', () => {
    expect(examineClock([reading('Telegram', 3_500, 2_000)]).grade).toBe('ok')
    expect(examineClock([reading('Telegram', -3_500, 600)]).grade).toBe('warn')
    expect(examineClock([]).grade).toBe('warn')
  })
})

describe('the doctor’s judgement of Telegram’s webhook', () => {
  const answer = (result: object): Reached => ({
    kind: 'answered',
    status: 200,
    headers: new Headers() as never,
    text: JSON.stringify({ ok: true, result }),
    tookMs: 20,
    at: new Date(),
  })
  const config = (updates: 'polling' | 'webhook') => ({
    telegram: { token: 't', apiRoot: 'https://api.telegram.org', updates, rate: 'fixed' as const },
    publicUrl: 'https://bot.example.com',
  })
  const updatesOf = (mode: 'polling' | 'webhook', webhook: object, isRunning: boolean) => {
    const answers = { me: answer({ username: 'shop_bot' }), webhook: answer(webhook) }
    return told(examineTelegram(config(mode), answers, isRunning)).slice(1)
  }
  const own = 'https://bot.example.com/telegram'
  const seconds = (ago: number) => Math.floor(Date.now() / 1000) - ago

  test.each<[string, 'polling' | 'webhook', object, RegExp[]]>([
    [
      'accepts that none is set for a polling bot',
      'polling',
      { url: '', pending_update_count: 0 },
      [/^ok by polling/],
    ],
    [
      'fails one that is set for a polling bot',
      'polling',
      { url: 'https://other.example/x', pending_update_count: 0 },
      [/^fail .*https:\/\/other\.example$/],
    ],
    [
      'warns of updates that a polling bot does not fetch',
      'polling',
      { url: '', pending_update_count: 4_000 },
      [/^ok/, /^warn 4000 are waiting to be fetched/],
    ],
    ['accepts the bot’s own address', 'webhook', { url: own, pending_update_count: 0 }, [/^ok by webhook/]],
    ['fails a missing webhook', 'webhook', { url: '', pending_update_count: 0 }, [/^fail .*nowhere/]],
    [
      'warns of a delivery that failed a minute ago',
      'webhook',
      {
        url: own,
        pending_update_count: 0,
        last_error_date: seconds(60),
        last_error_message: 'Connection refused',
      },
      [/^ok/, /^warn Telegram could not deliver them .*Connection refused/],
    ],
    [
      'ignores a delivery that failed a day ago',
      'webhook',
      {
        url: own,
        pending_update_count: 0,
        last_error_date: seconds(86_400),
        last_error_message: 'Connection refused',
      },
      [/^ok/],
    ],
  ])('%s', (_, mode, webhook, words) => {
    expect(updatesOf(mode, webhook, true)).toEqual(words.map((each) => expect.stringMatching(each)))
  })
})
