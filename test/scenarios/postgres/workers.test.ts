import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { leaseReserveMs, sendLeaseMs } from '../../../src/domain/order/placement.ts'
import { leaseLengthMs } from '../../../src/messaging/leader-lease.ts'
import { helpTitle } from '../../../src/telegram/features/home/help-words.ts'
import type { BotUnderTest } from '../../support/bot/bot.ts'
import { lockDatabase } from '../../support/locked-database.ts'
import type { Reseller, World } from '../../support/world.ts'
import {
  allEndWell,
  type Crew,
  endsOf,
  newCrew,
  newResellers,
  orderAll,
  placements,
  workerOf,
} from '../accounts/crew.ts'
import {
  askFor,
  dataOf,
  debitsOf,
  endLeases,
  inDatabase,
  newPhone,
  order,
  ordersFor,
  postsFor,
  reconcileAfter,
} from '../shop.ts'

const countIn = (world: World, from: string): number =>
  Number(inDatabase(world, (db) => db.prepare(`SELECT COUNT(*) AS many FROM ${from}`).get()?.many))

const worksNow = (crew: Crew): Promise<BotUnderTest> =>
  crew.world.until(() => workerOf(crew), 'a process to work')

const suspend = (bot: BotUnderTest): unknown => process.kill(bot.pid() ?? 0, 'SIGSTOP')
const wake = (bot: BotUnderTest): unknown => process.kill(bot.pid() ?? 0, 'SIGCONT')

describe('with a worker and two receivers on one PostgreSQL', () => {
  test('each purchase is debited and reported once, whichever process receives its updates and callbacks', async (context) => {
    const crew = await newCrew(context)
    const resellers = await newResellers(crew, 4)
    await allEndWell(crew, resellers, await orderAll(resellers, 4))
  })

  test('nine presses of Confirm that reach all three processes at the same time make one order', async (context) => {
    const { world } = await newCrew(context)
    const reseller = await world.newReseller()
    const phone = newPhone()
    const card = await askFor(reseller, phone)
    for (let presses = 0; presses < 9; presses += 1) {
      world.telegram.press({ from: reseller.id, messageId: card.message_id, data: dataOf(card, 'Confirm') })
    }
    const [placed] = await world.until(() => {
      const found = ordersFor(world, phone)
      return found.length > 0 && found
    }, 'it to be placed')
    world.provider.setStatus(placed?.reference ?? '', 'delivered')
    await world.until(() => endsOf(reseller).length > 0, 'its end to be told')
    expect(postsFor(world, phone)).toHaveLength(1)
    expect(debitsOf(world, reseller)).toHaveLength(1)
  })

  test('orders go on while the worker is suspended, and nothing is repeated when it wakes up', async (context) => {
    const crew = await newCrew(context)
    const { world } = crew
    const resellers = await newResellers(crew, 4)
    const before = await orderAll(resellers, 1)
    const suspended = await worksNow(crew)
    suspend(suspended)
    const meanwhile = await orderAll(resellers, 1)
    await world.until(() => workerOf(crew) !== suspended, 'another one to work')
    wake(suspended)
    const after = await orderAll(resellers, 1)
    const phones = resellers.map((_, index) =>
      [before, meanwhile, after].flatMap((each) => each[index] ?? []),
    )
    await allEndWell(crew, resellers, phones)
  })

  test('no order is sent twice if the worker is suspended just before it sends one, for longer than its leases', async (context) => {
    const { world, bots } = await newCrew(context, { crashable: true })
    const reseller = await world.newReseller()
    await world.bot.crashAt({ at: 'intent_committed', paused: true })
    const phone = newPhone()
    await order(reseller, phone)
    await world.until(() => placements(world).includes('sending'), 'it to be on its way')
    await endLeases(world)
    await reseller.chat.waitForText('unconfirmed')
    // Without this wait, the worker's own clocks would still allow it to send the order.
    await wait(sendLeaseMs - leaseReserveMs)
    for (const bot of bots) wake(bot)
    await reconcileAfter(world, 11)
    await reseller.chat.waitForText(/not placed/)
    expect(postsFor(world, phone)).toEqual([])
    expect(debitsOf(world, reseller)).toEqual([])
  })

  test('the work is handed over at once when the worker is stopped, and no update is lost', async (context) => {
    const crew = await newCrew(context)
    const { world } = crew
    const people = Array.from({ length: 12 }, () => world.newPerson())
    for (const { chat } of people.slice(0, 6)) chat.say('/help')
    const stopped = await worksNow(crew)
    const ended = stopped.stop()
    for (const { chat } of people.slice(6)) chat.say('/help')
    expect(await ended).toBe(0)
    for (const { chat } of people) await chat.waitForText(helpTitle)
    expect(await worksNow(crew)).not.toBe(stopped)
  })

  test('orders go on after the worker is killed in the middle of its work, and nothing is ordered twice or lost', async (context) => {
    const crew = await newCrew(context)
    const { world } = crew
    const resellers = await newResellers(crew, 12)
    const phones = resellers.map(() => newPhone())
    await Promise.all(resellers.map((reseller, index) => askFor(reseller, phones[index] ?? '')))
    for (const { chat } of resellers) chat.press('Confirm')
    await world.until(() => phones.some((phone) => postsFor(world, phone).length > 0), 'some to be sent')
    await (await worksNow(crew)).kill()
    const isOpen = (placement: string) => placement === 'queued' || placement === 'sending'
    await world.until(async () => {
      if (placements(world).includes('sending')) await endLeases(world)
      return placements(world).length === phones.length && !placements(world).some(isOpen)
    }, 'another one to place the rest')
    await reconcileAfter(world, 11)
    await world.until(
      () => placements(world).every((placement) => placement === 'placed' || placement === 'not_placed'),
      'all to be settled',
    )
    for (const phone of phones) expect(postsFor(world, phone).length).toBeLessThanOrEqual(1)
    const placed = placements(world).filter((placement) => placement === 'placed')
    expect(resellers.flatMap((reseller) => debitsOf(world, reseller))).toHaveLength(placed.length)
    for (const { reference } of phones.flatMap((phone) => ordersFor(world, phone)))
      world.provider.setStatus(reference, 'delivered')
    await world.until(() => new Set(resellers.flatMap(endsOf)).size >= placed.length, 'all ends to be told')
  })
})

