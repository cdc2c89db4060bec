import type { Message } from 'grammy/types'
import { readSheet } from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { alreadyEnded, asksToConfirm, cardNotYours } from '../../../src/telegram/cards/words/draft.ts'
import { listChanged, listRepeated } from '../../../src/telegram/cards/words/list.ts'
import { sendNumber } from '../../../src/telegram/features/buying/words.ts'
import { helpTitle } from '../../../src/telegram/features/home/help-words.ts'
import { notYours } from '../../../src/telegram/words/unusable.ts'
import { inWorldOfItsOwn } from '../../support/own-world.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import { addMember } from '../accounts/members.ts'
import { changeDatabase, debitsOf, inDatabase, newPhone, ordersFor, place, toastOf } from '../shop.ts'
import { pressOn } from './list-shop.ts'

let world: World
const worlds = {
  get: () => world,
  set: (other: World) => {
    world = other
  },
}

beforeAll(async () => {
  world = await createWorld()
})

afterAll(() => world.close())

const phones = (count: number, prefix?: string): string[] =>
  Array.from({ length: count }, () => newPhone(prefix))

const isPreview = /Nothing is charged before you confirm|Nothing can be ordered yet/

/** Sends the words. @returns the preview that follows. */
const previewOf = ({ chat }: Reseller, text: string): Promise<Message> => {
  const { message_id: after } = chat.say(text)
  return chat.waitForText(isPreview, { after })
}

/** Sends the words in reply to that message. */
const reply = ({ id, chat }: Reseller, { message_id: replyTo }: Message, text: string): Promise<Message> => {
  const { message_id: after } = world.telegram.say({ from: id, text, replyTo })
  return chat.waitForText(isPreview, { after })
}

/** The card as soon as it has this text, even if it was sent again in a new message. */
const cardReads = ({ chat }: Reseller, text: RegExp | string): Promise<Message> => chat.waitForText(text)

const labelsOf = (message: Message): string[] =>
  message.reply_markup?.inline_keyboard.flat().map(({ text }) => text) ?? []

/** The numbers in the orders that the provider has. A number that was ordered twice is listed twice. */
const served = ({ account }: Reseller): string[] =>
  world.provider
    .orders()
    .filter(({ accountId }) => accountId === account.id)
    .flatMap(({ volume, phones: all }) => all.map(({ phone }) => `${phone} ${volume}`))
    .toSorted()

const confirmed = async (reseller: Reseller, count: number): Promise<void> => {
  reseller.chat.press('✅ Confirm')
  await world.until(() => served(reseller).length === count, `${count} numbers are ordered`)
}

