import { isDeepStrictEqual } from 'node:util'
import type { Message } from 'grammy/types'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pesewas } from '../../../src/provider/money.ts'
import { announceUnconfirmed } from '../../../src/telegram/cards/words/announcement.ts'
import { orderLabels } from '../../../src/telegram/cards/words/order.ts'
import { warningDropped, warningOver } from '../../../src/telegram/cards/words/warning.ts'
import { spaced } from '../../../src/telegram/words/numbers.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import { anOrder, phone as anyPhone, orderWith } from '../../telegram/words/any-order.ts'
import { accountIdOf, addMember } from '../accounts/members.ts'
import { linesOf, paste, phones, pressOn } from '../lists/list-shop.ts'
import {
  askFor,
  cardReads,
  changeDatabase,
  dataOf,
  inDatabase,
  newPhone,
  order,
  placementOf,
  reconcileAfter,
} from '../shop.ts'

let world: World

beforeAll(async () => {
  world = await createWorld({ publicUrl: false })
})
afterAll(() => world?.close())

/** The lines of a text for that number, without markup. */
const wordsFor = (text: string, phone: string): string[] =>
  text
    .replaceAll(spaced(anyPhone), phone)
    .replace(/<[^>]+>/g, '')
    .split('\n')

/** The warning's last line, which names no order. */
const dontOrderAgain = wordsFor(announceUnconfirmed(anOrder), '').at(-1) ?? ''
const of2GB = { volume: '2GB' }
const placedAfterAll = (phone: string) =>
  wordsFor(
    warningOver(orderWith({ ...of2GB, placement: 'placed', inferred: true, unitPricePesewas: pesewas(960) })),
    phone,
  )[0] ?? ''
const notPlaced = (phone: string) =>
  wordsFor(warningOver(orderWith({ ...of2GB, placement: 'not_placed', reason: 'no_debit' })), phone)[0] ?? ''

const keysOf = ({ reply_markup: markup }: Message): string[] =>
  markup?.inline_keyboard.flat().map(({ text }) => text) ?? []

/** The message as it reads now. */
const now = ({ id }: Pick<Reseller, 'id'>, { message_id }: Message): Message | undefined =>
  world.telegram.messages(id).find((message) => message.message_id === message_id)

/** The wallet can't be read until this fault is removed, so no outcome is found. */
const unreadable = (reseller: Reseller) =>
  world.provider.addFault({
    kind: 'error_before',
    path: '/transactions',
    times: null,
    account: reseller.account.id,
  })

/** Orders, with the answer lost. @returns the card, and the warning below it. */
const orderUnanswered = async (
  reseller: Reseller,
  phone: string,
  kind: 'answer_lost' | 'reset_before' = 'answer_lost',
): Promise<{ card: Message; warning: Message }> => {
  world.provider.addFault({ kind, account: reseller.account.id })
  const card = await order(reseller, phone)
  await cardReads(world, reseller, card, /unconfirmed/)
  const warning = await reseller.chat.waitForText(dontOrderAgain, { after: card.message_id })
  expect(keysOf(warning)).toContain(orderLabels.checkNow)
  return { card, warning }
}

const owedTo = ({ id }: Pick<Reseller, 'id'>) =>
  inDatabase(world, (database) => database.prepare('SELECT id FROM Notice WHERE chatId = ?').all(id))

/** Moves the send times of unconfirmed orders back by that many minutes while the bot is stopped. */
const minutesLater = async (minutes: number): Promise<void> => {
  await world.bot.stop()
  await reconcileAfter(world, minutes)
  await world.bot.start()
}

const expectClosed = async (person: Pick<Reseller, 'id'>, warning: Message, line: string): Promise<void> => {
  const closed = await cardReads(world, person, warning, line)
  expect(closed.text).toBe(line)
  expect(keysOf(closed)).toEqual([])
}

