import { setTimeout as wait } from 'node:timers/promises'
import { posting } from './callbacks.ts'
import { type Figure, percentile } from './figure.ts'
import { type Filled, newFilled } from './fill.ts'
import { buy, connect } from './journey.ts'
import { postAll } from './load.ts'
import { bot, listening, onStage, type Stage } from './stage.ts'

const customers = 40
const ordersOfEach = 5
/** Between two callbacks the bot comes to rest, and the pace of sending has room for the next. */
const restMs = 250

/**
 * Callbacks about other orders meanwhile, about which nobody is told: the limits of Telegram would be measured.
 */
const others = { perSecond: 300, connections: 64, orders: 1_000, most: 60_000 }

/** Ms of each callback, one after the other: with nothing else to do, and among many others. */
type Times = Record<'idle' | 'busy', number[]>

/**
 * Time from a callback to the first sight of its status in the chat, one callback at a time. The bot stores the
 * callback, applies it, and owes and sends the message in a transaction each; the bare relay only sends.
 */
export const latency = async (): Promise<Figure[]> => {
  let filled: Filled[] = []
  const prepare = async ({ databasePath }: Stage) => {
    filled = await newFilled(databasePath, others.orders)
  }
  const ours = await onStage(bot, (stage) => relayed(stage, filled), { prepare })
  const bare = await onStage('test/bench/bare-relay.ts', (stage) => relayedBare(stage, filled))
  const meanwhile = { idle: 'idle', busy: `with ${others.perSecond} others a second` }
  return (['idle', 'busy'] as const).flatMap((when) =>
    [50, 99].map((percent) => ({
      what: `callback → its status in the chat, p${percent} of ${ours[when].length}, ${meanwhile[when]}`,
      unit: 'ms' as const,
      bot: percentile(ours[when], percent),
      baseline: percentile(bare[when], percent),
      against: 'a Fastify route that calls sendMessage',
      goal: null,
    })),
  )
}

const relayed = async (stage: Stage, filled: readonly Filled[]): Promise<Times> => {
  const orders = (await Promise.all(Array.from({ length: customers }, () => buyAll(stage)))).flat()
  const relays = orders.map((order) => () => {
    stage.provider.setStatus(order.reference, 'delivered', { quiet: true })
    return relay(stage, order)
  })
  return idleThenBusy(stage, filled, relays)
}

/** Half of them with nothing else to do, half among many others. */
const idleThenBusy = async (
  stage: Stage,
  filled: readonly Filled[],
  relays: (() => Promise<number>)[],
): Promise<Times> => {
  const half = relays.length / 2
  const idle = await measure(relays.slice(0, half))
  const ended = new AbortController()
  const postings = Array.from({ length: others.most }, (_, index) => posting(stage, filled, index))
  const load = { connections: others.connections, everyMs: 1_000 / others.perSecond, until: ended.signal }
  const posted = postAll(postings, load)
  const busy = await Promise.race([
    measure(relays.slice(half)),
    posted.then(() => Promise.reject(tooShort())),
  ])
  ended.abort()
  await posted
  return { idle, busy }
}

const tooShort = () => new Error('The other callbacks ended before the measurement.')

interface Placed {
  chatId: number
  reference: string
  url: string
}

/** All orders of one customer, each for another number. */
const buyAll = async (stage: Stage): Promise<Placed[]> => {
  const customer = await connect(stage)
  const placed: Placed[] = []
  for (let order = 0; order < ordersOfEach; order += 1) {
    const phone = `024${String(customer.chat.id * ordersOfEach + order).slice(-7)}`
    const { reference, webhookUrl } = await buy(stage, customer, phone)
    placed.push({ chatId: customer.chat.id, reference, url: webhookUrl ?? '' })
  }
  return placed
}

const relayedBare = async (stage: Stage, filled: readonly Filled[]): Promise<Times> => {
  await listening(stage.url)
  const { id } = stage.newChat()
  stage.telegram.say({ from: id, text: '/start' })
  const order = { chatId: id, reference: 'BUD-API-0', url: `${stage.url}/webhooks/${id}` }
  const relays = Array.from({ length: customers * ordersOfEach }, () => () => relay(stage, order))
  return idleThenBusy(stage, filled, relays)
}

/** One after the other, each from rest. */
const measure = async (relays: (() => Promise<number>)[]): Promise<number[]> => {
  const times: number[] = []
  for (const each of relays) {
    await wait(restMs)
    times.push(await each())
  }
  return times
}

/** A callback says that the order was delivered. @returns ms until the chat shows it */
const relay = async ({ telegram }: Stage, { chatId, reference, url }: Placed): Promise<number> => {
  const startedAt = performance.now()
  const shown = new Promise<number>((resolve) => {
    const unlisten = telegram.on((event) => {
      if ((event.type !== 'message' && event.type !== 'edit') || event.chat !== chatId) return
      if (!event.message.text?.includes('delivered')) return
      unlisten()
      resolve(performance.now() - startedAt)
    })
  })
  const body = JSON.stringify({ event: 'order.status.updated', reference, status: 'delivered' })
  const answer = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  if (!answer.ok) throw new Error(`A callback was answered with ${answer.status}.`)
  return shown
}
