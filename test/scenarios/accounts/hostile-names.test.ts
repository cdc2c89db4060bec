// @module-tag screens
import { parse } from 'csv-parse/sync'
import { readSheet } from 'read-excel-file/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chatOf } from '../../../src/sandbox/index.ts'
import { orderNowPhrase } from '../../../src/telegram/cards/words/agent-permissions.ts'
import { invitationTitle } from '../../../src/telegram/features/agents/invitation-words.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import { newPhone, place, pressOnCard } from '../shop.ts'
import { joinBy } from './members.ts'

/** Names that are markup, formulas, right-to-left, endless or broken, in everything that the bot sends. */

let world: World

beforeAll(async () => {
  world = await createWorld({ settings: { limits: { perMinute: 5_000, perHour: 5_000, perDay: 5_000 } } })
})
afterAll(() => world?.close())

const names = [
  '=HYPERLINK("http://evil.example","Kofi")',
  '+Kofi',
  '-Kofi',
  '@SUM(A1)',
  '\t=Kofi',
  '\r\n=Kofi',
  '<b>Kofi</b>&amp;"\'</text><script>',
  '\u202eKofi\u2066\u200b\u0000',
  'Kofi'.repeat(1_024),
  'Kofi \ud83d',
  '👨‍👩‍👧 Kofi 🇬🇭',
]
const shopName = '=<b>Ama</b>&"</svg>{'

const say = async ({ chat }: Pick<Reseller, 'chat'>, text: string, awaited: string | RegExp) => {
  const { message_id: after } = chat.say(text)
  return chat.waitForText(awaited, { after })
}

const exported = async (owner: Reseller, format: string): Promise<Buffer> => {
  const { message_id: after } = owner.chat.say('/export')
  await owner.chat.waitForText('file for your books', { after })
  owner.chat.press('Orders')
  await owner.chat.waitForText(/Which days\?/, { after })
  owner.chat.press('Today')
  await owner.chat.waitForText('What kind of file?', { after })
  owner.chat.press(format)
  const { bytes } = await owner.chat.waitForFile({ after })
  // The next export is accepted only after this message.
  await owner.chat.waitForText(/^✅ Export of/, { after })
  return bytes
}

/** Calls that Telegram refused, for example for invalid markup, a text that is too long, or half a surrogate pair. */
const refused = () =>
  world.telegram
    .calls()
    .filter(({ ok, description = '' }) => !ok && !/not modified|message to (edit|delete)/.test(description))
    .map(({ method, description }) => `${method}: ${description}`)

test('hostile names appear in chats, pictures and files as harmless text within Telegram’s limits', async () => {
  const owner = await world.newReseller(100_000)
  await say(owner, '/prices', 'Selling prices')
  owner.chat.press('Your shop')
  await owner.chat.waitForButton('Name')
  owner.chat.press('Name')
  await owner.chat.waitForText('price lists and receipts')
  await say(owner, shopName, /Saved/)

  const phones = names.map(() => newPhone())
  for (const [index, name] of names.entries()) {
    const { message_id: after } = owner.chat.sendContact(name, phones[index] ?? '')
    await owner.chat.waitForText(/Saved: /, { after })
    await place(world, owner, phones[index] ?? '')
  }
  const { message_id: after } = owner.chat.last() ?? { message_id: 0 }
  await pressOnCard(owner.chat, 'Receipt')
  await owner.chat.waitForPhoto({ after })
  expect(owner.chat.texts().join('\n')).toContain(shopName)

  // Somebody whose own name is one of the hostile names becomes an agent and orders.
  await say(owner, '/agents', 'Agents')
  owner.chat.press('✉️ Invite')
  const { text = '' } = await owner.chat.waitForText(invitationTitle)
  const { id } = world.telegram.addPerson({ first_name: '\u202e=<b>Esi</b>', last_name: '&\u200b"@' })
  const agent = { ...owner, id, chat: chatOf(world.telegram, id) }
  await joinBy(world, agent, /https:\/\/t\.me\/\S+/.exec(text)?.[0] ?? '')
  await agent.chat.waitForText(orderNowPhrase)
  await owner.chat.waitForText('=<b>Esi</b> &"@ has accepted your invitation')
  await place(world, agent, newPhone())

  await say(owner, '/customers', 'Customers · ')
  await pressOnCard(owner.chat, 'Export')
  const workbook = await owner.chat.waitForFile()
  owner.chat.press('CSV')
  const book = (await owner.chat.waitForFile({ after: workbook.message.message_id })).bytes
  const csv = await exported(owner, 'CSV')
  for (const bytes of [book, csv]) {
    const cells = (parse(bytes, { bom: true, relax_column_count: true }) as string[][]).flat()
    expect(cells.length).toBeGreaterThan(2 * names.length)
    const mayRun = cells.filter((cell) => !/^="0\d{9}"$/.test(cell))
    expect(mayRun.filter((cell) => /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/.test(cell))).toEqual([])
    expect(cells.join('')).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\ufffd]/)
    expect(Math.max(...cells.map(({ length }) => length))).toBeLessThan(80)
  }
  const sheet = (await readSheet(await exported(owner, 'Excel'))) as unknown[][]
  const words = sheet.flat().filter((cell) => typeof cell === 'string')
  expect(words).toEqual(
    expect.arrayContaining(['=HYPERLINK("http://evil.example","Kofi")', '=<b>Esi</b> &"@']),
  )

  await say(owner, '/settings', 'Your settings')
  owner.chat.press('My data')
  await owner.chat.waitForButton('Export my data')
  const before = owner.chat.last()?.message_id ?? 0
  owner.chat.press('Export my data')
  const data = JSON.parse((await owner.chat.waitForFile({ after: before })).bytes.toString('utf8'))
  expect(data.account.shop.name).toBe(shopName)
  expect(data.contacts).toHaveLength(names.length)

  for (const command of ['/orders', '/customers', '/agents', '/stats', '/prices'])
    await say(owner, command, /./)
  expect(refused()).toEqual([])
  expect(world.bot.output()).not.toMatch(/"level":"(error|fatal)"/)
}, 240_000)