describe('the warning about an order whose answer was lost', () => {
  test('becomes one line as soon as the order is known to be placed', async () => {
    const [reseller, phone] = [await world.newReseller(), newPhone()]
    const { warning } = await orderUnanswered(reseller, phone)
    await expectClosed(reseller, warning, placedAfterAll(phone))
  })

  test('becomes one line as soon as the order is known not to be placed, even after a restart', async () => {
    const [reseller, phone] = [await world.newReseller(), newPhone()]
    const { warning } = await orderUnanswered(reseller, phone, 'reset_before')
    await minutesLater(11)
    await expectClosed(reseller, warning, notPlaced(phone))
  })

  test('becomes the order’s card when “Check now” is pressed, and the old card later becomes one line', async () => {
    const [reseller, phone] = [await world.newReseller(), newPhone()]
    const { card, warning } = await orderUnanswered(reseller, phone, 'reset_before')
    world.telegram.press({
      from: reseller.id,
      messageId: warning.message_id,
      data: dataOf(warning, orderLabels.checkNow),
    })
    await cardReads(world, reseller, warning, 'No answer from the provider')
    await minutesLater(11)
    await expectClosed(reseller, card, notPlaced(phone))
    await cardReads(world, reseller, warning, 'If a charge appears')
  })

  test('is not sent again if it was deleted', async () => {
    const [reseller, phone] = [await world.newReseller(), newPhone()]
    const { card, warning } = await orderUnanswered(reseller, phone, 'reset_before')
    world.telegram.deleteMessage({ from: reseller.id, messageId: warning.message_id })
    await minutesLater(11)
    await cardReads(world, reseller, card, 'If a charge appears')
    await reseller.chat.waitForText('not placed', { after: warning.message_id })
    const last = reseller.chat.say('/help').message_id
    await reseller.chat.waitForText(/./, { after: last })
    expect(reseller.chat.texts()).not.toContain(notPlaced(phone))
  })

  test('is closed when the account is removed', async () => {
    const [reseller, phone] = [await world.newReseller(), newPhone()]
    unreadable(reseller)
    const { warning } = await orderUnanswered(reseller, phone)
    reseller.chat.say('/disconnect')
    await reseller.chat.waitForButton('Now')
    reseller.chat.press('Now')
    await expectClosed(
      reseller,
      warning,
      wordsFor(warningDropped(orderWith({ ...of2GB, placement: 'unconfirmed' })), phone)[0] ?? '',
    )
  })

  test.each([
    ['placed', 'answer_lost', null],
    ['not_placed', 'reset_before', /not placed[\s\S]*nothing was charged/],
  ] as const)(
    'is not sent if the order’s outcome (%s) is known before the warning can be sent',
    async (placement, kind, outcome) => {
      const [reseller, phone] = [await world.newReseller(), newPhone()]
      const card = await askFor(reseller, phone)
      world.telegram.addFault({ method: 'sendMessage', kind: 'server_error', chat: reseller.id, times: null })
      world.provider.addFault({ kind, account: reseller.account.id })
      reseller.chat.press('Confirm')
      await cardReads(world, reseller, card, /unconfirmed/)
      await minutesLater(11)
      await world.until(() => isDeepStrictEqual(placementOf(world, phone), [placement]), `it is ${placement}`)
      world.telegram.clearFaults()
      await world.until(() => owedTo(reseller).length === 0, 'all news to be sent')
      const news = world.telegram
        .messages(reseller.id)
        .filter(({ message_id, text }) => message_id > card.message_id && text?.includes(phone))
        .filter(({ text }) => !text?.includes('delivered'))
        // The warning may already be on its way when the charge is found. Then the charge is announced too.
        .filter(({ text }) => !text?.includes('matches this order'))
      expect(news.map(({ text }) => text)).toEqual(outcome ? [expect.stringMatching(outcome)] : [])
    },
  )

  test('is closed in the agent’s chat and the owner’s', async () => {
    const [owner, phone] = [await world.newReseller(), newPhone()]
    const agent = await addMember(world, owner)
    await changeDatabase(world, (database) =>
      database.prepare('UPDATE Member SET invitedBy = ? WHERE userId = ?').run(owner.id, agent.id),
    )
    const { warning } = await orderUnanswered(agent, phone, 'reset_before')
    const report = await owner.chat.waitForText(new RegExp(`${phone}[\\s\\S]*unconfirmed`))
    expect(accountIdOf(world, agent)).toBe(accountIdOf(world, owner))
    await minutesLater(11)
    await expectClosed(agent, warning, notPlaced(phone))
    await expectClosed(owner, report, notPlaced(phone))
  })
})

describe('the question whether to send the rest of a list', () => {
  test('loses its buttons when it is answered, and stays until the order is reconciled', async () => {
    const reseller = await world.newReseller(5_000_000)
    const [first, second] = [phones(2), phones(2)]
    const card = await paste(reseller, [...linesOf(first, '1GB'), ...linesOf(second, '2GB')])
    world.provider.addFault({ kind: 'error_before', account: reseller.account.id })
    pressOn(reseller, card, 'Confirm')
    const held = await reseller.chat.waitForText(/MTN 1GB × 2: unconfirmed[\s\S]*Continue, or stop here\?/, {
      after: card.message_id,
    })
    reseller.chat.press('Continue')
    const warned = await cardReads(world, reseller, held, dontOrderAgain)
    expect(keysOf(warned)).toEqual([])
    await minutesLater(11)
    const over = await cardReads(world, reseller, held, /^✅/)
    expect(over.text).toMatch(/^✅ Settled: MTN 1GB for .* wasn’t placed\. Nothing was charged\.$/)
    expect(now(reseller, held)).toEqual(over)
  })

  test('stays until it is answered, even if the order is reconciled first', async () => {
    const reseller = await world.newReseller(5_000_000)
    const [first, second] = [phones(2), phones(2)]
    const card = await paste(reseller, [...linesOf(first, '1GB'), ...linesOf(second, '2GB')])
    world.provider.addFault({ kind: 'error_before', account: reseller.account.id })
    pressOn(reseller, card, 'Confirm')
    const held = await reseller.chat.waitForText(/MTN 1GB × 2: unconfirmed[\s\S]*Continue, or stop here\?/, {
      after: card.message_id,
    })
    await minutesLater(11)
    const settled = await cardReads(world, reseller, held, /not placed[\s\S]*Continue, or stop here\?/)
    expect(keysOf(settled)).toEqual(expect.arrayContaining(['▶️ Continue']))
    world.telegram.press({
      from: reseller.id,
      messageId: held.message_id,
      data: dataOf(settled, 'Stop here'),
    })
    await cardReads(world, reseller, held, /^✅ Settled: .*wasn’t placed/)
    expect(keysOf(now(reseller, held) ?? held)).toEqual([])
  })
})
