import { openDatabase } from '../../src/database/database.ts'
import { fill, openRaw } from './fill.ts'
import { type Customer, connect } from './journey.ts'
import { launch, type Program } from './program.ts'
import { createStage, type Stage } from './stage.ts'

/** A reseller on a stage of their own, whose account holds many orders of all kinds. */
export interface FilledAccount {
  stage: Stage
  customer: Customer
  accountId: string
}

/** A single person asks more of it here than Telegram lets a chat be told. */
const unpacedBot = 'test/bench/unpaced-bot.ts'

/**
 * Runs the bot with one account of so many orders, as long as it is measured: four networks over a month, most of
 * them delivered, one in a hundred under way, one in a thousand failed, every fiftieth for the same number.
 */
export const onFilledAccount = async <T>(
  orders: number,
  measure: (account: FilledAccount) => Promise<T>,
): Promise<T> => {
  const stage = await createStage()
  let program: Program | null = null
  try {
    program = launch(stage.program(unpacedBot))
    const customer = await program.until(connect(stage))
    await program.stop()
    const accountId = await fillAccount(stage.databasePath, customer.chat.id, orders)
    program = launch(stage.program(unpacedBot))
    return await program.until(measure({ stage, customer, accountId }))
  } finally {
    await program?.kill()
    await stage.close()
  }
}

export const oftenOrdered = '0241111111'

/** Hands orders of the usual fill to that user's account. @returns the account */
const fillAccount = async (path: string, userId: number, orders: number): Promise<string> => {
  await (await openDatabase(`file:${path}`)).close()
  fill(path, { from: 0, to: orders, now: new Date() })
  const database = openRaw(path)
  try {
    const [member] = database.prepare('SELECT accountId FROM Member WHERE userId = ?').all(userId) as {
      accountId: string
    }[]
    if (!member) throw new Error('The person has no account.')
    const { accountId } = member
    const own = `accountId = '${accountId}'`
    database.exec(`
      BEGIN;
      UPDATE Purchase SET ${own}, userId = ${userId}, chatId = ${userId};
      UPDATE "Order" SET ${own}, userId = ${userId}, chatId = ${userId},
        network = CASE rowid % 4 WHEN 0 THEN 'MTN' WHEN 1 THEN 'Telecel' WHEN 2 THEN 'AirtelTigo' ELSE 'BigTime' END,
        sellUnitPesewas = unitPricePesewas + 100, deliverySeconds = 20 + rowid % 90;
      UPDATE Recipient SET ${own}, phone = iif(rowid % 50 = 0, '${oftenOrdered}', phone);
      DELETE FROM Notice;
      COMMIT;`)
    return accountId
  } finally {
    database.close()
  }
}
