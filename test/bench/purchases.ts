import { setTimeout as wait } from 'node:timers/promises'
import type { BenchOptions } from './main.ts'
import { buy, type Contact, connectAll, delivered, onStage, orderFor, type Stage } from './stage.ts'
import { type Figure, percentile } from './table.ts'

/** How long the provider takes to deliver an order. */
const deliverAfterMs = 200
/** How many purchases each person makes in the test in which all buy as fast as they can. */
const purchasesOfEach = 4

interface Measured {
  /** Processor time for each purchase. */
  cpuMs: number
  pressToPostMs: number[]
  callbackToChatMs: number[]
  /** Purchases a second, if everybody buys as fast as they can. */
  perSecond: number
}

/**
 * What the bot's promises cost: compares its purchases with those of a naive bot, which keeps no promise. The
 * provider answers at once.
 */
export const purchases = async (options: BenchOptions): Promise<Figure[]> => {
  const figures = await compared('SQLite', options)
  if (!process.env.TEST_DATABASE_URL) return figures
  for (const rttMs of options.rttsMs) {
    const where = rttMs === 0 ? 'PostgreSQL' : `PostgreSQL, ${rttMs} ms away`
    figures.push(...(await compared(where, options, rttMs)))
  }
  return figures
}

const compared = async (where: string, options: BenchOptions, rttMs?: number): Promise<Figure[]> => {
  const measured = (file: string): Promise<Measured> => {
    process.stderr.write(`  ${where}: ${file}\n`)
    return onStage((stage) => measure(stage, file, options), {
      settings: { deliverAfterMs },
      ...(rttMs !== undefined && { rttMs }),
    })
  }
  const [bot, naive] = [await measured('test/bench/bot.ts'), await measured('test/bench/naive-bot.ts')]
  const figure = (what: string, unit: Figure['unit'], of: (measured: Measured) => number): Figure => ({
    what: `${where}: ${what}`,
    unit,
    bot: of(bot),
    baseline: of(naive),
    against: 'a naive bot',
  })
  return [
    figure(`processor for each purchase, at ${options.rate} a second`, 'ms', ({ cpuMs }) => cpuMs),
    ...[50, 95].map((percent) =>
      figure(`press → POST, p${percent}`, 'ms', ({ pressToPostMs }) => percentile(pressToPostMs, percent)),
    ),
    ...[50, 95].map((percent) =>
      figure(`callback → chat, p${percent}`, 'ms', (each) => percentile(each.callbackToChatMs, percent)),
    ),
    figure(`purchases, ${options.people} people at once`, '/s', ({ perSecond }) => perSecond),
  ]
}

const measure = async (
  stage: Stage,
  file: string,
  { people, rate, seconds }: BenchOptions,
): Promise<Measured> => {
  const times = watchProvider(stage)
  const program = stage.start(file, { PACE: 'none' })
  const contacts = await connectAll(stage, people)
  const shop = async (contact: Contact): Promise<Times> => {
    const { phone, pressedMs } = await buy(stage, contact)
    const toldMs = await delivered(contact, phone)
    const { reference } = orderFor(stage, phone)
    const { postedMs = 0, deliveredMs = 0 } = times.get(reference) ?? {}
    return { pressToPostMs: postedMs - pressedMs, callbackToChatMs: toldMs - deliveredMs }
  }
  // A few purchases first, so that the code is compiled before the measurement.
  await Promise.all(contacts.map(shop))

  const beforeMs = program.cpuMs()
  const steady = await steadily(contacts, rate, seconds, shop)
  const cpuMs = (program.cpuMs() - beforeMs) / steady.length

  const startedMs = performance.now()
  await Promise.all(
    contacts.map(async (contact) => {
      for (let time = 0; time < purchasesOfEach; time += 1) await shop(contact)
    }),
  )
  const perSecond = (people * purchasesOfEach) / ((performance.now() - startedMs) / 1000)

  const bought = people + steady.length + people * purchasesOfEach
  const debits = stage.provider.debits().length
  if (debits !== bought) throw new Error(`${debits} debits for ${bought} purchases.`)
  return {
    cpuMs,
    perSecond,
    pressToPostMs: steady.map(({ pressToPostMs }) => pressToPostMs),
    callbackToChatMs: steady.map(({ callbackToChatMs }) => callbackToChatMs),
  }
}

interface Times {
  pressToPostMs: number
  callbackToChatMs: number
}

/** Starts purchases at a steady rate, whether or not the last ones are done. Each person has one purchase at a time. */
const steadily = async (
  contacts: readonly Contact[],
  rate: number,
  seconds: number,
  shop: (contact: Contact) => Promise<Times>,
): Promise<Times[]> => {
  const free = [...contacts]
  const bought: Promise<Times>[] = []
  const startedMs = performance.now()
  for (let index = 0; index < rate * seconds; index += 1) {
    await wait(Math.max(0, startedMs + (index * 1000) / rate - performance.now()))
    const contact = free.shift()
    if (!contact)
      throw new Error('Everybody waits for a purchase: more --people or a lower --rate is needed.')
    bought.push(
      shop(contact).finally(() => {
        free.push(contact)
      }),
    )
  }
  return Promise.all(bought)
}

/** When the provider took each order, and when it was delivered, by reference. */
const watchProvider = ({ provider }: Stage): Map<string, { postedMs: number; deliveredMs?: number }> => {
  const times = new Map<string, { postedMs: number; deliveredMs?: number }>()
  provider.on(({ kind, reference }) => {
    if (kind !== 'order' || reference === undefined) return
    const known = times.get(reference)
    if (known) known.deliveredMs ??= performance.now()
    else times.set(reference, { postedMs: performance.now() })
  })
  return times
}
