import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { helpTitle } from '../../src/telegram/texts/help.ts'
import { type Traffic, type TrafficWatch, watchTraffic } from '../support/traffic.ts'
import { createWorld, type Reseller, type World } from '../support/world.ts'
import { askFor, cardReads, newPhone, ordersFor } from './shop.ts'

/**
 * What each step of a purchase costs on a PostgreSQL: every round trip takes time, and those under locks keep others
 * waiting. Searches of loops are left out; the one for messages also claims the chats that it finds and reads what they
 * are owed. A change that needs less lowers the bound; one that needs more has to say here why it is worth that. A
 * transaction that goes out as one text counts as three statements. `EXPLAIN_STATEMENTS=1` prints those of each step.
 */

interface Cost {
  statements: number
  roundTrips: number
  transactions: number
  /** In transactions that have a part of the database, or all of it, to themselves. */
  roundTripsLocked: number
  /** Those of them while nobody else can write anything. */
  roundTripsAlone: number
}

const bounds = {
  /** A message about nothing: /help. The turn of its chat is claimed with what is read of the chat, or still kept. */
  update: { statements: 1, roundTrips: 1, transactions: 0, roundTripsLocked: 0, roundTripsAlone: 0 },
  /** A number and a size, to the card that asks to confirm it. It may correct an open list, which is looked for first. */
  draft: { statements: 8, roundTrips: 6, transactions: 1, roundTripsLocked: 0, roundTripsAlone: 0 },
  /**
   * The press of Confirm, to the POST at the provider. The price is asked again, and the account is claimed. The order is
   * handed over, not looked for.
   */
  confirm: { statements: 18, roundTrips: 12, transactions: 3, roundTripsLocked: 2, roundTripsAlone: 0 },
  /** The provider's answer, to the card that names the order. */
  placed: { statements: 6, roundTrips: 4, transactions: 1, roundTripsLocked: 1, roundTripsAlone: 0 },
  /** A callback that says nothing new. Its account is claimed. */
  callback: { statements: 6, roundTrips: 4, transactions: 1, roundTripsLocked: 1, roundTripsAlone: 0 },
  /**
   * The callback that says that it was delivered, to the chat. The account is claimed for the callback and for the
   * question.
   */
  delivered: { statements: 19, roundTrips: 13, transactions: 3, roundTripsLocked: 2, roundTripsAlone: 0 },
} satisfies Record<string, Cost>

type Step = keyof typeof bounds
const steps = Object.keys(bounds) as Step[]

/**
 * The cheapest purchase counts, step by step: other work of the bot falls into some of them. So many are made, and more
 * while a step costs too much.
 */
const leastPurchases = 2
const mostPurchases = 10
/** In this time every loop has come by. */
const idleMs = 16_000
/** When nothing was said for so long, the step is over. */
const quietMs = 400
const maxLooks = 12
/** The provider answers, and calls back, after all that is said before that. */
const answerMs = 2_000
const callbackMs = 4_000

let world: World
let watch: TrafficWatch

beforeAll(async () => {
  world = await createWorld()
  watch = watchTraffic()
})
afterAll(async () => {
  watch.end()
  await world.close()
})

/** Resolves when nothing is said any more; at last, when something else of the bot goes on and on. */
const comeToRest = async (): Promise<void> => {
  for (let before = -1, looks = 0; before !== watch.worked() && looks < maxLooks; looks += 1) {
    before = watch.worked()
    await wait(quietMs)
  }
}

/** What the bot says to its server because of the act, until it is at rest again. */
const costOf = async (act: () => Promise<unknown>): Promise<Traffic> => {
  await comeToRest()
  watch.take()
  await act()
  await comeToRest()
  return watch.take()
}

const purchase = async (reseller: Reseller): Promise<Record<Step, Traffic>> => {
  const phone = newPhone()
  const update = await costOf(async () => {
    const { message_id: after } = reseller.chat.say('/help')
    await reseller.chat.waitForText(helpTitle, { after })
  })
  let cardId = 0
  const draft = await costOf(async () => {
    cardId = (await askFor(reseller, phone)).message_id
  })
  const card = { message_id: cardId }
  world.provider.addFault({ kind: 'slow', path: '/order', delayMs: answerMs })
  world.provider.settings({ callbackDelayMs: callbackMs })
  const order = () => ordersFor(world, phone).at(0)
  const confirm = await costOf(() => {
    reseller.chat.press('Confirm')
    return world.until(order, 'the order')
  })
  const placed = await costOf(() => cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/))
  const callback = await costOf(() => world.provider.idle())
  world.provider.settings({ callbackDelayMs: 0 })
  const delivered = await costOf(async () => {
    world.provider.setStatus(order()?.reference ?? '', 'delivered')
    await reseller.chat.waitForText(/: delivered/, { after: cardId })
  })
  return { update, draft, confirm, placed, callback, delivered }
}

/** The least of what each purchase needed. */
const least = (all: readonly Traffic[], of: keyof Cost): Traffic => {
  const [first] = all.toSorted((a, b) => a[of] - b[of])
  if (!first) throw new Error('There is no purchase.')
  return first
}

const figures = Object.keys(bounds.update) as (keyof Cost)[]

/** Whether each step was within its bounds at least once. */
const isWithinBounds = (all: readonly Record<Step, Traffic>[]): boolean =>
  steps.every((step) =>
    figures.every((figure) => all.some((each) => each[step][figure] <= bounds[step][figure])),
  )

/** The statements of a step, those of each table together. */
const explained = ({ texts }: Traffic): string =>
  Object.entries(texts)
    .map(([text, count]) => ({ text: shortened(text), table: tableOf(text), count }))
    .toSorted((a, b) => a.table.localeCompare(b.table) || b.count - a.count)
    .map(({ text, table, count }) => `${count} × ${table.padEnd(15)} ${text}`)
    .join('\n')

const shortened = (text: string): string =>
  text
    .replaceAll(/"test_\w+"\./g, '')
    .replaceAll(/\s+/g, ' ')
    .replace(/SELECT .* FROM/s, 'SELECT … FROM')

/** The table that a statement is about first. */
const tableOf = (text: string): string =>
  /(?:FROM|INTO|UPDATE) (?:"test_\w+"\.)?"(\w+)"/.exec(text)?.[1] ?? ''

test('no step of a purchase says more to its PostgreSQL than it did', async () => {
  const reseller = await world.newReseller()
  await comeToRest()
  watch.take()
  await wait(idleMs)
  watch.takeAsIdle()
  // The first one also reads what is kept for the next ones.
  await purchase(reseller)
  const all: Record<Step, Traffic>[] = []
  while (all.length < leastPurchases || (all.length < mostPurchases && !isWithinBounds(all)))
    all.push(await purchase(reseller))
  for (const step of steps) {
    const each = all.map((costs) => costs[step])
    if (process.env.EXPLAIN_STATEMENTS) {
      const cheapest = figures.map((figure) => `${figure} ${least(each, figure)[figure]}`)
      console.log(`${step}:\n${cheapest.join(', ')}\n${explained(least(each, 'statements'))}`)
    }
    for (const figure of figures) {
      const cheapest = least(each, figure)
      expect
        .soft(cheapest[figure], `${figure} of ${step}:\n${explained(cheapest)}`)
        .toBeLessThanOrEqual(bounds[step][figure])
    }
  }
})
