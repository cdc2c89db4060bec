import { Pool } from 'undici'
import { type Figure, inTurn, median } from './figure.ts'
import { buy, connect } from './journey.ts'
import { bot, listening, onStage } from './stage.ts'

const runs = 3
const connections = 64
const total = 4_000

/** Provider callbacks, each another one of one order, that were answered with 200: they are on the disk then. */
export const callbacks = async (): Promise<Figure[]> => {
  const [bots, bare] = await inTurn(runs, acknowledged, async () => ({
    route: await routeAlone(),
    commits: await commitsAlone(),
  }))
  const figure = {
    what: `callbacks acknowledged durably, ${connections} connections`,
    unit: 'per second',
    bot: median(bots),
    goal: null,
  } as const
  return [
    {
      ...figure,
      baseline: median(bare.map(({ route }) => route)),
      against: 'a Fastify route that keeps nothing',
    },
    {
      ...figure,
      baseline: median(bare.map(({ commits }) => commits)),
      against: 'raw INSERTs, a commit each, same settings',
    },
  ]
}

const acknowledged = (): Promise<number> =>
  onStage(bot, async (stage) => {
    const order = await buy(stage, await connect(stage), '0241234567')
    if (order.webhookUrl === null) throw new Error('The order has no address for callbacks.')
    return postAll(order.webhookUrl, order.reference)
  })

const routeAlone = (): Promise<number> =>
  onStage('test/bench/bare-server.ts', async (stage) => {
    await listening(stage.url)
    return postAll(`${stage.url}/webhooks/token`, 'BUD-API-0')
  })

/** As the program itself measures it. */
const commitsAlone = (): Promise<number> =>
  onStage('test/bench/bare-inserts.ts', async (_stage, program) => Number(await program.printed()))

/** Posts all callbacks over that many connections, each after the answer to its last. @returns answers a second */
const postAll = async (url: string, reference: string): Promise<number> => {
  const { origin, pathname: path } = new URL(url)
  const pool = new Pool(origin, { connections, pipelining: 1 })
  const begin = Date.now()
  let next = 0
  const post = async (): Promise<void> => {
    while (next < total) {
      const timestamp = new Date(begin + next++).toISOString()
      const body = JSON.stringify({
        event: 'order.status.updated',
        reference,
        status: 'processing',
        timestamp,
      })
      const answer = await pool.request({ method: 'POST', path, headers, body })
      await answer.body.dump()
      if (answer.statusCode !== 200) throw new Error(`A callback was answered with ${answer.statusCode}.`)
    }
  }
  const startedAt = performance.now()
  try {
    await Promise.all(Array.from({ length: connections }, post))
    return total / ((performance.now() - startedAt) / 1000)
  } finally {
    await pool.close()
  }
}

const headers = { 'content-type': 'application/json' }
