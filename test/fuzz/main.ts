import { parseArgs } from 'node:util'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { mergeCorrections } from '../../src/lists/correction.ts'
import { readList } from '../../src/lists/list.ts'
import type { Answers, ListReading } from '../../src/lists/reading.ts'
import { joinParts } from '../../src/lists/seam.ts'
import { market } from '../lists/market.ts'
import { faultsOf } from '../lists/soundness.ts'
import { type Growth, growthOf, isLinear } from './growth.ts'
import { mutant, pickerOf } from './mutation.ts'

const help = `npm run fuzz -- [options]

Reads lists that were written in the formats of the tests and then damaged, with every kind of answer, as parts
and with corrections, and checks of each reading that it throws nothing, loses no line, and orders for no number
that does not stand there. Between, it lengthens such texts, and measures that twice the text takes about twice the
time, up to 4 million characters. A reading that does not end within a minute is a finding too.

  --minutes N  how long (1)
  --seed N     the first seed (by the clock)
  --help       this text

Ends with 1 when something was found, and prints the seed of each finding. Writes nothing but its output.`

interface Finding {
  seed: number
  faults: string[]
}

const against = [null, 5, 61].map((fixedBundleId) => ({ ...market, fixedBundleId }))

/** What is wrong with the readings of one seed. */
const findingsOf = (seed: number): string[] => {
  const pick = pickerOf(seed)
  const [text, other] = [mutant(pick), mutant(pick)]
  const chosen = against[pick(against.length)] ?? market
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
  minutes: number
  first: number
  /** How many seeds are done: the thread that watches sees whether it moves. */
  progress: Int32Array
}

const run = ({ minutes, first, progress }: Run): boolean => {
  const until = performance.now() + minutes * 60_000
  const findings: Finding[] = []
  const growths: Growth[] = []
  let seed = first
  for (; performance.now() < until; seed += 1) {
    Atomics.store(progress, 0, seed - first)
    const faults = findingsOf(seed)
    if (faults.length > 0 && findings.push({ seed, faults }) <= 10)
      print(`seed ${seed}: ${faults.join('; ')}`)
    if ((seed - first) % 5_001 === 0) growths.push(growthOf(seed, mutant(pickerOf(seed))))
  }
  const slow = growths.filter((growth) => !isLinear(growth))
  for (const { seed: of, times } of slow)
    print(
      `seed ${of}: more than linear: ${times.map(({ characters, ms }) => `${characters} in ${ms.toFixed(0)} ms`).join(', ')}`,
    )
  print(`${seed - first} seeds from ${first}, 4 readings each, ${findings.length} findings`)
  print(`${growths.length} texts lengthened, ${slow.length} of them more than linear; the slowest:`)
  for (const line of slowest(growths)) print(line)
  return findings.length + slow.length === 0
}

const slowest = (growths: readonly Growth[]): string[] =>
  (growths[0]?.times ?? []).map(({ characters }, index) => {
    const ms = Math.max(...growths.map(({ times }) => times[index]?.ms ?? 0))
    return `  ${characters.toLocaleString('en')} characters: ${ms.toFixed(0)} ms`
  })

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

/** Runs it in a thread of its own, so that a reading that never ends is noticed, with its seed. */
const watch = (minutes: number, first: number): void => {
  const progress = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { minutes, first, progress } satisfies Run,
  })
  let before = -1
  const timer = setInterval(() => {
    const done = Atomics.load(progress, 0)
    if (done === before) {
      print(`seed ${first + done}: does not end within a minute`)
      process.exit(1)
    }
    before = done
  }, 60_000)
  worker.on('exit', (code) => {
    clearInterval(timer)
    process.exitCode = code
  })
}

const main = (): void => {
  const { values } = parseArgs({
    options: { minutes: { type: 'string' }, seed: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  })
  const minutes = Number(values.minutes ?? 1)
  if (values.help) print(help)
  else if (!(minutes > 0)) throw new RangeError('--minutes takes a number above 0.')
  else watch(minutes, Number(values.seed ?? Date.now() % 1_000_000_000))
}

if (isMainThread) main()
else process.exitCode = run(workerData as Run) ? 0 : 1
