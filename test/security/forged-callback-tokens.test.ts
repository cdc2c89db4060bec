import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../src/database/id.ts'
import type { ProviderOrderState } from '../../src/sandbox/index.ts'
import { createKeyring } from '../../src/wallets/credentials/keyring.ts'
import { changeDatabase, inDatabase, newPhone, place, shareLink } from '../scenarios/shop.ts'
import { createWorld, type Reseller, type World } from '../support/world.ts'

/** Callback addresses that were never issued, or that belong to another order. */

let world: World

beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world?.close())

const bodyFor = ({ reference }: ProviderOrderState, status = 'delivered'): string =>
  JSON.stringify({ event: 'order.status.updated', reference, status })

const post = async (path: string, body: string): Promise<number> => {
  const answer = await fetch(`${world.botUrl}${path}`, { method: 'POST', body })
  await answer.arrayBuffer()
  return answer.status
}

const ordered = async (reseller: Reseller) => {
  const placed = await place(world, reseller, newPhone())
  return { placed, token: placed.webhookUrl?.split('/').at(-1) ?? '' }
}

const callbacksKept = (): unknown =>
  inDatabase(
    world,
    (db) => db.prepare(`SELECT count(*) AS count FROM StatusReport WHERE source = 'callback'`).get()?.count,
  )

const swapped = (text: string, at: number): string =>
  `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`

/** Tokens that an attacker who has seen real ones could try. */
const forgeries = (token: string, other: string): string[] => [
  randomBytes(33).toString('base64url'),
  newId() + newId(),
  token.slice(0, -1),
  token.slice(1),
  `${token}A`,
  `A${token}`,
  ...Array.from({ length: token.length }, (_, at) => swapped(token, at)),
  token.slice(0, 22) + other.slice(22),
  other.slice(0, 22) + token.slice(22),
  token.slice(22) + token.slice(0, 22),
  token.slice(0, 22),
  token.slice(22),
  token + other,
  token.toLowerCase(),
  token.toUpperCase(),
  [...token].reverse().join(''),
  'A'.repeat(44),
  '-'.repeat(44),
  `${token}=`,
  `${token}%3D%3D`,
  `${token}%00`,
  `%00${token}`,
  `${token}%20`,
  `${token}%0d%0ax:%20y`,
  encodeURIComponent(encodeURIComponent(`/${token}`)),
  `%2e%2e%2fwebhooks%2f${token}`,
  `..%5c${token}`,
  `${token};a=b`,
  `${token}.json`,
  `${token}/`,
  `${token}/x`,
  `x/${token}`,
  `/${token}`,
  '%F0%9F%98%80'.repeat(11),
  'a'.repeat(5_000),
  '__proto__',
  'constructor',
  '*',
  ':token',
  '%27%20OR%201=1--',
]

test('a callback with a token that was never issued gets a 404, however it is built, and is not stored', async () => {
  const kept = Number(callbacksKept())
  const reseller = await world.newReseller()
  const [{ placed, token }, { token: other }] = [await ordered(reseller), await ordered(reseller)]
  const shared = /start=s(\S+)/.exec(await shareLink(reseller))?.[1] ?? ''
  const stranger = createKeyring([randomBytes(32)])
  const all = [
    ...forgeries(token, other),
    shared,
    shared.slice(0, 22) + token.slice(22),
    stranger.sign('webhook', token.slice(0, 22)),
  ].filter((forged) => forged !== token && forged !== other)
  await world.until(() => callbacksKept() === kept + 2, 'both orders are called back')
  for (const forged of all) {
    expect([forged, await post(`/webhooks/${forged}`, bodyFor(placed))]).toEqual([forged, 404])
  }
  expect(await post(`/webhooks//${token}`, bodyFor(placed))).toBe(404)
  expect(await post(`/WEBHOOKS/${token}`, bodyFor(placed))).toBe(404)
  expect(await post(`/webhooks/?token=${token}`, bodyFor(placed))).toBe(404)
  expect(callbacksKept()).toBe(kept + 2)
})

test('a token of 20 KB is refused because the request’s head is too long', async () => {
  expect(await post(`/webhooks/${'a'.repeat(20_000)}`, '{}')).toBe(431)
  expect((await fetch(`${world.botUrl}/healthz`)).status).toBe(200)
})

test('a callback to the address of another order changes nothing, whoever owns that order', async () => {
  const [reseller, stranger] = [await world.newReseller(), await world.newReseller()]
  const [{ placed }, { token: sibling }, { token: foreign }] = [
    await ordered(reseller),
    await ordered(reseller),
    await ordered(stranger),
  ]
  for (const token of [sibling, foreign]) {
    expect(await post(`/webhooks/${token}`, bodyFor(placed, 'failed'))).toBe(200)
  }
  await world.until(
    () =>
      inDatabase(world, (db) =>
        db
          .prepare(
            `SELECT 1 FROM StatusReport WHERE reference = ? AND source = 'callback' AND disposition IS NULL`,
          )
          .get(placed.reference),
      ) === undefined,
    'all callbacks are judged',
  )
  const dispositions = inDatabase(world, (db) =>
    db
      .prepare(`SELECT disposition FROM StatusReport WHERE reference = ? AND status = 'failed'`)
      .all(placed.reference)
      .map(({ disposition }) => disposition),
  )
  expect(dispositions).toEqual(['foreign', 'foreign'])
  expect(reseller.chat.texts().join('\n')).not.toContain('failed')
  expect(stranger.chat.texts().join('\n')).not.toContain(placed.reference)
})

const tables = ['StatusReport', 'Order', 'Recipient', 'Account', 'Fact']
const renameAll = (name: (table: string) => [string, string]): Promise<void> =>
  changeDatabase(world, (db) => {
    for (const table of tables) {
      const [from, to] = name(table)
      db.exec(`ALTER TABLE "${from}" RENAME TO "${to}"`)
    }
  })

test('unknown tokens are refused without a query to the database', { tags: 'exhaustive' }, async () => {
  const reseller = await world.newReseller()
  const { placed, token } = await ordered(reseller)
  await renameAll((table) => [table, `${table}Gone`])
  try {
    const answers = await Promise.all(
      Array.from({ length: 2_000 }, () => post(`/webhooks/${newId()}${newId()}`, bodyFor(placed))),
    )
    expect(new Set(answers)).toEqual(new Set([404]))
    expect(await post(`/webhooks/${token}`, bodyFor(placed))).toBe(503)
  } finally {
    await renameAll((table) => [`${table}Gone`, table])
  }
  expect(await post(`/webhooks/${token}`, bodyFor(placed))).toBe(200)
})
