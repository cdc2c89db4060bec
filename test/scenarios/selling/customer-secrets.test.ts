// @module-tag exhaustive
import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/database/database.ts'
import { priceListPictures } from '../../../src/pictures/price-list.ts'
import { receiptPicture } from '../../../src/pictures/receipt.ts'
import { chatOf, type TestChat } from '../../../src/sandbox/index.ts'
import { priceListOf } from '../../../src/shop/price-list.ts'
import { receiptOf } from '../../../src/shop/receipt.ts'
import { createStore } from '../../../src/store/store.ts'
import { orderNowPhrase } from '../../../src/telegram/cards/words/agent-permissions.ts'
import { answerSent, questionSent, sendQuestion } from '../../../src/telegram/cards/words/enquiry.ts'
import { followsOpen } from '../../../src/telegram/cards/words/follower.ts'
import * as shopWords from '../../../src/telegram/cards/words/shop.ts'
import { invitationTitle } from '../../../src/telegram/features/agents/invitation-words.ts'
import * as receiptTexts from '../../../src/telegram/features/selling/receipt-words.ts'
import * as sellingWords from '../../../src/telegram/features/selling/words.ts'
import { readOut } from '../../support/as-read.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import { joinBy } from '../accounts/members.ts'
import {
  askFor,
  cardReads,
  inDatabase,
  newPhone,
  order,
  ordersFor,
  place,
  pressOnCard,
  reconcileAfter,
  shareLink,
} from '../shop.ts'

const sellingTexts = { ...shopWords, ...sellingWords }

/**
 * A day of a shop and its customer. Afterwards, everything that the customer got is searched for what only the shop may
 * know, and the other way round.
 */

const cost = 17_37
const costLater = 18_53
const bundleId = 2
const openingBalance = 913_71
const seller = { first_name: 'Quirinus', last_name: 'Zwillbrock', username: 'zwillbrock_sells' }
const buyer = { first_name: 'Wilhelmina', last_name: 'Yxcoatl', username: 'yxcoatl_buys' }
const helper = { first_name: 'Eusebia', last_name: 'Knallhuette', username: 'knallhuette_helps' }
const savedName = 'Thusnelda'

interface Person {
  id: number
  chat: TestChat
}

interface Day {
  world: World
  reseller: Reseller
  contact: Person
  /** A group that the customer is in. */
  groupId: number
  /** The toasts that answered presses, by chat. */
  toasts: { chat: number; text: string }[]
}

const newDay = async (): Promise<Day> => {
  const world = await createWorld({ settings: { refundAfterMs: null } })
  const account = world.provider.addAccount({ accountType: 'merchant', balancePesewas: openingBalance })
  world.provider.setAccount(account.id, { prices: { [bundleId]: cost } })
  const { id } = world.telegram.addPerson(seller)
  const chat = chatOf(world.telegram, id)
  const { id: contactId } = world.telegram.addPerson(buyer)
  const { id: groupId } = world.telegram.addGroup({ title: 'Family', members: [contactId] })
  await say(chat, `/connect ${account.apiKey} ${account.apiSecret}`, 'Connected')
  const toasts: Day['toasts'] = []
  world.telegram.on((event) => {
    if (event.type === 'answer') toasts.push({ chat: event.chat, text: event.text ?? '' })
  })
  return {
    world,
    toasts,
    reseller: { id, chat, account },
    contact: { id: contactId, chat: chatOf(world.telegram, contactId) },
    groupId,
  }
}

const newest = (chat: TestChat): number => chat.last()?.message_id ?? 0

const say = async (chat: TestChat, text: string, awaited: string | RegExp): Promise<void> => {
  const { message_id: after } = chat.say(text)
  await chat.waitForText(awaited, { after })
}

const press = async (chat: TestChat, label: string, awaited: string | RegExp): Promise<void> => {
  const after = newest(chat)
  chat.press(label)
  await chat.waitForText(awaited, { after })
}

