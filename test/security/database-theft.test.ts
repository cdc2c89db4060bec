// @module-tag process
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { invitationTitle } from '../../src/telegram/features/agents/invitation-words.ts'
import { copyKey, sendSecret } from '../../src/telegram/features/connecting/words.ts'
import { newConnected } from '../scenarios/accounts/members.ts'
import { changeDatabase, inDatabase, newPhone, place, shareLink } from '../scenarios/shop.ts'
import { runCommand } from '../support/bot/command.ts'
import { newFolder } from '../support/folder.ts'
import { createWorld, databaseBytes, type Reseller, type World, type WorldOptions } from '../support/world.ts'

/** The attacker can read a copy of the database or even write to it, but does not have CREDENTIALS_KEY. */

const newWorld = async (finished: (close: () => Promise<void>) => void, options: WorldOptions = {}) => {
  const key = randomBytes(32).toString('base64')
  const metricsToken = randomBytes(16).toString('hex')
  const world = await createWorld({
    ...options,
    env: { CREDENTIALS_KEY: key, METRICS_TOKEN: metricsToken },
  })
  finished(() => world.close())
  return { world, secrets: [key, metricsToken, world.telegram.token] }
}

const linkIn = (text = ''): string => /https:\/\/t\.me\/\S+/.exec(text)?.[0] ?? ''

/** Fills the database with everything that a bot stores. @returns what must not be readable in it */
const fill = async (world: World, reseller: Reseller): Promise<string[]> => {
  const { chat, account } = reseller
  const { webhookUrl } = await place(world, reseller, newPhone())
  const share = await shareLink(reseller)
  const { message_id: after } = chat.say('/agents')
  await chat.waitForText('Agents', { after })
  chat.press('✉️ Invite')
  const invitation = linkIn((await chat.waitForText(invitationTitle, { after })).text)
  const waiting = world.newPerson()
  waiting.chat.say('/connect')
  await waiting.chat.waitForText(copyKey)
  const typed = `key-${randomBytes(12).toString('hex')}`
  waiting.chat.say(typed)
  await waiting.chat.waitForText(sendSecret)
  const tokens = [
    webhookUrl?.split('/').at(-1),
    ...[share, invitation].map((link) => link.split('start=').at(1)),
  ]
  expect(tokens).toEqual(Array(3).fill(expect.stringMatching(/^[\w-]{30,}$/)))
  return [account.apiKey, account.apiSecret, typed, ...tokens.map(String)]
}

test('a stolen backup contains neither credentials nor tokens, and no bot starts on it without the key', async ({
  onTestFinished,
}) => {
  const { world, secrets } = await newWorld(onTestFinished, { process: true })
  const reseller = await newConnected(world)
  const hidden = [...secrets, ...(await fill(world, reseller))]
  const stolen = join(await newFolder(), 'stolen.db')
  const made = await runCommand('backup', [stolen], { DATABASE_URL: `file:${world.databasePath}` })
  expect(made).toMatchObject({ code: 0, err: '' })

  const bytes = readFileSync(stolen).toString('latin1') + (await databaseBytes(world.databasePath))
  expect(bytes).toContain('BUD-API-')
  for (const secret of hidden) {
    expect(bytes).not.toContain(secret)
    for (const form of ['base64', 'hex', 'utf16le'] as const)
      expect(bytes).not.toContain(Buffer.from(secret).toString(form === 'utf16le' ? 'latin1' : form))
    expect(bytes).not.toContain(Buffer.from(secret, 'utf16le').toString('latin1'))
  }

  const thief = await world.anotherBot({
    DATABASE_URL: `file:${stolen}`,
    CREDENTIALS_KEY: randomBytes(32).toString('base64'),
  })
  await expect(thief.start()).rejects.toThrow('CREDENTIALS_KEY: opens nothing in this database')
})

test('credentials copied into another account’s row or another field cannot be decrypted', async ({
  onTestFinished,
}) => {
  const { world } = await newWorld(onTestFinished)
  const victim = await world.newReseller(77_700)
  const thief = await world.newReseller(100)
  const requestsBy = (accountId: string) =>
    world.provider.requests().filter((request) => request.accountId === accountId).length
  const accountOf = ({ id }: Reseller) =>
    inDatabase(world, (db) =>
      String(db.prepare('SELECT accountId FROM Member WHERE userId = ?').get(id)?.accountId),
    )
  const stolen = 'SELECT sealedKey, sealedSecret FROM Account WHERE id = ?'
  const changes: [what: string, sql: string, accounts: string[]][] = [
    [
      'both of another',
      `UPDATE Account SET (sealedKey, sealedSecret) = (${stolen}) WHERE id = ?`,
      [accountOf(victim), accountOf(thief)],
    ],
    ['the secret as the key', 'UPDATE Account SET sealedKey = sealedSecret WHERE id = ?', [accountOf(thief)]],
    ['the key as the secret', 'UPDATE Account SET sealedSecret = sealedKey WHERE id = ?', [accountOf(thief)]],
  ]
  for (const [what, sql, accounts] of changes) {
    const before = requestsBy(victim.account.id)
    expect(await changeDatabase(world, (db) => db.prepare(sql).run(...accounts).changes)).toBe(1)
    const { message_id: after } = thief.chat.say('/balance')
    await thief.chat.waitForText('I can’t open your stored API key', { after })
    expect(requestsBy(victim.account.id), what).toBe(before)
  }
  victim.chat.say('/balance')
  await victim.chat.waitForText('GHS 777.00')
})
