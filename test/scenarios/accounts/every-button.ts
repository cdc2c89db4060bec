import { newId } from '../../../src/database/id.ts'
import type { Phone } from '../../../src/provider/phone.ts'
import { noFilter } from '../../../src/telegram/buttons/history-filter.ts'
import type { ActOf, ButtonPress } from '../../../src/telegram/buttons/table.ts'

/** The ids of things that a forged button may name. */
export interface Ids {
  accountId: string
  /** A draft of one number. */
  draftId: string
  /** A draft of a list. */
  listDraftId: string
  /** A confirmed list. */
  listId: string
  orderId: string
  contactId: string
  changeId: string
  reminderId: string
  enquiryId: string
  complaintId: string
  agentId: number
  /** The short name of an invitation that buttons contain, made by `invitationName`. */
  invitation: string
  bundleId: number
  phone: Phone
}

/** Examples of each kind of button. The compiler refuses a kind without an example. */
type Acts<Act extends { act: string }> = { [Name in Act['act']]: Omit<Extract<Act, { act: Name }>, 'act'>[] }

const actsOf = <Act extends { act: string }>(acts: Acts<Act>): Act[] =>
  Object.entries<object[]>(acts).flatMap(([act, each]) => each.map((fields) => ({ act, ...fields }) as never))

type Rows = { [Do in ButtonPress['do']]: Omit<Extract<ButtonPress, { do: Do }>, 'do'>[] }

const listActs: Acts<ActOf<'list'>> = {
  confirm: [{ digest: 'AAAAAAAA' }],
  page: [{ page: 0 }, { page: 999_999 }],
  answer: [{ question: 'AAAAAAAA', choice: 0 }],
  unanswer: [{ question: 'AAAAAAAA' }],
  repeats: [{ order: true }],
  fits: [{ fits: true }],
  fix: [{}],
  more: [{}],
  correct: [{ listId: 'AAAAAAAAAAAAAAAAAAAAAA' }],
  accept: [{ line: 1, instead: '0241234501' }],
  accept_all: [{ page: 0, digest: 'AAAAAAAA' }],
  uncorrect: [{ digest: 'AAAAAAAA' }],
  excel: [{}],
  csv: [{}],
  network_file: [{}],
  put_back: [{}],
  numbers: [{}],
  numbers_page: [{ page: 0 }, { page: 999_999 }],
  references_page: [{ page: 0 }, { page: 999_999 }],
  save_names: [{}],
  look: [{}],
  open: [{}],
  go_on: [{}],
  stop: [{}],
  retry: [{}],
  retry_sure: [{}],
  doubtful: [{ page: 0 }, { page: 999_999 }],
  retry_one: [{ position: 0 }, { position: 999_999 }],
  again: [{}],
  repeat: [{ nonce: 0 }],
}

const draftActs = ({ bundleId, phone }: Ids): Acts<ActOf<'draft'>> => ({
  card: [{}],
  number: [{}],
  size: [{ page: 0 }, { page: 9_999 }],
  other: [{ network: 'MTN', phone, page: 0 }],
  offers: [{}],
  set: [
    { bundleId, phone },
    { bundleId: Number.MAX_SAFE_INTEGER, phone },
  ],
})

const agentActs = ({ agentId: id, invitation, draftId }: Ids): Acts<ActOf<'agents'>> => ({
  list: [{}],
  page: [{ page: 0 }, { page: 9_999 }],
  others: [{}],
  owners: [{}],
  invitations: [{}],
  price: [{ id }],
  set_price: [{ id, rule: null }],
  ask: [{ purchaseId: draftId }],
  raise: [{ id, pesewas: null, purchaseId: draftId }],
  more: [{ id }],
  invite: [{}],
  revoke: [{ name: invitation }],
  revoke_all: [{}],
  open: [{ id }],
  limit: [{ id }],
  set_limit: [{ id, pesewas: null }],
  networks: [{ id }],
  network: [{ id, network: 'MTN', allowed: false }],
  pause: [{ id, paused: true }],
  tell: [{ id }],
  set_tell: [{ id, level: 'nothing' }],
  orders: [
    { id, page: 0 },
    { id, page: 99_999 },
  ],
  prices: [{}],
  set_prices: [{ prices: 'selling' }],
  remove: [{ id }],
  remove_sure: [{ id }],
  remove_owner: [{ id }],
  remove_owner_sure: [{ id }],
  join: [{ secret: 'A'.repeat(32) }],
  stay: [{}],
})