/** The shop sets its prices and name, makes price lists, and saves the customer's number with a name. */
const openShop = async ({ reseller: { chat } }: Day): Promise<void> => {
  await say(chat, '/prices', 'Set prices')
  chat.press('Set prices')
  await chat.waitForText('How much do you want to add')
  await say(chat, '+2 round 0.50', 'Saved')
  await say(chat, '/prices', /Post your price list/)
  await press(chat, 'Text', 'What is your shop called')
  await say(chat, 'Ama Data', /MTN[\s\S]*2GB – GHS 19\.50/)
  await say(chat, '/prices', /Post your price list/)
  const { message_id: after } = chat.last() ?? { message_id: 0 }
  chat.press('Picture')
  await chat.waitForPhoto({ after })
}

/** The customer opens the link of an order, the order is delivered, and the shop makes its receipt. */
const deliver = async (day: Day, phone: string): Promise<void> => {
  const { world, reseller, contact } = day
  const { reference } = await place(world, reseller, phone)
  world.telegram.openLink(contact.id, await shareLink(reseller))
  await contact.chat.waitForText(followsOpen)
  world.provider.setStatus(reference, 'on-its-way')
  await contact.chat.waitForText('● on-its-way')
  world.provider.setStatus(reference, 'delivered')
  await contact.chat.waitForText(/: delivered/)
  const { message_id: after } = (await reseller.chat.waitForText(/: delivered/)) ?? { message_id: 0 }
  await pressOnCard(reseller.chat, 'Receipt')
  await reseller.chat.waitForPhoto({ after })
  await pressOnCard(reseller.chat, 'Save')
  await reseller.chat.waitForText(/name/i, { after: newest(reseller.chat) })
  await say(reseller.chat, savedName, savedName)
}

const ask = async ({ reseller, contact }: Day): Promise<void> => {
  await press(contact.chat, 'Ask the shop', sendQuestion)
  await say(contact.chat, 'Is it with me?', questionSent)
  const { message_id: after } = await reseller.chat.waitForText('A customer asks')
  reseller.chat.press('Answer')
  await reseller.chat.waitForText('Your answer to', { after })
  await say(reseller.chat, 'Restart your phone', answerSent)
  await contact.chat.waitForText(/says:[\s\S]*Restart your phone/)
  await press(contact.chat, 'Ask again', sendQuestion)
  await say(contact.chat, 'Thank you. And how much?', questionSent)
  await reseller.chat.waitForText('And how much')
  reseller.chat.press('Block')
  await reseller.chat.waitForText('You blocked this customer')
}

/** An order that the customer has looked up and follows fails, and is refunded. */
const fail = async (day: Day, phone: string): Promise<void> => {
  const { world, reseller, contact } = day
  const { reference } = await place(world, reseller, phone)
  await say(contact.chat, reference, 'Status: processing')
  await press(contact.chat, 'Ask the shop', 'isn’t taking questions here')
  contact.chat.press('🔔 Follow')
  await contact.chat.waitForText(followsOpen)
  world.provider.setStatus(reference, 'failed')
  await contact.chat.waitForText(/: failed/)
  world.provider.credit(reference, cost)
  world.provider.setStatus(reference, 'refunded')
  await contact.chat.waitForText(/: refunded/)
}

/** A list of two numbers, one of which fails. */
const orderList = async (day: Day, phones: [string, string]): Promise<void> => {
  const { world, reseller, contact } = day
  await say(reseller.chat, phones.map((phone) => `${phone} 2GB`).join('\n'), '2 to order')
  reseller.chat.press('Confirm')
  const { reference } = await world.until(() => ordersFor(world, phones[0])[0], 'the list is placed')
  await world.until(
    () => inDatabase(world, (db) => db.prepare('SELECT id FROM "Order" WHERE reference = ?').get(reference)),
    'the reference of the list is known',
  )
  await say(contact.chat, reference, 'Status: processing')
  contact.chat.press('🔔 Follow')
  await contact.chat.waitForText(followsOpen)
  world.provider.setStatus(reference, 'delivered', { phone: phones[0] })
  world.provider.setStatus(reference, 'failed', { phone: phones[1] })
  world.telegram.press({
    from: contact.id,
    messageId: newest(contact.chat),
    data: contact.chat.button('Refresh')?.data ?? '',
    stale: true,
  })
  await reseller.chat.waitForText(/1 delivered[\s\S]*1 failed/)
  contact.chat.press('Refresh')
  await contact.chat.waitForText(/✅ 1 delivered · ❌ 1 failed/)
}

