import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { followsOpen } from '../../src/telegram/cards/words/follower.ts'
import { historyTitle } from '../../src/telegram/features/orders/history-words.ts'
import { keepsTrying } from '../../src/telegram/features/wallet/unanswered-words.ts'
import { newConnected } from '../scenarios/accounts/members.ts'
import { askFor, cardReads, newPhone, order, place, shareLink } from '../scenarios/shop.ts'
import { readOut } from '../support/as-read.ts'
import { createWorld, type World } from '../support/world.ts'

/**
 * Plays a part of a day in which much goes wrong, at several log levels, and searches everything that the bot has
 * printed for secrets. `scenarios/accounts/secrets.test.ts` plays whole days at the most talkative level, and
 * `crash-output.test.ts` examines the last output of a bot that crashes.
 */

const keys = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64'))
const metricsToken = `metrics-${randomBytes(12).toString('hex')}`

const newWorld = (level: string): Promise<World> =>
  createWorld({
    env: { CREDENTIALS_KEY: keys.join(), METRICS_TOKEN: metricsToken, LOG_LEVEL: level },
    settings: { limits: { perMinute: 5_000, perHour: 5_000, perDay: 5_000 } },
  })

/** Plays the part of the day. @returns everything that must not be in the log. */
const partOfADay = async (world: World): Promise<string[]> => {
  const reseller = await newConnected(world)
  const { chat, id, account } = reseller
  const says = async (text: string, answer: string | RegExp): Promise<void> => {
    const { message_id: after } = chat.say(text)
    await chat.waitForText(answer, { after })
  }
  const wrong = [`key-${randomBytes(9).toString('hex')}`, `secret-${randomBytes(9).toString('hex')}`]
  const clumsy = world.newPerson()
  clumsy.chat.say(`/connect ${wrong.join(' ')}`)
  await clumsy.chat.waitForText('refused this key and secret')

  const phones = [newPhone(), newPhone(), newPhone()]
  const [delivered = '', lost = '', refused = ''] = phones
  const { reference, webhookUrl } = await place(world, reseller, delivered)
  const link = await shareLink(reseller)
  const contact = world.newPerson()
  world.telegram.openLink(contact.id, link)
  await contact.chat.waitForText(followsOpen)
  world.provider.setStatus(reference, 'delivered')
  await chat.waitForText(/: delivered/)
  for (const body of ['{}', 'none', `{"reference":"${reference}","status":"x","phone":"${delivered}"}`])
    await fetch(webhookUrl ?? '', { method: 'POST', body })
  await fetch(`${world.botUrl}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
  await fetch(`${world.botUrl}/metrics?token=${metricsToken}`, { headers: { 'x-forwarded-for': '1' } })

  const mine = { account: account.id }
  const quoting = `${account.apiKey} with ${account.apiSecret} for ${refused}`
  world.provider.addFault({ kind: 'answer_lost', ...mine })
  world.provider.addFault({ kind: 'callback_never', ...mine })
  await cardReads(world, reseller, await order(reseller, lost), /unconfirmed/)
  world.provider.addFault({ kind: 'reset_before', path: '/wallet/balance', times: null, ...mine })
  await says('/balance', keepsTrying)
  world.provider.clearFaults()
  world.provider.addFault({ kind: 'bad_json', path: '/transactions', body: `{"key":"${quoting}"}`, ...mine })
  await says('/transactions', keepsTrying)
  const card = await askFor(reseller, refused)
  world.provider.addFault({ kind: 'refuse', status: 422, message: quoting, ...mine })
  chat.press('Confirm')
  await cardReads(world, reseller, card, /rejected/)
  for (const kind of ['server_error', 'bad_request'] as const)
    world.telegram.addFault({ method: 'sendMessage', kind, chat: id })
  chat.say(`/orders ${delivered}`)
  await says('/orders', historyTitle)

  const tokens = [webhookUrl?.split('/').at(-1) ?? '', /start=(\S+)/.exec(link)?.[1] ?? '']
  expect(tokens).toEqual([expect.stringMatching(/^[\w-]{40,}$/), expect.stringMatching(/^s[\w-]{40,}$/)])
  return [account.apiKey, account.apiSecret, ...wrong, ...tokens, ...phones]
}

describe.concurrent('the log contains no secret, no link’s token and no phone', () => {
  // `trace` includes the lines of all other levels.
  test.each(['silent', 'info', 'trace'])('at the log level “%s”', async (level) => {
    const world = await newWorld(level)
    try {
      const secrets = [...(await partOfADay(world)), world.telegram.token, ...keys, metricsToken]
      await world.bot.stop()
      const output = readOut(world.bot.output())
      if (level === 'silent') expect(output).toBe('')
      else expect(output).toContain('"level":"info"')
      expect(secrets.filter((secret) => output.includes(secret))).toEqual([])
      for (const line of output.split('\n').filter(Boolean)) expect(JSON.parse(line)).toHaveProperty('level')
    } finally {
      await world.close()
    }
  })
})
