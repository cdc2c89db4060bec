import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { chatOf, type TelegramSimulator } from '../../src/sandbox/telegram/index.ts'
import { encodeButton } from '../../src/telegram/buttons/button.ts'
import { botLabels } from '../../src/telegram/texts/bots.ts'
import { labels } from '../../src/telegram/texts/labels.ts'
import * as words from '../../src/telegram/texts/own-bot.ts'
import { createWorld, type Reseller, type World, type WorldOptions } from '../support/world.ts'
import { answers, botScreen, hasDatabase, operatorId, operatorOf, worldOf } from './fleet.ts'
import { eventsKept } from './operator.ts'

/** Bots that owners of accounts make by a key of the main bot, which Telegram lets it manage. */

const { ownBotLabels } = words

let world: World

beforeAll(async () => {
  world = await managingWorld()
})
afterAll(() => world?.close())

/** A world whose bot may manage bots, with an operator who lets owners make them. */
const managingWorld = async (options: WorldOptions = {}): Promise<World> => {
  const made = await createWorld({ ...options, env: { OWNER_IDS: String(operatorId) } })
  made.telegram.manageBots(true)
  await operatorOf(made).go(['Bots', botLabels.letMake], 'can make one bot each')
  return made
}

const settingsOf = async ({ chat }: Reseller): Promise<void> => {
  const { message_id: after } = chat.say('/settings')
  await chat.waitForText('Your settings', { after })
}

const keysOf = ({ id }: Pick<Reseller, 'id'>, of = world) => of.telegram.chat(id).keyboard

/** The key that makes a bot stands in place of the person's keyboard. */
const asked = async (reseller: Reseller, of = world): Promise<void> => {
  await settingsOf(reseller)
  reseller.chat.press(ownBotLabels.ownBot)
  await reseller.chat.waitForText('below, then Create')
  await of.telegram.waitFor(() => keysOf(reseller, of), { message: 'Waiting for the key' })
}

let names = 0
/** Makes a bot by that key. */
const make = ({ id }: Pick<Reseller, 'id'>, of = world): TelegramSimulator => {
  names += 1
  return of.telegram.makeBot({ from: id, name: 'Data', username: `data_${names}_bot` })
}

const nameOf = (bot: TelegramSimulator): string => `@${bot.state().bot.username}`

/** An owner whose bot runs. */
const withBot = async (of = world) => {
  const reseller = await of.newReseller()
  await asked(reseller, of)
  const bot = make(reseller, of)
  await reseller.chat.waitForText(`Your bot runs: ${nameOf(bot)}`)
  return { reseller, bot, there: worldOf(of, bot) }
}

const ownScreen = async (reseller: Reseller, awaited: string): Promise<void> => {
  await settingsOf(reseller)
  reseller.chat.press(ownBotLabels.ownBot)
  await reseller.chat.waitForText(awaited)
}

