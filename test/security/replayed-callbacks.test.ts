import { afterAll, beforeAll, expect, test } from 'vitest'
import { maxCallbacks } from '../../src/messaging/callback-limit.ts'
import type { ProviderOrderState } from '../../src/sandbox/index.ts'
import { cardReads, changeDatabase, inDatabase, newPhone, place } from '../scenarios/shop.ts'
import { createWorld, type Reseller, type World } from '../support/world.ts'

/** Callbacks from somebody who knows an order's address: the same one again, or endless others. */

let world: World

beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world?.close())

const ordered = async (reseller: Reseller) => {
  const placed = await place(world, reseller, newPhone())
  const card = await reseller.chat.waitForText(placed.reference)
  return { placed, card, url: placed.webhookUrl ?? '' }
}

const bodyOf = ({ reference }: ProviderOrderState, status: string, number = 0): string =>
  JSON.stringify({ event: 'order.status.updated', reference, status, number })

/** Sends a callback with each body, 50 at a time. @returns the number of answers by HTTP status. */
const postAll = async (url: string, bodies: readonly string[]): Promise<Record<number, number>> => {
  const answers: Record<number, number> = {}
  let next = 0
  const work = async (): Promise<void> => {
    for (let body = bodies[next++]; body !== undefined; body = bodies[next++]) {
      const answer = await fetch(url, { method: 'POST', body })
      await answer.arrayBuffer()
      answers[answer.status] = (answers[answer.status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: 50 }, work))
  return answers
}

const keptOf = ({ reference }: ProviderOrderState, status: string): number =>
  inDatabase(world, (db) =>
    Number(
      db
        .prepare(
          `SELECT count(*) AS count FROM StatusReport WHERE source = 'callback' AND reference = ? AND status = ?`,
        )
        .get(reference, status)?.count,
    ),
  )

const announcements = ({ chat }: Reseller, { phones }: ProviderOrderState): string[] =>
  chat.texts().filter((text) => text.includes(`for ${phones[0]?.phone}: `))

test('a callback that arrives two hundred times is stored once and announced once', async () => {
  const reseller = await world.newReseller()
  const { placed, url } = await ordered(reseller)
  world.provider.setStatus(placed.reference, 'delivered', { quiet: true })
  const answers = await postAll(url, Array(200).fill(bodyOf(placed, 'delivered')))
  expect(answers).toEqual({ 200: 200 })
  expect(keptOf(placed, 'delivered')).toBe(1)
  await reseller.chat.waitForText(/: delivered/)
  expect(announcements(reseller, placed)).toHaveLength(1)
})

test('a callback with an old status that is sent again after a newer one changes nothing', async () => {
  const reseller = await world.newReseller()
  const { placed, card, url } = await ordered(reseller)
  const early = bodyOf(placed, 'processing')
  await postAll(url, [early])
  world.provider.setStatus(placed.reference, 'delivered')
  await cardReads(world, reseller, card, /· delivered\n/)
  await postAll(url, [early, bodyOf(placed, 'processing', 1), bodyOf(placed, 'placed', 2)])
  await world.until(
    () =>
      inDatabase(world, (db) => db.prepare('SELECT 1 FROM StatusReport WHERE appliedAt IS NULL').get()) ===
      undefined,
    'all callbacks are judged',
  )
  await cardReads(world, reseller, card, /· delivered\n/)
  expect(announcements(reseller, placed)).toHaveLength(1)
})

test('endless callbacks about one order are refused at a limit, and other orders are not affected', {
  tags: 'exhaustive',
}, async () => {
  const reseller = await world.newReseller()
  const [flooded, other] = [await ordered(reseller), await ordered(reseller)]
  const flood = Array.from({ length: maxCallbacks + 100 }, (_, number) =>
    bodyOf(flooded.placed, 'processing', number),
  )
  const answers = await postAll(flooded.url, flood)
  expect(Object.keys(answers)).toEqual(['200', '429'])
  // Concurrent callbacks may exceed the limit slightly.
  expect(keptOf(flooded.placed, 'processing')).toBeLessThanOrEqual(maxCallbacks + 50)
  expect(answers[200]).toBeGreaterThanOrEqual(maxCallbacks - 10)

  world.provider.setStatus(other.placed.reference, 'delivered')
  await cardReads(world, reseller, other.card, /· delivered\n/)
  // Polling still brings the status of the flooded order.
  world.provider.setStatus(flooded.placed.reference, 'delivered', { quiet: true })
  await changeDatabase(world, (db) =>
    db
      .prepare('UPDATE "Order" SET nextPollAt = ? WHERE reference = ?')
      .run(new Date().toISOString(), flooded.placed.reference),
  )
  await cardReads(world, reseller, flooded.card, /· delivered\n/)
})
