/** @import { Fault, FaultKind, ProviderState } from '../provider/control.ts' */
/** @import { ProviderClient } from './provider.js' */
import { element } from './element.js'
import { elsewhereView } from './elsewhere.js'
import { nothingYet } from './orders.js'
import { syncRows } from './rows.js'
import { attempt } from './toast.js'

/**
 * Something about a fault that can be chosen: its field in `Fault`, and how the text becomes its value.
 *
 * @typedef {object} Choice
 * @property {string} label
 * @property {string} initial
 * @property {string[]} [options] chosen from these; without them any text
 * @property {(value: string) => Partial<Fault>} field
 *
 * @typedef {object} FaultSwitch
 * @property {FaultKind} kind
 * @property {string} [id] where several switches are of one kind
 * @property {string} title
 * @property {string} sentence
 * @property {Partial<Fault>} [fields]
 * @property {Choice} [choice]
 */

/** @type {Choice} */
const delay = {
  label: 'seconds',
  initial: '10',
  field: (value) => ({ delayMs: Math.max(0, Number(value) || 0) * 1000 }),
}

/** @type {Choice} */
const errorStatus = {
  label: 'HTTP status',
  initial: '500',
  field: (value) => ({ status: Number(value) || 500 }),
}

/** @type {FaultSwitch[]} */
const requestFaults = [
  {
    kind: 'answer_lost',
    title: 'Answer lost',
    sentence: 'The order is placed and charged, but the answer never reaches the bot.',
  },
  {
    kind: 'reset_before',
    title: 'Connection broken',
    sentence: 'The connection breaks before the provider does anything.',
  },
  {
    kind: 'hang',
    title: 'Silence',
    sentence: 'The provider takes the request and never answers.',
    choice: {
      label: 'order is',
      initial: 'placed',
      options: ['placed', 'not placed'],
      field: (value) => ({ processed: value === 'placed' }),
    },
  },
  { kind: 'slow', title: 'Slow answer', sentence: 'The answer is right, but it comes late.', choice: delay },
  {
    kind: 'error_before',
    title: 'Error, nothing done',
    sentence: 'The provider answers with a server error and has charged nothing.',
    choice: errorStatus,
  },
  {
    kind: 'error_after',
    title: 'Error, yet charged',
    sentence: 'The order is placed and charged, but the answer is a server error.',
    choice: errorStatus,
  },
  {
    kind: 'bad_json',
    title: 'Broken answer',
    sentence: 'The order is placed, but the answer is broken JSON.',
  },
  {
    kind: 'no_reference',
    title: 'No reference',
    sentence: 'The order is placed, but the answer does not name it.',
  },
  {
    kind: 'repeated',
    title: 'Sent twice on the way',
    sentence: 'A proxy repeats the request. The first is charged, the answer to the second comes back.',
  },
  {
    kind: 'redirect',
    title: 'Redirect',
    sentence: 'The provider points the bot to another address and does nothing.',
  },
  {
    kind: 'rate_limited',
    title: 'Too many requests',
    sentence: 'The provider tells the bot to wait (429).',
    choice: {
      label: 'Retry-After',
      initial: '20',
      field: (value) => ({ retryAfter: value.trim() === '' ? null : value.trim() }),
    },
  },
  {
    kind: 'refuse',
    title: 'Refusal',
    sentence: 'The provider says no, with one of its documented errors.',
    choice: {
      label: 'error',
      initial: 'INSUFFICIENT_BALANCE',
      options: [
        'VALIDATION_ERROR',
        'UNAUTHORIZED',
        'INSUFFICIENT_BALANCE',
        'NOT_FOUND',
        'PENDING_ORDER',
        'UNPROCESSABLE',
        'RATE_LIMIT',
        'SERVER_ERROR',
      ],
      field: (value) => ({ type: value }),
    },
  },
  {
    kind: 'debit_late',
    title: 'Late debit',
    sentence: 'The order is placed, but its debit shows in the transactions only later.',
    choice: delay,
  },
  {
    kind: 'debit_twice',
    title: 'Charged twice',
    sentence: 'The order is placed once, and the wallet is charged for it twice.',
  },
]

