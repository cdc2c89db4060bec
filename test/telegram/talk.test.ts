import { expect, test } from 'vitest'
import { drawing, field } from '../../src/pictures/drawing.ts'
import { createPacer } from '../../src/relay/pacer.ts'
import { createSender } from '../../src/telegram/sender.ts'
import { createTalk } from '../../src/telegram/talk.ts'
import { createTasks } from '../../src/telegram/tasks.ts'
import { startedChat } from '../sandbox/telegram/simulation.ts'

const svg = drawing(200, [field({ x: 90, y: 40, width: 900, height: 120 }, '#3B6FE0')])

/** One update's talk, of a press on that message where one is named. */
const started = async () => {
  const { sim, person, chat, api } = await startedChat()
  const errors: unknown[] = []
  const tasks = createTasks((error) => errors.push(error))
  const sender = createSender(api, createPacer())
  const talkOn = (
    pressed: { queryId: string; messageId: number | null; isPhoto: boolean } | null,
    begins = true,
  ) => {
    const talk = createTalk({ api, sender, tasks, chatId: person.id, pressed })
    if (begins) talk.begin()
    return talk
  }
  return { sim, person, chat, talkOn, errors, settled: () => tasks.settled(10_000) }
}

test('a picture comes in its turn, with its words below it', async () => {
  const { chat, talkOn, settled } = await started()
  const talk = talkOn(null)
  talk.say('One moment')
  talk.sendPhoto(async () => ({ svg, text: '<b>Today</b>' }))
  talk.say('Done')
  await settled()
  expect(chat.texts()).toEqual(['One moment', 'Today', 'Done'])
  expect(await chat.waitForPhoto()).toMatchObject({ width: 1080, height: 200 })
})

test('what cannot be drawn, or what Telegram refuses, is said in words alone', async () => {
  const { sim, chat, talkOn, errors, settled } = await started()
  talkOn(null).sendPhoto(async () => ({ svg: '<svg', text: '<b>Today</b>: 5 orders' }))
  await settled()
  expect(chat.last()).toMatchObject({ text: 'Today: 5 orders' })
  expect(errors).toHaveLength(1)
  sim.addFault({ method: 'sendPhoto', kind: 'bad_request' })
  talkOn(null).sendPhoto(async () => ({ svg, text: 'Week: 9 orders' }))
  await settled()
  expect(chat.last()).toMatchObject({ text: 'Week: 9 orders' })
})

test('a press on a picture changes it; a picture asked for on a text, and a text on a picture, come anew', async () => {
  const { sim, person, chat, talkOn, settled } = await started()
  talkOn(null).sendPhoto(async () => ({ svg, text: 'Week' }))
  await settled()
  const messageId = chat.last()?.message_id ?? 0
  const pressed = { queryId: '1', messageId, isPhoto: true }
  talkOn(pressed).showPhoto(async () => ({ svg, text: 'Month' }))
  await settled()
  expect(chat.texts()).toEqual(['Month'])
  talkOn(pressed).show('Home')
  await settled()
  expect(chat.texts()).toEqual(['Month', 'Home'])
  const home = { queryId: '2', messageId: chat.last()?.message_id ?? 0, isPhoto: false }
  talkOn(home).showPhoto(async () => ({ svg, text: 'Today' }))
  await settled()
  expect(chat.texts()).toEqual(['Month', 'Home', 'Today'])
  expect(sim.messages(person.id).filter(({ photo }) => photo)).toHaveLength(2)
})

test('an alert that comes too late for its press is a message, and nothing else is', async () => {
  const { chat, talkOn, settled } = await started()
  const late = { queryId: 'long gone', messageId: null, isPhoto: false }
  const [silent, alert] = [talkOn(late, false), talkOn(late, false)]
  silent.toast('Confirmed')
  silent.begin()
  alert.toast('Not ordered: <too late>', true)
  alert.begin()
  await settled()
  expect(chat.texts()).toEqual(['Not ordered: <too late>'])
})
