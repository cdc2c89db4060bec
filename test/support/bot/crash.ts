import { existsSync, readFileSync, rmSync } from 'node:fs'
import { onCrashPoint } from '../../../src/base/crash-point.ts'
import type { Crash } from './bot.ts'

/**
 * Preloaded by `node --import`. Kills or suspends the process at the point that the file at CRASH_FILE names. The file
 * is deleted first, so that the next process survives.
 */
const file = process.env.CRASH_FILE ?? ''
let passed = 0

const ahead = (): Crash | null => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null)

const strike = ({ paused }: Crash) => {
  rmSync(file)
  process.kill(process.pid, paused ? 'SIGSTOP' : 'SIGKILL')
}

onCrashPoint((point) => {
  const crash = ahead()
  if (point !== crash?.at) return
  passed += 1
  if (passed !== (crash.time ?? 1)) return
  // The request is written later in this turn of the event loop. A crash right now would come before the first byte.
  if (point === 'first_byte') setImmediate(strike, crash)
  else strike(crash)
})