const contactActs = ({ contactId: id, changeId: change, orderId, phone }: Ids): Acts<ActOf<'contacts'>> => ({
  list: [{ page: 0 }, { page: 9_999 }],
  search: [{}],
  more: [{}],
  add: [{}],
  import: [{}],
  export: [{}],
  export_csv: [{}],
  open: [{ id }],
  buy: [{ id }],
  rename: [{ id }],
  delete: [{ id }],
  undo: [{ change }],
  save: [{ orderId }],
  kept: [{}],
  forget_kept: [{ phone }],
  forget_all_kept: [{}],
  meant: [{ id, size: '2GB', network: '' }],
})

const enquiryActs = ({ orderId, enquiryId }: Ids): Acts<ActOf<'enquiry'>> => ({
  ask: [{ orderId }],
  answer: [{ enquiryId }],
  block: [{ enquiryId }],
  unblock: [{ enquiryId }],
})

const complaintActs = ({ orderId, complaintId }: Ids): Acts<ActOf<'complaint'>> => ({
  begin: [{ orderId }],
  numbers: [
    { orderId, page: 0 },
    { orderId, page: 999_999 },
  ],
  of: [
    { orderId, position: null },
    { orderId, position: 999_999 },
  ],
  picture: [{ orderId, position: null, kind: 'nothing' }],
  raise: [
    { orderId, position: null, kind: 'other_number' },
    { orderId, position: 0, kind: 'unsaid' },
  ],
  solve: [{ complaintId }],
})

const exportActs: Acts<ActOf<'export'>> = {
  begin: [{}],
  of: [{ subject: 'orders' }, { subject: 'transactions' }],
  type: [{ subject: 'transactions' }],
  period: [{ subject: 'transactions', period: 'all' }],
  make: [
    { subject: 'orders', period: 'all', format: 'csv' },
    { subject: 'transactions', period: 'all', format: 'xlsx' },
  ],
  stop: [{}],
}

const operatorActs = ({ orderId, agentId, invitation }: Ids): Acts<ActOf<'operator'>> => ({
  stuck: [{}],
  notices: [{ page: 0 }, { page: 9_999 }],
  notice: [{ id: 1 }],
  again: [{ id: 1 }],
  drop: [{ id: 1 }],
  orders: [{ page: 0 }],
  order: [{ orderId }],
  look: [{ orderId }],
  callbacks: [{ page: 0 }],
  callback: [{ id: 1 }],
  dismiss: [{ id: 1 }],
  dismiss_all: [{ id: 2_147_483_647 }],
  accounts: [{ page: 0 }],
  invitations: [{}],
  revoke: [{ name: invitation }],
  blocked: [{ page: 0 }, { page: 9_999 }],
  security: [{ page: 0 }, { page: 9_999 }],
  ask_block: [{}],
  block: [{ chatId: agentId }],
  block_sure: [{ chatId: agentId }],
  unblock: [{ chatId: agentId }],
  maintenance: [{}],
  reason: [{}],
  no_reason: [{}],
  pause: [{ minutes: 0 }],
  pause_sure: [{ minutes: 9_999 }],
  until: [{ minutes: 30 }],
  resume: [{}],
  resume_sure: [{}],
  networks: [{}],
  network_down: [{ network: 'MTN' }],
  network_down_sure: [{ network: 'MTN' }],
  codes: [{}],
  complaints: [{}],
  complaint_rule: [
    { network: 'MTN', rule: 'day' },
    { network: 'Telecel', rule: null },
  ],
  network_back: [{ network: 'MTN' }],
  prefixes: [{}],
  prefix_edit: [{}],
  prefix_back: [
    { prefix: '0256', networks: null },
    { prefix: '024', networks: ['MTN', 'BigTime'] },
  ],
  prefix_reset: [{}],
  bot_name: [{}],
  bot_name_left: [{}],
})

