// @module-tag screens
import type { Message } from 'grammy/types'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestChat } from '../../../src/sandbox/index.ts'
import { asksToConfirm } from '../../../src/telegram/cards/words/draft.ts'
import { answerSent, questionSent, sendQuestion } from '../../../src/telegram/cards/words/enquiry.ts'
import { followsOpen } from '../../../src/telegram/cards/words/follower.ts'
import { sendNumber } from '../../../src/telegram/features/buying/words.ts'
import { helpTitle } from '../../../src/telegram/features/home/help-words.ts'
import { inWorldOfItsOwn } from '../../support/own-world.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import { eventsKept } from '../operating/operator.ts'
import {
  cardReads,
  changeDatabase,
  dataOf,
  inDatabase,
  newPhone,
  place,
  shareLink,
  toastOf,
} from '../shop.ts'

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
afterAll(() => world?.close())

interface Contact {
  id: number
  chat: TestChat
  /** The card of the order in the customer's chat. */
  card: Message
}

interface Scene {
  reseller: Reseller
  contact: Contact
  phone: string
  reference: string
}

/** Somebody opens that link. */
const newContact = async (link: string): Promise<Contact> => {
  const { id, chat } = world.newPerson()
  world.telegram.openLink(id, link)
  return { id, chat, card: await chat.waitForText(followsOpen) }
}

/** An order of a new reseller, and a customer who has opened its link. */
const newScene = async (reseller?: Reseller): Promise<Scene> => {
  const seller = reseller ?? (await world.newReseller())
  const phone = newPhone()
  const { reference } = await place(world, seller, phone)
  return { reseller: seller, contact: await newContact(await shareLink(seller)), phone, reference }
}

/** Presses `Ask the shop` and writes the question. */
const ask = async ({ chat }: Pick<Contact, 'chat'>, question: string): Promise<Message> => {
  const after = chat.last()?.message_id ?? 0
  chat.press('Ask the shop')
  await chat.waitForText(sendQuestion, { after })
  const { message_id } = chat.say(question)
  return chat.waitForText(questionSent, { after: message_id })
}

const asked = ({ chat }: Pick<Reseller, 'chat'>, question: string): Promise<Message> =>
  chat.waitForText(new RegExp(`A customer asks:[\\s\\S]*${question}`))

const answer = async (reseller: Reseller, words: string): Promise<void> => {
  const after = reseller.chat.last()?.message_id ?? 0
  reseller.chat.press('Answer')
  await reseller.chat.waitForText('Your answer to:', { after })
  const { message_id } = reseller.chat.say(words)
  await reseller.chat.waitForText(answerSent, { after: message_id })
}

const answered = ({ chat }: Pick<Contact, 'chat'>, words: string): Promise<Message> =>
  chat.waitForText(new RegExp(`says:[\\s\\S]*${words}`))

/** Deletes the customer's own data. @returns the bot's question and its last words. */
const deleteData = async ({ chat }: Pick<Contact, 'chat'>): Promise<{ question: string; answer: string }> => {
  chat.say('/settings')
  await chat.waitForButton('My data')
  chat.press('My data')
  await chat.waitForButton('Delete my data')
  chat.press('Delete my data')
  const { message } = await chat.waitForButton('Confirm: delete')
  const question = message.text ?? ''
  chat.press('Confirm: delete')
  const { text } = await chat.waitForText('To start again, /start')
  return { question, answer: text ?? '' }
}

const enquiries = (): number =>
  inDatabase(world, (db) => Number(db.prepare('SELECT count(*) AS n FROM Enquiry').get()?.n))

const labelsOf = (message: Message): string[] =>
  message.reply_markup?.inline_keyboard.flat().map(({ text }) => text) ?? []

const textsLike = ({ chat }: { chat: TestChat }, part: string): string[] =>
  chat.texts().filter((text) => text.includes(part))

