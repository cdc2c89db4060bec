import { readList } from '../../src/lists/read-list.ts'
import { priceSnapshot } from '../lists/market.ts'

/** How long it takes to read texts that repeat a piece again and again. */
export interface Growth {
  seed: number
  times: { characters: number; ms: number }[]
}

const lengths = [500_000, 1_000_000, 2_000_000, 4_000_000]

/** The processor time of this thread, ms, which other programs do not affect. */
const busyMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** The better of two runs for each length. Every other text is split into lines of 99,000 characters. */
export const growthOf = (seed: number, text: string): Growth => ({
  seed,
  times: lengths.map((characters) => {
    const unit = seed % 2 === 0 ? `${text}\n` : `${text.replace(/[\n\r\u0085\u2028\u2029]/g, ' ')} `
    const long = unit.repeat(Math.ceil(characters / unit.length)).slice(0, characters)
    const lined = seed % 2 === 0 ? long : long.replace(/[\s\S]{99000}/g, '$&\n')
    return { characters, ms: Math.min(timeOf(lined), timeOf(lined)) }
  }),
})

const timeOf = (text: string): number => {
  const began = busyMs()
  readList(text, priceSnapshot)
  return busyMs() - began
}

/** Eight times the text may take sixteen times as long. With quadratic time, it would take sixty-four times as long. */
export const isLinear = ({ times }: Growth): boolean => {
  const [first, last] = [times[0]?.ms ?? 0, times.at(-1)?.ms ?? 0]
  return last < 200 || last <= first * 16 + 200
}
