import { expect, test } from 'vitest'
import type { Denial } from '../../../../src/domain/may-order.ts'
import { pesewas } from '../../../../src/provider/money.ts'
import { agentNotifyLevels } from '../../../../src/store/accounts/accounts.ts'
import * as agentPermissionsWords from '../../../../src/telegram/cards/words/agent-permissions.ts'
import * as teamWords from '../../../../src/telegram/cards/words/team.ts'
import * as commandMenuWords from '../../../../src/telegram/chat/profile/command-menu-words.ts'
import * as invitationWords from '../../../../src/telegram/features/agents/invitation-words.ts'
import * as agentsOwnerWords from '../../../../src/telegram/features/agents/owner-words.ts'
import * as agentsWords from '../../../../src/telegram/features/agents/words.ts'
import * as sharedAgentWords from '../../../../src/telegram/words/agent.ts'
import { now } from '../../words/any-order.ts'
import { testTexts, times, type Values, type Wording } from '../../words/wording.ts'

const spentOf = ({ money, flag }: Values) => ({
  pesewas: money,
  maybePesewas: flag ? money : pesewas(0),
})
const words = {
  ...sharedAgentWords,
  ...teamWords,
  ...agentsWords,
  ...agentsOwnerWords,
  ...agentPermissionsWords,
  ...invitationWords,
  agentMenu: commandMenuWords.agentMenu,
}

const nameOf = ({ text, flag }: Values) => (flag ? text : null)
const limitOf = ({ money, count }: Values) => (count % 2 ? money : null)
const networksOf = ({ text, count }: Values) =>
  [null, [], [text], [text, 'Telecel'], [text, 'Telecel', 'AirtelTigo', 'BigTime']][count % 5] ?? null
const toldOf = ({ count }: Values) => agentNotifyLevels[count % agentNotifyLevels.length] ?? 'each'
const seesOf = ({ count }: Values) => (['selling', 'cost', 'none'] as const)[count % 3] ?? 'none'
const someoneOf = ({ count, flag, text }: Values) => ({
  userId: 123_456_789 + count,
  name: flag ? text : null,
})
const allowanceOf = ({ money, count, flag }: Values) => ({
  limitPesewas: money,
  leftPesewas: pesewas(count * 100),
  isSeen: flag,
})
const standingOf = (values: Values) => ({
  name: nameOf(values),
  isPaused: values.flag,
  spent: spentOf(values),
  limitPesewas: limitOf(values),
  sold: {
    delivered: values.count,
    unpriced: values.count % 2,
    salesPesewas: values.money,
    costPesewas: values.money,
    profitPesewas: pesewas(0),
  },
})
const ruleOf = ({ money, count }: Values) =>
  count % 2 ? { kind: 'plus' as const, pesewas: money, roundPesewas: pesewas(1) } : null
const exampleOf = ({ text, money, flag }: Values) =>
  flag ? { network: text, name: text, costPesewas: money, sellPesewas: money, isOwn: false } : null
const draftLimitOf = (values: Values) => ({
  ...allowanceOf(values),
  isShort: values.flag,
  isAsked: values.count % 2 === 0,
})
const agentPermissionsOf = (values: Values) => ({
  shop: nameOf(values),
  isPaused: values.flag,
  networks: networksOf(values),
  allowance: values.count % 3 ? allowanceOf(values) : null,
})
const denialsOf = ({ text, money, flag }: Values): Denial[] => [
  { kind: 'removed' },
  { kind: 'paused' },
  { kind: 'no_room' },
  { kind: 'closing' },
  { kind: 'network_down', network: text, down: [text] },
  { kind: 'maintenance', since: now, until: flag ? now : null, reason: flag ? text : null },
  { kind: 'network', network: text, allowed: flag ? [] : [text, 'Telecel', text] },
  ...[true, false].map(
    (isNeedSeen): Denial => ({
      kind: 'limit',
      neededPesewas: money,
      limitPesewas: money,
      leftPesewas: money,
      isSeen: flag,
      isNeedSeen,
    }),
  ),
]