describe('a customer', () => {
  test('can ask a shop, get an answer and ask again, and neither learns who the other is', async () => {
    const { reseller, contact, phone, reference } = await newScene()
    await ask(contact, 'When will it <b>arrive</b>?\nI paid & wait')
    const question = await asked(reseller, 'When will it <b>arrive</b>\\?\nI paid & wait')
    expect(question.text).toContain(`MTN 2GB for ${phone}: processing`)
    expect(question.text).toContain(reference)
    expect(labelsOf(question).join()).toMatch(/Answer.*Open order.*Block/)
    const repliedTo = question.reply_to_message?.message_id
    const card = world.telegram.messages(reseller.id).find(({ message_id }) => message_id === repliedTo)
    expect(card?.text).toContain(phone)

    await answer(reseller, 'Within the hour')
    await cardReads(world, reseller, question, /✅ Answered/)
    const said = await answered(contact, 'Within the hour')
    expect(said.text).toContain('The shop says:')
    expect(said.text).toContain('No shop needs your PIN, a password or a code. Never send one.')
    expect(said.text).toContain('You asked: “When will it <b>arrive</b>? I paid & wait”')
    expect(said.text).toContain(reference)
    expect(said.text).not.toContain(phone)

    const { message_id: after } = said
    contact.chat.press('Ask again')
    await contact.chat.waitForText(sendQuestion, { after })
    contact.chat.say('And now?')
    await asked(reseller, 'And now\\?')

    for (const [chat, other] of [
      [reseller.id, contact.id],
      [contact.id, reseller.id],
    ] as const) {
      const person = world.telegram.state().people.find(({ id }) => id === other)
      const sent = JSON.stringify(
        world.telegram.calls().filter(({ payload }) => Number(payload.chat_id) === chat),
      )
      expect(sent).not.toContain(String(other))
      expect(sent).not.toContain(String(person?.first_name))
      expect(sent).not.toContain(String(person?.username))
    }
  })

  test('gets each answer under the shop’s name, even if the shop replies to the question twice', async () => {
    const { reseller, contact } = await newScene()
    const accountId = inDatabase(world, (db) =>
      String(db.prepare('SELECT accountId FROM Member WHERE userId = ?').get(reseller.id)?.accountId),
    )
    await changeDatabase(world, (db) =>
      db.prepare(`INSERT INTO Shop (accountId, name) VALUES (?, 'Ama’s <Data>')`).run(accountId),
    )
    await ask(contact, 'Is it on its way?')
    const question = await asked(reseller, 'Is it on its way')
    const replyTo = question.message_id
    reseller.chat.say('/buy')
    await reseller.chat.waitForButton('MTN')
    reseller.chat.press('MTN')
    await reseller.chat.waitForButton('2GB ·')
    reseller.chat.press('2GB ·')
    await reseller.chat.waitForText(sendNumber)
    world.telegram.say({ from: reseller.id, text: 'Yes it is', replyTo })
    const first = await answered(contact, 'Yes it is')
    const { message_id: after } = reseller.chat.say(newPhone())
    await reseller.chat.waitForText(asksToConfirm, { after })
    expect(first.text).toContain('Ama’s <Data> says:')
    world.telegram.say({ from: reseller.id, text: '0241234567 2GB', replyTo })
    await answered(contact, '0241234567 2GB')
    expect(textsLike(reseller, asksToConfirm)).toHaveLength(1)
    world.telegram.say({ from: contact.id, text: 'Thank you, and when?', replyTo: first.message_id })
    await asked(reseller, 'Thank you, and when')
  })

  test('can open the order that the customer asked about, and the shop can open it too', async () => {
    const { reseller, contact, phone, reference } = await newScene()
    await ask(contact, 'Where is it?')
    const { message_id } = await asked(reseller, 'Where is it')
    reseller.chat.press('Open order')
    await reseller.chat.waitForText(new RegExp(`${phone}[\\s\\S]*GHS`), { after: message_id })
    await answer(reseller, 'Look yourself')
    const { message_id: after } = await answered(contact, 'Look yourself')
    contact.chat.press('Open order')
    const card = await contact.chat.waitForText(reference, { after })
    expect(card.text).toContain('✓ ordered')
    expect(card.text).not.toMatch(/GHS \d/)
  })

  test('can ask only with a short text, and can try again after a longer one', async () => {
    const { reseller, contact } = await newScene()
    const { chat } = contact
    chat.press('Ask the shop')
    await chat.waitForText(sendQuestion)
    const before = enquiries()
    const { message_id: file } = chat.sendFile('voice.ogg', 'sound', { mime: 'audio/ogg' })
    await chat.waitForText('I can only pass on text', { after: file })
    const { message_id: long } = chat.say('x'.repeat(501))
    await chat.waitForText('Too long: 501 characters', { after: long })
    expect(enquiries()).toBe(before)
    const { message_id: after } = chat.say('Short then')
    await chat.waitForText(questionSent, { after })
    await asked(reseller, 'Short then')
    expect(enquiries()).toBe(before + 1)
  })

  test('can give up a question with Cancel, and a text written afterwards is not sent to the shop', async () => {
    const { contact } = await newScene()
    const { chat } = contact
    chat.press('Ask the shop')
    await chat.waitForText(sendQuestion)
    const before = enquiries()
    chat.press('Cancel')
    await chat.waitForText('Cancelled')
    const { message_id: after } = chat.say('Where is it?')
    await chat.waitForText('I don’t understand', { after })
    expect(enquiries()).toBe(before)
  })

  test('can have one open question about an order and three in all, and can ask five an hour', async () => {
    const reseller = await world.newReseller()
    const { contact, reference } = await newScene(reseller)
    const { chat } = contact
    const press = async (words: string) => {
      const after = chat.last()?.message_id ?? 0
      chat.press('Ask the shop')
      await chat.waitForText(words, { after })
    }
    await ask(contact, 'First')
    const first = await asked(reseller, 'First')
    chat.say(reference)
    await chat.waitForText(reference, { after: chat.last()?.message_id ?? 0 })
    await press('hasn’t answered your last question')
    for (const question of ['Second', 'Third']) {
      const { reference: other } = await place(world, reseller, newPhone())
      chat.say(other)
      await chat.waitForText(other)
      await ask(contact, question)
      await asked(reseller, question)
    }
    const { reference: fourth } = await place(world, reseller, newPhone())
    chat.say(fourth)
    await chat.waitForText(fourth)
    await press('3 of your questions haven’t been answered yet')

    for (const question of ['First', 'Second', 'Third']) {
      const { message_id: replyTo } = await asked(reseller, question)
      world.telegram.say({ from: reseller.id, text: `Answer to ${question}`, replyTo })
      await answered(contact, `Answer to ${question}`)
    }
    expect(first.text).toContain('First')
    for (const question of ['Fourth', 'Fifth']) {
      const { message_id: after } = chat.say(fourth)
      await chat.waitForText(fourth, { after })
      await ask(contact, question)
      const { message_id: replyTo } = await asked(reseller, question)
      world.telegram.say({ from: reseller.id, text: `Answer to ${question}`, replyTo })
      await answered(contact, `Answer to ${question}`)
    }
    chat.say(fourth)
    await chat.waitForText(fourth, { after: chat.last()?.message_id ?? 0 })
    await press('You can ask again in about')
  })
})