/** Faults of orders alone, whatever request is chosen above. @type {FaultSwitch[]} */
const orderFaults = [
  {
    kind: 'refuse',
    id: 'network',
    title: 'Network refused',
    sentence: 'The provider refuses every order on one network.',
    fields: { type: 'UNPROCESSABLE', message: 'This network is not available at the moment.' },
    choice: {
      label: 'network',
      initial: 'MTN',
      options: ['MTN', 'Telecel', 'AirtelTigo', 'BigTime'],
      field: (value) => ({ network: value }),
    },
  },
]

/** @type {FaultSwitch[]} */
const entryFaults = [
  {
    kind: 'entries_unreferenced',
    title: 'Entries without reference',
    sentence: 'No transaction says which order it is for.',
  },
  {
    kind: 'entries_reworded',
    title: 'Entries in other words',
    sentence: 'Every transaction is described in these words.',
    choice: { label: 'words', initial: 'Data purchase', field: (value) => ({ message: value }) },
  },
  {
    kind: 'entries_reversed',
    title: 'Entries from old to new',
    sentence: 'The transactions are listed from old to new: the newest stand on the last page.',
  },
  {
    kind: 'entries_many',
    title: 'Many entries of one time',
    sentence: 'The wallet has 250 older transactions, all of the same second.',
  },
]

/** @type {FaultSwitch[]} */
const statusFaults = [
  {
    kind: 'status_open',
    title: 'Status lags behind',
    sentence: 'The look-up always says “processing”, and nothing about single numbers.',
  },
]

/** @type {FaultSwitch[]} */
const callbackFaults = [
  {
    kind: 'callback_early',
    title: 'Callback too early',
    sentence: 'The callback arrives before the answer to the order itself.',
  },
  {
    kind: 'callback_late',
    title: 'Callback late',
    sentence: 'Callbacks leave later than they should.',
    choice: delay,
  },
  { kind: 'callback_twice', title: 'Callback twice', sentence: 'Each callback is sent two times.' },
  {
    kind: 'callback_reversed',
    title: 'Callbacks out of order',
    sentence: 'Callbacks wait until the order is final. Then the last one leaves first.',
  },
  {
    kind: 'callback_never',
    title: 'No callback',
    sentence: 'The provider never calls back. The bot has to ask.',
  },
]

/** The requests that a fault can be about. */
const paths = [
  { label: 'placing an order', path: undefined },
  { label: 'reading the bundles', path: '/bundles' },
  { label: 'reading a status', path: '/order/status' },
  { label: 'reading the balance', path: '/wallet/balance' },
  { label: 'reading the transactions', path: '/transactions' },
]

/**
 * What can go wrong, to be tried on purpose.
 *
 * @param {ProviderClient} provider
 */
