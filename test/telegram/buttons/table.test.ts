import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newId } from '../../../src/database/id.ts'
import { complaintKinds, complaintRules } from '../../../src/domain/order/complaint.ts'
import type { PriceRule } from '../../../src/domain/selling/price-rule.ts'
import { exportFormats } from '../../../src/exports/export-file.ts'
import { type ExportPeriod, namedPeriods } from '../../../src/exports/export-period.ts'
import { accentNames } from '../../../src/pictures/theme.ts'
import { pesewas } from '../../../src/provider/money.ts'
import { networks } from '../../../src/provider/network.ts'
import type { Phone } from '../../../src/provider/phone.ts'
import { readSetting, type Topic, topics } from '../../../src/settings/setting.ts'
import { periods } from '../../../src/shop/stats-period.ts'
import { agentNotifyLevels } from '../../../src/store/accounts/accounts.ts'
import { historyStates } from '../../../src/store/orders/history.ts'
import { entryFilters, type Seek } from '../../../src/telegram/buttons/entries-wish.ts'
import { exportSubjects } from '../../../src/telegram/buttons/export-choice.ts'
import { helpTopics } from '../../../src/telegram/buttons/help.ts'
import { type HistoryFilter, historyPeriods, noFilter } from '../../../src/telegram/buttons/history-filter.ts'
import {
  type ActOf,
  type ButtonPress,
  decodePress,
  encodePress,
} from '../../../src/telegram/buttons/table.ts'
import { anyCharacter } from '../../support/any-character.ts'
import { runs } from '../../support/runs.ts'

const id = fc.stringMatching(/^[\w-]{22}$/)
const phone = fc.stringMatching(/^0\d{9}$/).map((digits) => digits as Phone)
const bundleId = fc.maxSafeNat()
const page = fc.nat(999_999)
const network = fc.constantFrom(...networks)

const digest = fc.stringMatching(/^[\w-]{8}$/)
const simpleAct = fc.constantFrom(
  'fix',
  'more',
  'csv',
  'save_names',
  'network_file',
  'look',
  'go_on',
  'stop',
  'retry',
  'retry_sure',
  'again',
  'numbers',
)
const act: fc.Arbitrary<ActOf<'list'>> = fc.oneof(
  fc.record({ act: fc.constant('confirm' as const), digest }),
  fc.record({ act: fc.constantFrom('page' as const, 'doubtful', 'numbers_page', 'references_page'), page }),
  fc.record({ act: fc.constant('answer' as const), question: digest, choice: page }),
  fc.record({ act: fc.constant('unanswer' as const), question: digest }),
  fc.record({ act: fc.constant('repeats' as const), order: fc.boolean() }),
  fc.record({ act: fc.constant('fits' as const), fits: fc.boolean() }),
  fc.record({
    act: fc.constant('accept' as const),
    line: page,
    instead: fc.oneof(phone, fc.constantFrom('2.5', '10.25')),
  }),
  fc.record({ act: fc.constant('accept_all' as const), page, digest }),
  fc.record({ act: fc.constant('uncorrect' as const), digest }),
  fc.record({ act: fc.constant('retry_one' as const), position: page }),
  fc.record({ act: fc.constant('repeat' as const), nonce: page }),
  simpleAct.map((name) => ({ act: name }) as ActOf<'list'>),
)

const draftAct: fc.Arbitrary<ActOf<'draft'>> = fc.oneof(
  fc.record({ act: fc.constantFrom('card' as const, 'number' as const, 'offers' as const) }),
  fc.record({ act: fc.constant('size' as const), page: fc.nat(9_999) }),
  fc.record({ act: fc.constant('other' as const), network, phone, page: fc.nat(9_999) }),
  fc.record({ act: fc.constant('set' as const), bundleId, phone }),
)

const enquiryAct: fc.Arbitrary<ActOf<'enquiry'>> = fc.oneof(
  fc.record({ act: fc.constant('ask' as const), orderId: id }),
  fc.record({ act: fc.constantFrom('answer' as const, 'block' as const, 'unblock' as const), enquiryId: id }),
)

const aboutNumber = { orderId: id, position: fc.option(page) }
const complaintAct: fc.Arbitrary<ActOf<'complaint'>> = fc.oneof(
  fc.record({ act: fc.constant('begin' as const), orderId: id }),
  fc.record({ act: fc.constant('numbers' as const), orderId: id, page }),
  fc.record({ act: fc.constant('of' as const), ...aboutNumber }),
  fc.record({
    act: fc.constantFrom('picture' as const, 'raise' as const),
    ...aboutNumber,
    kind: fc.constantFrom(...complaintKinds),
  }),
  fc.record({ act: fc.constant('solve' as const), complaintId: id }),
)