describe('a shop', () => {
  test('can block and unblock one customer without affecting another', async () => {
    const { reseller, contact } = await newScene()
    await ask(contact, 'Annoying one')
    const question = await asked(reseller, 'Annoying one')
    const blocked = reseller.chat.press('Block')
    expect(await toastOf(world, blocked)).toContain('This customer can’t ask you')
    await cardReads(world, reseller, question, /You blocked this customer/)
    await answer(reseller, 'Enough')
    const said = await answered(contact, 'Enough')
    contact.chat.press('Ask again')
    await contact.chat.waitForText('isn’t taking questions here', { after: said.message_id })
    world.telegram.say({ from: contact.id, text: 'But why?', replyTo: said.message_id })
    const other = await newScene(reseller)
    await ask(other.contact, 'A friendly one')
    await asked(reseller, 'A friendly one')
    expect(textsLike(reseller, 'But why?')).toHaveLength(0)

    const data = dataOf(
      world.telegram.messages(reseller.id).find(({ message_id }) => message_id === question.message_id) ??
        question,
      'Unblock',
    )
    world.telegram.press({ from: reseller.id, messageId: question.message_id, data })
    await cardReads(world, reseller, question, /reply to this message or press Answer/)
    expect(eventsKept(world)).toEqual(expect.arrayContaining(['customer_blocked', 'customer_unblocked']))
    world.telegram.say({ from: contact.id, text: 'Friends again?', replyTo: said.message_id })
    await asked(reseller, 'Friends again\\?')
  })

  test('keeps a customer blocked who deletes their data, until the shop unblocks them', async () => {
    const { reseller, contact } = await newScene()
    await ask(contact, 'Rude words')
    const question = await asked(reseller, 'Rude words')
    reseller.chat.press('Block')
    await cardReads(world, reseller, question, /You blocked this customer/)

    const done = await deleteData(contact)
    expect(done.question).toContain('a shop blocked your questions')
    expect(done.answer).toContain('What you wrote is deleted')
    expect(
      inDatabase(world, (db) => db.prepare('SELECT * FROM Enquiry WHERE customerChatId = ?').all(contact.id)),
    ).toEqual([
      expect.objectContaining({ text: '', answerCause: null, cause: expect.stringMatching(/^forgotten:/) }),
    ])

    const press = (on: { id: number }, message: Message, label: string) =>
      world.telegram.press({ from: on.id, messageId: message.message_id, data: dataOf(message, label) })
    const { message_id: after } = contact.chat.last() ?? { message_id: 0 }
    press(contact, contact.card, 'Ask the shop')
    await contact.chat.waitForText('isn’t taking questions here', { after })
    const answering = press(reseller, question, 'Answer')
    expect(await toastOf(world, answering)).toContain('This question is gone')

    const blocked = await cardReads(world, reseller, question, /You blocked this customer/)
    press(reseller, blocked, 'Unblock')
    await cardReads(world, reseller, question, /has deleted their question/)
    expect(
      inDatabase(world, (db) =>
        db.prepare('SELECT id FROM Enquiry WHERE customerChatId = ?').all(contact.id),
      ),
    ).toEqual([])
    await ask(contact, 'A kind word')
    await asked(reseller, 'A kind word')
  })

  test('that writes an order instead of an answer gets a card, and the customer sees nothing of the order', async () => {
    const { reseller, contact } = await newScene()
    const secret = newPhone()
    await ask(contact, 'Hello?')
    await asked(reseller, 'Hello\\?')
    const { chat } = reseller
    for (const text of [`${secret} 2GB`, `${secret} 2GB\n${newPhone()} 2GB`]) {
      const after = chat.last()?.message_id ?? 0
      chat.press('Answer')
      await chat.waitForText('Your answer to:', { after })
      const { message_id } = chat.say(text)
      await chat.waitForText('didn’t send it to the customer', { after: message_id })
      await chat.waitForText('Nothing is charged before you confirm', { after: message_id })
    }
    await answer(reseller, 'All well')
    await answered(contact, 'All well')
    expect(JSON.stringify(world.telegram.messages(contact.id))).not.toContain(secret)
  })

  test('that has blocked the bot gets the question as soon as it unblocks the bot', async () => {
    const { reseller, contact, reference } = await newScene()
    world.telegram.block(reseller.id, true)
    world.provider.setStatus(reference, 'failed')
    await contact.chat.waitForText(/: failed/)
    await ask(contact, 'What now?')
    world.telegram.block(reseller.id, false)
    reseller.chat.say('/start')
    await asked(reseller, 'What now\\?')
    await reseller.chat.waitForText(/: failed/)
  })
})