describe('a pasted list', () => {
  test('is shown with every line, and ordered once, however often Confirm is pressed', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    const [first, second, third, fourth] = [newPhone(), newPhone(), newPhone('020'), newPhone('026')]
    const { message_id: after } = chat.say(
      `Good morning boss\n${first} 2\n${second} - 2gb\n${third} 10gig\n024123456 5\n${fourth} 3`,
    )
    const card = await chat.waitForText(isPreview, { after })
    expect(card.text).toContain('6 lines: 3 to order · 2 to fix · 1 ignored')
    expect(card.text).toContain('MTN 2GB × 2 = GHS 19.20')
    expect(card.text).toContain('Telecel 10GB × 1 = GHS 40.95')
    expect(card.text).toContain('3 numbers · GHS 60.15')
    expect(card.text).toContain('Balance: GHS 500.00 → GHS 439.85')
    expect(card.text).toMatch(/5\. 024123456 5\s+↳ 1 digit is missing/)
    expect(card.text).toMatch(/6\. 026\d+ 3\s+↳ 3GB isn’t sold/)
    expect(labelsOf(card)).toContain('✅ Confirm 3 · GHS 60.15')

    world.telegram.redeliver({ asNew: true })
    chat.press('Confirm')
    chat.press('Confirm')
    chat.press('Confirm')
    await world.until(() => served(reseller).length === 3, 'the list is ordered')
    expect(served(reseller)).toEqual([`${first} 2GB`, `${second} 2GB`, `${third} 10GB`].toSorted())
    expect(debitsOf(world, reseller).map(({ amountPesewas }) => amountPesewas)).toEqual([1920, 4095])
    await chat.waitForText('From your list')
    const cards = chat.texts().filter((text) => text.includes('📋'))
    expect(cards.filter((text) => !text.includes('From your list'))).toHaveLength(1)
    expect(cards).toHaveLength(2)
  })

  test('may be forwarded, follow /buy or /bulk, or answer the question for a number', async () => {
    const reseller = await world.newReseller()
    const { chat, id } = reseller
    const [first, second] = [newPhone(), newPhone()]
    const lines = `${first} 2\n${second} 2`
    const { message_id: after } = world.telegram.say({ from: id, text: lines, forwarded: true })
    await chat.waitForText(isPreview, { after })
    await previewOf(reseller, `/buy ${lines}`)
    await previewOf(reseller, `/bulk ${lines}`)
    await previewOf(reseller, `${first} 2, ${second} 1`)
    chat.say('/buy')
    await chat.waitForButton('MTN')
    chat.press('MTN')
    await chat.waitForButton('3GB')
    chat.press('3GB')
    await chat.waitForText(sendNumber)
    const card = await previewOf(reseller, `${first}\n${second}`)
    expect(card.text).toContain('MTN 3GB × 2 = GHS 28.40')
    expect(served(reseller)).toEqual([])
  })

  test('is not recognized in small talk, in a single order, from a stranger or in a group', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    const { message_id: after } = chat.say('good morning\nhow is business today?')
    await chat.waitForText('I don’t understand that.', { after })
    const { message_id: single } = chat.say(`${newPhone()}\n2gb\nmtn`)
    await chat.waitForText(asksToConfirm, { after: single })
    const stranger = world.newPerson()
    stranger.chat.say(`${newPhone()} 2\n${newPhone()} 5`)
    await stranger.chat.waitForText('/connect')
    const group = world.telegram.addGroup({ title: 'Data', members: [reseller.id] })
    world.telegram.say({ from: reseller.id, chat: group.id, text: '/bulk' })
    await world.telegram.waitFor(
      () =>
        world.telegram.messages(group.id).find(({ text }) => text?.includes('In groups, I only respond to')),
      { message: 'Waiting for the answer in the group' },
    )
  })

  test('is not read while the bot waits for a credential', async () => {
    const { chat, id } = world.newPerson()
    chat.say('/connect')
    await chat.waitForText('API key')
    const [first, second] = [newPhone(), newPhone()]
    chat.say(`${first} 2\n${second} 2`)
    await chat.waitForText('doesn’t look like an API key')
    expect(inDatabase(world, (db) => db.prepare('SELECT * FROM Purchase WHERE userId = ?').all(id))).toEqual(
      [],
    )
  })

  test('is refused with the reason while the account is being removed', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    await place(world, reseller, newPhone())
    chat.say('/disconnect')
    await chat.waitForButton('When orders are done')
    chat.press('When orders are done')
    await chat.waitForText('Your account is being removed')
    const { message_id: after } = chat.say(`${newPhone()} 2\n${newPhone()} 2`)
    await chat.waitForText(/You’re removing this account|This account is being removed/, { after })
    chat.sendFile('list.csv', `${newPhone()},2\n${newPhone()},2\n`)
    const { message_id: last } = chat.say('/bulk')
    await chat.waitForText(/You’re removing this account|This account is being removed/, { after: last })
    expect(chat.texts().join()).not.toMatch(isPreview)
  })
})

