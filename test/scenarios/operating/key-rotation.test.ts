// @module-tag process
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { followsOpen } from '../../../src/telegram/cards/words/follower.ts'
import { brokenLink } from '../../../src/telegram/features/following/lookup-words.ts'
import { runCommand } from '../../support/bot/command.ts'
import { testedKind } from '../../support/database.ts'
import { createWorld, databaseBytes, type Reseller } from '../../support/world.ts'
import { newConnected } from '../accounts/members.ts'
import { inDatabase, newPhone, order, place, shareLink } from '../shop.ts'

const newKey = () => randomBytes(32).toString('base64')

test('the credentials key can be changed while the bot works, and the old one is then not needed', async ({
  onTestFinished,
}) => {
  const [older, newer] = [newKey(), newKey()]
  const world = await createWorld({ env: { CREDENTIALS_KEY: older } })
  onTestFinished(() => world.close())
  const rotate = (args: string[] = [], keys = `${newer},${older}`) =>
    runCommand('rotate-key', args, { CREDENTIALS_KEY: keys, DATABASE_URL: world.databaseUrl })
  const startWith = async (keys: string) => {
    await world.bot.stop()
    await world.bot.start({ CREDENTIALS_KEY: keys })
  }
  const says = async ({ chat }: Pick<Reseller, 'chat'>, text: string, answer: string | RegExp) => {
    const { message_id: after } = chat.say(text)
    await chat.waitForText(answer, { after })
  }

  const reseller = await world.newReseller()
  const first = await place(world, reseller, newPhone())
  const link = await shareLink(reseller)
  await startWith(`${newer},${older}`)

  // Somebody connects and orders are sent while every account is sealed with the new key.
  const [rotated, partner] = await Promise.all([rotate(), newConnected(world), order(reseller, newPhone())])
  expect(rotated).toMatchObject({ code: 0 })
  expect(rotated.out).toMatch(/\d open orders? sent before 20.*, 20.* at the latest/)
  const second = await place(world, partner, newPhone())

  const contact = world.newPerson()
  world.telegram.openLink(contact.id, link)
  await contact.chat.waitForText(followsOpen)
  world.provider.setStatus(first.reference, 'delivered')
  await reseller.chat.waitForText(/: delivered/)

  await startWith(newer)
  expect(await rotate(['--check'], newer)).toMatchObject({ code: 0 })
  for (const each of [reseller, partner]) await says(each, '/balance', /GHS \d/)
  world.provider.setStatus(second.reference, 'delivered')
  await partner.chat.waitForText(/: delivered/)
  const late = world.newPerson()
  world.telegram.openLink(late.id, link)
  await late.chat.waitForText(brokenLink)
  // A person who types a known key joins its account.
  const { apiKey, apiSecret } = reseller.account
  await says(late, `/connect ${apiKey} ${apiSecret}`, 'Connected')
  expect(inDatabase(world, (db) => db.prepare('SELECT count(*) AS n FROM Account').get()?.n)).toBe(2)

  await world.bot.stop()
  const secrets = [apiKey, apiSecret, partner.account.apiKey, partner.account.apiSecret, older, newer]
  const stored = testedKind === 'sqlite' ? await databaseBytes(world.databasePath) : ''
  const bytes = stored + world.bot.output()
  for (const secret of secrets) expect(bytes).not.toContain(secret)
})

test('a bot whose credentials keys decrypt none of its accounts does not start, and says what to do', async ({
  onTestFinished,
}) => {
  const world = await createWorld()
  onTestFinished(() => world.close())
  await world.newReseller()
  await world.bot.stop()
  const wrong = newKey()
  await expect(world.bot.start({ CREDENTIALS_KEY: wrong })).rejects.toThrow(
    /CREDENTIALS_KEY: opens nothing in this database\. Set the key it was written with/,
  )
  expect(world.bot.output()).not.toContain(wrong)
})

test('a bot whose credentials keys decrypt only some accounts serves these, and logs how many others there are', async ({
  onTestFinished,
}) => {
  const [older, newer] = [newKey(), newKey()]
  const world = await createWorld({ env: { CREDENTIALS_KEY: older } })
  onTestFinished(() => world.close())
  const lost = await world.newReseller()
  await world.bot.stop()
  await world.bot.start({ CREDENTIALS_KEY: `${newer},${older}` })
  const served = await newConnected(world)
  await world.bot.stop()
  await world.bot.start({ CREDENTIALS_KEY: newer })
  expect(world.bot.output()).toContain(
    '"accounts":1,"msg":"no key in CREDENTIALS_KEY opens some of the accounts"',
  )
  served.chat.say('/balance')
  await served.chat.waitForText(/GHS \d/)
  const { message_id: asked } = lost.chat.say('/balance')
  await lost.chat.waitForText('I can’t open your stored API key', { after: asked })
  const { message_id: after } = lost.chat.say(`/connect ${lost.account.apiKey} ${lost.account.apiSecret}`)
  await lost.chat.waitForText('Switch to another account?', { after })
  lost.chat.press('Switch')
  await lost.chat.waitForText('Connected', { after })
})
