import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../support/world.ts'
import { operatorId, operatorOf } from './operator.ts'
import { changeDatabase, inDatabase } from './shop.ts'

let world: World

beforeAll(async () => {
  world = await createWorld({ env: { OWNER_IDS: String(operatorId) } })
})
afterAll(() => world?.close())

const kinds = (): string[] =>
  inDatabase(world, (db) =>
    db
      .prepare('SELECT kind FROM SecurityEvent ORDER BY id')
      .all()
      .map(({ kind }) => String(kind)),
  )

test('what matters for security leaves a trace that owners and operators read, and a line in the log', async () => {
  const owner = await world.newReseller()
  const press = async (label: string, awaited: string | RegExp) => {
    const { message } = await owner.chat.waitForButton(label)
    owner.chat.press(label)
    return owner.chat.waitForText(awaited, { after: message.message_id - 1 })
  }

  const guesser = world.newPerson()
  guesser.chat.say(`/connect ${owner.account.apiKey} not-the-secret`)
  await guesser.chat.waitForText('refused this key and secret')
  guesser.chat.say('c3ab8ff13720e8ad9047dd39466b3c89')
  await guesser.chat.waitForText('That looks like an API key or secret.')
  world.telegram.press({ from: guesser.id, messageId: 1, data: 'forged:data', stale: true })

  owner.chat.say('/agents')
  await press('✉️ Invite', 'An invitation for one person')
  owner.chat.say('/export')
  await owner.chat.waitForText('What should be in it?')
  await press('🧾 Orders', /Which days/)
  await press('Today', 'Which kind of file?')
  owner.chat.press('CSV')
  await world.until(() => kinds().includes('exported'), 'the export to be noted')

  const operator = operatorOf(world)
  await operator.pause()
  await operator.resume()
  await world.until(
    () => kinds().includes('orders_resumed') && kinds().includes('forged_press'),
    'all to be noted',
  )
  expect(new Set(kinds())).toEqual(
    new Set([
      ...kinds().filter((kind) => kind === 'connected'),
      'wrong_credentials',
      'secret_typed',
      'forged_press',
      'invited',
      'exported',
      'orders_paused',
      'orders_resumed',
    ]),
  )

  owner.chat.say('/settings')
  const shown = await press('🔐 Security', 'What happened to your account here')
  for (const words of [
    'connected (owner) · you',
    'wrong secret for the API key · somebody',
    'invitation made · you',
    'file made (orders csv) · you',
  ])
    expect(shown.text).toContain(words)
  expect(shown.text).not.toContain('orders paused')
  const all = await operator.go(['🔐 Security'], 'Security events')
  expect(all.text).toContain('✅ No entry was changed or removed.')
  expect(all.text).toContain('all orders paused')

  await changeDatabase(world, (db) =>
    db.prepare("UPDATE SecurityEvent SET detail = 'x' WHERE kind = 'exported'").run(),
  )
  const broken = await operator.go(['🔐 Security'], 'was changed or removed in the database')
  expect(broken.text).toContain('⚠️ Entry ')
  const output = world.bot.output()
  expect(output.match(/"a security event"/g)?.length).toBe(kinds().length)
  for (const id of [owner.id, guesser.id]) expect(output).not.toContain(`"userId":${id}`)
})

test('a webhook that a thief of the token sets is taken back, and operators are told', async () => {
  const operator = operatorOf(world)
  const { message_id: after } = await operator.open()
  const thief = await fetch(
    `${world.telegram.url}/bot${world.telegram.token}/setWebhook?url=http://127.0.0.1:9/thief`,
  )
  expect(thief.status).toBe(200)
  const told = await operator.chat.waitForText('to another address: 127.0.0.1:9', { after })
  expect(told.text).toContain('Make a new one with @BotFather (/revoke)')
  expect(kinds()).toContain('token_misused')
  const person = world.newPerson()
  person.chat.say('/help')
  await person.chat.waitForText('How it works')
})