describe('/bulk', () => {
  test('asks for a network and a bundle, and then for numbers alone', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    const numbers = phones(3)
    chat.say('/bulk')
    await chat.waitForText('which network?')
    chat.press('MTN')
    await chat.waitForText('Which bundle for everyone?')
    chat.press('2GB · GHS 9.60')
    await chat.waitForText(/MTN 2GB · GHS 9\.60 each[\s\S]*send the numbers/)
    const { message_id: after } = chat.say('one moment')
    await chat.waitForText('I don’t see a number in that', { after })
    const card = await previewOf(reseller, numbers.join('\n'))
    expect(card.text).toContain('For all: MTN 2GB')
    await confirmed(reseller, 3)
    expect(served(reseller)).toEqual(numbers.map((phone) => `${phone} 2GB`).toSorted())
  })

  test('asks about numbers of another network and other sizes, one question at a time', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    chat.say('/bulk')
    await chat.waitForText('which network?')
    chat.press('MTN')
    await chat.waitForText('Which bundle for everyone?')
    chat.press('2GB · GHS 9.60')
    await chat.waitForText('send the numbers')
    const [own, other, sized] = [newPhone(), newPhone('020'), newPhone()]
    const card = await previewOf(reseller, `${own}\n${other}\n${sized} 3gb`)
    expect(card.text).toContain('3 lines: 1 to order · 2 waiting for your answer')
    expect(card.text).toContain(`Question 1 of 2: 2. ${other}: you chose MTN, but it looks like Telecel.`)
    chat.press('Switch to Telecel')
    await cardReads(reseller, `3. ${sized}: you chose 2GB, but the list says 3GB.`)
    chat.press('As written')
    await cardReads(reseller, '3 lines: 3 to order')
    await confirmed(reseller, 3)
    expect(served(reseller)).toEqual([`${own} 2GB`, `${other} 2GB`, `${sized} 3GB`].toSorted())
  })
})

