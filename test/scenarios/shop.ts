import type { Message } from 'grammy/types'
import { expect, vi } from 'vitest'
import type { ProviderOrderState, ProviderRequestState } from '../../src/sandbox/index.ts'
import { asksToConfirm } from '../../src/telegram/cards/words/draft.ts'
import { labels } from '../../src/telegram/words/labels.ts'
import { readOut } from '../support/as-read.ts'
import { change, type Inside, inside } from '../support/inside.ts'
import type { Reseller, World } from '../support/world.ts'

/** What resellers usually do in these tests, and checks of the provider's ledger. */

let numbers = 0

/** A number that no other test of the process uses. */
export const newPhone = (prefix = '024'): string =>
  `${prefix}${String(1_000_000 + ++numbers).padStart(7, '0')}`

/**
 * Sends a number and a size. @param phone the number; words may follow it. @returns the new card to confirm, not an
 * earlier card that was sent again.
 */
export const askFor = async ({ chat }: Reseller, phone: string, size = '2GB'): Promise<Message> => {
  const { message_id: after } = chat.say(`${phone} ${size}`)
  const [digits] = phone.split(' ')
  return chat.waitForText(new RegExp(`(${RegExp.escape(asksToConfirm)}|not confirmed yet)[^]*${digits}`), {
    after,
  })
}

/** Orders and confirms. @returns the card as it was before Confirm. */
export const order = async (reseller: Reseller, phone: string, size = '2GB'): Promise<Message> => {
  const card = await askFor(reseller, phone, size)
  reseller.chat.press('Confirm')
  return card
}

/** Orders, confirms, and waits until the order is placed. */
export const place = async (
  world: World,
  reseller: Reseller,
  phone: string,
  size = '2GB',
): Promise<ProviderOrderState> => {
  const card = await order(reseller, phone, size)
  await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/)
  const placed = ordersFor(world, phone).at(-1)
  if (!placed) throw new Error(`The card names an order for ${phone} that the provider does not have.`)
  return placed
}

const reads = (text: string, part: string | RegExp): boolean =>
  typeof part === 'string' ? text.includes(part) : part.test(text)

/** The card as soon as it matches. */
export const cardReads = (
  world: World,
  { id }: Pick<Reseller, 'id'>,
  card: Pick<Message, 'message_id'>,
  text: string | RegExp,
  timeoutMs = 90_000,
): Promise<Message> =>
  world.telegram.waitFor(
    () =>
      world.telegram
        .messages(id)
        .map((message) => ({ ...message, text: readOut(message.text ?? '') }))
        .find((message) => message.message_id === card.message_id && reads(message.text, text)),
    { message: `Waiting for the card ${card.message_id} to read ${text}`, timeoutMs },
  )

/** Presses the newest button with that label, or the one behind the newest `⋯`. */
export const pressOnCard = async (chat: Reseller['chat'], label: string): Promise<void> => {
  const idOf = (text: string) => chat.button(text)?.message.message_id ?? 0
  const more = idOf('⋯')
  if (more > idOf(label)) {
    chat.press('⋯')
    await vi.waitFor(() => expect(idOf(label)).toBe(more), 30_000)
  }
  chat.press(label)
}

/** Turns to the second page of the newest screen, which has the button. */
export const showButton = async ({ chat }: Pick<Reseller, 'chat'>, label: string): Promise<void> => {
  await chat.waitForButton(labels.next)
  chat.press(labels.next)
  await chat.waitForButton(label)
}

/** Presses `Share` below the newest order. @returns the link. */
export const shareLink = async ({ chat }: Pick<Reseller, 'chat'>): Promise<string> => {
  const after = chat.last()?.message_id ?? 0
  await pressOnCard(chat, 'Share')
  const message = await chat.waitForText('For the customer', { after })
  return /https:\/\/t\.me\/\S+/.exec(message.text ?? '')?.[0] ?? ''
}

/** The data of a button, so that somebody else can press it, or the person can press it too late. */
export const dataOf = (message: Message, label: string): string => {
  const buttons = message.reply_markup?.inline_keyboard.flat() ?? []
  const found = buttons.find(({ text }) => text.includes(label))
  if (!found || !('callback_data' in found)) throw new Error(`There is no button “${label}”.`)
  return found.callback_data
}

/** The toast that answers the press, as soon as it is there. */
export const toastOf = async (world: World, { id }: { id: string }): Promise<string> => {
  const answer = await world.telegram.waitFor(() => world.telegram.answers(id), {
    message: 'Waiting for the answer to a press',
  })
  return String(answer.text ?? '')
}

export const ordersFor = (world: World, phone: string): ProviderOrderState[] =>
  world.provider.orders().filter(({ phones }) => phones.some((recipient) => recipient.phone === phone))

/** Every POST for that number that reached the provider, including failed ones. */
export const postsFor = (world: World, phone: string): ProviderRequestState[] =>
  world.provider
    .requests()
    .filter(({ method, body }) => method === 'POST' && JSON.stringify(body ?? '').includes(phone))

export const debitsOf = (world: World, { account }: Reseller) => world.provider.debits(account.id)

/** Reads from the bot's database. */
export const inDatabase = <T>(world: World, work: (database: Inside) => T): T =>
  inside(world.databaseUrl, work)

/** Changes the bot's database, e.g. to simulate that time has passed. */
export const changeDatabase = <T>(world: World, work: (database: Inside) => T): Promise<T> =>
  change(world.databaseUrl, work)

/** Records requests of the person's account, as if it had made them in the last minute. */
export const useRequests = (world: World, { id }: Pick<Reseller, 'id'>, count: number): Promise<void> =>
  changeDatabase(world, (database) => {
    const owner = database.prepare('SELECT accountId FROM Member WHERE userId = ?').get(id)
    const insert = database.prepare('INSERT INTO Request (accountId, at) VALUES (?, ?)')
    const at = new Date().toISOString()
    for (let made = 0; made < count; made += 1) insert.run(String(owner?.accountId), at)
  })

/** The placements of the orders for that number. */
export const placementOf = (world: World, phone: string): unknown =>
  inDatabase(world, (database) =>
    database
      .prepare('SELECT placement FROM "Order" WHERE id IN (SELECT orderId FROM Recipient WHERE phone = ?)')
      .all(phone)
      .map(({ placement }) => placement),
  )

/** Ends the leases of all orders that are being sent. Call it while the bot is stopped. */
export const endLeases = (world: World): Promise<unknown> =>
  changeDatabase(world, (database) =>
    database
      .prepare(`UPDATE "Order" SET leaseUntil = ? WHERE placement = 'sending'`)
      .run(new Date().toISOString()),
  )

/** Moves the send times of all unconfirmed orders back by that many minutes, and makes their wallets due to be read. */
export const reconcileAfter = (world: World, minutes: number): Promise<unknown> =>
  changeDatabase(world, (database) => {
    const openPlacements = database
      .prepare('SELECT id, sentAt FROM "Order" WHERE reconcileAt IS NOT NULL')
      .all()
    const update = database.prepare('UPDATE "Order" SET sentAt = ?, reconcileAt = ? WHERE id = ?')
    for (const { id = null, sentAt } of openPlacements) {
      const earlier = new Date(Date.parse(String(sentAt)) - minutes * 60_000)
      update.run(earlier.toISOString(), new Date().toISOString(), id)
    }
  })
