import type { Figure } from './figure.ts'
import { newFilled, openRaw } from './fill.ts'
import { onStage, openBot, type Stage } from './stage.ts'

const chats = 300
const noticesOfEach = 10
const total = chats * noticesOfEach
/** Telegram's, to all chats together (its FAQ for bots). */
const ceilingPerSecond = 30

/** Sends notices owed to many chats at once, while Telegram refuses what exceeds its limits. */
export const drain = async (): Promise<Figure[]> => {
  let orderId = ''
  const prepare = async ({ databasePath }: Stage) => {
    const [order] = await newFilled(databasePath, 1000)
    orderId = order?.id ?? ''
  }
  return onStage(openBot, async (stage) => figuresOf(await drained(stage, orderId)), {
    limits: true,
    prepare,
  })
}

const figuresOf = ({ perSecond, refused }: Drained): Figure[] => [
  {
    what: `${total.toLocaleString('en')} notices to ${chats} chats, ${refused} refused with 429`,
    unit: 'per second',
    bot: perSecond,
    baseline: ceilingPerSecond,
    against: 'the limit of Telegram',
    goal: { ratioAbove: 0.95 },
  },
]

interface Drained {
  perSecond: number
  refused: number
}

const drained = async (stage: Stage, orderId: string): Promise<Drained> => {
  const people = Array.from({ length: chats }, () => stage.newChat())
  const greeted = messages(stage, chats)
  for (const chat of people) chat.say('/help')
  await greeted
  const refusedBefore = refusals(stage)
  const sent = messages(stage, total)
  owe(
    stage.databasePath,
    orderId,
    people.map(({ id }) => id),
  )
  const { firstAt, lastAt } = await sent
  // The first one begins the time, and is not one that was sent within it.
  const perSecond = (total - 1) / ((lastAt - firstAt) / 1000)
  return { perSecond, refused: refusals(stage) - refusedBefore }
}

const refusals = ({ telegram }: Stage): number =>
  telegram.calls('sendMessage').filter(({ errorCode }) => errorCode === 429).length

/** When the first and the last of so many messages of the bot came. */
const messages = ({ telegram }: Stage, count: number): Promise<{ firstAt: number; lastAt: number }> =>
  new Promise((resolve) => {
    let left = count
    let firstAt = 0
    const unlisten = telegram.on((event) => {
      if (event.type !== 'message' || !event.message.from?.is_bot) return
      if (left === count) firstAt = performance.now()
      left -= 1
      if (left > 0) return
      unlisten()
      resolve({ firstAt, lastAt: performance.now() })
    })
  })

/** Announcements about an order, to each chat in turn. */
const owe = (path: string, orderId: string, chatIds: number[]): void => {
  const database = openRaw(path)
  database.exec('PRAGMA busy_timeout = 5000')
  const insert = database.prepare(
    'INSERT INTO "Notice" ("chatId", "subject", "kind", "data", "createdAt") VALUES (?, ?, ?, ?, ?)',
  )
  const what = { about: 'status', status: 'delivered', reported: false, contradicts: false }
  const data = JSON.stringify({ orderId, what })
  const at = new Date().toISOString().replace('Z', '+00:00')
  database.exec('BEGIN IMMEDIATE')
  for (let round = 0; round < noticesOfEach; round += 1) {
    for (const chatId of chatIds) insert.run(chatId, `order:${orderId}`, 'announce', data, at)
  }
  database.exec('COMMIT')
  database.close()
}