const wording: Wording<typeof words> = {
  networkWords: (each) => words.networkWords(networksOf(each)) || null,
  waitingWords: ({ count }) => words.waitingWords(count),
  openWords: ({ count }) => words.openWords(count),
  cancelledWords: ({ count }) => words.cancelledWords(count),
  walletOf: (each) => words.walletOf(nameOf(each)),
  agentName: (each) => words.agentName(nameOf(each)),
  owners: (each) => words.owners(times(each.count % 30, { ...someoneOf(each), createdAt: now }), 1, now),
  wrongSecrets: () => words.wrongSecrets(now, now),
  someone: (each) => words.someone(someoneOf(each)),
  limitWords: (each) => words.limitWords(limitOf(each)),
  pausedWords: (each) => words.pausedWords(times(each.count % 30, { name: nameOf(each) })),
  removeOwnerLabel: (each) => words.removeOwnerLabel(someoneOf(each)),
  askRemoveOwner: (each) => words.askRemoveOwner(someoneOf(each)),
  ownerRemoved: (each) =>
    words.ownerRemoved(someoneOf(each), times(each.count % 30, { name: nameOf(each) }), each.count),
  ownerConnected: (each) => words.ownerConnected(someoneOf(each), now, now),
  ownerNoMore: (each) =>
    words.ownerNoMore(
      {
        what: each.flag ? 'replaced' : 'removed',
        who: someoneOf(each),
        cancelled: each.count,
        open: each.count,
      },
      now,
      now,
    ),
  tookOver: (each) =>
    words.tookOver(
      times(1 + (each.count % 30), someoneOf(each)),
      times(each.count % 30, { name: nameOf(each) }),
      each.count,
    ),
  agents: (each) =>
    words.agents(null, times(each.count % 5, standingOf(each)), { count: each.count, open: each.count % 12 }),
  openInvitations: ({ count }) => words.openInvitations(times(count % 12, { expiresAt: now })),
  invitationText: () => words.invitationText('https://t.me/bot?start=a1'),
  more: (each) => words.more(nameOf(each), networksOf(each), toldOf(each)),
  askPrice: (each) => words.askPrice(nameOf(each), ruleOf(each), seesOf(each), exampleOf(each)),
  priceSet: (each) => words.priceSet(ruleOf(each)),
  askZero: (each) => words.askZero(nameOf(each)),
  raisedLimit: ({ money }) => words.raisedLimit(money),
  raiseLabel: ({ money }) => words.raiseLabel(money),
  asksForMore: (each) =>
    words.asksForMore({
      name: nameOf(each),
      what: 'A list',
      neededPesewas: each.money,
      spentPesewas: each.money,
      limitPesewas: each.money,
    }),
  answeredAsk: ({ flag, money, count }) => words.answeredAsk(flag ? money : null, count % 2 === 0),
  agent: (each) =>
    words.agent({
      ...standingOf(each),
      since: now,
      pausedAt: each.flag ? now : null,
      prices: seesOf(each),
      rule: ruleOf(each),
      networks: networksOf(each),
      told: toldOf(each),
      now,
    }),
  askLimit: (each) => words.askLimit(nameOf(each), limitOf(each)),
  notALimit: ({ text }) => words.notALimit(text),
  networksOf: (each) => words.networksOf(nameOf(each), networksOf(each)),
  askPrices: (each) => words.askPrices(seesOf(each)),
  askNotifyLevel: (each) => words.askNotifyLevel(nameOf(each), toldOf(each)),
  askRemove: (each) => words.askRemove(nameOf(each), each.count, each.count % 3),
  removed: (each) => words.removed(nameOf(each), each.count % 3, each.count),
  noAgentOrders: (each) => words.noAgentOrders(nameOf(each)),
  agentOrders: (each) => words.agentOrders(nameOf(each), ['1. ✅ MTN 5GB · delivered'], each.count),
  invitationReady: ({ money }) => words.invitationReady('https://t.me/bot?start=a1&b', now, money),
  joined: (each) => words.joined(nameOf(each), limitOf(each)),
  pausedUnused: (each) => words.pausedUnused(nameOf(each), 90),
  leftByThemselves: (each) => words.leftByThemselves(nameOf(each), each.count % 3, each.count),
  orderedBy: (each) => words.orderedBy(nameOf(each)),
  orderedByLine: (each) => words.orderedByLine(nameOf(each)),
  welcomeAgent: (each) => words.welcomeAgent(agentPermissionsOf(each)),
  agentHome: (each) =>
    words.agentHome(agentPermissionsOf(each), {
      isRefused: each.flag,
      eraseBy: each.count % 2 ? now : null,
      now,
    }),
  leftToday: (each) => words.leftToday(allowanceOf(each)),
  leftForDraft: (each) => words.leftForDraft(draftLimitOf(each), each.count % 2 ? each.money : null),
  barredForDraft: (each) => words.barredForDraft(each.text, networksOf(each) ?? []),
  pausedOrResumed: (each) => words.pausedOrResumed(agentPermissionsOf(each)),
  agentBalance: (each) => words.agentBalance(agentPermissionsOf(each)),
  doubtForAgent: () => words.doubtForAgent('MTN 5GB', '<code>0241234567</code>'),
  askResign: (each) => words.askResign(nameOf(each), each.count, each.count % 3),
  resigned: ({ count }) => words.resigned(count % 3, count),
  dismissed: ({ count }) => words.dismissed(count % 3, count),
  connectAsAgent: (each) => words.connectAsAgent(nameOf(each)),
  askToJoin: ({ text, flag, money }) =>
    words.askToJoin(flag ? null : text, money, flag ? { shop: text } : null),
  revokedAll: ({ count }) => words.revokedAll(count),
  agentLabel: (each) => words.agentLabel(nameOf(each), each.count % 2 === 0),
  limitLabel: ({ money, flag }) => words.limitLabel(money, flag),
  networkLabel: ({ text, flag }) => words.networkLabel(text, flag),
  revokeLabel: ({ count }) => words.revokeLabel(count),
  openLabel: ({ count }) => words.openLabel(count),
  limitSet: (each) => words.limitSet(limitOf(each)),
  notifyLevelSaved: (each) => words.notifyLevelSaved(toldOf(each)),
  notAllowed: (each) => words.notAllowed(each.text, networksOf(each) ?? []),
  denied: (each) => denialsOf(each).map((denial) => words.denied(denial, now)),
}

