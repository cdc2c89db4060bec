import { setTimeout as wait } from 'node:timers/promises'
import { type Figure, percentile } from './figure.ts'
import { buy, connect } from './journey.ts'
import { bot, listening, onStage, type Stage } from './stage.ts'

const customers = 20
const ordersOfEach = 5
/** Between two callbacks the bot comes to rest, and the pace of sending has room for the next. */
const restMs = 250

/**
 * Time from a callback to the first sight of its status in the chat, one callback at a time. The bot stores the
 * callback, applies it, and owes and sends the message in a transaction each; the bare relay only sends.
 */
export const latency = async (): Promise<Figure[]> => {
  const ours = await onStage(bot, relayed)
  const bare = await onStage('test/bench/bare-relay.ts', relayedBare)
  return [50, 99].map((percent) => ({
    what: `callback → its status in the chat, p${percent} of ${ours.length}, idle`,
    unit: 'ms',
    bot: percentile(ours, percent),
    baseline: percentile(bare, percent),
    against: 'a Fastify route that calls sendMessage',
    goal: null,
  }))
}

const relayed = async (stage: Stage): Promise<number[]> => {
  const orders = (await Promise.all(Array.from({ length: customers }, () => buyAll(stage)))).flat()
  return measure(
    orders.map((order) => () => {
      stage.provider.setStatus(order.reference, 'delivered', { quiet: true })
      return relay(stage, order)
    }),
  )
}

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

const relayedBare = async (stage: Stage): Promise<number[]> => {
  await listening(stage.url)
  const { id } = stage.newChat()
  stage.telegram.say({ from: id, text: '/start' })
  const order = { chatId: id, reference: 'BUD-API-0', url: `${stage.url}/webhooks/${id}` }
  return measure(Array.from({ length: customers * ordersOfEach }, () => () => relay(stage, order)))
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
