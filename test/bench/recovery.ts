import { setTimeout as wait } from 'node:timers/promises'
import { type Figure, inTurn, median } from './figure.ts'
import { type Left, newFilled, openRaw } from './fill.ts'
import { launch } from './program.ts'
import { bot, createStage } from './stage.ts'

const orders = 100_000
const few = 1_000
const left: Left = { sending: 20, unconfirmed: 20, polling: 50 }
const runs = 3

/** From the start of the process until nothing stands as the last one left it, in a database with many orders. */
export const recovery = async (): Promise<Figure[]> => {
  const [times, baselines] = await inTurn(
    runs,
    () => timeToClassify(orders, left),
    () => timeToClassify(few, { sending: 1, unconfirmed: 0, polling: 0 }),
  )
  return [
    {
      what: `start with ${inAll(1_000)} orders → ${inAll(left.sending)} interrupted ones classified, beside ${inAll(left.unconfirmed)} unconfirmed ones and ${inAll(left.polling)} due to be polled`,
      unit: 'ms',
      bot: median(times),
      baseline: median(baselines),
      against: 'start with 1,000 orders, one of them interrupted',
      goal: { under: 5_000 },
    },
  ]
}

const inAll = (ofThousand: number): string => ((orders / 1_000) * ofThousand).toLocaleString('en')

const timeToClassify = async (total: number, left: Left): Promise<number> => {
  const stage = await createStage()
  try {
    await newFilled(stage.databasePath, total, { left })
    const startedAt = performance.now()
    const program = launch(stage.program(bot))
    try {
      await program.until(allClassified(stage.databasePath))
      return performance.now() - startedAt
    } finally {
      await program.kill()
    }
  } finally {
    await stage.close()
  }
}

const askEveryMs = 10

const allClassified = async (path: string): Promise<void> => {
  const database = openRaw(path)
  try {
    const sending = database.prepare(`SELECT id FROM "Order" WHERE placement = 'sending' LIMIT 1`)
    while (sending.all().length > 0) await wait(askEveryMs)
  } finally {
    database.close()
  }
}
