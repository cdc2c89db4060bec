import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Hindrance } from '../../../src/orders/allowance.ts'
import { pesewas } from '../../../src/provider/money.ts'
import { toldLevels } from '../../../src/store/accounts.ts'
import * as words from '../../../src/telegram/texts/agent.ts'
import { now } from './any-order.ts'
import { hostile, readAsTelegram } from './outside.ts'
import { times } from './wording.ts'

const money = fc.nat(2_147_483_647).map(pesewas)
const allowance = fc.record({ limitPesewas: money, leftPesewas: money, isSeen: fc.boolean() })
const networks = fc.option(fc.array(hostile, { maxLength: 5 }))
const seed = fc.record({
  name: fc.option(hostile),
  text: hostile,
  shop: fc.option(hostile),
  money,
  limit: fc.option(money),
  allowance: fc.option(allowance),
  networks,
  told: fc.constantFrom(...toldLevels),
  flag: fc.boolean(),
  count: fc.nat(3_000),
  lines: fc.array(
    fc.record({
      name: fc.option(hostile),
      isPaused: fc.boolean(),
      spentPesewas: money,
      limitPesewas: fc.option(money),
    }),
    { maxLength: 50 },
  ),
  open: fc.array(fc.record({ expiresAt: fc.constant(now) }), { maxLength: 10 }),
  hindrance: fc.oneof(
    fc.record({ kind: fc.constantFrom('removed' as const, 'paused' as const) }),
    fc.record({
      kind: fc.constant('network' as const),
      network: hostile,
      allowed: fc.array(hostile, { maxLength: 6 }),
    }),
    fc.record({
      kind: fc.constant('limit' as const),
      neededPesewas: money,
      limitPesewas: money,
      leftPesewas: money,
      isSeen: fc.boolean(),
      isNeedSeen: fc.boolean(),
    }),
  ) as fc.Arbitrary<Hindrance>,
})
type Seed = typeof seed extends fc.Arbitrary<infer Value> ? Value : never

const engagementOf = ({ shop, flag, networks, allowance }: Seed) => ({
  shop,
  isPaused: flag,
  networks,
  allowance,
})

/** Every text that takes values, each with some. */
const html: Record<string, (values: Seed) => string> = {
  agentName: ({ name }) => words.agentName(name),
  owners: ({ name, count }) =>
    words.owners(times(count % 30, { userId: count, name, createdAt: now }), 1, now) ?? 'nobody',
  wrongSecrets: () => words.wrongSecrets(now, now),
  someone: ({ name, count }) => words.someone({ userId: count, name }),
  askRemoveOwner: ({ name, count }) => words.askRemoveOwner({ userId: count, name }),
  ownerRemoved: ({ name, count }) =>
    words.ownerRemoved({ userId: count, name }, times(count % 30, { name }), count),
  ownerConnected: ({ name, count }) => words.ownerConnected({ userId: count, name }, now, now),
  ownerNoMore: ({ name, count, flag }) =>
    words.ownerNoMore(
      { what: flag ? 'replaced' : 'removed', who: { userId: count, name }, cancelled: count, open: count },
      now,
      now,
    ),
  tookOver: ({ name, count }) =>
    words.tookOver(times(1 + (count % 30), { userId: count, name }), times(count % 30, { name }), count),
  agents: ({ lines, open }) => words.agents(null, lines, open),
  agent: (v) =>
    words.agent({
      name: v.name,
      since: now,
      pausedAt: v.flag ? now : null,
      spentPesewas: v.money,
      prices: v.flag ? 'selling' : 'none',
      limitPesewas: v.limit,
      networks: v.networks,
      told: v.told,
      now,
    }),
  askLimit: ({ name, limit }) => words.askLimit(name, limit),
  notALimit: ({ text }) => words.notALimit(text),
  networksOf: ({ name, networks }) => words.networksOf(name, networks),
  askPrices: ({ flag }) => words.askPrices(flag ? 'selling' : 'none'),
  askTold: ({ name, told }) => words.askTold(name, told),
  askRemove: ({ name, count, flag }) => words.askRemove(name, count, flag ? 1 : 0),
  removed: ({ name, count, flag }) => words.removed(name, flag ? 1 : 0, count),
  noAgentOrders: ({ name }) => words.noAgentOrders(name),
  agentOrders: ({ name, count }) => words.agentOrders(name, ['1. ✅ MTN 5GB · delivered'], count),
  invitationReady: ({ money }) => words.invitationReady('https://t.me/bot?start=a1&b', now, money),
  joined: ({ name, limit }) => words.joined(name, limit),
  leftByThemselves: ({ name, count, flag }) => words.leftByThemselves(name, flag ? 1 : count, count),
  orderedBy: ({ name }) => words.orderedBy(name),
  orderedByLine: ({ name }) => words.orderedByLine(name),
  welcomeAgent: (values) => words.welcomeAgent(engagementOf(values)),
  agentHome: (values) =>
    words.agentHome(engagementOf(values), {
      isRefused: values.flag,
      eraseBy: values.count % 2 ? now : null,
      now,
    }),
  leftToday: ({ allowance }) =>
    words.leftToday(allowance ?? { limitPesewas: pesewas(0), leftPesewas: pesewas(0), isSeen: false }),
  leftForDraft: ({ allowance, money }) =>
    words
      .leftForDraft(allowance ?? { limitPesewas: money, leftPesewas: money, isSeen: true }, money)
      .join('\n'),
  barredForDraft: ({ text, networks }) => words.barredForDraft(text, networks ?? []),
  pausedOrResumed: (values) => words.pausedOrResumed(engagementOf(values)),
  agentBalance: (values) => words.agentBalance(engagementOf(values)),
  doubtForAgent: () => words.doubtForAgent('MTN 5GB', '<code>0241234567</code>'),
  askResign: ({ shop, count, flag }) => words.askResign(shop, flag ? 1 : count, count),
  resigned: ({ count, flag }) => words.resigned(flag ? 1 : count, count),
  dismissed: ({ count, flag }) => words.dismissed(flag ? 1 : count, count),
  connectAsAgent: ({ shop }) => words.connectAsAgent(shop),
  askToJoin: ({ text, flag, money }) =>
    words.askToJoin(flag ? null : text, money, flag ? { shop: text } : null),
  revokedAll: ({ count }) => words.revokedAll(count),
}