describe('a message between customer and shop', () => {
  test('becomes one question or one answer, however often Telegram delivers it', async () => {
    const { reseller, contact } = await newScene()
    const before = enquiries()
    await ask(contact, 'Only once')
    await asked(reseller, 'Only once')
    const again = async (chat: TestChat, words: string): Promise<void> => {
      const after = chat.last()?.message_id ?? 0
      world.telegram.redeliver({ asNew: true })
      await chat.waitForText(words, { after })
    }
    await again(contact.chat, questionSent)
    await answer(reseller, 'Just this')
    await answered(contact, 'Just this')
    await again(reseller.chat, answerSent)
    expect(enquiries()).toBe(before + 1)
    await ask({ chat: contact.chat }, 'Next one')
    await asked(reseller, 'Next one')
    expect(textsLike(reseller, 'Only once')).toHaveLength(2)
    expect(textsLike(contact, 'says:')).toHaveLength(1)
  })

  describe('committed before the bot is killed', { tags: 'killed' }, () => {
    inWorldOfItsOwn(worlds, { process: true })

    test('reaches the other side after the next start', async () => {
      const { reseller, contact } = await newScene()
      const before = enquiries()
      world.telegram.addFault({ method: 'sendMessage', kind: 'server_error', chat: reseller.id, times: null })
      contact.chat.press('Ask the shop')
      await contact.chat.waitForText(sendQuestion)
      contact.chat.say('Survives?')
      await world.until(() => enquiries() === before + 1, 'the question is committed')
      await world.bot.kill()
      world.telegram.clearFaults()
      await world.bot.start()
      await asked(reseller, 'Survives\\?')

      const { message_id } = reseller.chat.last() ?? { message_id: 0 }
      reseller.chat.press('Answer')
      await reseller.chat.waitForText('Your answer to:', { after: message_id })
      world.telegram.addFault({ method: 'sendMessage', kind: 'server_error', chat: contact.id, times: null })
      reseller.chat.say('It does')
      await world.until(
        () =>
          inDatabase(world, (db) =>
            db.prepare(`SELECT id FROM Enquiry WHERE text = 'Survives?' AND answeredAt IS NOT NULL`).get(),
          ),
        'the answer is committed',
      )
      await world.bot.kill()
      world.telegram.clearFaults()
      await world.bot.start()
      await answered(contact, 'It does')
      expect(enquiries()).toBe(before + 1)
    })
  })
})