describe('an owner’s own bot', () => {
  test('is made in two taps, named after the shop, and runs under its owner', async () => {
    const reseller = await world.newReseller()
    await settingsOf(reseller)
    reseller.chat.press('Shop name')
    await reseller.chat.waitForText(/name/i)
    reseller.chat.say('Kofi’s Data')
    await reseller.chat.waitForText('Kofi’s Data')
    await asked(reseller)
    expect(keysOf(reseller)).toEqual({
      rows: [
        [{ text: ownBotLabels.make, asksBot: { name: 'Kofi’s Data', username: 'kofis_data_bot' } }],
        [labels.leave],
      ],
      once: true,
      forceReply: false,
    })

    const bot = make(reseller)
    await reseller.chat.waitForText(words.made(bot.state().bot.username ?? ''))
    expect(keysOf(reseller)).toBeUndefined()
    const { text = '' } = await reseller.chat.waitForText(`Your bot runs: ${nameOf(bot)}`)
    expect(text).toContain('/disconnect')
    expect(world.bot.output()).not.toContain(bot.token)
    expect(eventsKept(world)).toContain('bot_added')

    const there = worldOf(world, bot)
    expect(await answers(there)).toBe(true)
    await operatorOf(there, reseller.id).open()
    await botScreen(operatorOf(world), there, `Owners: ${reseller.id}`)
  })

  test('is one for an account, whichever owner makes it', async () => {
    const reseller = await world.newReseller()
    const partner = world.newPerson()
    partner.chat.say('/connect')
    await partner.chat.waitForText('API key')
    partner.chat.say(`${reseller.account.apiKey}\n${reseller.account.apiSecret}`)
    await partner.chat.waitForText('Connected')
    const both = [reseller, { ...partner, account: reseller.account }]
    for (const each of both) await asked(each)
    const made = both.map((each) => ({ ...each, bot: make(each) }))
    const ends = await Promise.all(
      made.map(async ({ chat, id, bot }) => {
        const { text = '' } = await chat.waitForText(/Your bot runs|I don’t run/)
        return { id, bot, text }
      }),
    )
    const [refused, another] = ends.filter(({ text }) => !text.includes('Your bot runs'))
    if (!refused) throw new Error('Both run.')
    expect(another).toBeUndefined()
    expect(refused.text).toContain(`${words.accountHasOne}\nI don’t run ${nameOf(refused.bot)}`)
    expect(keysOf(refused)).toBeUndefined()
    expect(hasDatabase(worldOf(world, refused.bot))).toBe(false)
  })

  test('is added once, however often Telegram tells of it', async () => {
    const { bot, there } = await withBot()
    for (const asNew of [false, true]) world.telegram.redeliver({ asNew })
    await world.until(async () => (await answers(world)) && (await answers(there)), 'both to answer')
    const { username } = bot.state().bot
    const operator = operatorOf(world)
    const { text = '' } = await operator.go(['Bots'], 'Bots')
    expect(text.split(`@${username} `).length).toBe(2)
  })

  test('starts once Telegram gives out its token: a refusal or a lost answer only delays it', async () => {
    onTestFinished(() => world.telegram.clearFaults())
    const made: { reseller: Reseller; bot: TelegramSimulator }[] = []
    for (const kind of ['bad_request', 'reset_after'] as const) {
      const reseller = await world.newReseller()
      await asked(reseller)
      world.telegram.addFault({ method: 'getManagedBotToken', kind, times: 1 })
      const bot = make(reseller)
      await reseller.chat.waitForText(words.delayed(bot.state().bot.username ?? ''))
      made.push({ reseller, bot })
    }
    for (const { reseller, bot } of made) {
      await reseller.chat.waitForText(`Your bot runs: ${nameOf(bot)}`)
      expect(await answers(worldOf(world, bot))).toBe(true)
    }
  })

  test.each([
    ['that Telegram reports', true, false],
    ['that Telegram reports, but gives out only when asked again', true, true],
    ['that only the refusals of the old one show', false, false],
  ])('goes on with a new token %s', async (_, isReported, isRefused) => {
    const { bot, there } = await withBot()
    onTestFinished(() => world.telegram.clearFaults())
    if (isRefused) world.telegram.addFault({ method: 'getManagedBotToken', kind: 'server_error', times: 1 })
    bot.renew(isReported)
    expect(await answers(there)).toBe(true)
    await botScreen(operatorOf(world), there, 'Runs')
  })

  test('is stopped, started and removed by its owner, but not started against an operator', async () => {
    const { reseller, there } = await withBot()
    await ownScreen(reseller, 'Runs')
    reseller.chat.press(ownBotLabels.stop)
    await reseller.chat.waitForText('You stopped it')
    const operator = operatorOf(world)
    await botScreen(operator, there, 'Stopped by its owner')
    reseller.chat.press(ownBotLabels.start)
    expect(await answers(there)).toBe(true)

    await botScreen(operator, there)
    await operator.press('Stop', 'Stopped by an operator')
    await ownScreen(reseller, 'The operator stopped it')
    const [shown] = [reseller.chat.last()]
    world.telegram.press({
      ...{ from: reseller.id, messageId: shown?.message_id ?? 0, stale: true },
      data: encodeButton({ do: 'own_bot', act: { act: 'start' } }),
    })
    await answers(world)
    await botScreen(operator, there, 'Stopped by an operator')

    await ownScreen(reseller, 'The operator stopped it')
    reseller.chat.press(ownBotLabels.remove)
    await reseller.chat.waitForText('Remove your bot?')
    reseller.chat.press(ownBotLabels.removeSure)
    await reseller.chat.waitForText('Its data is kept')
    expect(hasDatabase(there)).toBe(true)
    await asked(reseller)
  })

  test('is left with the key below, and an app that cannot make it says how to go on', async () => {
    const reseller = await world.newReseller()
    await asked(reseller)
    reseller.chat.say(ownBotLabels.make)
    await reseller.chat.waitForText(words.oldApp)
    reseller.chat.say(labels.leave)
    await world.telegram.waitFor(() => keysOf(reseller) === undefined, { message: 'Waiting for no keys' })
    await asked(reseller)
    reseller.chat.say('/help')
    await world.telegram.waitFor(() => keysOf(reseller) === undefined, { message: 'Waiting for no keys' })
  })

  test('is nobody’s but an owner’s, and only while operators let owners make bots', async () => {
    const reseller = await world.newReseller()
    const operator = operatorOf(world)
    await asked(reseller)
    await operator.go(['Bots', botLabels.stopMaking], 'No bot sees another’s')
    // The screen before has these words, too.
    await world.until(() => operator.chat.button(botLabels.letMake), 'the switch')
    onTestFinished(async () => void (await operator.go(['Bots', botLabels.letMake], 'can make one bot each')))
    const bot = make(reseller)
    await reseller.chat.waitForText(`${words.notOffered}\nI don’t run ${nameOf(bot)}`)
    expect(hasDatabase(worldOf(world, bot))).toBe(false)
    await settingsOf(reseller)
    expect(
      reseller.chat
        .last()
        ?.reply_markup?.inline_keyboard.flat()
        .map(({ text }) => text),
    ).not.toContain(ownBotLabels.ownBot)
  })
})

