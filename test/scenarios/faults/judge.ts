import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { isTerminal } from '../../../src/domain/order/status.ts'
import { formatGhs, pesewas, sum } from '../../../src/provider/money.ts'
import type { World } from '../../support/world.ts'
import { debitsOf, inDatabase, postsFor } from '../shop.ts'
import { providersOrders, type Row, type Scene, shown } from './row.ts'
import { minutesLater } from './time.ts'

/** Checks the end that the row expects, and what must be true of every row, by the provider's ledger and the chat. */
export const judge = async (scene: Scene, row: Row): Promise<void> => {
  await comesToRest(scene)
  expect({
    posts: postsOf(scene).length,
    debits: debitsOf(scene.world, scene.reseller).length,
    ends: orders(scene).map(({ placement }) => placement),
  }).toEqual({ posts: row.posts, debits: row.debits, ends: row.ends })
  expectNoSecondCharge(scene, row.isOnlyLikely ?? false)
  expectEachDebitTold(scene)
  await allIsDelivered(scene)
  if (row.numbers) {
    expectClosedOnce(scene)
    expectRefundsTold(scene)
  } else {
    await cardsShowTheEnd(scene)
    expectEachEndTold(scene, row.announcements ?? 1)
  }
  expectNoSecretIn(
    scene.world,
    shown(scene)
      .map(({ text }) => text)
      .join('\n'),
  )
}

interface OrderRow {
  placement: string
  reference: string | null
  status: string | null
}

const orders = (scene: Scene): OrderRow[] => {
  const account = scene.accountId
  return inDatabase(scene.world, (db) =>
    db
      .prepare('SELECT placement, reference, status FROM "Order" WHERE accountId = ? ORDER BY createdAt, id')
      .all(account),
  ) as unknown as OrderRow[]
}

/** The POSTs that the bot made. Other programs' POSTs name no address for callbacks. */
const postsOf = ({ world, phone }: Scene) =>
  postsFor(world, phone).filter(({ body }) => JSON.stringify(body).includes('/webhooks/'))

/** Waits until no order is being sent, no notice is queued, and every callback is handled. */
const comesToRest = async (scene: Scene): Promise<void> => {
  const account = scene.accountId
  const unfinished = () =>
    inDatabase(scene.world, (db) => ({
      sending: db
        .prepare(`SELECT id FROM "Order" WHERE placement = 'sending' AND accountId = ?`)
        .all(account),
      owed: db.prepare('SELECT kind, data FROM Notice WHERE chatId = ?').all(scene.reseller.id),
      unread: db
        .prepare(
          'SELECT id FROM StatusReport WHERE appliedAt IS NULL AND orderId IN (SELECT id FROM "Order" WHERE accountId = ?)',
        )
        .all(account),
    }))
  for (let looks = 1; Object.values(unfinished()).some((rows) => rows.length > 0); looks += 1) {
    if (looks > 300) expect(unfinished()).toEqual({ sending: [], owed: [], unread: [] })
    await wait(100)
  }
}

/** Expects that each placed order has its own debit, and that no more orders were charged or sent than confirmed. */
const expectNoSecondCharge = (scene: Scene, isOnlyLikely: boolean): void => {
  const debits = ownDebits(scene)
  // If the provider charges an order twice, two debits have its reference.
  expect(new Set(debits.map(({ reference }) => reference)).size).toBeLessThanOrEqual(scene.confirmations)
  const taken = postsOf(scene).filter(({ status }) => status !== 429)
  expect(taken.length).toBeLessThanOrEqual(scene.confirmations)
  const placed = orders(scene).filter(({ placement }) => placement === 'placed')
  const references = placed.map(({ reference }) => reference)
  expect(new Set(references).size).toBe(references.length)
  const charged = isOnlyLikely ? debitsOf(scene.world, scene.reseller) : debits
  expect(charged.map(({ reference }) => reference)).toEqual(expect.arrayContaining(references))
}

const ownDebits = ({ world, reseller, elsewhere }: Scene) =>
  debitsOf(world, reseller).filter(({ reference }) => !elsewhere.has(reference))

/**
 * Expects that the person was told of each debit: by its reference, or as part of a list by the list's charge,
 * because a list names its references only when asked. Not expected if the account was removed before the reference
 * was known.
 */
