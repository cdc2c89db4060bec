import { z } from 'zod'
import { maintenanceFact } from '../store/chats.ts'
import type { Queries } from '../store/store.ts'

/**
 * The operator's switch: while it is on, no press orders anything, on any instance. Orders confirmed before are sent,
 * settled and followed to their end.
 */
export interface Maintenance {
  since: Date
  /** When it is expected to end. The operator ends it. */
  until: Date | null
  /** The operator's words, one line. */
  reason: string | null
}

/** Characters (UTF-16 units) of the operator's words. */
export const maxReasonLength = 200

const isOff = ''

const factSchema = z.object({
  sinceMs: z.number(),
  untilMs: z.number().nullable(),
  reason: z.string().nullable(),
})

type Facts = { chats: Pick<Queries['chats'], 'fact' | 'setFact'> }

/** Null: orders are taken. */
export const maintenanceOf = async ({
  chats,
}: {
  chats: Pick<Facts['chats'], 'fact'>
}): Promise<Maintenance | null> => maintenanceIn(await chats.fact(maintenanceFact))

/** What the fact says; null: orders are taken. */
export const maintenanceIn = (fact: string | null): Maintenance | null => {
  if (fact === null || fact === isOff) return null
  const { sinceMs, untilMs, reason } = factSchema.parse(JSON.parse(fact))
  return { since: new Date(sinceMs), until: untilMs === null ? null : new Date(untilMs), reason }
}

/** Turns it on, or changes the given parts. If it is on already, its beginning stays. */
export const beginMaintenance = async (
  queries: Facts,
  change: Partial<Pick<Maintenance, 'until' | 'reason'>>,
  at: Date,
): Promise<Maintenance> => {
  const before = (await maintenanceOf(queries)) ?? { since: at, until: null, reason: null }
  const next = { ...before, ...change }
  const { since, until, reason } = next
  const fact = { sinceMs: since.getTime(), untilMs: until?.getTime() ?? null, reason }
  await queries.chats.setFact(maintenanceFact, JSON.stringify(fact))
  return next
}

/** @returns whether it was on. */
export const endMaintenance = async (queries: Facts): Promise<boolean> => {
  const before = await maintenanceOf(queries)
  if (before) await queries.chats.setFact(maintenanceFact, isOff)
  return before !== null
}