describe('a list', () => {
  test('asks once for one size for all its numbers, by a button or a word, and the answer can be undone', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    const numbers = [...phones(2), newPhone('020')]
    const card = await previewOf(reseller, numbers.join('\n'))
    expect(card.text).toContain(
      `3 numbers have no size. One size for all 3?\n${numbers.map((phone, index) => `${index + 1}. ${phone}`).join('; ')}`,
    )
    expect(labelsOf(card).some((label) => label.includes('Confirm'))).toBe(false)
    expect(card.text).toContain('Another size? Send it.')
    chat.press('10GB')
    await cardReads(reseller, /Your answers: 10GB[\s\S]*/)
    await chat.waitForButton('✅ Confirm 3')
    chat.press('Undo')
    await cardReads(reseller, '3 numbers have no size')
    const answered = await reply(reseller, card, '2gb')
    expect(answered.text).toContain('3 numbers · GHS 28.35')
    expect(world.telegram.messages(reseller.id)).not.toContainEqual(
      expect.objectContaining({ message_id: card.message_id }),
    )
    await confirmed(reseller, 3)
  })

  test.each([
    ['Keep one', 1],
    ['Keep all', 2],
  ])(
    'with the same number and bundle twice leads to a question with the answer “%s”',
    async (label, count) => {
      const reseller = await world.newReseller()
      const phone = newPhone()
      const other = newPhone()
      const card = await previewOf(reseller, `${phone} 2\n${other} 2\n+233${phone.slice(1)} 2GB`)
      expect(card.text).toContain(
        `1, 3. ${phone}: listed more than once with the same bundle. Keep one, or all?`,
      )
      expect(card.text).toContain('2 numbers · GHS 19.20')
      reseller.chat.press(label)
      await reseller.chat.waitForButton(`✅ Confirm ${count + 1} ·`)
    },
  )

  test('skips a number that was ordered minutes ago, says so, and can add it again', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    const [again, fresh] = [newPhone(), newPhone()]
    const { reference } = await place(world, reseller, again)
    const card = await previewOf(reseller, `${again} 2\n${fresh} 2`)
    expect(card.text).toMatch(
      /1 number already has this order \(from the last 10 minutes, or still open\): skipped/,
    )
    expect(card.text).toContain(reference)
    expect(labelsOf(card).slice(0, 2)).toEqual(['✅ Confirm 1 · GHS 9.60', `Add ${again} again · GHS 9.60`])
    chat.press(`Add ${again} again`)
    await cardReads(reseller, /ordering again\.[\s\S]*/)
    await chat.waitForButton('⚠️ Confirm 2, 1 of them again · GHS 19.20')
    chat.press(`Skip ${again}`)
    await chat.waitForButton('✅ Confirm 1 · GHS 9.60')
    await confirmed(reseller, 2)
    expect(ordersFor(world, again)).toHaveLength(1)
  })

  test('that is pasted twice is ordered once, and the other card says so', async () => {
    const reseller = await world.newReseller()
    const { chat, id } = reseller
    const [first, second] = [newPhone(), newPhone()]
    const one = await previewOf(reseller, `${first} 2\n${second} 2`)
    const two = await previewOf(reseller, `${first} 2\n${second} 2`)
    expect(one.message_id).not.toBe(two.message_id)
    await confirmed(reseller, 2)
    const data = labelsOf(one).length > 0 ? dataOf(one, 'Confirm') : ''
    const query = world.telegram.press({ from: id, messageId: one.message_id, data })
    expect(await toastOf(world, query)).toBe(listRepeated)
    const flagged = await chat.waitForText(
      /2 numbers already have this order \(from the last 10 minutes, or still open\): skipped/,
    )
    expect(labelsOf(flagged)[0]).toBe('Add all 2 again · GHS 19.20')
    expect(served(reseller)).toHaveLength(2)
  })

  test('keeps the lines to fix as a draft, with their line numbers, when the rest is confirmed', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    const [ready, fixed] = [newPhone(), newPhone()]
    const card = await previewOf(reseller, `MTN\n${ready} 2\n024123456 5\n${newPhone()} 2x5gb`)
    expect(card.text).toContain('4 lines: 1 to order · 2 to fix · 1 ignored: MTN')
    await confirmed(reseller, 1)
    const left = await chat.waitForText('From your list: 2 still to fix. Not ordered, not charged.')
    expect(left.text).toContain('4 lines: 1 ordered · 0 to order · 2 to fix · 1 ignored')
    expect(labelsOf(left).join()).not.toContain('Confirm')
    expect(left.text).not.toContain('before you confirm')
    await chat.waitForText('📌 2 still to fix: see the card below')
    chat.press('📌 2 still to fix')
    const below = await chat.waitForText('From your list', { after: left.message_id })
    const better = await reply(reseller, below, `3. ${fixed} 2`)
    expect(better.text).toContain('4 lines: 1 ordered · 1 to order · 1 to fix · 1 ignored')
    await confirmed(reseller, 2)
    expect(served(reseller)).toEqual([`${fixed} 2GB`, `${ready} 2GB`].toSorted())
    const last = await chat.waitForText('4 lines: 2 ordered · 0 to order · 1 to fix · 1 ignored')
    await chat.waitForText('📌 1 still to fix: see the card below')
    pressOn(reseller, last, 'Cancel')
    await world.until(() => !chat.texts().some((text) => text.includes('📌')), 'nothing is left to do')
  })

  test('of an agent says which lines were ordered, skipped and not allowed', async () => {
    const owner = await world.newReseller()
    const agent = await addMember(world, owner)
    await changeDatabase(world, (database) =>
      database.prepare('UPDATE Member SET networks = ? WHERE userId = ?').run('["MTN"]', agent.id),
    )
    const { chat } = agent
    const [before, twin, fresh, pair, fixed] = phones(5) as [string, string, string, string, string]
    for (const phone of [before, twin]) await place(world, agent, phone)
    const lines = [`${before} 2`, `${fresh} 2`, `${newPhone('020')} 10`, `${pair} 2gb ${twin} 2gb`]
    const card = await previewOf(agent, [...lines, '024123456 5', '024123457 5'].join('\n'))
    expect(card.text).toContain('6 lines: 2 to order · 2 skipped · 1 left out · 2 to fix')
    await confirmed(agent, 4)
    const became = '1 ordered · 1 partly ordered · 1 skipped (already ordered) · 1 not allowed'
    const left = await chat.waitForText('From your list: 2 still to fix')
    expect(left.text).toContain(`6 lines: ${became} · 0 to order · 2 to fix`)
    await reply(agent, left, `5. ${fixed} 2`)
    await confirmed(agent, 5)
    const last = await chat.waitForText('From your list: 1 still to fix. ')
    expect(last.text).toContain(`6 lines: ${became.replace('1', '2')} · 0 to order · 1 to fix`)
    expect(served(agent)).toEqual(
      [before, twin, fresh, pair, fixed].map((phone) => `${phone} 2GB`).toSorted(),
    )
  })

  test('accepts a correction by line number without a reply, but only of a line to fix', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    const [kept, third] = [newPhone(), newPhone()]
    await previewOf(reseller, `${newPhone()} 2\n024123456 5\n${kept} 4gb`)
    const { message_id: after } = chat.say(`3. ${third} 3gb`)
    const better = await chat.waitForText(isPreview, { after })
    expect(better.text).toContain('3 lines: 2 to order · 1 to fix')
    expect(better.text).toContain(`Line 3 is now: ${third} 3gb`)
    const { message_id: other } = chat.say(`1. ${newPhone()} 3gb`)
    await chat.waitForText('Confirm this order?', { after: other })
    expect(served(reseller)).toEqual([])
  })

  test('counts a number and its size on two lines as two ordered lines', async () => {
    const reseller = await world.newReseller()
    await previewOf(reseller, `${newPhone()}\n2gig please\n\n${newPhone()}\nNeed 4gb`)
    await confirmed(reseller, 1)
    await reseller.chat.waitForText('5 lines: 2 ordered · 0 to order · 2 to fix · 1 ignored')
  })

  test('asks about numbers of another network than it names, and the others can be confirmed', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    const [plain, odd] = [newPhone(), newPhone('020')]
    const card = await previewOf(reseller, `MTN\n${plain} 2\n${odd} 10`)
    expect(card.text).toContain(
      `3. ${odd}: your list says MTN, but it looks like Telecel. Numbers can be ported. Which network?`,
    )
    expect(labelsOf(card)).toEqual(
      expect.arrayContaining(['Keep MTN', 'Switch to Telecel', 'Leave out', '✅ Confirm 1 · GHS 9.60']),
    )
    chat.press('Keep MTN')
    await chat.waitForButton('✅ Confirm 2 · GHS 53.50')
    await confirmed(reseller, 2)
    const again = await previewOf(reseller, `${odd} 3 mtn\n${plain} 3`)
    expect(again.text).toContain('2 lines: 2 to order')
  })

  test('asks about a number below a network heading that may belong to the lines above it', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    const [plain, odd] = [newPhone(), newPhone('020')]
    const card = await previewOf(reseller, `${plain} 2\nMTN\n${odd} 10`)
    expect(card.text).toContain(`3. ${odd}: your list says MTN, but it looks like Telecel.`)
    expect(labelsOf(card).slice(0, 4)).toEqual([
      'Keep MTN',
      'Switch to Telecel',
      'Leave out',
      '✅ Confirm 1 · GHS 9.60',
    ])
    chat.press('Switch to Telecel')
    await chat.waitForText('3 lines: 2 to order')
    await confirmed(reseller, 2)
    expect(served(reseller)).toEqual([`${odd} 10GB`, `${plain} 2GB`].toSorted())
  })

  test('says on its card that a number with an open order waits', async () => {
    const reseller = await world.newReseller()
    const busy = newPhone()
    await place(world, reseller, busy, '1GB')
    const card = await previewOf(reseller, `${busy} 2\n${newPhone()} 2`)
    expect(card.text).toContain('1 number has an open order, so it’ll wait.')
  })
})

