import { type Finding, fail, ok, warn } from './finding.ts'
import type { Reached } from './reach.ts'

/** Another machine's clock, compared with ours. */
export interface ClockReading {
  whose: string
  /** How far the other clock is ahead of ours, ms. */
  aheadMs: number
  /** How much `aheadMs` may be off, ms. */
  uncertainMs: number
}

const what = 'clock'
const noticedMs = 2_000
/** In ms. A larger difference disturbs leases and schedules. */
const harmfulMs = 30_000

/**
 * Compares a server's `Date` header with our clock. The result is inexact, because the header has whole seconds and
 * was written at an unknown moment between request and answer.
 */
export const readClock = (whose: string, reached: Reached): ClockReading[] => {
  if (reached.kind === 'unreached') return []
  const dateMs = Date.parse(reached.headers.get('date') ?? '')
  if (Number.isNaN(dateMs)) return []
  const { at, tookMs } = reached
  const aheadMs = dateMs + 500 - (at.getTime() - tookMs / 2)
  return [{ whose, aheadMs, uncertainMs: 500 + tookMs / 2 }]
}

export const examineClock = (readings: readonly ClockReading[]): Finding => {
  if (readings.length === 0)
    return warn(what, 'no other clock could be read', 'See above what could not be reached')
  const worst = Math.max(...readings.map(certainOf))
  const finding = readings.map(wordsOf).join(', ')
  if (worst <= noticedMs) return ok(what, finding)
  return (worst > harmfulMs ? fail : warn)(what, finding, remedyFor(readings))
}

const certainOf = ({ aheadMs, uncertainMs }: ClockReading): number =>
  Math.max(0, Math.abs(aheadMs) - uncertainMs)

const isOff = (reading: ClockReading): boolean => certainOf(reading) > noticedMs

/** Words such as `Telegram agrees` or `the provider is 45 s ahead`. */
const wordsOf = (reading: ClockReading): string => {
  if (!isOff(reading)) return `${reading.whose} agrees`
  const seconds = Math.round(Math.abs(reading.aheadMs) / 1000)
  return `${reading.whose} is ${seconds} s ${reading.aheadMs > 0 ? 'ahead' : 'behind'}`
}

const synchronise: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'sudo timedatectl set-ntp true',
  darwin: 'sudo systemsetup -setusingnetworktime on',
  win32: 'w32tm /resync, as administrator',
}

const remedyFor = (readings: readonly ClockReading[]): string => {
  const right = readings.filter((reading) => !isOff(reading)).map(({ whose }) => whose)
  return right.length === 0
    ? `This machine’s clock is wrong: turn on its time synchronisation, with ${synchronise[process.platform] ?? synchronise.linux}`
    : `${right.join(' and ')} agree${right.length === 1 ? 's' : ''} with this machine, so check the other clock. The bot tolerates a wrong clock at the provider, but not at its database`
}
