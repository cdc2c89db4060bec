import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { mergeCorrections } from '../../src/lists/meaning/correction.ts'
import { joinParts } from '../../src/lists/meaning/truncation.ts'
import { readList } from '../../src/lists/read-list.ts'
import type { Answers, ListReading } from '../../src/lists/reading-result.ts'
import { priceSnapshot } from '../lists/market.ts'
import { faultsOf } from '../lists/soundness.ts'
import { damagedList } from './damaged-list.ts'
import { type Growth, growthOf, isLinear } from './growth.ts'
import { pickerOf } from './mutation.ts'
import { print, type Span, until } from './span.ts'

interface Finding {
  seed: number
  faults: string[]
}

const against = [null, 5, 61].map((fixedBundleId) => ({ ...priceSnapshot, fixedBundleId }))

/** What is wrong with the readings of one seed. */
const findingsOf = (seed: number): string[] => {
  const pick = pickerOf(seed)
  const [text, other] = [damagedList(pick), damagedList(pick)]
  const chosen = against[pick(against.length)] ?? priceSnapshot
  const check = (each: string, answers: Answers = {}): ListReading => {
    const reading = readList(each, chosen, answers)
    faults.push(...faultsOf(each, reading, chosen))
    return reading
  }
  const faults: string[] = []
  try {
    const reading = check(text)
    check(text, answersTo(reading, pick))
    check(joinParts([text, other]))
    check(mergeCorrections(text, other, chosen))
  } catch (error) {
    faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
  return faults
}

const answersTo = ({ questions }: ListReading, pick: (below: number) => number): Answers =>
  Object.fromEntries(questions.map(({ key, choices }) => [key, choices[pick(choices.length)]?.answer ?? '']))

interface Run {
  span: Span
  /** How many seeds are done, so that the watching thread notices if the readings stop. */
  progress: Int32Array
}

const run = ({ span, progress }: Run): boolean => {
  const findings: Finding[] = []
  const growths: Growth[] = []
  const { first } = span
  const goesOn = until(span)
  let seed = first
  for (; goesOn(seed); seed += 1) {
    Atomics.store(progress, 0, seed - first)
    const faults = findingsOf(seed)
    if (faults.length > 0 && findings.push({ seed, faults }) <= 10)
      print(`seed ${seed}: ${faults.join('; ')}`)
    if ((seed - first) % 5_001 === 0) growths.push(growthOf(seed, damagedList(pickerOf(seed))))
  }
  const slow = growths.filter((growth) => !isLinear(growth))
  for (const { seed: of, times } of slow)
    print(
      `seed ${of}: more than linear: ${times.map(({ characters, ms }) => `${characters} in ${ms.toFixed(0)} ms`).join(', ')}`,
    )
  print(`lists: ${seed - first} seeds from ${first}, 4 readings each, ${findings.length} findings`)
  print(`${growths.length} texts lengthened, ${slow.length} of them more than linear; the slowest:`)
  for (const line of slowest(growths)) print(line)
  return findings.length + slow.length === 0
}

const slowest = (growths: readonly Growth[]): string[] =>
  (growths[0]?.times ?? []).map(({ characters }, index) => {
    const ms = Math.max(...growths.map(({ times }) => times[index]?.ms ?? 0))
    return `  ${characters.toLocaleString('en')} characters: ${ms.toFixed(0)} ms`
  })

/**
 * Reads damaged lists in a separate thread, so that a reading that never ends is noticed and its seed is known.
 * @returns true if no fault was found.
 */
export const fuzzLists = (span: Span): Promise<boolean> => {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const progress = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(new URL(import.meta.url), { workerData: { span, progress } satisfies Run })
  let before = -1
  const timer = setInterval(() => {
    const done = Atomics.load(progress, 0)
    if (done === before) {
      print(`seed ${span.first + done}: does not end within a minute`)
      void worker.terminate()
    }
    before = done
  }, 60_000)
  worker.on('exit', (code) => {
    clearInterval(timer)
    resolve(code === 0)
  })
  return promise
}

if (!isMainThread) process.exitCode = run(workerData as Run) ? 0 : 1