describe('people outside a question to a shop', () => {
  test('cannot answer, block or unblock anything with copied button data', async () => {
    const { reseller, contact } = await newScene()
    await ask(contact, 'Whose is it?')
    const question = await asked(reseller, 'Whose is it')
    const [answerData, blockData] = [dataOf(question, 'Answer'), dataOf(question, 'Block')]
    const unblockData = blockData.replace('block', 'unblock')
    const strangers = [world.newPerson(), await world.newReseller()]
    for (const { id, chat } of strangers) {
      chat.say('/help')
      const { message_id } = await chat.waitForText(helpTitle)
      const said = chat.texts().length
      for (const data of [answerData, blockData, unblockData]) {
        const press = world.telegram.press({ from: id, messageId: message_id, data, stale: true })
        expect(await toastOf(world, press)).toMatch(/This question is gone|isn’t here any more/)
      }
      expect(chat.texts()).toHaveLength(said)
    }
    const owned = world.telegram.press({
      from: reseller.id,
      messageId: question.message_id,
      data: dataOf(contact.card, 'Ask the shop'),
      stale: true,
    })
    expect(await toastOf(world, owned)).toContain('This is your own order')
    const none = world.telegram.press({
      from: contact.id,
      messageId: contact.card.message_id,
      data: `enquiry:ask:${'A'.repeat(22)}`,
      stale: true,
    })
    expect(await toastOf(world, none)).toMatch(/This question is gone|isn’t here any more/)
    await answer(reseller, 'It is yours')
    await answered(contact, 'It is yours')
  })

  test('see no button for questions in a group, and a forged button asks nothing', async () => {
    const { reseller, contact, reference } = await newScene()
    const group = world.telegram.addGroup({ title: 'Family', members: [contact.id] })
    world.telegram.say({ from: contact.id, chat: group.id, text: `/status ${reference}` })
    const card = await world.telegram.waitFor(() =>
      world.telegram
        .messages(group.id)
        .find(({ text }) => text?.includes(reference) && !text.startsWith('/')),
    )
    expect(labelsOf(card).join()).toMatch(/Follow.*Refresh/)
    expect(labelsOf(card).join()).not.toContain('Ask')
    const press = world.telegram.press({
      from: contact.id,
      chat: group.id,
      messageId: card.message_id,
      data: dataOf(contact.card, 'Ask the shop'),
      stale: true,
    })
    expect(await toastOf(world, press)).toContain('In groups')
    expect(textsLike(reseller, 'A customer asks')).toHaveLength(0)
  })
})