const dataOf = (message: Message, label: string): string => {
  const found = message.reply_markup?.inline_keyboard.flat().find(({ text }) => text.includes(label))
  if (!found || !('callback_data' in found)) throw new Error(`There is no button “${label}”.`)
  return found.callback_data
}

describe('lines to fix in a list', () => {
  test('are corrected by replies with a line number or a phone, and the card moves down', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    const [good, dear, wrong, unsold] = [newPhone(), newPhone(), newPhone(), newPhone()]
    const card = await previewOf(reseller, `${good} 2\n${wrong.slice(0, 9)} 2\n${dear} 2x2gb\n${unsold} 7`)
    expect(card.text).toContain('4 lines: 1 to order · 3 to fix')
    const second = await reply(reseller, card, `2. ${wrong} 2\n${unsold} 3gb`)
    expect(second.text).toContain('4 lines: 3 to order · 1 to fix')
    const third = await reply(reseller, second, '3: skip')
    expect(third.text).toContain('4 lines: 3 to order · 1 ignored')
    const shown = () => world.telegram.messages(reseller.id).filter(({ text }) => text?.startsWith('📋'))
    await world.until(() => shown().length === 1, 'the earlier cards to go')
    expect(shown().map(({ message_id }) => message_id)).toEqual([third.message_id])
    await confirmed(reseller, 3)
    expect(served(reseller)).toEqual([`${good} 2GB`, `${wrong} 2GB`, `${unsold} 3GB`].toSorted())
    await world.until(() => !isPreview.test(chat.last()?.text ?? ''), 'the card to show what became of it')
  })

  test('are corrected by several messages after the button “Fix” is pressed, and later messages are orders again', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    const [one, two] = [newPhone(), newPhone()]
    await previewOf(reseller, `${newPhone()} 2\n${one} 7\n${two} 7`)
    chat.press('Fix 2')
    await chat.waitForText('Send the corrected lines')
    const { message_id: after } = chat.say('I will ask them')
    await chat.waitForText('I found no correction in that', { after })
    expect((await previewOf(reseller, `${one} 2`)).text).toContain('3 lines: 2 to order · 1 to fix')
    expect((await previewOf(reseller, '3. 2gb')).text).toContain('3 lines: 3 to order')
    const { message_id: last } = chat.say(`${newPhone()} 2gb`)
    await chat.waitForText(asksToConfirm, { after: last })
  })

  test('have suggestions that can be accepted one by one or together, and undone', async () => {
    const reseller = await world.newReseller()
    const { chat, id } = reseller
    const card = await previewOf(reseller, '0241111111 2\n02422222O1 2\n0244444444 2,5')
    expect(card.text).toContain('3 lines: 1 to order · 2 to fix')
    expect(labelsOf(card)).toEqual(
      expect.arrayContaining(['Use 0242222201 for line 2', 'Use 2.5 for line 3', '✔️ Accept all (2)']),
    )
    chat.press('Use 0242222201 for line 2')
    const one = await cardReads(reseller, '3 lines: 2 to order · 1 to fix')
    expect(one.text).toContain('Line 2 is now: 0242222201 2')
    expect(one.message_id).toBe(card.message_id)
    chat.press('Undo line 2')
    await cardReads(reseller, '3 lines: 1 to order · 2 to fix')
    chat.press('Accept all (2)')
    const all = await cardReads(reseller, '3 lines: 2 to order · 1 to fix')
    expect(all.text).toContain('Corrected: lines 2, 3')
    const old = world.telegram.press({
      from: id,
      messageId: card.message_id,
      data: dataOf(one, 'Undo line 2'),
      stale: true,
    })
    expect(await toastOf(world, old)).toBe(listChanged)
    chat.press('Undo 2 lines')
    await cardReads(reseller, '3 lines: 1 to order · 2 to fix')
    expect(served(reseller)).toEqual([])
  })

  test('are corrected by a reply without a line number that fits one of them', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    const card = await previewOf(reseller, '0241111111 2\nAma 3gb\n024222222 2\n0244444444 7')
    expect(card.text).toContain('4 lines: 1 to order · 3 to fix')
    const close = await reply(reseller, card, '0242222223')
    expect(close.text).toContain('Line 3 is now: 0242222223 2')
    const size = await reply(reseller, close, '1gb')
    expect(size.text).toContain('Line 4 is now: 0244444444 1gb')
    const named = await reply(reseller, size, '0245555555')
    expect(named.text).toContain('Line 2 is now: 0245555555 Ama 3gb')
    expect(named.text).toContain('4 lines: 4 to order')
    chat.press('Undo line 2')
    await cardReads(reseller, '4 lines: 3 to order · 1 to fix')
    await confirmed(reseller, 3)
    expect(served(reseller)).toEqual(['0241111111 2GB', '0242222223 2GB', '0244444444 1GB'])
  })

  test('are corrected once by a correction that Telegram delivers twice', async () => {
    const reseller = await world.newReseller()
    const card = await previewOf(reseller, `${newPhone()} 2\n024123456 2`)
    const added = newPhone()
    const second = await reply(reseller, card, `${added} 2`)
    expect(second.text).toContain('3 lines: 2 to order')
    world.telegram.redeliver({ asNew: true })
    const { message_id: after } = reseller.chat.say('/help')
    await reseller.chat.waitForText(helpTitle, { after })
    await confirmed(reseller, 2)
  })

  test('are split into pages, and the file has all of them', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    const good = newPhone()
    const wrong = Array.from({ length: 19 }, (_, index) => `0241234${10 + index} 5`)
    const card = await previewOf(reseller, [`${good} 2`, ...wrong].join('\n'))
    expect(card.text).toContain('To fix: 1–8 of 19')
    chat.press('▶')
    await cardReads(reseller, 'To fix: 9–16 of 19')
    chat.press('▶')
    await cardReads(reseller, /To fix: 17–19 of 19[\s\S]*20\. 024123428 5/)
    chat.press('◀')
    await cardReads(reseller, 'To fix: 9–16 of 19')
    chat.press('⋯')
    await chat.waitForButton('All lines')
    chat.press('All lines')
    const { bytes } = await chat.waitForFile()
    const rows = await readSheet(bytes)
    expect(rows).toHaveLength(21)
    expect(rows[1]).toEqual([1, `${good} 2`, 'ready', good, null, 'MTN', '2GB', 9.6, null])
    expect(rows[20]?.slice(0, 3)).toEqual([20, '024123428 5', 'to fix'])
    expect(rows[20]?.at(-1)).toContain('1 digit is missing')
  })
})

