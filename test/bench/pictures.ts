import type { TestChat } from '../../src/sandbox/telegram/chat.ts'
import { type Figure, median, percentile } from './figure.ts'
import { giveAll, newFilled, openRaw } from './fill.ts'
import { connect } from './journey.ts'
import { bot, onStage, type Stage } from './stage.ts'

const orders = 100_000
const runs = 20

interface Times {
  stats: number[]
  prices: number[]
}

/** From a person's word to the picture in the chat: with a hundred thousand orders of a month, and with a thousand. */
export const pictures = async (): Promise<Figure[]> => {
  const full = await timesWith(orders)
  const few = await timesWith(1_000)
  const goal = { under: 700 }
  return [
    {
      what: '/stats of 30 days with 100,000 orders, to its picture (p95)',
      unit: 'ms',
      bot: percentile(full.stats, 95),
      baseline: median(few.stats),
      against: 'the same of 1,000',
      goal,
    },
    {
      what: '/prices with 100,000 orders, to its picture (p95)',
      unit: 'ms',
      bot: percentile(full.prices, 95),
      baseline: median(few.prices),
      against: 'the same with 1,000',
      goal,
    },
  ]
}

const timesWith = (count: number): Promise<Times> =>
  onStage(
    bot,
    async (stage) => {
      const { chat } = await connect(stage)
      const owners = newOwners(stage, chat)
      // The first picture loads code that stays loaded until half a minute has no picture.
      await timeOf(owners[0] ?? chat)
      const times: Times = { stats: [], prices: [] }
      for (const owner of owners.slice(1)) {
        const { stats, prices } = await timeOf(owner)
        times.stats.push(stats)
        times.prices.push(prices)
      }
      return times
    },
    { prepare: async ({ databasePath }) => void (await newFilled(databasePath, count)) },
  )

/** Owners of one account with a chat each, for the bot sends but one message a second to a chat; theirs are all orders. */
const newOwners = (stage: Stage, { id }: TestChat): TestChat[] => {
  const chats = Array.from({ length: runs + 1 }, () => stage.newChat())
  const database = openRaw(stage.databasePath)
  try {
    const [member] = database.prepare('SELECT accountId FROM Member WHERE userId = ?').all(id) as {
      accountId: string
    }[]
    const accountId = member?.accountId ?? ''
    giveAll(database, accountId)
    database
      .prepare(
        `INSERT INTO Shop (accountId, name, ruleKind, ruleValue) VALUES (?, 'Ama & Sons', 'plus', 200)`,
      )
      .run(accountId)
    const insert = database.prepare(
      `INSERT INTO Member (userId, accountId, chatId, role, createdAt) SELECT ?, accountId, ?, role, createdAt FROM Member WHERE userId = ?`,
    )
    for (const chat of chats) insert.run(chat.id, chat.id, id)
  } finally {
    database.close()
  }
  return chats
}

const patient = { timeoutMs: 60_000 }

const timeOf = async (chat: TestChat): Promise<{ stats: number; prices: number }> => {
  chat.say('/stats')
  const { message } = await chat.waitForPhoto(patient)
  const stats = await until(async () => {
    chat.press('30 days')
    await chat.waitForText(/^📊 Last 30 days/, patient)
  })
  chat.say('/prices')
  await chat.waitForButton('Picture', patient)
  const prices = await until(async () => {
    chat.press('Picture')
    await chat.waitForPhoto({ ...patient, after: message.message_id })
  })
  return { stats, prices }
}

const until = async (done: () => Promise<void>): Promise<number> => {
  const began = performance.now()
  await done()
  return performance.now() - began
}