describe('an account', () => {
  const disconnect = async ({ chat }: Pick<Reseller, 'chat'>): Promise<void> => {
    const { message_id: after } = chat.say('/disconnect')
    await chat.waitForText(/Remove your account/, { after })
    chat.press('Confirm')
    await chat.waitForText(/Disconnected/, { after })
  }

  test('has questions passed to its owner after the member who ordered has left', async () => {
    const owner = await world.newReseller()
    const { id, chat } = world.newPerson()
    const { apiKey, apiSecret } = owner.account
    chat.say(`/connect ${apiKey} ${apiSecret}`)
    await chat.waitForText('Connected')
    const { contact } = await newScene({ id, chat, account: owner.account })
    await ask(contact, 'Who is there?')
    const question = await asked({ chat }, 'Who is there')
    await disconnect({ chat })
    const stale = world.telegram.press({
      from: id,
      messageId: question.message_id,
      data: dataOf(question, 'Answer'),
      stale: true,
    })
    expect(await toastOf(world, stale)).toContain('This question is gone')
    const { message_id: replyTo } = question
    const { message_id: after } = world.telegram.say({ from: id, text: 'Still me', replyTo })
    await chat.waitForText('This question is gone', { after })

    const next = await newContact(
      world.telegram
        .messages(id)
        .map(({ text }) => /https:\/\/t\.me\/\S+/.exec(text ?? '')?.[0])
        .find((link) => link !== undefined) ?? '',
    )
    await ask(next, 'And now, who?')
    await asked(owner, 'And now, who\\?')
    await answer(owner, 'The owner')
    await answered(next, 'The owner')
    expect(textsLike({ chat }, 'And now, who?')).toHaveLength(0)
    expect(textsLike(contact, 'Still me')).toHaveLength(0)
  })

  test('that was removed can no longer be sent questions, and the customer reads why', async () => {
    const { reseller, contact, reference } = await newScene()
    await ask(contact, 'Are you there?')
    await asked(reseller, 'Are you there')
    world.provider.setStatus(reference, 'delivered')
    await contact.chat.waitForText(/: delivered$/m)
    await cardReads(world, contact, contact.card, /✓ delivered \d\d:\d\d[\s\S]*You’re following this order/)
    await disconnect(reseller)
    const after = contact.chat.last()?.message_id ?? 0
    contact.chat.press('Ask the shop')
    await contact.chat.waitForText('The shop no longer uses this bot', { after })
    world.telegram.say({ from: contact.id, text: 'Hello?', replyTo: contact.card.message_id })
    await world.telegram.waitFor(() => textsLike(contact, 'The shop no longer uses this bot').length === 2)
    const refresh = dataOf(contact.card, 'Refresh')
    world.telegram.press({ from: contact.id, messageId: contact.card.message_id, data: refresh })
    await world.telegram.waitFor(() =>
      world.telegram
        .messages(contact.id)
        .some(
          (each) => each.message_id === contact.card.message_id && !labelsOf(each).join().includes('Ask'),
        ),
    )
  })
})

describe('a follower', () => {
  test('finds the orders that they follow, without typing their references', async () => {
    const reseller = await world.newReseller()
    const { contact, phone, reference } = await newScene(reseller)
    const { chat } = contact
    const masked = `MTN 2GB · ${phone.slice(0, 3)}•••${phone.slice(-4)}`
    for (const command of ['/start', '/status', '/orders']) {
      const { message_id: after } = chat.say(command)
      await chat.waitForText(/orders you follow|Send the order’s reference|Orders you follow/, {
        after,
      })
      expect(chat.button(masked)?.message.message_id).toBeGreaterThan(after)
      chat.press(masked)
      await chat.waitForText(reference, { after: after + 1 })
    }
    chat.press('Unfollow')
    await chat.waitForButton('🔔 Follow')
    const { message_id: after } = chat.say('/start')
    const welcome = await chat.waitForText('Bundlegram', { after })
    expect(labelsOf(welcome).join()).not.toContain('MTN')
  })
})
