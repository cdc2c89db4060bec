import type { World } from '../support/world.ts'
import { changeDatabase } from './shop.ts'

/** As if so much time had passed for the order: only waiting would do it otherwise. */
export const age = async (world: World, reference: string, changes: Record<string, Date>): Promise<void> => {
  await changeDatabase(world, (db) => {
    for (const [column, at] of Object.entries(changes)) {
      db.prepare(`UPDATE "Order" SET "${column}" = ? WHERE reference = ?`).run(
        at.toISOString().replace('Z', '+00:00'),
        reference,
      )
    }
  })
}