/**
 * An order whose answer is lost and whose debit appears late, and another one whose price changes before it is sent.
 */
const orderInTrouble = async (day: Day, lost: string, dearer: string): Promise<void> => {
  const { world, reseller, contact } = day
  for (const kind of ['answer_lost', 'callback_never'] as const) world.provider.addFault({ kind })
  world.provider.addFault({ kind: 'debit_late', delayMs: 86_400_000 })
  const card = await order(reseller, lost)
  await cardReads(world, reseller, card, /unconfirmed/)
  await reconcileAfter(world, 11)
  await cardReads(world, reseller, card, /not placed/)
  world.provider.showDebits(reseller.account.id)
  await reconcileAfter(world, 5)
  await reseller.chat.waitForText(/placed(?: after all)?, charged|one charge of GHS \S+ matches this order/)
  await say(contact.chat, ordersFor(world, lost)[0]?.reference ?? '', 'Status: ')
  contact.chat.press('🔔 Follow')

  await askFor(reseller, dearer)
  await world.bot.stop()
  world.provider.setAccount(reseller.account.id, { prices: { [bundleId]: costLater } })
  await world.bot.start()
  reseller.chat.press('Confirm')
  await reseller.chat.waitForText(/The price has gone/)
  reseller.chat.press('Confirm')
  await reseller.chat.waitForText(new RegExp(`${dearer}[\\s\\S]*processing[\\s\\S]*BUD-`))
  await say(contact.chat, ordersFor(world, dearer)[0]?.reference ?? '', 'Status: processing')
  contact.chat.press('🔔 Follow')
}

/** An agent's order is followed, asked about and answered like the owner's own. */
const orderByAgent = async (day: Day, phone: string): Promise<Reseller> => {
  const { world, reseller, contact } = day
  await say(reseller.chat, '/agents', 'Agents')
  await press(reseller.chat, 'Invite', invitationTitle)
  const url = /https:\/\/t\.me\/\S+start=a[\w-]+/.exec(reseller.chat.last()?.text ?? '')?.[0] ?? ''
  const { id } = world.telegram.addPerson(helper)
  const agent = { id, chat: chatOf(world.telegram, id), account: reseller.account }
  await joinBy(world, agent, url)
  await agent.chat.waitForText(orderNowPhrase)
  const { reference } = await place(world, agent, phone)
  world.telegram.openLink(contact.id, await shareLink(agent))
  await contact.chat.waitForText(new RegExp(`${reference}[\\s\\S]*I’ll tell you here`))
  await say(reseller.chat, '/start', 'Bundlegram')
  const { id: unblocking } = reseller.chat.press('Unblock')
  await world.telegram.waitFor(() => world.telegram.answers(unblocking))
  await press(contact.chat, 'Ask the shop', sendQuestion)
  await say(contact.chat, 'Who are you?', questionSent)
  await agent.chat.waitForText('Who are you')
  await press(agent.chat, 'Answer', 'Your answer to')
  await say(agent.chat, 'Your shop', answerSent)
  await contact.chat.waitForText(/says:[\s\S]*Your shop/)
  return agent
}

/** The customer gets the messages that they missed while they blocked the bot, and sends the bot's commands. */
const comeBack = async ({ world, reseller, contact, groupId }: Day, phone: string): Promise<void> => {
  const reference = ordersFor(world, phone)[0]?.reference ?? ''
  world.telegram.block(contact.id, true)
  for (const status of ['failed', 'refunded']) {
    world.provider.setStatus(reference, status)
    await reseller.chat.waitForText(new RegExp(`MTN 2GB for ${phone}: ${status}`))
  }
  await world.until(
    () =>
      inDatabase(world, (db) =>
        db.prepare('SELECT id FROM Chat WHERE id = ? AND mutedAt IS NOT NULL').get(contact.id),
      ),
    'the chat is found to be blocked',
  )
  world.telegram.block(contact.id, false)
  await say(contact.chat, '/start', 'The orders you follow:')
  await say(contact.chat, '/orders', 'Orders you follow')
  for (const command of [
    '/help',
    '/balance',
    '/transactions',
    '/prices',
    '/customers',
    '/stats',
    '/settings',
  ]) {
    const { message_id: after } = contact.chat.say(command)
    await contact.chat.waitForText(/./, { after })
  }
  world.telegram.say({ from: contact.id, chat: groupId, text: `/status ${reference}` })
  await world.telegram.waitFor(() =>
    world.telegram.messages(groupId).some(({ text }) => text?.includes('Status:')),
  )
}