test('a main bot that may manage no bots shows nothing of this', async () => {
  const plain = await createWorld({ env: { OWNER_IDS: String(operatorId) } })
  onTestFinished(() => plain.close())
  const operator = operatorOf(plain)
  const { reply_markup } = await operator.go(['Bots'], 'No bot sees another’s')
  const shown = reply_markup?.inline_keyboard.flat().map(({ text }) => text)
  expect(shown).not.toContain(botLabels.letMake)
  const reseller = await plain.newReseller()
  await settingsOf(reseller)
  expect(reseller.chat.button(ownBotLabels.ownBot)).toBeUndefined()
  const { message_id: messageId } = reseller.chat.last() ?? { message_id: 0 }
  const data = encodeButton({ do: 'own_bot', act: { act: 'show' } })
  plain.telegram.press({ from: reseller.id, messageId, data, stale: true })
  await reseller.chat.waitForText(words.notOffered)
})

test('a bot whose maker’s process ended before its start is started by the next one, and they are told', {
  tags: ['killed'],
}, async () => {
  const mortal = await managingWorld({ crashable: true })
  onTestFinished(() => mortal.close())
  const reseller = await mortal.newReseller()
  await asked(reseller, mortal)
  await mortal.bot.crashAt({ at: 'bot_adopted' })
  const bot = make(reseller, mortal)
  await mortal.bot.died()
  expect(mortal.telegram.calls('getManagedBotToken')).toEqual([])
  await mortal.bot.start()
  await reseller.chat.waitForText(`Your bot runs: ${nameOf(bot)}`)
  expect(await answers(worldOf(mortal, bot))).toBe(true)
  expect(
    chatOf(mortal.telegram, reseller.id)
      .texts()
      .filter((text) => text.includes('Your bot runs')),
  ).toHaveLength(1)
})
