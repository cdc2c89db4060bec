import { setTimeout as wait } from 'node:timers/promises'
import { postAll } from './load.ts'
import { buy, connectAll, onStage, orderFor, type Stage } from './stage.ts'
import { type Figure, median, percentile } from './table.ts'

const runs = 3
const contacts = 20
const ordersOfEach = 2
const connections = 64
const atFullLoad = 5_000
const warmUp = 1_000
/** The pause between two callbacks, in which the bot finishes its work. */
const restMs = 100

/** A placed order, with the address for its callbacks. */
interface Placed {
  chatId: number
  reference: string
  url: string
}

interface Measured {
  perSecond: number
  toChatMs: number[]
}

/**
 * How many callbacks a second are answered with 200 (they are then on the disk), and how long they take to reach the
 * chat.
 */
export const callbacks = async (): Promise<Figure[]> => {
  const ours: Measured[] = []
  const bare: Measured[] = []
  for (let run = 0; run < runs; run += 1) {
    ours.push(await onStage((stage) => measure(stage, 'test/bench/bot.ts', bought)))
    bare.push(await onStage((stage) => measure(stage, 'test/bench/bare-callbacks.ts', invented)))
  }
  const against = 'a Fastify route with an INSERT and a sendMessage'
  const toChat = (measured: Measured[], percent: number): number =>
    percentile(
      measured.flatMap(({ toChatMs }) => toChatMs),
      percent,
    )
  return [
    {
      what: `callbacks accepted, ${connections} connections`,
      unit: '/s',
      bot: median(ours.map(({ perSecond }) => perSecond)),
      baseline: median(bare.map(({ perSecond }) => perSecond)),
      against,
    },
    ...[50, 95].map(
      (percent): Figure => ({
        what: `callback → chat, p${percent}`,
        unit: 'ms',
        bot: toChat(ours, percent),
        baseline: toChat(bare, percent),
        against,
      }),
    ),
  ]
}

const measure = async (
  stage: Stage,
  file: string,
  ordersOf: (stage: Stage) => Promise<Placed[]>,
): Promise<Measured> => {
  stage.start(file, { PACE: 'none' })
  const orders = await ordersOf(stage)
  // Callbacks with a status that the orders already have, so no message is sent.
  const flood = (count: number) => {
    const postings = Array.from({ length: count }, (_, index) => {
      const { url, reference } = orders[index % orders.length] ?? { url: '', reference: '' }
      return { url, body: bodyOf(reference, 'processing') }
    })
    return postAll(postings, connections)
  }
  await flood(warmUp)
  const toChatMs: number[] = []
  for (const order of orders) {
    await wait(restMs)
    toChatMs.push(await toChat(stage, order))
  }
  return { toChatMs, perSecond: await flood(atFullLoad) }
}

let callbackCount = 0

/** The time makes each callback different from the others. */
const bodyOf = (reference: string, status: string): string => {
  callbackCount += 1
  const timestamp = new Date(callbackCount).toISOString()
  return JSON.stringify({ event: 'order.status.updated', reference, status, timestamp })
}

const bought = async (stage: Stage): Promise<Placed[]> => {
  const placed = (await connectAll(stage, contacts)).map(async (contact) => {
    const orders: Placed[] = []
    for (let order = 0; order < ordersOfEach; order += 1) {
      const { phone } = await buy(stage, contact)
      const { reference, webhookUrl } = orderFor(stage, phone)
      orders.push({ chatId: contact.chat.id, reference, url: webhookUrl ?? '' })
    }
    return orders
  })
  return (await Promise.all(placed)).flat()
}

const invented = async (stage: Stage): Promise<Placed[]> => {
  while (!(await fetch(stage.url).catch(() => null))) await wait(20)
  return Array.from({ length: contacts * ordersOfEach }, () => {
    const { id, say } = stage.newChat()
    say('/start')
    return { chatId: id, reference: 'BUD-API-0', url: `${stage.url}/webhooks/${id}` }
  })
}

/** Reports that the order was delivered. @returns ms until the chat shows it */
const toChat = async ({ telegram, provider }: Stage, { chatId, reference, url }: Placed): Promise<number> => {
  if (provider.orders().some((order) => order.reference === reference))
    provider.setStatus(reference, 'delivered', { quiet: true })
  const shown = Promise.withResolvers<void>()
  const unlisten = telegram.on((event) => {
    if ((event.type === 'message' || event.type === 'edit') && event.chat === chatId)
      if (event.message.text?.includes('delivered')) shown.resolve()
  })
  const startedMs = performance.now()
  await fetch(url, {
    method: 'POST',
    body: bodyOf(reference, 'delivered'),
    headers: { 'content-type': 'application/json' },
  })
  await shown.promise
  unlisten()
  return performance.now() - startedMs
}