describe('a balance that is too low for a list', () => {
  test('is shown with the shortfall, and the first numbers that fit can be sent', async () => {
    const reseller = await world.newReseller(2_500)
    const { chat } = reseller
    const numbers = phones(4)
    const card = await previewOf(reseller, numbers.map((phone) => `${phone} 2`).join('\n'))
    expect(card.text).toMatch(/The balance is too low: GHS 13\.40 short of GHS 38\.40\./)
    expect(labelsOf(card).some((label) => label.includes('Confirm'))).toBe(false)
    chat.press('Cut to what fits: 2 · GHS 19.20')
    await cardReads(reseller, `Left out: the last 2 numbers, from ${numbers[2]} on.`)
    await chat.waitForButton('✅ Confirm 2 · GHS 19.20')
    chat.press('Back to the whole list')
    await chat.waitForButton('Cut to what fits')
    chat.press('Cut to what fits')
    await chat.waitForButton('✅ Confirm 2')
    await confirmed(reseller, 2)
    expect(served(reseller)).toEqual(
      numbers
        .slice(0, 2)
        .map((phone) => `${phone} 2GB`)
        .toSorted(),
    )
  })
})

describe('a list’s preview', () => {
  test('is replaced by a preview with the new price if a price changes, and nothing is ordered', async () => {
    const reseller = await world.newReseller()
    const { chat, account } = reseller
    const numbers = phones(2)
    await previewOf(reseller, numbers.map((phone) => `${phone} 2`).join('\n'))
    world.provider.setAccount(account.id, { prices: { 2: 1010 } })
    await makeOld()
    chat.press('✅ Confirm')
    await chat.waitForText('A price has changed since you confirmed')
    await chat.waitForButton('✅ Confirm 2 · GHS 20.20')
    expect(served(reseller)).toEqual([])
    await confirmed(reseller, 2)
  })

  test('that was cancelled stays cancelled', async () => {
    const reseller = await world.newReseller()
    const { chat, id } = reseller
    const card = await previewOf(reseller, `${newPhone()} 2\n${newPhone()} 2`)
    chat.press('❌ Cancel')
    await chat.waitForText(/cancelled\nNothing was ordered or charged\./)
    const query = world.telegram.press({
      from: id,
      messageId: card.message_id,
      data: dataOf(card, 'Confirm'),
      stale: true,
    })
    expect(await toastOf(world, query)).toBe(alreadyEnded)
    expect(served(reseller)).toEqual([])
  })

  test('ignores presses by anybody but the person who sent the list', async () => {
    const reseller = await world.newReseller()
    const other = await world.newReseller()
    const card = await previewOf(reseller, `${newPhone()} 2\n${newPhone()} 2`)
    for (const label of ['Confirm', '⋯', 'Cancel']) {
      const query = world.telegram.press({
        from: other.id,
        messageId: card.message_id,
        data: dataOf(card, label),
        stale: true,
      })
      expect([notYours, cardNotYours]).toContain(await toastOf(world, query))
    }
    await confirmed(reseller, 2)
  })

  test('is sent when the person tries again, if the prices could not be read', async () => {
    const reseller = await world.newReseller()
    const { chat, account } = reseller
    world.provider.addFault({ kind: 'error_before', path: '/bundles', account: account.id })
    chat.say(`${newPhone()} 2\n${newPhone()} 2`)
    await chat.waitForText(/Your list is kept for an hour\.[\s\S]*I couldn’t read the prices and balance/)
    chat.press('Try again')
    await chat.waitForButton('✅ Confirm 2')
    await confirmed(reseller, 2)
  })
})