/** The customer presses every button that the shop was shown. */
const pressAll = async ({ world, reseller, contact }: Day): Promise<void> => {
  const sent = JSON.stringify(world.telegram.calls().filter(({ payload }) => isTo(payload, reseller.id)))
  const stolen = new Set([...sent.matchAll(/callback_data\\*":\\*"([^"\\]+)/g)].map(([, data]) => data ?? ''))
  expect(stolen.size).toBeGreaterThan(40)
  for (const data of stolen) {
    const messageId = newest(contact.chat)
    const { id } = world.telegram.press({ from: contact.id, messageId, data, stale: true })
    await world.telegram.waitFor(() => world.telegram.answers(id))
  }
}

/** The shop leaves with an order open, and its followers are told. */
const closeShop = async ({ world, reseller, contact }: Day, phone: string): Promise<void> => {
  const { reference } = await place(world, reseller, phone)
  await say(contact.chat, reference, 'Status: processing')
  contact.chat.press('🔔 Follow')
  await contact.chat.waitForText(new RegExp(`${reference}[\\s\\S]*I’ll tell you here`))
  await say(reseller.chat, '/disconnect', 'Remove your account')
  reseller.chat.press('Now')
  await reseller.chat.waitForText('Disconnected')
  await contact.chat.waitForText('I’m no longer following')
  await say(contact.chat, reference, 'I’m no longer following this order')
}

const isTo = (payload: Record<string, unknown>, chatId: number): boolean => Number(payload.chat_id) === chatId

/** Everything that was sent to the chats: texts, captions, labels and data of buttons, and toasts. */
const everSent = ({ world, toasts }: Day, chatIds: number[]): string[] => [
  ...world.telegram
    .calls()
    .filter(({ payload }) => chatIds.some((id) => isTo(payload, id)))
    .flatMap(({ payload }) =>
      [payload.text, payload.caption, payload.reply_markup, payload.media].map(wordsOf),
    ),
  ...toasts.filter(({ chat }) => chatIds.includes(chat)).map(({ text }) => text),
]

const wordsOf = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

/** The words in a picture. */
const lettersOf = (svg: string): string[] => [...svg.matchAll(/>([^<]+)</g)].map(([, text]) => text ?? '')

interface ForContacts {
  words: string[]
  /** The numbers of the receipts' customers. */
  phones: string[]
}

/** The words of everything that the shop made for customers, made again from the database like the bot does. */
const madeForContacts = async ({ world, reseller }: Day): Promise<ForContacts> => {
  const database = await openDatabase(`file:${world.databasePath}`)
  try {
    const store = createStore(database)
    const ids = inDatabase(world, (db) => db.prepare('SELECT id, accountId FROM "Order"').all())
    const accountId = String(ids[0]?.accountId)
    const shop = await store.shops.of(accountId)
    const bundles = world.provider
      .bundles(reseller.account.id)
      .map(({ network, pricePesewas, ...bundle }) => ({ ...bundle, network, pricePesewas }))
    const list = priceListOf(shop, bundles as Parameters<typeof priceListOf>[1], {
      network: null,
      hidden: new Set(),
    })
    const orders = await store.orders.byIds(ids.map(({ id }) => String(id)))
    const receipts = orders.flatMap((each) =>
      ['all' as const, ...each.recipients.map(({ position }) => position)].flatMap(
        (position) => receiptOf(each, shop, position) ?? [],
      ),
    )
    const now = new Date()
    return {
      words: [
        sellingTexts.priceListCaption(list, now, 'post'),
        ...sellingTexts.priceListTexts(list, now),
        ...priceListPictures(sellingTexts.priceListPicture(list, now, 'https://t.me/shop_bot')).flatMap(
          lettersOf,
        ),
        ...receipts.flatMap((receipt) => [
          receiptTexts.receipt(receipt),
          ...lettersOf(receiptPicture(receiptTexts.receiptPicture(receipt))),
        ]),
      ].map(readOut),
      phones: receipts.flatMap(({ whom }) => ('phone' in whom ? whom.phone : [])),
    }
  } finally {
    await database.close()
  }
}

/** The ways in which somebody might write an amount. */
const written = (pesewas: number): string[] => {
  const [whole, rest] = [Math.floor(pesewas / 100), String(pesewas % 100).padStart(2, '0')]
  return [`${whole}.${rest}`, `${whole},${rest}`, String(pesewas)]
}

/** Times that Telegram formats contain seconds since 1970, which may contain the digits of any amount. */
const unixTimes = /(?<=unix=\\?")\d+/g

const findings = (words: string[], secrets: string[]): string[] =>
  words.flatMap((text) => {
    const said = text.replaceAll(unixTimes, '').toLowerCase()
    const found = secrets.filter((secret) => said.includes(secret.toLowerCase()))
    return found.length > 0 ? [`${found.join(', ')} in: ${text}`] : []
  })

/** The number in the bot's examples of how to order. */
const examplePhone = '0241234567'
const wholePhones = (words: string[]): string[] =>
  words.flatMap((text) => [...text.matchAll(/(?<!\d)(?:0|\+?233)\d{9}(?!\d)/g)].map(([phone]) => phone))

test('after a shop’s day a customer knows none of its secrets, and the shop does not know who the customer is', async ({
  onTestFinished,
}) => {
  const day = await newDay()
  const { world, reseller, contact, groupId } = day
  onTestFinished(() => world.close())
  const [first, failed, one, other, lost, dearer] = [
    newPhone(),
    newPhone(),
    newPhone(),
    newPhone(),
    newPhone(),
    newPhone(),
  ]

  await openShop(day)
  await deliver(day, first)
  await ask(day)
  await fail(day, failed)
  await orderList(day, [one, other])
  await orderInTrouble(day, lost, dearer)
  const agent = await orderByAgent(day, newPhone())
  await comeBack(day, dearer)
  await pressAll(day)
  await closeShop(day, newPhone())
  await world.bot.stop()

  const made = await madeForContacts(day)
  const told = everSent(day, [contact.id, groupId])
  // Proves that the texts and pictures that are checked below include a daily summary, a receipt and so on.
  for (const words of ['✓ delivered', 'refunded', 'Restart your phone', 'While I couldn’t write', '1 failed'])
    expect(told.join('\n')).toContain(words)
  for (const words of ['GHS 19.50', 'GHS 21.00', 'Ama Data', first])
    expect(made.words.join('\n')).toContain(words)

  const balances = world.provider
    .transactions(reseller.account.id)
    .map(({ balanceAfterPesewas }) => balanceAfterPesewas)
  const { accountId } = inDatabase(world, (db) => db.prepare('SELECT accountId FROM "Order"').get()) ?? {}
  const profits = [19_50 - cost, 2 * (19_50 - cost), 21_00 - costLater]
  const secrets = [
    ...[cost, 2 * cost, costLater, openingBalance, ...balances, ...profits].flatMap(written),
    reseller.account.accountType,
    reseller.account.apiKey,
    reseller.account.apiSecret,
    ...Object.values(seller),
    ...Object.values(helper),
    ...[reseller.id, agent.id, accountId].map(String),
    savedName,
  ]
  expect(findings([...told, ...made.words], secrets)).toEqual([])
  expect(wholePhones(told).filter((phone) => phone !== examplePhone)).toEqual([])
  expect(wholePhones(made.words).filter((phone) => !made.phones.includes(phone as never))).toEqual([])

  const known = everSent(day, [reseller.id, agent.id])
  expect(known.join('\n')).toContain('Is it with me?')
  const strangers = [...Object.values(buyer), String(contact.id), String(groupId)]
  expect(findings(known, strangers)).toEqual([])
}, 240_000)
