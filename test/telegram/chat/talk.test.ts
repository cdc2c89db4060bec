import { describe, expect, test } from 'vitest'
import { createPacer } from '../../../src/messaging/pacer.ts'
import { drawing, field } from '../../../src/pictures/drawing.ts'
import { createPrompts } from '../../../src/telegram/chat/prompts.ts'
import { button } from '../../../src/telegram/chat/screen.ts'
import { createSender } from '../../../src/telegram/chat/sender.ts'
import { createTalk, type Talk } from '../../../src/telegram/chat/talk.ts'
import { createTasks } from '../../../src/telegram/chat/tasks.ts'
import { labels } from '../../../src/telegram/words/labels.ts'
import { startedChat } from '../../sandbox/telegram/simulation.ts'
import { newStore } from '../../support/database.ts'

const svg = drawing(200, [field({ x: 90, y: 40, width: 900, height: 120 }, '#3B6FE0')])

/**
 * A chat with a person. `talkOn` makes the object by which a handler answers one update: a press, or a message if
 * `pressed` is null.
 */
const started = async () => {
  const { sim, person, chat, api } = await startedChat()
  const errors: unknown[] = []
  let lost = 0
  const onLost = async () => {
    lost += 1
  }
  const tasks = createTasks((error) => errors.push(error))
  const sender = createSender(api, createPacer())
  const { alerts } = await newStore()
  const talkOn = (
    pressed: { queryId: string; messageId: number | null; isPhoto: boolean } | null,
    begins = true,
  ) => {
    // The open question must be known from the database, as after a restart, so nothing is kept in memory.
    const prompts = createPrompts(alerts)
    const talk = createTalk({ api, sender, tasks, chatId: person.id, pressed, prompts, onLost })
    if (begins) talk.begin()
    return talk
  }
  return { sim, person, chat, talkOn, errors, lost: () => lost, settled: () => tasks.settled(10_000) }
}

test('an answer’s picture is sent in sequence between its texts, with its caption', async () => {
  const { chat, talkOn, settled } = await started()
  const talk = talkOn(null)
  talk.say('One moment')
  talk.sendPhoto(async () => ({ svg, text: '<b>Today</b>' }))
  talk.say('Done')
  await settled()
  expect(chat.texts()).toEqual(['One moment', 'Today', 'Done'])
  expect(await chat.waitForPhoto()).toMatchObject({ width: 1080, height: 200 })
})