/** Restarts the bot, so that it has to read the price list again. */
const makeOld = async (): Promise<void> => {
  await world.bot.restart()
}

describe('a long list that Telegram has cut', () => {
  const long = (count: number) => phones(count).map((phone) => `${phone} 2 customer of the market`)

  test('is read as one list, with the lines at the cut to fix', async () => {
    const reseller = await world.newReseller(1_000_000)
    const { chat } = reseller
    const all = long(180).join('\n')
    const first = all.slice(0, 4096)
    const second = all.slice(4096)
    const { message_id: after } = chat.say(first)
    chat.say(second)
    const card = await chat.waitForText(isPreview, { after })
    expect(card.text).toMatch(/18\d lines: 17\d to order · [12] to fix/)
    expect(card.text).toContain('Telegram cut the list here; send this line again')
    expect(chat.texts().filter((text) => text.startsWith('📋'))).toHaveLength(1)
  })

  test('is shown after two seconds without a second part, with its last line to fix', async () => {
    const reseller = await world.newReseller(1_000_000)
    const text = long(120).join('\n').slice(0, 4096)
    const card = await previewOf(reseller, text)
    expect(card.text).toMatch(/to order · 1 to fix/)
  })

  describe('with the bot killed between its parts', { tags: 'killed' }, () => {
    inWorldOfItsOwn(worlds, { process: true })

    test('is still read as one list', async () => {
      const reseller = await world.newReseller(1_000_000)
      const { chat } = reseller
      const lines = long(180).join('\n')
      const { message_id: after } = chat.say(lines.slice(0, 4096))
      await world.until(() => draftsOf(reseller) === 1, 'the first part is kept')
      await world.bot.kill()
      chat.say(lines.slice(4096))
      await world.bot.start()
      await chat.waitForText(/18\d lines: 17\d to order/, { after })
      expect(draftsOf(reseller)).toBe(1)
    })
  })
})

