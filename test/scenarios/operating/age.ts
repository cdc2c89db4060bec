import type { World } from '../../support/world.ts'
import { changeDatabase } from '../shop.ts'

/** Changes times of the order, as if time had passed. */
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
