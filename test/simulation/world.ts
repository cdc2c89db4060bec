import type { Provider } from '../../src/provider/index.ts'
import type { Queries } from '../../src/store/store.ts'
import { createMemoryStore, type MemoryStore } from './memory/store.ts'
import { Random } from './random.ts'
import { type Owner, Timeline } from './timeline.ts'
import { calm, drawWeather, type Weather } from './weather.ts'

/** What is taken out of the bot, to see whether the simulation notices. */
export interface Mutation {
  queries?: (queries: Queries) => Queries
  provider?: (provider: Provider) => Provider
  /** The weather in which it is missed most. */
  weather?: (weather: Weather) => Weather
}

/** What every part of one run shares. */
export class World {
  readonly random: Random
  readonly timeline: Timeline
  readonly store: MemoryStore = createMemoryStore()
  readonly mutation: Mutation
  /** Those who are outside the bot: the provider, Telegram and people never die. */
  readonly outside: Owner = { alive: true, resumesAtMs: 0 }
  readonly trace: string[] | null
  readonly startMs = Date.UTC(2026, 0, 5, 8)
  weather: Weather
  /** The first promise that was broken; the run ends there. */
  broken: string | null = null
  #ids = 0

  constructor(options: { seed: number; mutation: Mutation; traced: boolean }) {
    this.random = new Random(options.seed)
    this.timeline = new Timeline(this.startMs, this.random)
    this.mutation = options.mutation
    const weather = drawWeather(this.random)
    this.weather = options.mutation.weather?.(weather) ?? weather
    this.trace = options.traced ? [] : null
  }

  get nowMs(): number {
    return this.timeline.nowMs
  }

  now = (): Date => new Date(this.timeline.nowMs)

  newId = (): string => `id${String(++this.#ids).padStart(20, '0')}`

  sleep(ms: number): Promise<void> {
    return this.timeline.sleep(ms, this.outside)
  }

  after(ms: number, run: () => void): void {
    this.timeline.at(this.nowMs + ms, this.outside, run)
  }

  say(who: string, what: () => string): void {
    if (!this.trace) return
    const seconds = ((this.nowMs - this.startMs) / 1000).toFixed(3)
    this.trace.push(`${seconds.padStart(12)}  ${who.padEnd(9)} ${what()}`)
  }

  breaks(promise: string): void {
    this.say('BROKEN', () => promise)
    this.broken ??= promise
  }

  endFaults(): void {
    this.say('weather', () => 'the faults have ended')
    this.weather = calm(this.weather)
  }
}
