import type { Message } from 'grammy/types'
import { expect, vi } from 'vitest'
import type { ProviderOrderState } from '../../../src/sandbox/index.ts'
import type { Reseller, World } from '../../support/world.ts'
import { accountIdOf } from '../accounts/members.ts'
import type { Scene } from '../faults/row.ts'
import { minutesLater } from '../faults/time.ts'
import { debitsOf, inDatabase, newPhone } from '../shop.ts'

/** What resellers do with lists, and checks of the provider's ledger. */

export const phones = (count: number, prefix?: string): string[] =>
  Array.from({ length: count }, () => newPhone(prefix))

/** Writes a line for each number. */
export const linesOf = (numbers: readonly string[], size: string, network = ''): string[] =>
  numbers.map((phone) => `${phone} ${size} ${network}`.trim())

/** Pastes the lines. @returns the preview, as soon as it can be confirmed. */
export const paste = async ({ chat }: Reseller, lines: readonly string[]): Promise<Message> => {
  const { message_id: after } = chat.say(lines.join('\n'))
  return chat.waitForText(/Nothing is charged before you confirm|Nothing can be ordered yet/, { after })
}

/** Pastes and confirms. @returns the card. */
export const orderList = async (reseller: Reseller, lines: readonly string[]): Promise<Message> => {
  const card = await paste(reseller, lines)
  pressOn(reseller, card, 'Confirm')
  return card
}

/** Presses a button that the message has now. */
export const pressOn = (
  { chat, id }: Reseller,
  { message_id }: Pick<Message, 'message_id'>,
  label: string,
) => {
  const found = chat.button(label)
  if (found?.message.message_id === message_id) return chat.press(label)
  throw new Error(`The newest button “${label}” in the chat of ${id} is not on that message.`)
}

/** The account's orders at the provider, oldest first. */
export const ordersOf = (world: World, { account }: Reseller): ProviderOrderState[] =>
  world.provider.orders().filter(({ accountId }) => accountId === account.id)

/** The references of the account's orders, as soon as `count` are placed. */
export const referencesOf = (world: World, reseller: Reseller, count = 1): Promise<string[]> =>
  world.until(() => {
    const orders = ordersOf(world, reseller)
    return orders.length >= count && orders.map(({ reference }) => reference)
  }, `${count} orders to be placed`)

/** How many numbers each request to place an order named, in the order in which they came. */
export const postsOf = (world: World, { account }: Reseller): number[] =>
  world.provider
    .requests()
    .filter(({ method, accountId }) => method === 'POST' && accountId === account.id)
    .map(({ body }) => {
      const { phones: many } = body as { phones?: string[] }
      return many?.length ?? 1
    })

/**
 * Moves this reseller's times back, as if that many minutes had passed. Resolves when all requests that are then due
 * have been made.
 */
export const later = async (world: World, reseller: Reseller, minutes: number): Promise<void> => {
  await minutesLater(minutes)({
    world,
    reseller,
    accountId: accountIdOf(world, reseller),
    phone: 'a list',
    before: new Set(),
  } as unknown as Scene)
}

/**
 * Expects that the provider's ledger has exactly these debits. @param expected number and size of each, e.g.
 * `0241234567 2GB`.
 */
export const expectCharged = (world: World, reseller: Reseller, expected: readonly string[]): Promise<void> =>
  vi.waitFor(() => expectChargedNow(world, reseller, expected), { timeout: 90_000 })

const expectChargedNow = (world: World, reseller: Reseller, expected: readonly string[]): void => {
  const orders = ordersOf(world, reseller)
  const charged = orders.flatMap(({ phones, volume }) => phones.map(({ phone }) => `${phone} ${volume}`))
  expect(charged.toSorted()).toEqual(expected.toSorted())
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
  expect(sum(debitsOf(world, reseller).map(({ amountPesewas }) => amountPesewas))).toBe(
    sum(orders.map(({ totalPesewas }) => totalPesewas)),
  )
}

/** The provider ends all open orders of the account. */
export const deliverAll = (world: World, reseller: Reseller, status = 'delivered'): void => {
  for (const order of ordersOf(world, reseller)) {
    if (order.status === 'processing') world.provider.setStatus(order.reference, status)
  }
}

/** The account's orders as the bot's database has them, in the order of the list. */
export const placementsOf = (world: World, { id }: Reseller): unknown[] =>
  inDatabase(world, (db) =>
    db
      .prepare(
        'SELECT placement FROM "Order" WHERE accountId = (SELECT accountId FROM Member WHERE userId = ?) ORDER BY createdAt, position, id',
      )
      .all(id)
      .map(({ placement }) => placement),
  )
