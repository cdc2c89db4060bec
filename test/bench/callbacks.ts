import { type Figure, inTurn, median, percentile } from './figure.ts'
import { type Filled, newFilled } from './fill.ts'
import { type Answers, type Load, type Posting, postAll } from './load.ts'
import { bot, listening, onStage, type Stage } from './stage.ts'

const runs = 3
const orders = 1_000
const route = 'a Fastify route that keeps nothing'

/** How callbacks arrive. */
const loads = {
  /** Not measured: what has just started compiles its code first. */
  warmUp: { total: 1_000, connections: 200, everyMs: 2 },
  /** Each connection posts its next one when the last is answered. */
  full: { total: 20_000, connections: 64 },
  /** Whether answered or not: what waits for a connection waits from the moment it was due. */
  steady: { total: 5_000, connections: 200, everyMs: 2 },
  /** All due at once, over as many connections as a sender may open for it: to open them is part of it. */
  burst: { total: 1_000, connections: 250 },
} satisfies Record<string, Load & { total: number }>

type Measured = Record<'full' | 'steady' | 'burst', Answers>

/** Provider callbacks that were answered with 200: they are on the disk then. */
export const callbacks = async (): Promise<Figure[]> => {
  const [ours, bare] = await inTurn(
    runs,
    () => measured(bot),
    async () => ({ route: await measured('test/bench/bare-server.ts'), inserts: await insertsAlone() }),
  )
  const inserts = bare.map((each) => each.inserts)
  const syncMs = median(inserts.map((each) => each.syncMs)).toFixed(2)
  const durable = {
    what: `callbacks acknowledged durably, ${loads.full.connections} connections`,
    unit: 'per second',
    bot: median(ours.map(({ full }) => full.perSecond)),
  } as const
  const perSecond = median(inserts.map((each) => each.perSecond))
  return [
    {
      ...durable,
      baseline: perSecond,
      against: `raw INSERTs, a commit each (a sync here: ${syncMs} ms)`,
      goal: { ratioAbove: 2 },
    },
    {
      ...durable,
      baseline: median(bare.map((each) => each.route.full.perSecond)),
      against: route,
      goal: null,
    },
    {
      what: 'callback answered, p99 at 500 a second',
      unit: 'ms',
      bot: median(ours.map(({ steady }) => percentile(steady.latenciesMs, 99))),
      baseline: median(bare.map((each) => percentile(each.route.steady.latenciesMs, 99))),
      against: route,
      goal: { under: 50 },
    },
    {
      what: `a burst of ${loads.burst.total} callbacks, all answered`,
      unit: 'ms',
      bot: median(ours.map(({ burst }) => burst.tookMs)),
      baseline: median(bare.map((each) => each.route.burst.tookMs)),
      against: route,
      goal: { under: 1_000 },
    },
  ]
}

const measured = async (path: string): Promise<Measured> => {
  const filled = { orders: [] as Filled[] }
  return onStage(
    path,
    async (stage) => {
      await listening(stage.url)
      let sent = 0
      const run = ({ total, ...load }: Load & { total: number }): Promise<Answers> => {
        const postings = Array.from({ length: total }, () => posting(stage, filled.orders, sent++))
        return postAll(postings, load)
      }
      await run(loads.warmUp)
      // In this order: what the bot is still to look at after a flood would slow the others down.
      const steady = await run(loads.steady)
      const burst = await run(loads.burst)
      return { steady, burst, full: await run(loads.full) }
    },
    {
      prepare: async ({ databasePath }) => {
        filled.orders = await newFilled(databasePath, orders)
      },
    },
  )
}

/**
 * Each is another callback, about the orders in turn: a status that they have passed, about which nobody is told.
 */
export const posting = (stage: Stage, all: readonly Filled[], index: number): Posting => {
  const order = all[index % all.length]
  if (!order) throw new Error('There are no orders.')
  const body = JSON.stringify({
    event: 'order.status.updated',
    reference: order.reference,
    status: 'processing',
    timestamp: new Date(index).toISOString(),
  })
  return { url: stage.callbackUrl(order.id), body }
}

/** As the program itself measures it. */
const insertsAlone = (): Promise<{ perSecond: number; syncMs: number }> =>
  onStage(
    'test/bench/bare-inserts.ts',
    async (_stage, program) => JSON.parse(await program.printed()) as { perSecond: number; syncMs: number },
    {
      prepare: async ({ databasePath }) => {
        await newFilled(databasePath, orders)
      },
    },
  )
