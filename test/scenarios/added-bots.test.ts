import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { chatOf } from '../../src/sandbox/telegram/index.ts'
import { asksToConfirm } from '../../src/telegram/texts/draft.ts'
import { newFolder } from '../support/folder.ts'
import { createWorld, type Reseller, type World } from '../support/world.ts'
import {
  addBot,
  answers,
  botScreen,
  hasDatabase,
  operatorId,
  operatorOf,
  personIn,
  resellerIn,
  worldOf,
} from './fleet.ts'
import { eventsKept, type Operator } from './operator.ts'
import { cardReads, dataOf, debitsOf, newPhone, order, ordersFor, place, shareLink, toastOf } from './shop.ts'

/** Bots that operators add work side by side in one process, and nothing of one is known to another. */

let main: World
let operator: Operator
let first: World
let second: World

beforeAll(async () => {
  main = await createWorld({ env: { OWNER_IDS: String(operatorId) } })
  operator = operatorOf(main)
  first = await addBot(main, operator)
  second = await addBot(main, operator)
})
afterAll(() => main?.close())

const pairs = (): [World, World][] => {
  const all = [main, first, second]
  return all.flatMap((one) =>
    all.filter((other) => other !== one).map((other): [World, World] => [one, other]),
  )
}

/** A reseller of that bot with an order that was placed. */
const trading = async (world: World) => {
  const reseller = await world.newReseller()
  const placed = await place(world, reseller, newPhone())
  return { reseller, placed }
}

test('an operator adds a bot by its token: the message is deleted, and the bot answers people', async () => {
  const bot = main.telegram.addBot({ username: 'kofi_data_bot' })
  await operator.go(['Bots', 'Add a bot'], 'send me its token')
  const typed = operator.chat.say(bot.token)
  const { text = '' } = await operator.chat.waitForText('was added', { after: typed.message_id })
  expect(text).toContain('https://t.me/kofi_data_bot')
  expect(main.telegram.deleted(operatorId).map(({ messageId }) => messageId)).toContain(typed.message_id)
  expect(main.bot.output()).not.toContain(bot.token)
  expect(eventsKept(main)).toContain('bot_added')
})

test('a bot that is forwarded from BotFather is added too, and refusals say what to do', async () => {
  const bot = main.telegram.addBot()
  const ask = () => operator.go(['Bots', 'Add a bot'], 'send me its token')
  const reply = async (text: string, awaited: string, forwarded = false) => {
    const { message_id: after } = main.telegram.say({ from: operatorId, text, forwarded })
    return operator.chat.waitForText(awaited, { after })
  }
  await ask()
  await reply('no token', 'I see no token')
  await reply(`Use this token to access the HTTP API:\n${bot.token}\nKeep it secure.`, 'was added', true)
  await ask()
  await reply(bot.token, 'was added before')
  await ask()
  await reply(main.telegram.token, 'my own token')
  await ask()
  await reply('7000000999:AAHnobody-knows-this-token-at-all_x', 'doesn’t know that token')
})

test('each bot orders, is called back and tells its own people', async () => {
  for (const world of [main, first, second]) {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const card = await order(reseller, phone)
    await cardReads(world, reseller, card, /processing/)
    const [placed] = ordersFor(world, phone)
    const path = new URL(placed?.webhookUrl ?? '').pathname
    expect(path.startsWith(`/webhooks/${world.telegram.state().bot.id}.`)).toBe(world !== main)
    main.provider.setStatus(placed?.reference ?? '', 'delivered')
    await cardReads(world, reseller, card, /delivered/)
    expect(debitsOf(world, reseller)).toHaveLength(1)
  }
})

