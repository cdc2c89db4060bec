// @module-tag process
import { expect, test } from 'vitest'
import { helpTitle } from '../../src/telegram/features/home/help-words.ts'
import { cardReads, changeDatabase, newPhone, order, place } from '../scenarios/shop.ts'
import { createWorld, type World } from '../support/world.ts'

/** JSON and tables with the names of inherited properties: none may change a shared prototype. */

const watch = new URL('../support/bot/prototypes.ts', import.meta.url).href

/** As text, because an object literal would silently set its own prototype. */
const poison = [
  '"__proto__":{"polluted":"yes","role":"owner","success":true}',
  '"constructor":{"prototype":{"polluted":"yes"}}',
  '"prototype":{"polluted":"yes"}',
  '"toString":"no function","hasOwnProperty":null,"valueOf":1,"then":"now","toJSON":5',
].join(',')
const inherited = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf']

const postUpdate = async (world: World, body: string): Promise<void> => {
  const secret = String(world.telegram.calls('setWebhook').at(-1)?.payload.secret_token)
  const headers = { 'x-telegram-bot-api-secret-token': secret }
  await (await fetch(`${world.botUrl}/telegram`, { method: 'POST', headers, body })).arrayBuffer()
}

test('no JSON, table or word from outside changes a shared prototype or is taken for an inherited property', async ({
  onTestFinished,
}) => {
  const world = await createWorld({
    process: true,
    env: { TELEGRAM_UPDATES: 'webhook', NODE_OPTIONS: `--import=${watch}` },
    settings: { limits: { perMinute: 5_000, perHour: 5_000, perDay: 5_000 } },
  })
  onTestFinished(() => world.close())
  const reseller = await world.newReseller()
  const { chat, id } = reseller
  const says = async (text: string, answer: string | RegExp): Promise<void> => {
    const { message_id: after } = chat.say(text)
    await chat.waitForText(answer, { after })
  }

  // The provider's answers.
  const entry = `{"id":1,"type":"constructor","amount":5,"description":"__proto__","reference":"toString",${poison}}`
  const bundle = `{"id":9,"network":"__proto__","volume":"1GB","price":5,"offer_slug":"constructor","status":"active",${poison}}`
  const good = `{"id":2,"network":"MTN","volume":"2GB","price":9.6,"offer_slug":"constructor","status":"active",${poison}}`
  const answers: [path: string, body: string, command: string, says: RegExp][] = [
    [
      '/wallet/balance',
      `{"success":true,"balance":5,"account_type":"constructor",${poison}}`,
      '/balance',
      /GHS 5/,
    ],
    [
      '/transactions',
      `{"success":true,"transactions":[${entry}],"pagination":{${poison}},${poison}}`,
      '/transactions',
      /./,
    ],
    ['/bundles', `{"success":true,"bundles":[${bundle},${good}],${poison}}`, '/bundles', /__proto__/],
  ]
  for (const [path, body, command, words] of answers) {
    world.provider.addFault({ kind: 'bad_json', path, body })
    await says(command, words)
  }

  // Callbacks with statuses named like inherited properties.
  const { reference } = await place(world, reseller, newPhone())
  const url = world.provider.orders().at(-1)?.webhookUrl ?? ''
  for (const status of inherited) {
    const body = `{"reference":"${reference}","status":"${status}",${poison}}`
    expect((await fetch(url, { method: 'POST', body })).status).toBe(200)
  }
  await chat.waitForText(new RegExp(inherited.join('|')))
  world.provider.addFault({
    kind: 'bad_json',
    path: '/order/place',
    body: `{"success":true,"reference":"BUD-API-PROTO-1","status":"constructor",${poison}}`,
  })
  await cardReads(world, reseller, await order(reseller, newPhone()), /constructor|processing|unconfirmed/)

  // Updates, the data of buttons, sessions, and files, each with the names of inherited properties.
  await postUpdate(world, `{"update_id":900000001,${poison}}`)
  await postUpdate(
    world,
    `{"update_id":900000002,${poison},"message":{"message_id":9000,"date":1,"text":"/start","chat":{"id":${id},"type":"private",${poison}},"from":{"id":${id},"is_bot":false,"first_name":"__proto__",${poison}},${poison}}}`,
  )
  for (const word of inherited) {
    const card = chat.last()
    world.telegram.press({
      from: id,
      chat: id,
      messageId: card?.message_id ?? 0,
      data: `${word}:${word}:1`,
      stale: true,
    })
    await says(`/bundles ${word}`, /./)
    await says(`0241234567 ${word}`, /./)
    await says(`/status ${word}`, /./)
  }
  await changeDatabase(world, (db) =>
    db
      .prepare('UPDATE Session SET value = ? WHERE key = ?')
      .run(`{"pending":{${poison}},${poison}}`, String(id)),
  )
  await says('/help', helpTitle)
  chat.sendFile(
    'list.csv',
    `__proto__,constructor,prototype,phone\n1,2,3,0241234567\n__proto__,x,y,0241234568\n`,
  )
  await chat.waitForText(/line|Line|size/)

  await says('/start', 'Bundlegram')
  await world.bot.stop()
  const last = world.bot
    .output()
    .trimEnd()
    .split('\n')
    .filter((line) => line.includes('"prototypes"'))
  expect(last).toEqual(['{"prototypes":[]}'])
  expect(world.bot.output()).not.toContain('function Object')
  expect(
    world.telegram.messages(id).filter(({ text }) => /\[object|native code|function /.test(text ?? '')),
  ).toEqual([])
  expect(world.bot.output()).not.toContain('could not be handled')
})
