import { historyTitle } from '../../src/telegram/texts/history.ts'
import { type FilledAccount, oftenOrdered, onFilledAccount } from './account.ts'
import { type Figure, percentile } from './figure.ts'
import { openRaw } from './fill.ts'

const sizes = { many: 100_000, few: 100 } as const
const runs = 30
const warmUps = 5
const ordersPerPage = 8
const goal = { under: 150 } as const

/**
 * From a message or a press to the page that it asks for: the whole bot without the pace of sending, an account of
 * 100,000 orders against one of 100.
 */
export const history = async (): Promise<Figure[]> => {
  const many = await onFilledAccount(sizes.many, timesOf)
  const few = await onFilledAccount(sizes.few, timesOf)
  return questions.flatMap(({ name }) =>
    [50, 95].map((percent) => ({
      what: `${name}, 100,000 orders, p${percent}`,
      unit: 'ms' as const,
      bot: percentile(many.get(name) ?? [], percent),
      baseline: percentile(few.get(name) ?? [], percent),
      against: 'the same with 100 orders',
      goal: percent === 95 ? goal : null,
    })),
  )
}

interface Question {
  name: string
  /** Asks for the page, and waits until it is there. */
  ask(account: FilledAccount, page: Page): Promise<unknown>
}

/** The message that is pressed on, and the orders' last page. */
interface Page {
  messageId: number
  last: number
  reference: string
}

const say =
  (textOf: (page: Page) => string): Question['ask'] =>
  ({ customer }, page) => {
    const { message_id: after } = customer.chat.say(textOf(page))
    return customer.chat.waitForText(/Your orders|Orders for|in the reference/, { after })
  }

const press =
  (dataOf: (page: Page) => string): Question['ask'] =>
  ({ stage: { telegram }, customer: { chat } }, page) => {
    const { messageId } = page
    const changed = new Promise<void>((resolve) => {
      const unlisten = telegram.on((event) => {
        if (event.type !== 'edit' || event.message.message_id !== messageId) return
        unlisten()
        resolve()
      })
    })
    telegram.press({ from: chat.id, messageId, data: dataOf(page), stale: true })
    return changed
  }

const questions: Question[] = [
  { name: '/orders', ask: say(() => '/orders') },
  { name: 'open orders', ask: press(() => 'orders:0:oa::') },
  { name: 'failed orders of one network', ask: press(() => 'orders:0:fa:MTN:') },
  { name: 'delivered orders of this week', ask: press(() => 'orders:0:dw::') },
  { name: 'the last page of delivered orders', ask: press(({ last }) => `orders:${last}:da::`) },
  { name: 'orders of a number', ask: say(() => `/orders ${oftenOrdered}`) },
  {
    name: 'orders by the end of a reference',
    ask: say(({ reference }) => `/orders ${reference.slice(-12)}`),
  },
]

const timesOf = async (account: FilledAccount): Promise<Map<string, number[]>> => {
  const { stage, customer, accountId } = account
  const ends = endsOf(stage.databasePath, accountId)
  const times = new Map<string, number[]>()
  for (const { name, ask } of questions) {
    const measured: number[] = []
    for (let run = 0; run < runs + warmUps; run += 1) {
      // A page to press on. It reads differently from the page that the press asks for.
      const { message_id: after } = customer.chat.say('/orders')
      const { message_id: messageId } = await customer.chat.waitForText(historyTitle, { after })
      const startedAt = performance.now()
      const ms = await ask(account, { ...ends, messageId }).then(() => performance.now() - startedAt)
      if (run >= warmUps) measured.push(ms)
    }
    times.set(name, measured)
  }
  return times
}

/** The last page of delivered orders, and a reference that is found. */
const endsOf = (path: string, accountId: string): Omit<Page, 'messageId'> => {
  const database = openRaw(path)
  try {
    const [row] = database
      .prepare(
        `SELECT COUNT(*) AS count, MAX(reference) AS reference FROM "Order" WHERE accountId = ? AND status = 'delivered'`,
      )
      .all(accountId) as { count: number; reference: string }[]
    if (!row) throw new Error('There are no orders.')
    return { last: Math.ceil(row.count / ordersPerPage) - 1, reference: row.reference }
  } finally {
    database.close()
  }
}
