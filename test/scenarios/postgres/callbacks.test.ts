import { afterAll, beforeAll, expect, test } from 'vitest'
import { lockDatabase } from '../../support/locked-database.ts'
import { createWorld, type World } from '../../support/world.ts'
import { inDatabase, newPhone, place } from '../shop.ts'

/** Callbacks of a bot whose other writes are blocked. */

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const waitingForLocks = (): unknown =>
  inDatabase(world, (database) =>
    database
      .prepare(
        `SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid)
         WHERE NOT granted AND application_name = 'bundlegram ' || current_schema()`,
      )
      .get(),
  )

test('a callback is committed and answered 200 while every writer waits for a lock', async () => {
  const reseller = await world.newReseller()
  const { reference, webhookUrl } = await place(world, reseller, newPhone())
  /** The provider's own callbacks about the order may still arrive, with other contents. */
  const stored = () =>
    inDatabase(world, (database) =>
      database
        .prepare("SELECT digest FROM StatusReport WHERE reference = ? AND status = 'sent'")
        .all(reference),
    )
  const unlock = await lockDatabase(world, ['Chat', 'Session', 'Order', 'Purchase', 'Notice', 'Fact'])
  try {
    for (let said = 0; said < 4; said += 1) reseller.chat.say(`${newPhone()} 2GB`)
    await world.until(waitingForLocks, 'writers to wait')
    const body = JSON.stringify({ reference, status: 'sent' })
    expect((await fetch(String(webhookUrl), { method: 'POST', body })).status).toBe(200)
    expect(stored()).toHaveLength(1)
  } finally {
    await unlock()
  }
})