const price = fc.option(fc.nat(10_000_000).map(pesewas))
const round = fc.integer({ min: 1, max: 1_000 }).map(pesewas)
const rule: fc.Arbitrary<PriceRule | null> = fc.oneof(
  fc.constant(null),
  fc.record({
    kind: fc.constant('plus' as const),
    pesewas: fc.nat(100_000).map(pesewas),
    roundPesewas: round,
  }),
  fc.record({ kind: fc.constant('percent' as const), tenths: fc.nat(9_000), roundPesewas: round }),
)
const ofNetwork = fc.record({ network: fc.option(network) })
const tierScope = {
  network: fc.option(fc.constantFrom(...networks)),
  fromMegabytes: fc.option(fc.integer({ min: 1, max: 99_999_999 })),
}
const sellingActs: { [Act in ActOf<'selling'>['act']]: fc.Arbitrary<Omit<ActOf<'selling'>, 'act'>> } = {
  menu: ofNetwork,
  picture: ofNetwork,
  text: ofNetwork,
  rule: fc.record({}),
  add: fc.oneof(
    fc.record({ kind: fc.constant('plus'), value: fc.nat(100_000) }),
    fc.record({ kind: fc.constant('percent'), value: fc.nat(9_000) }),
  ),
  rounding: fc.record({}),
  round: fc.record({ pesewas: round }),
  no_rule: fc.record({}),
  tiers: fc.record({ page: fc.nat(9_999) }),
  tier: fc.record(tierScope),
  set_tier: fc.record({ ...tierScope, rule }),
  undo_tier: fc.record({ ...tierScope, before: rule, after: rule }),
  undo_rule: fc.record({ before: rule, after: rule }),
  networks: fc.record({}),

  bundles: fc.record({ network, page }),
  // Larger ids do not fit in the database column for the bundle of a selling price.
  bundle: fc.record({ bundleId: fc.nat() }),
  by_rule: fc.record({ bundleId: fc.nat() }),
  undo_price: fc.record({ bundleId: fc.nat(), before: price, after: price }),
  shop: fc.record({}),
  shop_phone: fc.record({}),
  no_shop_phone: fc.record({}),
  colours: fc.record({}),
  colour: fc.record({ accent: fc.constantFrom(...accentNames) }),
  letter: fc.record({}),
  first_letter: fc.record({}),
  hiding: fc.record({}),
  hiding_of: fc.record({ network, page: fc.nat(9_999) }),
  hide: fc.record({ bundleId: fc.nat(), isHidden: fc.boolean(), page: fc.nat(9_999) }),
  receipt: fc.record({ orderId: id }),
  receipts: fc.record({ orderId: id, page }),
  receipt_for: fc.record({ orderId: id, position: fc.oneof(page, fc.constant('all')) }),
  sold_for: fc.record({ orderId: id }),
  undo_sold: fc.record({ orderId: id, before: price, after: price }),
}
const sellingAct = fc.oneof(
  ...Object.entries(sellingActs).map(([act, rest]) =>
    rest.map((values) => ({ act, ...values }) as ActOf<'selling'>),
  ),
)

const historyFilter: fc.Arbitrary<HistoryFilter> = fc.record({
  state: fc.constantFrom(...historyStates),
  period: fc.constantFrom(...historyPeriods),
  network: fc.option(fc.constantFrom(...networks)),
  search: fc.option(
    fc.oneof(
      fc.record({ by: fc.constant('phone' as const), phone }),
      fc.record({ by: fc.constant('reference' as const), part: fc.stringMatching(/^[A-Z0-9-]{4,24}$/) }),
    ),
  ),
})