/** Texts that are shown as they are: labels of buttons, and answers to presses (Telegram takes 200 characters). */
const plain: Record<string, (values: Seed) => string> = {
  agentLabel: ({ name, flag }) => words.agentLabel(name, flag),
  limitLabel: ({ money, flag }) => words.limitLabel(money, flag),
  chosenLabel: ({ flag }) => words.chosenLabel(words.agentLabels.noLimit, flag),
  networkLabel: ({ text, flag }) => words.networkLabel(text, flag),
  revokeLabel: ({ count }) => words.revokeLabel(count),
  removeOwnerLabel: ({ name, count }) => words.removeOwnerLabel({ userId: count, name }),
  openLabel: ({ count }) => words.openLabel(count),
  limitSet: ({ limit }) => words.limitSet(limit),
  toldSet: ({ told }) => words.toldSet(told),
  notAllowed: ({ text, networks }) => words.notAllowed(text, networks ?? []),
  hindered: ({ hindrance }) => words.hindered(hindrance, now),
}

test('every text about agents stands in one of the tables', () => {
  const made = Object.entries(words).filter(([, value]) => typeof value === 'function')
  expect(made.map(([name]) => name).sort()).toEqual([...Object.keys(html), ...Object.keys(plain)].sort())
})

test.each(Object.entries(html))('%s is valid HTML and short enough whatever names it has', (_, make) => {
  fc.assert(
    fc.property(seed, (values) => {
      readAsTelegram(make(values))
    }),
    { numRuns: 60 },
  )
})

test.each(Object.entries(plain))('%s fits where it is shown, whatever names it has', (_, make) => {
  fc.assert(
    fc.property(seed, (values) => {
      const text = make(values)
      expect(text.length).toBeGreaterThan(0)
      expect(text.length).toBeLessThanOrEqual(200)
      expect(text).not.toMatch(/undefined|NaN|\bnull\b|\n/)
      expect(text.isWellFormed()).toBe(true)
    }),
    { numRuns: 60 },
  )
})

test('networks that are cut short are cut between characters', () => {
  const networks = Array.from({ length: 8 }, (_, index) => `${'x'.repeat(index)}${'😀'.repeat(7)}`)
  for (let count = 1; count <= networks.length; count += 1) {
    const allowed = networks.slice(0, count)
    expect(words.notAllowed('MTN', allowed).isWellFormed()).toBe(true)
    expect(words.notAllowed('MTN', ['y', ...allowed]).isWellFormed()).toBe(true)
  }
})

test('what has no values is valid too', () => {
  for (const value of Object.values(words)) {
    if (typeof value === 'string') readAsTelegram(value)
  }
})