test('over all pairs: no link, button, callback or reference of one bot works in another', async () => {
  const traders = new Map<World, Awaited<ReturnType<typeof trading>>>()
  for (const world of [main, first, second]) traders.set(world, await trading(world))
  for (const [one, other] of pairs()) {
    const [from, to] = [traders.get(one), traders.get(other)]
    if (!from || !to) throw new Error('Everybody trades.')

    // A shared order, opened in the other bot.
    const payload = new URL(await shareLink(from.reseller)).searchParams.get('start')
    const stranger = other.newPerson()
    const opened = stranger.chat.say(`/start ${payload}`)
    const answer = await stranger.chat.waitForText(/./, { after: opened.message_id })
    expect(answer.text).not.toContain(from.placed.reference)

    // Its reference, asked for by a stranger there and by a member there.
    for (const { chat } of [stranger, to.reseller]) {
      const { message_id: after } = chat.say(from.placed.reference)
      const { text } = await chat.waitForText(/./, { after })
      expect(text).not.toMatch(/processing/)
    }

    // The button that confirms a draft.
    const phone = newPhone()
    const card = await draftOf(from.reseller, phone)
    const there = await draftOf(to.reseller, newPhone())
    const press = other.telegram.press({
      ...{ from: to.reseller.id, messageId: there.message_id, stale: true },
      data: dataOf(card, 'Confirm'),
    })
    await toastOf(other, press)
    expect(ordersFor(main, phone)).toEqual([])

    // The address of a callback, with the id of the other bot and without any.
    const path = new URL(from.placed.webhookUrl ?? '').pathname
    const signed = path.replace(/^\/webhooks\/(\d+\.)?/, '')
    for (const id of [other.telegram.state().bot.id, ...(one === main ? [] : [null])]) {
      const token = id === null || other === main ? signed : `${id}.${signed}`
      expect(await callBack(`/webhooks/${token}`, from.placed.reference)).toBe(404)
    }
  }
})

test('over all pairs: an invitation of one bot invites to no other', async () => {
  for (const [one, other] of pairs()) {
    const owner = await one.newReseller()
    owner.chat.say('/agents')
    await owner.chat.waitForButton('Invite')
    owner.chat.press('Invite')
    const { text = '' } = await owner.chat.waitForText('start=a')
    const payload = /start=(a[\w-]+)/.exec(text)?.[1]
    const stranger = other.newPerson()
    const { message_id: after } = stranger.chat.say(`/start ${payload}`)
    const answer = await stranger.chat.waitForText(/./, { after })
    expect(answer.text).not.toContain('Join as an agent?')
  }
})

let people = 800_000_000
/** An id that nobody has in any bot. */
const newId = (): number => {
  people += 1_000
  return people
}

/** One person with an account in each of these two bots. */
const inBoth = async (one: World, other: World) => {
  const id = newId()
  return { here: await resellerIn(one, id), there: await resellerIn(other, id) }
}

const says = ({ chat }: Pick<Reseller, 'chat'>, text: string, awaited: string | RegExp = /./) => {
  const { message_id: after } = chat.say(text)
  return chat.waitForText(awaited, { after })
}

const presses = async ({ chat }: Pick<Reseller, 'chat'>, label: string, awaited: string | RegExp) => {
  await chat.waitForButton(label)
  chat.press(label)
  return chat.waitForText(awaited)
}

test('over all pairs: what one bot asked is not answered in another', async () => {
  for (const [one, other] of pairs()) {
    const { here, there } = await inBoth(one, other)
    await says(here, '/settings', 'Your settings')
    await presses(here, 'Shop name', 'Send the name')
    const { text = '' } = await says(there, 'Isolated Data')
    expect(text).not.toContain('Saved')
    await says(here, 'Isolated Data', 'Shop name: Isolated Data')
    await says(there, '/settings', 'Shop name: None')
  }
})

test('over all pairs: the secret that one bot waits for connects nobody in another', async () => {
  for (const [one, other] of pairs()) {
    const id = newId()
    const [here, there] = [personIn(one, id), personIn(other, id)]
    const { apiKey, apiSecret } = main.provider.addAccount({ accountType: 'agent', balancePesewas: 50_000 })
    for (const person of [here, there]) await says(person, '/connect', 'API key')
    await says(here, apiKey, 'Got the API key')
    await says(there, apiSecret)
    await says(there, '/balance', '/connect')
    await says(here, apiSecret, 'Connected')
    await says(there, '/balance', '/connect')
  }
})