const sellingActs = ({ bundleId, orderId }: Ids): Acts<ActOf<'selling'>> => ({
  menu: [{ network: null }, { network: '<b>&' }],
  picture: [{ network: null }, { network: 'x' }],
  text: [{ network: 'MTN' }],
  rule: [{}],
  add: [{ kind: 'plus', value: 100_000 }],
  rounding: [{}],
  round: [{ pesewas: 1_000 as never }],
  no_rule: [{}],
  tiers: [{ page: 0 }, { page: 9_999 }],
  tier: [
    { network: null, fromMegabytes: null },
    { network: 'MTN', fromMegabytes: 99_999_999 },
  ],
  set_tier: [
    { network: 'BigTime', fromMegabytes: null, rule: null },
    { network: null, fromMegabytes: null, rule: null },
  ],
  undo_tier: [{ network: null, fromMegabytes: 10_000, before: null, after: null }],
  undo_rule: [{ before: null, after: null }],
  networks: [{}],
  bundles: [
    { network: 'MTN', page: 0 },
    { network: '<b>&', page: 999_999 },
  ],
  bundle: [{ bundleId }],
  by_rule: [{ bundleId }],
  undo_price: [{ bundleId, before: 1 as never, after: null }],
  shop: [{}],
  shop_phone: [{}],
  no_shop_phone: [{}],
  colours: [{}],
  colour: [{ accent: 'green' }],
  letter: [{}],
  first_letter: [{}],
  hiding: [{}],
  hiding_of: [
    { network: 'MTN', page: 0 },
    { network: '<b>&', page: 9_999 },
  ],
  hide: [
    { bundleId, isHidden: true, page: 0 },
    { bundleId, isHidden: false, page: 9_999 },
  ],
  receipt: [{ orderId }],
  receipts: [{ orderId, page: 999_999 }],
  receipt_for: [
    { orderId, position: 'all' },
    { orderId, position: 999_999 },
  ],
  sold_for: [{ orderId }],
  undo_sold: [{ orderId, before: 1 as never, after: null }],
})

const settingsActs = ({ accountId }: Ids): Acts<ActOf<'settings'>> => ({
  show: [{}],
  more: [{}],
  open: [{ topic: 'level' }, { topic: 'shop' }, { topic: 'zone' }],
  set: [
    { setting: { topic: 'shop', name: 'Stolen' } },
    { setting: { topic: 'level', pesewas: 1 as never } },
    { setting: { topic: 'slow', on: true } },
    { setting: { topic: 'repeat', pesewas: 100_000 as never } },
  ],
  data: [{}],
  export: [{}],
  security: [{}],
  forget: [{}],
  forget_sure: [
    { accountId, when: 'now' },
    { accountId: null, when: 'confirmed' },
  ],
})

const remindActs = ({ reminderId: id, orderId, bundleId, phone }: Ids): Acts<ActOf<'remind'>> => ({
  list: [{ page: 0 }, { page: 9_999 }],
  open: [{ id }],
  pause: [
    { id, paused: true },
    { id, paused: false },
  ],
  delete: [{ id }],
  days: [{ orderId }],
  times: [{ orderId, weekday: 7 }],
  set: [{ bundleId, phone, weekday: 5, minutes: 1_080 }],
})

