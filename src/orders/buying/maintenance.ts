import { z } from 'zod'
import { maintenanceFact } from '../../store/chats/chats.ts'
import type { Queries } from '../../store/store.ts'

/**
 * The operator's pause of all orders: while it lasts, no press orders anything, on any instance. Orders that were
 * confirmed before are still sent, reconciled and followed to their end.
 */
export interface Maintenance {
  since: Date
  /** When the operator expects it to end. It does not end then: the operator ends it. */
  until: Date | null
  /** The operator's words, one line. */
  reason: string | null
}

/** The longest reason, in characters (UTF-16 units). */
export const maxReasonLength = 200

const isOff = ''

const factSchema = z.object({
  sinceMs: z.number(),
  untilMs: z.number().nullable(),
  reason: z.string().nullable(),
})

type Facts = { chats: Pick<Queries['chats'], 'lockFact' | 'setFact'> }

/** The maintenance under way; null: orders are taken. */
export const maintenanceOf = async ({
  chats,
}: {
  chats: Pick<Queries['chats'], 'fact'>
}): Promise<Maintenance | null> => maintenanceIn(await chats.fact(maintenanceFact))

/** Parses the stored fact. Null: orders are taken. */
export const maintenanceIn = (fact: string | null): Maintenance | null => {
  if (fact === null || fact === isOff) return null
  const { sinceMs, untilMs, reason } = factSchema.parse(JSON.parse(fact))
  return { since: new Date(sinceMs), until: untilMs === null ? null : new Date(untilMs), reason }
}

type Change = [change: Partial<Pick<Maintenance, 'until' | 'reason'>>, at: Date]

/** Turns maintenance on. If it is on, changes the given parts and keeps `since`. Call it in a transaction. */
export const beginMaintenance = async (tx: Facts, ...[change, at]: Change): Promise<Maintenance> => {
  const before = (await lockedMaintenance(tx)) ?? { since: at, until: null, reason: null }
  const next = { ...before, ...change }
  const { since, until, reason } = next
  const fact = { sinceMs: since.getTime(), untilMs: until?.getTime() ?? null, reason }
  await tx.chats.setFact(maintenanceFact, JSON.stringify(fact))
  return next
}

/** If maintenance is on, changes the given parts. Call it in a transaction. */
export const changeMaintenance = async (tx: Facts, ...change: Change): Promise<void> => {
  if (await lockedMaintenance(tx)) await beginMaintenance(tx, ...change)
}

/** Ends maintenance. Call it in a transaction. @returns whether it was on. */
export const endMaintenance = async (tx: Facts): Promise<boolean> => {
  const before = await lockedMaintenance(tx)
  if (before) await tx.chats.setFact(maintenanceFact, isOff)
  return before !== null
}

/** Reads and locks the fact, so that nobody else changes it until the transaction ends. */
const lockedMaintenance = async ({ chats }: Facts): Promise<Maintenance | null> =>
  maintenanceIn(await chats.lockFact(maintenanceFact))