test('over all pairs: a list file and an export of one bot are nothing in another', async () => {
  for (const [one, other] of pairs()) {
    const { here, there } = await inBoth(one, other)
    const [phone, listed, theirs] = [newPhone(), newPhone(), newPhone()]
    await place(one, here, phone)
    await place(other, there, theirs)
    const before = other.telegram.calls('getFile').length
    const { message_id: sent } = here.chat.sendFile('list.csv', `${listed},2GB\n`)
    await here.chat.waitForText('Nothing is charged before you confirm', { after: sent })
    expect(other.telegram.calls('getFile')).toHaveLength(before)

    expect(there.chat.last()?.text).toContain(theirs)
    const files = { here: await exported(here), there: await exported(there) }
    expect(files.here).toContain(phone)
    expect(files.here).not.toContain(theirs)
    expect(files.there).toContain(theirs)
    expect(files.there).not.toContain(phone)
  }
})

/** The export of all orders, as CSV. */
const exported = async (person: Reseller): Promise<string> => {
  const { message_id: after } = await says(person, '/export', 'file for your books')
  await presses(person, 'Orders', 'Which days?')
  await presses(person, 'Everything', 'Which kind of file?')
  await presses(person, 'CSV', /Export of/)
  const { bytes } = await person.chat.waitForFile({ after })
  return bytes.toString()
}

test('over all pairs: saved names and settings of one bot are unknown to another, and deleting leaves the other', async () => {
  for (const [one, other] of pairs()) {
    const { here, there } = await inBoth(one, other)
    const phone = newPhone()
    const { message_id: after } = here.chat.sendContact('Isolde', phone)
    await here.chat.waitForText('Saved:', { after })
    await says(there, '/customers', 'No numbers saved yet')
    const { text = '' } = await says(there, 'Isolde 2gb')
    expect(text).not.toContain(phone)
    await says(here, '/settings', 'Your settings')
    await presses(here, 'Quick repeat', 'Quick repeat')
    await presses(here, 'GHS 20', /Quick repeat: .*20/)
    await says(there, '/settings', 'Quick repeat: Off')

    await says(there, '/settings', 'Your settings')
    await presses(there, 'My data', 'My data')
    await presses(there, 'Delete my data', 'Delete your data?')
    await presses(there, 'Confirm', 'Deleted')
    await says(there, '/balance', '/connect')
    await says(here, '/balance', 'GHS')
    await says(here, '/customers', /1 saved/)
    await says(here, '/settings', /Quick repeat: .*20/)
  }
})

test('a person with one id is somebody else in each bot', async () => {
  const { id } = await first.newReseller()
  second.telegram.addPerson({ id })
  const { chat } = { chat: chatOf(second.telegram, id) }
  chat.say('/balance')
  await chat.waitForText('/connect')
})

test('an owner is an operator of their bot alone, and the deployment’s operators are operators of all', async () => {
  const owner = main.newPerson()
  first.telegram.addPerson({ id: owner.id })
  second.telegram.addPerson({ id: owner.id })
  await botScreen(operator, first, 'no owner of its own')
  await operator.press('Add an owner', 'Who owns the shop?')
  operator.chat.say(String(owner.id))
  await operator.chat.waitForText(`Owners: ${owner.id}`)

  await operatorOf(first, owner.id).open()
  await operatorOf(first).open()
  expect(chatOf(first.telegram, operatorId).button('Bots')).toBeUndefined()
  const elsewhere = chatOf(second.telegram, owner.id)
  const { message_id: after } = elsewhere.say('/admin')
  expect((await elsewhere.waitForText(/./, { after })).text).not.toContain('Operators')

  await botScreen(operator, first, `Owners: ${owner.id}`)
  await operator.press(`Owner ${owner.id}`, 'no owner of its own')
})

test('a revoked token stops that bot and no other, operators are told, and a new token starts it', async () => {
  const bot = await addBot(main, operator)
  expect(await answers(bot)).toBe(true)
  const { username } = bot.telegram.state().bot
  const { message_id: after } = operator.chat.say('/help')
  bot.telegram.revoke()
  const told = await operator.chat.waitForText(`refuses the token of @${username}`, { after })
  await botScreen(operator, bot, 'Needs a new token')
  for (const world of [main, first, second]) expect(await answers(world)).toBe(true)

  await operator.press('New token', 'Send me the new token')
  const typed = operator.chat.say(bot.telegram.renew())
  await operator.chat.waitForText('has its new token', { after: typed.message_id })
  expect(await answers(bot)).toBe(true)
  await main.until(
    () =>
      main.telegram
        .messages(operatorId)
        .find(({ message_id }) => message_id === told.message_id)
        ?.text?.includes('that bot runs again'),
    'the alarm is over',
  )
})