const settingValues: readonly [Topic, readonly string[]][] = [
  ['notify', ['each', 'final', 'failures']],
  ['quiet', ['off', '21:00-06:00', '00:00-23:59']],
  ['level', ['off', '0.01', '99999.99']],
  ['network', ['off', ...networks]],
  ['repeat', ['off', '50.00']],
  ['shop', ['off', 'Ama: Data', 'ɛ'.repeat(20)]],
  ['summary', ['off', '00:00', '23:00']],
  ['zone', ['Africa/Accra', 'America/Argentina/ComodRivadavia', 'UTC']],
  ['slow', ['on', 'off']],
]
const setting = fc.constantFrom(
  ...settingValues.flatMap(([topic, values]) => values.flatMap((value) => readSetting(topic, value) ?? [])),
)
const settingsAct: fc.Arbitrary<ActOf<'settings'>> = fc.oneof(
  fc
    .constantFrom('show', 'more', 'data', 'export', 'forget')
    .map((name) => ({ act: name }) as ActOf<'settings'>),
  fc.record({ act: fc.constant('open' as const), topic: fc.constantFrom(...topics) }),
  fc.record({ act: fc.constant('set' as const), setting }),
  fc.record({
    act: fc.constant('forget_sure' as const),
    accountId: fc.option(id),
    when: fc.constantFrom('confirmed' as const, 'done' as const, 'now' as const),
  }),
)

const seek: fc.Arbitrary<Seek> = fc.record({
  way: fc.constantFrom('older' as const, 'newer' as const),
  page: fc.integer({ min: 1, max: 999_999 }),
  mark: digest,
})

const day = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
  .map((at) => at.toISOString().slice(0, 10))
const period: fc.Arbitrary<ExportPeriod> = fc.oneof(
  fc.constantFrom(...namedPeriods),
  fc
    .tuple(day, day)
    .map(([one, other]) => (one < other ? { from: one, to: other } : { from: other, to: one })),
)
const subject = fc.constantFrom(...exportSubjects)
const exportAct: fc.Arbitrary<ActOf<'export'>> = fc.oneof(
  fc.constantFrom({ act: 'begin' as const }, { act: 'stop' as const }),
  fc.record({ act: fc.constantFrom('of' as const, 'type' as const), subject }),
  fc.record({ act: fc.constant('period' as const), subject, period }),
  fc.record({
    act: fc.constant('make' as const),
    subject,
    period,
    format: fc.constantFrom(...exportFormats),
  }),
)

type Fields<Do extends ButtonPress['do']> = Omit<Extract<ButtonPress, { do: Do }>, 'do'>

const contactAct: fc.Arbitrary<ActOf<'contacts'>> = fc.oneof(
  fc.record({ act: fc.constant('list' as const), page: fc.nat(9_999) }),
  fc
    .constantFrom('search' as const, 'more' as const, 'add' as const, 'import' as const, 'export' as const)
    .map((act) => ({ act })),
  fc.record({
    act: fc.constantFrom('open' as const, 'buy' as const, 'rename' as const, 'delete' as const),
    id,
  }),
  fc.record({ act: fc.constant('undo' as const), change: id }),
  fc.record({ act: fc.constant('save' as const), orderId: id }),
  fc.record({
    act: fc.constant('meant' as const),
    id,
    size: fc.stringMatching(/^\d{1,5}(\.\d{1,3})?[GM]B$/),
    network: fc.constantFrom('', ...networks),
  }),
)

const agentId = fc.integer({ min: 1, max: 2 ** 52 })
const agentAct: fc.Arbitrary<ActOf<'agents'>> = fc.oneof(
  fc.record({ act: fc.constantFrom('list' as const, 'invite' as const, 'stay' as const) }),
  fc.record({ act: fc.constant('revoke' as const), name: fc.stringMatching(/^[\w-]{16}$/) }),
  fc.record({ act: fc.constant('join' as const), secret: fc.stringMatching(/^[\w-]{32}$/) }),
  fc.record({
    act: fc.constantFrom('open', 'limit', 'networks', 'tell', 'remove', 'remove_sure'),
    id: agentId,
  }) as fc.Arbitrary<ActOf<'agents'>>,
  fc.record({
    act: fc.constant('set_limit' as const),
    id: agentId,
    pesewas: fc.option(fc.nat(999_999_999).map(pesewas)),
  }),
  fc.record({
    act: fc.constant('network' as const),
    id: agentId,
    network: fc.constantFrom(...networks),
    allowed: fc.boolean(),
  }),
  fc.record({ act: fc.constant('pause' as const), id: agentId, paused: fc.boolean() }),
  fc.record({
    act: fc.constant('set_tell' as const),
    id: agentId,
    level: fc.constantFrom(...agentNotifyLevels),
  }),
  fc.record({ act: fc.constant('orders' as const), id: agentId, page: fc.nat(99_999) }),
)