const expectEachDebitTold = (scene: Scene): void => {
  if (orders(scene).some(({ placement }) => placement === 'unconfirmed')) return
  const read = shown(scene).map(({ text }) => text)
  const isList = scene.numbers.length > 1
  for (const { reference } of ownDebits(scene)) {
    expect(
      read.filter((text) => text.includes(reference) || (isList && /Charged\sGHS/.test(text))),
      reference,
    ).not.toEqual([])
  }
}

/** The provider ends all open orders, and an hour passes in which the bot polls them. */
const allIsDelivered = async (scene: Scene): Promise<void> => {
  const known = orders(scene).map(({ reference }) => reference)
  const open = providersOrders(scene).filter(
    ({ reference, status }) => known.includes(reference) && !isTerminal(status),
  )
  for (const { reference } of open) scene.world.provider.setStatus(reference, 'delivered')
  if (open.length === 0) return
  await minutesLater(61)(scene)
  for (let looks = 1; orders(scene).some(isUnended); looks += 1) {
    if (looks > 300) expect(orders(scene).filter(isUnended)).toEqual([])
    await wait(100)
  }
  await comesToRest(scene)
}

const isUnended = ({ placement, status }: OrderRow): boolean => placement === 'placed' && !isTerminal(status)

/** Expects that the card finally shows the status in the provider's record, without “(reported)”. */
const cardsShowTheEnd = async (scene: Scene): Promise<void> => {
  for (const { reference, status } of ended(scene)) {
    // The card of an order for several numbers has one more line between these two.
    const card = new RegExp(`GHS [\\d.]+ · ${status}\\n(?:.*\\n)?Reference: ${reference}`)
    await scene.world.telegram.waitFor(() => shown(scene).some(({ text }) => card.test(text)), {
      message: `Waiting for a card that reads ${card}`,
    })
  }
}

/** The bot's placed orders, as the provider has them. */
const ended = (scene: Scene) => {
  const placed = orders(scene).filter(({ placement }) => placement === 'placed')
  return providersOrders(scene).filter(({ reference }) =>
    placed.some((order) => order.reference === reference),
  )
}

const expectEachEndTold = (scene: Scene, most: number): void => {
  const read = shown(scene).map(({ text }) => text)
  for (const { reference, status } of ended(scene)) {
    const announced = read.filter(
      (text) => text.includes(reference) && new RegExp(`for \\d+(?: numbers)?[^:]*: ${status}`).test(text),
    )
    expect(announced.length, `${reference} told to be ${status}`).toBeGreaterThanOrEqual(1)
    expect(announced.length, `${reference} told to be ${status}`).toBeLessThanOrEqual(most)
  }
}

/** Expects one separate message that the list is done. */
const expectClosedOnce = (scene: Scene): void => {
  expect(messagesThat(scene, /: done/)).toBe(1)
}

/** Expects one separate message about the refund, and its sum on the list's card. */
const expectRefundsTold = (scene: Scene): void => {
  const { world, reseller, elsewhere } = scene
  const credits = world.provider
    .transactions(reseller.account.id)
    .filter(({ type, reference }) => type === 'credit' && !elsewhere.has(reference))
  expect(messagesThat(scene, /Refunded GHS/)).toBe(credits.length > 0 ? 1 : 0)
  if (credits.length === 0) return
  const back = formatGhs(sum(credits.map(({ amountPesewas }) => pesewas(amountPesewas))))
  expect(shown(scene).filter(({ text }) => text.includes(`· refunded ${back}`))).not.toEqual([])
}

/** How many messages of the bot said that when they were sent, even if they were edited since. */
const messagesThat = ({ world, reseller }: Scene, words: RegExp): number =>
  world.telegram
    .calls('sendMessage')
    .filter(({ payload }) => payload.chat_id === reseller.id && words.test(String(payload.text))).length

/** Expects neither credentials nor tokens in a text that people read or that the bot has logged. */
export const expectNoSecretIn = (world: World, text: string): void => {
  const accounts = world.provider.state().accounts.flatMap(({ apiKey, apiSecret }) => [apiKey, apiSecret])
  const callbacks = world.provider.orders().map(({ webhookUrl }) => webhookUrl?.split('/').at(-1) ?? '')
  for (const secret of [...accounts, ...callbacks.filter(Boolean), world.telegram.token]) {
    expect(text).not.toContain(secret)
  }
}

/** Call it after all rows of a world: expects that the log contains no phone number and no secret. */
export const expectCleanLog = (world: World): void => {
  const output = world.bot.output()
  expectNoSecretIn(world, output)
  for (const { phones } of world.provider.orders()) {
    for (const { phone } of phones) expect(output).not.toContain(phone)
  }
}