test('a picture that cannot be drawn or that Telegram refuses is replaced by its caption as text', async () => {
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

test('each text, picture or file in answer to a message counts as lost if Telegram never accepts it', async () => {
  const { sim, chat, talkOn, lost, settled } = await started()
  const file = { name: 'orders.csv', content: 'Phone', caption: 'Orders' }
  const fails = (method: string) => sim.addFault({ method, kind: 'server_error', times: 3 })
  for (const method of ['sendMessage', 'sendPhoto', 'sendDocument', 'sendMessage']) fails(method)
  const talk = talkOn(null)
  talk.say('Found')
  talk.sendPhoto(async () => ({ svg, text: 'Week' }))
  talk.sendFile(async () => file)
  await settled()
  expect(lost()).toBe(3)
  talkOn({ queryId: 'none', messageId: null, isPhoto: false }).say('Found')
  talkOn(null).say('Here again')
  await settled()
  expect(lost()).toBe(3)
  expect(chat.texts()).toEqual(['Here again'])
})

test('several pictures are sent as albums of ten, with one caption and the following text', async () => {
  const { sim, person, chat, talkOn, settled } = await started()
  const next = { text: 'Post them' }
  talkOn(null).sendAlbum(async () => ({ pictures: [svg, svg, svg], caption: 'Prices', next }))
  talkOn(null).sendAlbum(async () => ({ pictures: [svg], caption: 'One' }))
  await settled()
  expect(chat.texts().filter((text) => text !== '')).toEqual(['Prices', 'Post them', 'One'])
  const albums = () =>
    sim.messages(person.id).flatMap(({ photo, media_group_id }) => (photo ? [media_group_id] : []))
  expect(albums()).toEqual(['1', '1', '1', undefined])
  talkOn(null).sendAlbum(async () => ({ pictures: Array.from({ length: 12 }, () => svg), caption: 'Many' }))
  await settled()
  expect(albums().slice(4)).toEqual([...Array(10).fill('2'), '3', '3'])
})

const album = (pictures: string[]) => async () => ({
  pictures,
  caption: 'MTN 5GB',
  partly: 'One is missing',
  next: { text: 'Post it' },
})

test('an album that Telegram refuses is sent as single pictures, or as text if those are refused as well', async () => {
  const { sim, person, chat, talkOn, settled } = await started()
  const photos = () => sim.messages(person.id).filter(({ photo }) => photo).length
  sim.addFault({ method: 'sendMediaGroup', kind: 'bad_request' })
  talkOn(null).sendAlbum(album([svg, svg]))
  await settled()
  expect(chat.texts().filter((text) => text !== '')).toEqual(['MTN 5GB', 'Post it'])
  expect(photos()).toBe(2)
  sim.addFault({ method: 'sendMediaGroup', kind: 'bad_request' })
  sim.addFault({ method: 'sendPhoto', kind: 'bad_request' })
  talkOn(null).sendAlbum(album([svg, svg]))
  await settled()
  expect(chat.texts().filter((text) => text !== '')).toEqual([
    'MTN 5GB',
    'Post it',
    'MTN 5GB',
    'One is missing',
    'Post it',
  ])
  expect(photos()).toBe(3)
  sim.addFault({ method: 'sendMediaGroup', kind: 'bad_request' })
  sim.addFault({ method: 'sendPhoto', kind: 'bad_request', times: 2 })
  talkOn(null).sendAlbum(album([svg, svg]))
  await settled()
  expect(chat.texts().slice(-2)).toEqual(['MTN 5GB', 'Post it'])
  expect(photos()).toBe(3)
})

test('an album with a picture that cannot be drawn is sent as its text', async () => {
  const { sim, person, chat, talkOn, errors, settled } = await started()
  talkOn(null).sendAlbum(album([svg, '<svg', svg]))
  await settled()
  expect(chat.texts()).toEqual(['MTN 5GB', 'Post it'])
  expect(sim.messages(person.id).filter(({ photo }) => photo)).toHaveLength(0)
  expect(errors).toHaveLength(1)
})

test('a press on a picture changes it, and a switch between picture and text sends a new message', async () => {
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

test('if it is too late to answer a press, a pop-up is sent as a message instead, and a toast is dropped', async () => {
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

describe('a question of the bot', () => {
  const prompt = (text: string) => ({ text, rows: [[button(labels.leave, { do: 'leave' })]] })

  /** A chat in which a question is open. `open` lists the messages that still have buttons. */
  const asked = async () => {
    const { sim, person, talkOn, settled } = await started()
    const say = async (work: (talk: Talk) => void, pressed: Parameters<typeof talkOn>[0] = null) => {
      const talk = talkOn(pressed, false)
      work(talk)
      talk.begin()
      await settled()
    }
    const open = () =>
      sim.messages(person.id).flatMap(({ text, reply_markup }) => (reply_markup ? [text] : []))
    await say((talk) => {
      talk.asks()
      talk.say(prompt('Which number?'))
    })
    return {
      say,
      open,
      idOf: (part: string) => sim.messages(person.id).find(({ text }) => text === part)?.message_id ?? 0,
    }
  }

  test('loses its buttons when it is answered, and no other message does', async () => {
    const { say, open } = await asked()
    await say((talk) => talk.say(prompt('A menu')))
    await say((talk) => {
      talk.answered()
      talk.say({ text: 'A card', rows: [[button('Home', { do: 'home' })]] })
    })
    expect(open()).toEqual(['A menu', 'A card'])
  })

  test('keeps its buttons after an unclear answer, and loses them to the next question', async () => {
    const { say, open } = await asked()
    await say((talk) => talk.say('I can’t read that'))
    expect(open()).toEqual(['Which number?'])
    await say((talk) => {
      talk.asks()
      talk.say(prompt('Which size?'))
    })
    expect(open()).toEqual(['Which size?'])
    await say((talk) => {
      talk.answered()
      talk.say('Thanks')
    })
    expect(open()).toEqual([])
  })

  test('that a press turned into another screen keeps the screen’s buttons', async () => {
    const { say, open, idOf } = await asked()
    const messageId = idOf('Which number?')
    await say(
      (talk) => {
        talk.answered()
        talk.aside(async () => talk.show({ text: 'Networks', rows: [[button('Home', { do: 'home' })]] }))
      },
      { queryId: 'q', messageId, isPhoto: false },
    )
    expect(open()).toEqual(['Networks'])
    await say((talk) => {
      talk.answered()
      talk.say('Left')
    })
    expect(open()).toEqual(['Networks'])
  })

  test('loses its buttons if a press answers it without changing its message', async () => {
    const { say, open, idOf } = await asked()
    await say(
      (talk) => {
        talk.answered()
        talk.say('Skipped')
      },
      { queryId: 'q', messageId: idOf('Which number?'), isPhoto: false },
    )
    expect(open()).toEqual([])
  })

  test('keeps its buttons if the database is down', async () => {
    const { sim, person, chat, api } = await startedChat()
    const tasks = createTasks(() => {})
    const fails = () => Promise.reject(new Error('the database is away'))
    const prompts = createPrompts({ at: fails, remember: fails, take: fails })
    for (const text of ['Which number?', 'Which size?']) {
      const talk = createTalk({
        api,
        sender: createSender(api, createPacer()),
        tasks,
        prompts,
        chatId: person.id,
        pressed: null,
      })
      talk.asks()
      talk.say(prompt(text))
      talk.begin()
    }
    await tasks.settled(10_000)
    expect(chat.texts()).toEqual(['Which number?', 'Which size?'])
    const withButtons = sim.messages(person.id).filter(({ reply_markup: keys }) => keys)
    expect(withButtons).toHaveLength(2)
  })
})