const plain = [
  'agentLabel',
  'limitLabel',
  'networkLabel',
  'raiseLabel',
  'revokeLabel',
  'removeOwnerLabel',
  'openLabel',
  'limitSet',
  'priceSet',
  'raisedLimit',
  'notifyLevelSaved',
  'notAllowed',
  'denied',
] as const

testTexts(words, wording, {
  plain,
  toAgents: Object.fromEntries(
    Object.entries(agentPermissionsWords).map(([name, value]) => [
      name,
      typeof value === 'string' ? () => value : wording[name as keyof typeof wording],
    ]),
  ),
})

test.each(plain)('the text “%s” about agents fits a button or the answer to a press', (name) => {
  const each = { count: 3, flag: true, money: pesewas(123_456_789), text: '😀'.repeat(50) } as Values
  for (const text of [wording[name](each)].flat()) {
    expect(text?.length).toBeLessThanOrEqual(200)
    expect(text).not.toContain('\n')
    expect(text?.isWellFormed()).toBe(true)
  }
})

test('a list of an agent’s networks that is too long for a toast is cut between characters', () => {
  const networks = Array.from({ length: 8 }, (_, index) => `${'x'.repeat(index)}${'😀'.repeat(7)}`)
  for (let count = 1; count <= networks.length; count += 1) {
    const allowed = networks.slice(0, count)
    expect(words.notAllowed('MTN', allowed).isWellFormed()).toBe(true)
    expect(words.notAllowed('MTN', ['y', ...allowed]).isWellFormed()).toBe(true)
  }
})

test('an agent’s invitation makes sense to the person to whom it is forwarded', () => {
  const text = words.invitationReady('https://t.me/bot?start=a1', now, pesewas(10_000))
  expect(text).toMatch(/press Join[\s\S]*GHS 100\.00[\s\S]*start=a1$/)
  expect(text).not.toMatch(/your|Revoke|\/agents/)
})
