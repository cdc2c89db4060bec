import type { World } from '../support/world.ts'
import { inDatabase } from './shop.ts'

/** As if so much time had passed for the order: only waiting would do it otherwise. */
export const age = (world: World, reference: string, changes: Record<string, Date>): void => {
  inDatabase(world, (db) => {
    for (const [column, at] of Object.entries(changes)) {
      db.prepare(`UPDATE "Order" SET "${column}" = ? WHERE reference = ?`).run(
        at.toISOString().replace('Z', '+00:00'),
        reference,
      )
    }
  })
}