const draftsOf = ({ id }: Reseller): unknown =>
  inDatabase(
    world,
    (db) =>
      db.prepare("SELECT count(*) AS count FROM Purchase WHERE userId = ? AND state = 'draft'").get(id)
        ?.count,
  )

describe('the draft of a list', () => {
  test('survives a restart, and its card still works', async () => {
    const reseller = await world.newReseller()
    const [first, second, third] = [newPhone(), newPhone(), newPhone()]
    const card = await previewOf(reseller, `${first} 2\n${second} 2\n${third} 7`)
    await world.bot.restart()
    const fixed = await reply(reseller, card, `${third} 3`)
    expect(fixed.text).toContain('3 lines: 3 to order')
    await world.bot.restart()
    await confirmed(reseller, 3)
  })

  describe('that is written just before the bot is killed', { tags: 'killed' }, () => {
    inWorldOfItsOwn(worlds, { process: true })

    test('gets its preview after the start', async () => {
      const reseller = await world.newReseller()
      const { chat, account } = reseller
      world.provider.addFault({ kind: 'hang', path: '/bundles', account: account.id })
      const { message_id: after } = chat.say(`${newPhone()} 2\n${newPhone()} 2`)
      await world.until(() => draftsOf(reseller) === 1, 'the list is kept')
      await world.bot.kill()
      world.provider.clearFaults()
      await world.bot.start()
      await chat.waitForText(isPreview, { after })
      await confirmed(reseller, 2)
    })
  })

  test('expires after an hour', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    await previewOf(reseller, `${newPhone()} 2\n${newPhone()} 2`)
    await changeDatabase(world, (db) =>
      db
        .prepare("UPDATE Purchase SET expiresAt = ? WHERE userId = ? AND state = 'draft'")
        .run(new Date(Date.now() - 1000).toISOString().replace('Z', '+00:00'), reseller.id),
    )
    chat.press('✅ Confirm')
    await chat.waitForText(/expired\nNot confirmed within an hour\. Nothing was ordered or charged\./)
    expect(served(reseller)).toEqual([])
  })
})