/** What the worker is doing when it is held up. */
type Middle = 'applying callbacks' | 'asking for statuses' | 'reading wallets'

/**
 * Each reseller orders once, and the connection breaks before the provider gets it. Resolves when the wallets are due
 * to be read.
 */
const losePosts = async ({ world }: Crew, resellers: readonly Reseller[]): Promise<void> => {
  world.provider.addFault({ kind: 'reset_before', times: resellers.length })
  await orderAll(resellers, 1)
  const areUnconfirmed = () => countIn(world, `"Order" WHERE placement = 'unconfirmed'`) === resellers.length
  await world.until(areUnconfirmed, 'all to be unconfirmed')
  await reconcileAfter(world, 11)
}

/**
 * Each reseller orders once. Then the worker begins that work and cannot finish it.
 * @returns a function that lets the work continue.
 */
const holdUp = async (middle: Middle, crew: Crew, resellers: readonly Reseller[]) => {
  const { world } = crew
  const phones = await orderAll(resellers, 1)
  const arePlaced = () => countIn(world, `"Order" WHERE placement = 'placed'`) === resellers.length
  await world.until(arePlaced, 'all to be placed')
  const deliverAll = () => {
    for (const { reference } of phones.flat().flatMap((phone) => ordersFor(world, phone)))
      world.provider.setStatus(reference, 'delivered')
  }
  if (middle === 'applying callbacks') {
    const goOn = await lockDatabase(world, ['Order'])
    deliverAll()
    await world.until(() => countIn(world, 'StatusReport WHERE appliedAt IS NULL') > 0, 'callbacks to arrive')
    return { phones, goOn }
  }
  const path = middle === 'asking for statuses' ? '/order/status' : '/transactions'
  world.provider.addFault({ kind: 'slow', path, delayMs: 4_000, times: null })
  if (middle === 'asking for statuses') deliverAll()
  else await losePosts(crew, resellers)
  const isAsked = () =>
    world.provider.requests().some((each) => each.path.includes(path) && each.status === null)
  // Waits until no message is being sent, because one that is accepted but not yet marked would be sent again.
  await world.until(() => isAsked() && countIn(world, 'Notice') === 0, 'the worker to ask')
  return { phones, goOn: async () => world.provider.clearFaults() }
}

/** Waits until no notice is queued, no callback waits, and all orders are placed. */
const areAtRest = async ({ world }: Crew): Promise<void> => {
  const none = (from: string) => () => countIn(world, from) === 0
  await world.until(none(`"Order" WHERE placement = 'unconfirmed'`), 'all to be settled')
  await world.until(none('StatusReport WHERE appliedAt IS NULL'), 'all callbacks to be applied')
  await world.until(none('"Order" WHERE statusReported = true'), 'all ends to be confirmed')
  await world.until(none('Notice'), 'nothing to be owed')
}

/** Expects that each was told by the card and by one message that `count` orders were not placed. */
const toldNotPlaced = (resellers: readonly Reseller[], count: number): void => {
  for (const { chat } of resellers)
    expect(chat.texts().filter((text) => text.includes('· not placed\n'))).toHaveLength(2 * count)
}

describe.for<Middle>(['applying callbacks', 'asking for statuses', 'reading wallets'])(
  'a standby that takes over from a worker in the middle of %s',
  (middle) => {
    test('reports each charge and each end once if the worker was killed', async (context) => {
      const crew = await newCrew(context, {}, 2)
      const resellers = await newResellers(crew, 4)
      const worker = await worksNow(crew)
      const { phones, goOn } = await holdUp(middle, crew, resellers)
      await worker.kill()
      await goOn()
      await allEndWell(crew, resellers, phones)
      await areAtRest(crew)
      toldNotPlaced(resellers, middle === 'reading wallets' ? 1 : 0)
    })

    test('reports each end once if the worker was suspended for longer than its lease and wakes up', async (context) => {
      const crew = await newCrew(context, {}, 2)
      const resellers = await newResellers(crew, 4)
      const worker = await worksNow(crew)
      const { phones, goOn } = await holdUp(middle, crew, resellers)
      suspend(worker)
      await goOn()
      await wait(leaseLengthMs)
      await crew.world.until(() => workerOf(crew) !== worker, 'the other one to work')
      wake(worker)
      await allEndWell(crew, resellers, phones)
      await areAtRest(crew)
      for (const reseller of resellers) expect(endsOf(reseller)).toHaveLength(1)
      toldNotPlaced(resellers, middle === 'reading wallets' ? 1 : 0)
    })
  },
)
