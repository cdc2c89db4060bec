import { writeFile } from 'node:fs/promises'
import type { TestChat } from '../../src/sandbox/telegram/chat.ts'
import { type Figure, inTurn, median } from './figure.ts'
import { fill, openRaw } from './fill.ts'
import { connect } from './journey.ts'
import { launch, peakMegabytes, residentMegabytes } from './program.ts'
import { bot, createStage, type Stage } from './stage.ts'

const many = 300_000
const few = 100_000
const runs = 3
/**
 * MB. Flat: what V8 and the allocator leave lying before they clean up, and no more of it for three times the orders.
 * Seen: 41 to 56 with 300,000, 45 to 64 with 100,000; as objects these rows alone would be some hundreds.
 */
const goal = { under: 80 }

/** Orders of one account from the press to the file in the chat, and what that costs in memory. */
export const exporting = async (): Promise<Figure[]> => {
  const figures: Figure[] = []
  for (const format of ['CSV', 'Excel'] as const) {
    const small = await onFilled(few, (stage, chat, pid) => exported(stage, chat, pid, format))
    const large = await onFilled(many, (stage, chat, pid) => exported(stage, chat, pid, format))
    figures.push(
      {
        what: `${many.toLocaleString('en')} orders into ${format}, from the press to the files`,
        unit: 'per second',
        bot: median(large.map(({ ms }) => (many * 1000) / ms)),
        baseline: median(large.map(({ bareMs }) => (many * 1000) / bareMs)),
        against: 'the same rows selected at once and joined to text by the driver itself',
        goal: null,
      },
      {
        what: `memory at the peak of ${many.toLocaleString('en')} orders into ${format}, above idle`,
        unit: 'MB',
        bot: median(large.map(({ megabytes }) => megabytes)),
        baseline: median(small.map(({ megabytes }) => megabytes)),
        against: `the same with ${few.toLocaleString('en')} orders`,
        goal,
      },
    )
  }
  return figures
}

/** A bot at whose start one person has so many orders. */
const onFilled = async <T>(
  orders: number,
  measure: (stage: Stage, chat: TestChat, pid: number) => Promise<T>,
): Promise<T> => {
  const stage = await createStage()
  try {
    const first = launch(stage.program(bot))
    const { chat } = await first.until(connect(stage))
    await first.stop()
    fill(stage.databasePath, { from: 0, to: orders, now: new Date() })
    giveAll(stage.databasePath)
    const program = launch(stage.program(bot))
    try {
      return await program.until(measure(stage, chat, program.pid))
    } finally {
      await program.kill()
    }
  } finally {
    await stage.close()
  }
}

/** All orders are the one member's. */
const giveAll = (path: string): void => {
  const database = openRaw(path)
  for (const table of ['Order', 'Purchase']) {
    database.exec(
      `UPDATE "${table}" SET (accountId, userId, chatId) = (SELECT accountId, userId, chatId FROM Member)`,
    )
  }
  database.exec('UPDATE Recipient SET accountId = (SELECT accountId FROM Member)')
  database.close()
}

interface Run {
  ms: number
  bareMs: number
  megabytes: number
}

const exported = async (stage: Stage, chat: TestChat, pid: number, format: string): Promise<Run[]> => {
  // The figure leaves out everything that only the first export loads.
  await timeOf(() => exportOnce(chat, 'Today', format))
  const idle = await residentMegabytes(pid)
  await forgetPeak(pid)
  const [times, bare] = await inTurn(
    runs,
    () => timeOf(() => exportOnce(chat, 'Everything', format)),
    () => timeOf(async () => bareDump(stage.databasePath)),
  )
  const megabytes = (await peakMegabytes(pid)) - idle
  return times.map((ms, index) => ({ ms, bareMs: bare[index] ?? 0, megabytes }))
}

const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

const patient = { timeoutMs: 300_000 }

const exportOnce = async (chat: TestChat, period: string, format: string): Promise<void> => {
  const { message_id: after } = chat.say('/export')
  await chat.waitForText('What should be in it?', { ...patient, after })
  chat.press('Orders')
  await chat.waitForText('Which days?', { ...patient, after })
  chat.press(period)
  await chat.waitForText('Which kind of file?', { ...patient, after })
  chat.press(format)
  await chat.waitForText(/✅ Export|no orders/, { ...patient, after })
}

/** From here on the peak counts (Linux). */
const forgetPeak = (pid: number): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, '5')

const bareDump = (path: string): string => {
  const database = openRaw(path)
  const rows = database
    .prepare(
      `SELECT "Order".createdAt, reference, network, volume, phone, unitPricePesewas, placement, "Order".status
      FROM "Order" JOIN Recipient ON Recipient.orderId = "Order".id ORDER BY "Order".createdAt DESC`,
    )
    .all() as Record<string, unknown>[]
  database.close()
  return rows.map((row) => Object.values(row).join(',')).join('\r\n')
}