const operatorAct: fc.Arbitrary<ActOf<'operator'>> = fc.oneof(
  fc.record({
    act: fc.constantFrom(
      ...(['stuck', 'invitations', 'ask_block', 'maintenance', 'reason', 'no_reason', 'resume'] as const),
      'resume_sure' as const,
    ),
  }),
  fc.record({
    act: fc.constantFrom('notices', 'orders', 'callbacks', 'accounts', 'blocked'),
    page: fc.nat(9_999),
  }) as fc.Arbitrary<ActOf<'operator'>>,
  fc.record({
    act: fc.constantFrom('notice', 'again', 'drop', 'callback', 'dismiss', 'dismiss_all'),
    id: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  }) as fc.Arbitrary<ActOf<'operator'>>,
  fc.record({ act: fc.constantFrom('order' as const, 'look' as const), orderId: id }),
  fc.record({ act: fc.constant('revoke' as const), name: fc.stringMatching(/^[\w-]{16}$/) }),
  fc.record({
    act: fc.constantFrom('block' as const, 'block_sure' as const, 'unblock' as const),
    chatId: fc.oneof(agentId, fc.integer({ min: -(2 ** 52), max: -1 })),
  }),
  fc.record({
    act: fc.constant('complaint_rule' as const),
    network: fc.constantFrom(...networks),
    rule: fc.option(fc.constantFrom(...complaintRules)),
  }),
  fc.record({
    act: fc.constantFrom('pause' as const, 'pause_sure' as const, 'until' as const),
    minutes: fc.nat(9_999),
  }),
)

const weekday = fc.integer({ min: 0, max: 7 })

const remindAct: fc.Arbitrary<ActOf<'remind'>> = fc.oneof(
  fc.record({ act: fc.constant('list' as const), page: fc.nat(9_999) }),
  fc.record({ act: fc.constantFrom('open' as const, 'delete' as const), id }) as fc.Arbitrary<
    ActOf<'remind'>
  >,
  fc.record({ act: fc.constant('pause' as const), id, paused: fc.boolean() }),
  fc.record({ act: fc.constant('days' as const), orderId: id }),
  fc.record({ act: fc.constant('times' as const), orderId: id, weekday }),
  fc.record({
    act: fc.constant('set' as const),
    bundleId: fc.nat(2 ** 31 - 1),
    phone,
    weekday,
    minutes: fc.nat(24 * 60 - 1),
  }),
)

/** For each kind of button, the values that its fields may have. */
const fields: { [Do in ButtonPress['do']]: fc.Arbitrary<Fields<Do>> } = {
  home: fc.record({}),
  home_more: fc.record({}),
  own_file: fc.record({}),
  leave: fc.record({}),
  connect: fc.record({}),
  disconnect: fc.record({
    accountId: id,
    when: fc.constantFrom('confirmed' as const, 'done' as const, 'now' as const, 'never' as const),
  }),
  replace_key: fc.record({ untilMs: fc.nat(10 ** 15 - 1) }),
  switch: fc.record({ sure: fc.boolean(), untilMs: fc.nat(10 ** 15 - 1) }),
  all_networks: fc.record({}),
  bulk_networks: fc.record({}),
  networks: fc.record({}),
  bundles: fc.record({ network, page }),
  bundle: fc.record({ bundleId, phone: fc.option(phone) }),
  keep: fc.record({ bundleId, phone }),
  own_number: fc.record({ bundleId }),
  networks_for: fc.record({ phone }),
  bundles_for: fc.record({ network, phone, page }),
  confirm: fc.record({ purchaseId: id, after: fc.option(fc.stringMatching(/^[\w-]{8}$/)) }),
  cancel: fc.record({ purchaseId: id }),
  unanswered: fc.record({
    id,
    act: fc.record({ act: fc.constantFrom('again' as const, 'drop' as const) }),
  }),
  draft: fc.record({ purchaseId: id, act: draftAct }),
  judge: fc.record({ orderId: id, charged: fc.boolean() }),
  send_anyway: fc.record({ orderId: id }),
  refresh: fc.record({ orderId: id }),
  open: fc.record({ orderId: id }),
  again: fc.record({ orderId: id, nonce: page }),
  more: fc.record({ orderId: id }),
  share: fc.record({ orderId: id }),
  report: fc.record({ orderId: id }),
  follow: fc.record({ orderId: id }),
  unfollow: fc.record({ orderId: id }),
  look: fc.record({ orderId: id }),
  open_shared: fc.record({ orderId: id }),
  enquiry: fc.record({ act: enquiryAct }),
  remind: fc.record({ act: remindAct }),
  complaint: fc.record({ act: complaintAct }),
  agents: fc.record({ act: agentAct }),
  settings: fc.record({ act: settingsAct }),
  stats: fc.record({ period: fc.constantFrom(...periods) }),
  orders: fc.record({ page, filter: fc.oneof(fc.constant(noFilter), historyFilter) }),
  close_day: fc.record({ picture: fc.boolean() }),
  filter_orders: fc.record({ filter: fc.oneof(fc.constant(noFilter), historyFilter) }),
  balance: fc.record({}),
  transactions: fc.record({
    wish: fc.record({ filter: fc.constantFrom(...entryFilters), seek: fc.option(seek) }),
  }),
  transactions_filters: fc.record({ filter: fc.constantFrom(...entryFilters) }),
  export: fc.record({ act: exportAct }),
  prices: fc.oneof(
    fc.record({ network: fc.option(network) }),
    fc.record({ network: fc.option(network), size: fc.constantFrom('5GB', '2.5GB', '500MB') }),
  ),
  selling: fc.record({ act: sellingAct }),
  bulk: fc.record({}),
  bulk_bundles: fc.record({ network, page }),
  bulk_bundle: fc.record({ bundleId }),
  list: fc.record({ purchaseId: id, act }),
  contacts: fc.record({ act: contactAct }),
  help: fc.record({ topic: fc.option(fc.constantFrom(...helpTopics)) }),
  admin: fc.record({}),
  invite: fc.record({}),
  operator: fc.record({ act: operatorAct }),
}
const buttons = Object.entries(fields) as [ButtonPress['do'], fc.Arbitrary<object>][]

