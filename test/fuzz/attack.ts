import { readFile } from 'node:fs/promises'
import type { World } from '../support/world.ts'
import { print, type Span, until } from './span.ts'

/** A running bot, and one way to attack it. */
export interface Attack {
  world: World
  /** How many seeds run at the same time, between two checks of the bot. */
  together: number
  /** Makes the attack of a seed. @returns what was wrong with its outcome */
  attempt(seed: number): Promise<string[]>
  /** Checks what all attacks have done together. @returns what is wrong */
  look?(): Promise<string[]>
  /** Words that must not occur in any answer or log line. */
  secrets: readonly string[]
  /** Error lines of the log that are not faults. */
  mayLog?: RegExp
}

/** A bot that uses more memory than this (MB) leaks. With pictures to draw, it uses some 330 MB. */
const maxMemoryMb = 450

/** @returns true if no fault was found. */
export const attack = async (name: string, open: () => Promise<Attack>, span: Span): Promise<boolean> => {
  const opened = await open()
  const { world, together } = opened
  const watch = watchOf(opened)
  let findings = 0
  const tell = (seeds: string, faults: string[]): void => {
    findings += faults.length
    for (const fault of faults) print(`${name}, ${seeds}: ${fault}`)
  }
  const goesOn = until(span)
  let seed = span.first
  try {
    while (goesOn(seed) && findings < 20) {
      const count = Math.min(together, span.first + span.runs - seed)
      const seeds = Array.from({ length: count }, (_, index) => seed + index)
      await Promise.all(seeds.map(async (each) => tell(`seed ${each}`, await attemptOf(opened, each))))
      const faults = [...((await opened.look?.()) ?? []), ...(await watch())]
      tell(`--seed ${seed} --runs ${count}`, faults)
      seed += count
      if (world.bot.pid() === undefined) break
    }
  } finally {
    await world.close()
  }
  print(`${name}: ${seed - span.first} seeds from ${span.first}, ${findings} findings`)
  return findings === 0
}

const attemptOf = async (opened: Attack, seed: number): Promise<string[]> => {
  try {
    return await opened.attempt(seed)
  } catch (error) {
    return [error instanceof Error ? (error.stack ?? error.message) : String(error)]
  }
}

/** Returns a check that the bot is alive, answers, uses little memory, and has logged no fault since the last check. */
const watchOf = ({ world, secrets, mayLog }: Attack): (() => Promise<string[]>) => {
  const pid = world.bot.pid()
  let read = world.bot.output().length
  return async () => {
    const faults: string[] = []
    if (pid === undefined || world.bot.pid() !== pid) faults.push('the bot has ended')
    else {
      const status = await statusOf(`${world.botUrl}/healthz`)
      if (status !== 200) faults.push(`/healthz is answered with ${status}`)
      const memoryMb = await memoryOf(pid)
      if (memoryMb > maxMemoryMb) faults.push(`the bot takes ${memoryMb.toFixed(0)} MB`)
    }
    const output = world.bot.output().slice(read)
    read += output.length
    for (const line of output.split('\n')) {
      if (/"level":"(error|fatal)"/.test(line) && !mayLog?.test(line))
        faults.push(`it logs ${line.slice(0, 600)}`)
    }
    for (const secret of secrets) if (output.includes(secret)) faults.push(`${secret} is in its log`)
    return faults
  }
}

const statusOf = async (url: string): Promise<number | string> => {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(10_000) })
    await answer.arrayBuffer()
    return answer.status
  } catch (error) {
    return String(error)
  }
}

/** The memory of a process, MB. Works on Linux only; 0 elsewhere. */
const memoryOf = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
}
