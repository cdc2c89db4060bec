import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type Reseller, type World } from '../support/world.ts'

/** Hostile answers of a provider, as shown on screens and in files about the wallet and prices. */

let world: World

beforeAll(async () => {
  world = await createWorld({ settings: { limits: { perMinute: 5_000, perHour: 5_000, perDay: 5_000 } } })
})
afterAll(() => world?.close())

const entry = {
  id: 1,
  type: 'debit',
  amount: 5,
  description: 'x',
  reference: 'BUD-API-A-1',
  balance_after: 1,
  created_at: new Date().toISOString(),
}
const endless = '<b>&\u202e'.repeat(20_000)
const entries = [
  { ...entry, id: 2, amount: 1e308 },
  { ...entry, id: 3, amount: -5 },
  { ...entry, id: 4, amount: 'NaN' },
  { ...entry, id: 5, amount: '5.5', type: endless, description: endless, reference: endless },
  { ...entry, id: 6, created_at: '9999-99-99T99:99:99Z', balance_after: {} },
  { ...entry, id: 7, created_at: '0001-01-01T00:00:00Z', description: '=1+1' },
  { ...entry, id: { $ne: 1 }, type: null },
  { ...entry, id: endless, reference: ['BUD'] },
  { ...entry, id: 9, description: '\u0000\ud800<script>', reference: '@SUM(A1)' },
  null,
  [],
  'entry',
]
const bundle = { id: 1, network: 'MTN', volume: '1GB', price: 5, offer_slug: 'x', status: 'active' }

const bodies: [path: string, body: unknown][] = [
  ['/transactions', { success: true, transactions: entries, pagination: null }],
  [
    '/transactions',
    {
      success: true,
      transactions: entries,
      pagination: { current_page: -1, per_page: 1e9, total: 1e308, last_page: 'x' },
    },
  ],
  ['/transactions', { success: true, transactions: {} }],
  ['/transactions', []],
  [
    '/wallet/balance',
    { success: true, balance: 1e308, currency: endless, account_type: endless, timestamp: 'never' },
  ],
  ['/wallet/balance', { success: true, balance: 'NaN' }],
  ['/wallet/balance', { success: true, balance: -5.5, currency: 'GHS', account_type: '<b>&', timestamp: 5 }],
  [
    '/bundles',
    {
      success: true,
      account_type: endless,
      bundles: [
        { ...bundle, price: 1e308 },
        { ...bundle, id: 2, price: -1 },
        { ...bundle, id: 3, volume: endless, offer_slug: endless },
        { ...bundle, id: 4, network: endless },
        { ...bundle, id: 2 ** 53, volume: {} },
        null,
      ],
    },
  ],
]

const screens: Record<string, string[]> = {
  '/transactions': ['/transactions'],
  '/wallet/balance': ['/balance'],
  '/bundles': ['/bundles', '/prices', '/buy'],
}

const answered = async ({ chat }: Reseller, command: string): Promise<void> => {
  const { message_id: after } = chat.say(command)
  await chat.waitForText(/./, { after })
}

const refused = () =>
  world.telegram
    .calls()
    .filter(({ ok, description = '' }) => !ok && !/not modified|message to (edit|delete)/.test(description))
    .map(({ method, description }) => `${method}: ${description}`)

const mishaps = () =>
  world.bot
    .output()
    .split('\n')
    .filter((line) => /"level":"(error|fatal)"/.test(line))

test.each(bodies)(
  'a hostile answer from %s leads to valid messages on the screens that use it, and to no error in the log',
  async (path, body) => {
    const reseller = await world.newReseller()
    world.provider.addFault({
      kind: 'bad_json',
      path,
      body: JSON.stringify(body),
      account: reseller.account.id,
      times: null,
    })
    for (const command of screens[path] ?? []) await answered(reseller, command)
    expect(refused()).toEqual([])
    expect(mishaps()).toEqual([])
  },
)

test('a wallet with hostile entries is exported as a file with harmless cells', async () => {
  const reseller = await world.newReseller()
  const body = JSON.stringify({ success: true, transactions: entries })
  world.provider.addFault({
    kind: 'bad_json',
    path: '/transactions',
    body,
    account: reseller.account.id,
    times: null,
  })
  const { chat } = reseller
  const { message_id: after } = chat.say('/export')
  await chat.waitForText('file for your books', { after })
  chat.press('Transactions')
  await chat.waitForText(/Which days\?/, { after })
  chat.press('Everything')
  await chat.waitForText('What kind of file?', { after })
  chat.press('CSV')
  const cells = (parse((await chat.waitForFile({ after })).bytes, { bom: true }) as string[][]).flat()
  expect(cells.filter((cell) => /^\s*[=+@]/.test(cell))).toEqual([])
  await chat.waitForText(/couldn’t read|unreadable/i, { after })
  expect(refused()).toEqual([])
  expect(mishaps()).toEqual([])
})