test('a stopped bot rests until it is started; a removed one leaves its database, and goes on with it', async () => {
  const bot = await addBot(main, operator)
  const { reseller, placed } = await trading(bot)
  const path = new URL(placed.webhookUrl ?? '').pathname
  await botScreen(operator, bot)
  await operator.press('Stop', 'Stopped')
  await main.until(
    async () => (await callBack(path, placed.reference)) === 503,
    'callbacks are to come again',
  )
  await operator.press('Start', /Runs|Starts/)
  expect(await answers(bot)).toBe(true)
  expect(await callBack(path, placed.reference)).toBe(200)

  await botScreen(operator, bot)
  await operator.press('Remove', 'Remove this bot?')
  await operator.press('Confirm: remove', 'Its database is kept')
  expect(hasDatabase(bot)).toBe(true)
  expect(await callBack(path, placed.reference)).toBe(404)

  await addBot(main, operator, bot.telegram)
  const { message_id: after } = reseller.chat.say('/balance')
  await reseller.chat.waitForText('GHS', { after })
})

test('a bot that was stopped and then removed is called back no more', async () => {
  const bot = await addBot(main, operator)
  const { placed } = await trading(bot)
  const path = new URL(placed.webhookUrl ?? '').pathname
  await botScreen(operator, bot)
  await operator.press('Stop', 'Stopped')
  await operator.press('Remove', 'Remove this bot?')
  await operator.press('Confirm: remove', 'Its database is kept')
  expect(await callBack(path, placed.reference)).toBe(404)
})

test('added bots start with the process, and each goes on where it was', async () => {
  const { reseller, placed } = await trading(first)
  const path = new URL(placed.webhookUrl ?? '').pathname
  await main.bot.restart()
  await main.until(async () => (await callBack(path, placed.reference)) === 200, 'the callback to be taken')
  await main.until(() => answers(first), 'the added bot answers again')
  const { message_id: after } = reseller.chat.say('/orders')
  await reseller.chat.waitForText(/delivered/, { after })
})

const draftOf = async ({ chat }: Reseller, phone: string) => {
  const { message_id: after } = chat.say(`${phone} 2GB`)
  return chat.waitForText(asksToConfirm, { after })
}

const callBack = async (path: string, reference: string): Promise<number> => {
  const body = JSON.stringify({ reference, status: 'delivered' })
  return (await fetch(`${main.botUrl}${path}`, { method: 'POST', body })).status
}

test('bots of a file are added with their owners, keep what operators changed, and get new tokens', async () => {
  const bot = main.telegram.addBot()
  const owner = bot.addPerson().id
  const file = join(await newFolder(), 'listed-bots')
  const startWith = async (token: string) => {
    writeFileSync(file, `# a shop\n${token},${owner}\n`)
    await main.bot.stop()
    await main.bot.start({ BOTS_FILE: file })
  }
  await startWith(bot.token)
  const listed = worldOf(main, bot)
  expect(await answers(listed)).toBe(true)
  await operatorOf(listed, owner).open()

  await botScreen(operator, listed)
  await operator.press('Stop', 'Stopped')
  await startWith(bot.token)
  await botScreen(operator, listed, 'Stopped')

  await startWith(bot.renew())
  expect(await answers(listed)).toBe(true)
  expect(main.bot.output()).not.toContain(bot.token)
})

test('in webhook mode each update goes to its bot, by the secret that it carries', async () => {
  const world = await createWorld({ env: { OWNER_IDS: String(operatorId), TELEGRAM_UPDATES: 'webhook' } })
  onTestFinished(() => world.close())
  const [one, other] = [await addBot(world, operatorOf(world)), await addBot(world, operatorOf(world))]
  for (const each of [one, other, world]) expect(await answers(each)).toBe(true)
  expect(one.telegram.calls('getUpdates')).toEqual([])
})
