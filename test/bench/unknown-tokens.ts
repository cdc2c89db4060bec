import { randomBytes } from 'node:crypto'
import { posting } from './callbacks.ts'
import { type Figure, inTurn, median, percentile } from './figure.ts'
import { type Filled, newFilled } from './fill.ts'
import { type Posting, postAll } from './load.ts'
import { bot, listening, onStage, type Stage } from './stage.ts'

const runs = 3
const connections = 64
const genuine = 500
const genuineEveryMs = 10
const forged = 40_000

interface Measured {
  perSecond: number
  /** Of genuine callbacks that come meanwhile. */
  genuineMs: number[]
}

/** Callbacks to addresses that nobody was given, as many as the machine takes, and genuine ones among them. */
export const unknownTokens = async (): Promise<Figure[]> => {
  const [ours, bare] = await inTurn(
    runs,
    () => measured(bot, 404),
    () => measured('test/bench/bare-server.ts', 200),
  )
  const against = 'a Fastify route that takes everything'
  return [
    {
      what: `callbacks with unknown tokens refused, ${connections} connections`,
      unit: 'per second',
      bot: median(ours.map(({ perSecond }) => perSecond)),
      baseline: median(bare.map(({ perSecond }) => perSecond)),
      against,
      goal: { ratioAbove: 0.6 },
    },
    {
      what: 'genuine callback answered meanwhile, p99',
      unit: 'ms',
      bot: median(ours.map(({ genuineMs }) => percentile(genuineMs, 99))),
      baseline: median(bare.map(({ genuineMs }) => percentile(genuineMs, 99))),
      against,
      // A fifth of what the provider waits (API §6): the flood takes all that the processor has.
      goal: { under: 1_000 },
    },
  ]
}

const measured = (path: string, status: number): Promise<Measured> => {
  const filled = { orders: [] as Filled[] }
  return onStage(
    path,
    async (stage) => {
      await listening(stage.url)
      const flood = (count: number, until?: AbortSignal) =>
        postAll(forgedPostings(stage, count), { connections, status, ...(until && { until }) })
      await flood(5_000)
      const { perSecond } = await flood(forged)
      const ended = new AbortController()
      const meanwhile = flood(forged * 4, ended.signal)
      const { latenciesMs } = await postAll(
        Array.from({ length: genuine }, (_, index) => posting(stage, filled.orders, index)),
        { connections: 10, everyMs: genuineEveryMs },
      )
      ended.abort()
      await meanwhile
      return { perSecond, genuineMs: latenciesMs }
    },
    {
      prepare: async ({ databasePath }) => {
        filled.orders = await newFilled(databasePath, genuine)
      },
    },
  )
}

const forgedPostings = ({ url }: Stage, count: number): Posting[] =>
  Array.from({ length: count }, () => ({
    url: `${url}/webhooks/${randomBytes(33).toString('base64url')}`,
    body: '{"event":"order.status.updated","reference":"BUD-API-A-1","status":"delivered"}',
  }))