test.each(buttons)(
  'the data of a “%s” button is read back as written, and has at most 64 bytes',
  (action, rest) => {
    fc.assert(
      fc.property(rest, (values) => {
        const button = { do: action, ...values } as ButtonPress
        const data = encodePress(button)
        expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64)
        expect(decodePress(data)).toEqual(button)
      }),
    )
  },
)

describe('forged button data', () => {
  const action = fc.constantFrom(...buttons.map(([name]) => name), '__proto__', 'constructor', '')
  const word = fc.oneof(
    fc.string({ unit: anyCharacter }),
    id,
    phone,
    page.map(String),
    fc.constantFrom('', '007', '-1', '1e3', '2'),
  )
  const near = fc
    .tuple(action, fc.array(word, { maxLength: 4 }))
    .map(([name, words]) => [name, ...words].join(':'))

  test('is refused unless it is exactly the data of a real button', () => {
    fc.assert(
      fc.property(fc.oneof(near, fc.string({ unit: anyCharacter })), (data) => {
        const button = decodePress(data)
        if (button !== null) expect(encodePress(button)).toBe(data)
      }),
      { numRuns: runs(5000) },
    )
  })

  test.each([
    '',
    'home:',
    'home:1',
    'disconnect',
    'customers:open:short',
    'operator',
    'operator:stuck:1',
    'operator:notice:0',
    'operator:drop:2147483648',
    'operator:block:-0',
    'operator:block_sure:4503599627370497',
    'operator:pause:-1',
    `customers:meant:${newId()}:5XB`,
    'disconnect:1',
    `disconnect:later:${newId()}`,
    'switch:2:5',
    'switch:1:-5',
    'bundle:007',
    'bundle:5:',
    'bundle:5:123',
    'bundle:9007199254740993',
    `confirm:${newId()}:x`,
    'confirm:short',
    'orders:-1',
    'orders:1234567',
    'enquiry:ask',
    `enquiry:forget:${newId()}`,
    `enquiry:ask:${newId()}:1`,
    'enquiry:answer:short',
    `complaint:raise:${newId()}:all:lost`,
    `complaint:raise:${newId()}:-1:less`,
    'operator:complaint_rule:MTN:week',
    'prices:',
    `bundles:${'x'.repeat(60)}:0`,
  ])('is refused if it is “%s”', (data) => {
    expect(decodePress(data)).toBeNull()
  })
})

test('a button with more than 64 bytes of data is refused when it is made, not when it is sent', () => {
  expect(() => encodePress({ do: 'bundles', network: 'x'.repeat(60), page: 0 })).toThrow(RangeError)
})