export function faultsView(provider) {
  const active = element('ul', {
    class: 'active-faults lines card',
    'data-testid': 'active-faults',
    'aria-label': 'Faults that are switched on',
  })
  const elsewhere = elsewhereView(provider)
  const none = nothingYet('Nothing goes wrong now.')
  const clear = element(
    'button',
    { class: 'small-button', onclick: () => attempt(() => provider.endFaults()) },
    'End all faults',
  )
  const path = element(
    'select',
    { 'aria-label': 'Request that the fault is about' },
    ...paths.map(({ label }, at) => element('option', { value: String(at) }, label)),
  )
  const box = element(
    'div',
    { class: 'panel-part column' },
    element('h3', {}, 'Switched on'),
    none,
    active,
    clear,
    element('h3', {}, 'When the bot orders'),
    list(orderFaults),
    element('h3', {}, 'When the bot is ', path),
    list(requestFaults),
    element('h3', {}, 'When the bot reads the transactions'),
    list(entryFaults),
    element('h3', {}, 'When the bot looks up an order'),
    list(statusFaults),
    element('h3', {}, 'When the provider calls back'),
    list(callbackFaults),
    element('h3', {}, 'When others order too'),
    elsewhere.box,
  )
  return { box, draw }

  /** @param {FaultSwitch[]} switches */
  function list(switches) {
    return element('ul', { class: 'lines card' }, ...switches.map((one) => faultRow(one, add)))
  }

  /**
   * @param {ProviderState} state
   * @param {string | undefined} firstAccount
   */
  function draw({ faults, accounts }, firstAccount) {
    elsewhere.draw(accounts, firstAccount)
    none.hidden = faults.length > 0
    clear.hidden = faults.length === 0
    syncRows(
      active,
      faults,
      (fault) => fault.id,
      (fault) => activeFault(fault, provider),
    )
  }

  /** @param {Fault} fault */
  function add(fault) {
    const isOfEntries = entryFaults.some(({ kind }) => kind === fault.kind)
    const isOfStatus = statusFaults.some(({ kind }) => kind === fault.kind)
    const isOfRequest = fault.network === undefined && requestFaults.some(({ kind }) => kind === fault.kind)
    const chosen = isOfRequest ? paths[Number(path.value)]?.path : undefined
    const about = isOfEntries ? '/transactions' : isOfStatus ? '/order/status' : chosen
    return attempt(() => provider.addFault({ ...fault, ...(about === undefined ? {} : { path: about }) }))
  }
}

/**
 * @param {FaultSwitch} fault
 * @param {(fault: Fault) => unknown} add
 */
function faultRow({ kind, id = kind, title, sentence, fields, choice }, add) {
  const input = choice && choiceInput(choice, title)
  return element(
    'li',
    { class: 'fault column', 'data-testid': `fault-${id}` },
    element(
      'div',
      { class: 'column' },
      element('strong', {}, title),
      element('span', { class: 'small muted' }, sentence),
    ),
    element(
      'div',
      { class: 'fault-controls row wrap' },
      input && element('label', { class: 'fault-choice row small muted' }, choice.label, input),
      strikes('Once', 1),
      strikes('Always', null),
    ),
  )

  /**
   * @param {string} label
   * @param {number | null} times
   */
  function strikes(label, times) {
    const press = () => add({ kind, times, ...fields, ...(input ? choice?.field(input.value) : {}) })
    return element(
      'button',
      { class: 'small-button', 'aria-label': `${title}: ${label.toLowerCase()}`, onclick: press },
      label,
    )
  }
}

/**
 * @param {Choice} choice
 * @param {string} title
 */
function choiceInput({ label, initial, options }, title) {
  const name = { 'aria-label': `${title}: ${label}` }
  if (!options) return element('input', { ...name, value: initial, class: 'fault-input' })
  return element(
    'select',
    name,
    ...options.map((option) => element('option', { selected: option === initial }, option)),
  )
}

/**
 * @param {ProviderState['faults'][number]} fault
 * @param {ProviderClient} provider
 */
function activeFault(fault, provider) {
  const switches = fault.network === undefined ? [...requestFaults, ...entryFaults] : orderFaults
  const known = [...switches, ...statusFaults, ...callbackFaults].find(({ kind }) => kind === fault.kind)
  const title = known?.title ?? fault.kind
  const left = fault.left === null ? 'always' : fault.left === 1 ? 'the next time' : `${fault.left} times`
  const about = [left, fault.network, fault.path].filter((part) => part !== undefined)
  return element(
    'li',
    { class: 'row apart', 'data-testid': 'active-fault' },
    element('span', {}, element('strong', {}, title), ...about.map((part) => ` · ${part}`)),
    element(
      'button',
      {
        class: 'small-button',
        'aria-label': `End ${title}`,
        onclick: () => attempt(() => provider.endFaults(fault.id)),
      },
      'End',
    ),
  )
}