/** A button of every kind with these ids. */
export const everyButton = (ids: Ids): ButtonPress[] => {
  const { accountId, draftId, listDraftId, listId, orderId, bundleId, phone } = ids
  const order = [{ orderId }]
  const rows: Rows = {
    home: [{}],
    home_more: [{}],
    leave: [{}],
    connect: [{}],
    disconnect: (['confirmed', 'done', 'now', 'never'] as const).map((when) => ({ accountId, when })),
    replace_key: [{ untilMs: 0 }],
    switch: [
      { sure: true, untilMs: 999_999_999_999_999 },
      { sure: false, untilMs: 0 },
    ],
    networks: [{}],
    all_networks: [{}],
    bulk_networks: [{}],
    bundles: [{ network: 'MTN', page: 999_999 }],
    bundle: [
      { bundleId, phone: null },
      { bundleId: Number.MAX_SAFE_INTEGER, phone },
    ],
    keep: [{ bundleId, phone }],
    own_number: [{ bundleId }],
    networks_for: [{ phone }],
    bundles_for: [{ network: 'MTN', phone, page: 0 }],
    confirm: [
      { purchaseId: draftId, after: null },
      { purchaseId: draftId, after: 'AAAAAAAA' },
      { purchaseId: listDraftId, after: null },
    ],
    cancel: [{ purchaseId: draftId }, { purchaseId: listDraftId }],
    draft: [draftId, listDraftId].flatMap((purchaseId) =>
      actsOf<ActOf<'draft'>>(draftActs(ids)).map((act) => ({ purchaseId, act })),
    ),
    send_anyway: order,
    judge: [
      { orderId, charged: true },
      { orderId, charged: false },
    ],
    refresh: order,
    open: order,
    again: [{ orderId, nonce: 0 }],
    more: order,
    share: order,
    report: order,
    follow: order,
    unfollow: order,
    look: order,
    open_shared: order,
    enquiry: actsOf<ActOf<'enquiry'>>(enquiryActs(ids)).map((act) => ({ act })),
    complaint: actsOf<ActOf<'complaint'>>(complaintActs(ids)).map((act) => ({ act })),
    contacts: actsOf<ActOf<'contacts'>>(contactActs(ids)).map((act) => ({ act })),
    remind: actsOf<ActOf<'remind'>>(remindActs(ids)).map((act) => ({ act })),
    agents: actsOf<ActOf<'agents'>>(agentActs(ids)).map((act) => ({ act })),
    orders: [
      { page: 0, filter: noFilter },
      {
        page: 999_999,
        filter: { state: 'all', period: 'all', network: null, search: { by: 'phone', phone } },
      },
    ],
    close_day: [{ picture: false }, { picture: true }],
    filter_orders: [{ filter: noFilter }],
    bulk: [{}],
    bulk_bundles: [{ network: '<b>&', page: 999_999 }],
    bulk_bundle: [{ bundleId }, { bundleId: Number.MAX_SAFE_INTEGER }],
    list: [listDraftId, listId, draftId].flatMap((purchaseId) =>
      actsOf<ActOf<'list'>>(listActs).map((act) => ({ purchaseId, act })),
    ),
    settings: actsOf<ActOf<'settings'>>(settingsActs(ids)).map((act) => ({ act })),
    balance: [{}],
    transactions: [
      { wish: { filter: 'all', seek: null } },
      { wish: { filter: 'unexplained', seek: { way: 'newer', page: 999_999, mark: 'AAAAAAAA' } } },
    ],
    transactions_filters: [{ filter: 'credits' }],
    export: actsOf<ActOf<'export'>>(exportActs).map((act) => ({ act })),
    unanswered: [
      { id: orderId, act: { act: 'again' } },
      { id: orderId, act: { act: 'drop' } },
    ],
    prices: [
      { network: null },
      { network: '<b>&' },
      { network: 'MTN', size: '5GB' },
      { network: null, size: '7GB' },
    ],
    selling: actsOf<ActOf<'selling'>>(sellingActs(ids)).map((act) => ({ act })),
    own_file: [{}],
    stats: [{ period: 'today' }, { period: 'month' }],
    help: [{ topic: null }],
    admin: [{}],
    invite: [{}],
    operator: actsOf<ActOf<'operator'>>(operatorActs(ids)).map((act) => ({ act })),
  }
  return Object.entries<object[]>(rows).flatMap(([name, each]) =>
    each.map((fields) => ({ do: name, ...fields }) as ButtonPress),
  )
}

/** Ids of the right form that do not exist. */
export const idsOfNothing = (): Ids => ({
  accountId: newId(),
  draftId: newId(),
  listDraftId: newId(),
  listId: newId(),
  orderId: newId(),
  contactId: newId(),
  changeId: newId(),
  reminderId: newId(),
  enquiryId: newId(),
  complaintId: newId(),
  agentId: 999_999_999_999,
  invitation: 'A'.repeat(16),
  bundleId: 1,
  phone: '0209999999' as Phone,
})

/** Uses one id everywhere, e.g. an order's id where a list's is expected. */
export const allNaming = (id: string, ids: Ids): Ids => ({
  ...ids,
  accountId: id,
  draftId: id,
  listDraftId: id,
  listId: id,
  orderId: id,
  contactId: id,
  changeId: id,
  reminderId: id,
  enquiryId: id,
  complaintId: id,
})
