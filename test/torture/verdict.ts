import { setTimeout as wait } from 'node:timers/promises'
import type { Message } from 'grammy/types'
import pg from 'pg'
import type { ProviderSimulator, TelegramSimulator } from '../../src/sandbox/index.ts'
import { asksToConfirm } from '../../src/telegram/cards/words/draft.ts'
import type { Purchase } from './shoppers.ts'

/** The result, according to the provider's ledger and the chats. */
export interface Verdict {
  confirmed: number
  debits: number
  notPlaced: number
  /** Ends that were announced more than once, for example because Telegram's answer was lost. */
  repeated: number
  /** A sentence for each broken promise. */
  broken: string[]
}

const ended = /· (delivered|failed|cancelled|refunded|not placed|rejected|expired|cancelled)\b/

/** Waits until no work and no message is left. @returns what is left if that takes too long. */
export const comesToRest = async (databaseUrl: string, limitMs: number): Promise<string | null> => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const count = async (sql: string): Promise<number> => Number((await client.query(sql)).rows[0]?.count)
  const look = async () => ({
    'orders without an outcome': await count(
      `SELECT COUNT(*) AS count FROM "Order" WHERE "placement" IN ('queued', 'sending', 'unconfirmed', 'review')`,
    ),
    'orders still polled': await count(
      `SELECT COUNT(*) AS count FROM "Order" WHERE "placement" = 'placed' AND "nextPollAt" IS NOT NULL`,
    ),
    'queued messages': await count('SELECT COUNT(*) AS count FROM "Notice"'),
    'callbacks not applied': await count(
      'SELECT COUNT(*) AS count FROM "StatusReport" WHERE "appliedAt" IS NULL',
    ),
  })
  const startedMs = Date.now()
  let left = await look()
  for (; Object.values(left).some((number) => number > 0); left = await look()) {
    if (Date.now() - startedMs > limitMs) break
    // By now, everything that can be inferred has been. The rest would take ten minutes, so the times are moved.
    if (Date.now() - startedMs > 40_000) await client.query(tenMinutesLater)
    await client.query(pollNow)
    await wait(1_000)
  }
  await client.end()
  const rest = Object.entries(left).filter(([, number]) => number > 0)
  return rest.length === 0 ? null : rest.map(([name, number]) => `${number} ${name}`).join(', ')
}

const tenMinutesLater = `
  UPDATE "Order" SET "sentAt" = "sentAt" - interval '11 minutes', "leaseUntil" = "leaseUntil" - interval '11 minutes',
    "reconcileAt" = (now() AT TIME ZONE 'UTC')
  WHERE "placement" = 'unconfirmed' AND "sentAt" > (now() AT TIME ZONE 'UTC') - interval '11 minutes'`

const pollNow = `
  UPDATE "Order" SET "nextPollAt" = (now() AT TIME ZONE 'UTC')
  WHERE "placement" = 'placed' AND "nextPollAt" > (now() AT TIME ZONE 'UTC') + interval '20 seconds'`

export const judge = (
  telegram: TelegramSimulator,
  provider: ProviderSimulator,
  purchases: readonly Purchase[],
): Verdict => {
  const orders = Map.groupBy(
    provider.orders().flatMap((order) => order.phones.map(({ phone }) => ({ phone, order }))),
    ({ phone }) => phone,
  )
  const debits = Map.groupBy(provider.debits(), ({ reference }) => reference)
  const broken: string[] = []
  const result = { confirmed: 0, debits: 0, notPlaced: 0, repeated: 0 }

  for (const { shopper, phone, confirmedAt } of purchases) {
    const all = telegram.messages(shopper.id).filter(({ from }) => from?.is_bot)
    const own = (orders.get(phone) ?? []).map(({ order }) => order)
    const charged = own.flatMap(({ reference }) => debits.get(reference) ?? [])
    result.debits += charged.length
    if (confirmedAt === null) {
      if (charged.length > 0) broken.push(`${nameOf(phone)} was charged without a confirmation`)
      continue
    }
    result.confirmed += 1
    if (charged.length > 1 || own.length > 1)
      broken.push(`${nameOf(phone)} was placed ${own.length} times and charged ${charged.length} times`)
    const cards = all.filter(({ text }) => text?.includes(phone))
    const [order] = own
    if (!order) {
      result.notPlaced += 1
      if (!cards.some(({ text }) => ended.test(text ?? '') || text?.includes(asksToConfirm)))
        broken.push(
          `${nameOf(phone)} was confirmed, but its chat shows no outcome. Its last card: ${lastOf(cards)}`,
        )
      continue
    }
    const told = all.filter(({ text }) => isEnd(text ?? '', order.reference, order.status))
    if (told.length === 0)
      broken.push(
        `${nameOf(phone)} (${order.reference}) is ${order.status}, but nobody was told. Its last card: ${lastOf(cards)}`,
      )
    if (told.length > 1) result.repeated += 1
    if (!cards.some(({ text }) => text?.includes(order.reference) && text.includes(`· ${order.status}`)))
      broken.push(
        `${nameOf(phone)} (${order.reference}) is ${order.status}, but its card reads: ${lastOf(cards)}`,
      )
  }
  return { ...result, broken }
}

const isEnd = (text: string, reference: string, status: string): boolean =>
  text.includes(reference) && new RegExp(`for [^:]*: ${status}`).test(text)

const nameOf = (phone: string): string => `the order for …${phone.slice(-5)}`

const lastOf = (messages: Message[]): string => JSON.stringify(messages.at(-1)?.text ?? null)
