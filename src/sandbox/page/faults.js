/** @import { Fault, FaultKind, ProviderState } from '../provider/control.ts' */
/** @import { ProviderClient } from './provider.js' */
import { element } from './element.js'
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
 * @typedef {{ kind: FaultKind, title: string, sentence: string, choice?: Choice }} FaultSwitch
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
    sentence: 'The order is placed and charged, but the connection breaks before the bot hears of it.',
  },
  {
    kind: 'reset_before',
    title: 'Connection broken',
    sentence: 'The connection breaks before the provider has done anything.',
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
  {
    kind: 'slow',
    title: 'Slow answer',
    sentence: 'All goes well, but the answer takes its time.',
    choice: delay,
  },
  {
    kind: 'error_before',
    title: 'Error, nothing done',
    sentence: 'The provider answers with a server error and has charged nothing.',
    choice: errorStatus,
  },
  {
    kind: 'error_after',
    title: 'Error, yet charged',
    sentence: 'The order is placed and charged, and still the answer is a server error.',
    choice: errorStatus,
  },
  {
    kind: 'bad_json',
    title: 'Broken answer',
    sentence: 'The order is placed, but the answer is no readable JSON.',
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

/** @type {FaultSwitch[]} */
const entryFaults = [
  {
    kind: 'entries_unreferenced',
    title: 'Entries without reference',
    sentence: 'No transaction says which order it is for.',
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
    sentence: 'The look-up says “processing”, and nothing of single numbers, whatever became of them.',
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
    sentence: 'The callbacks of an order wait for the last of them, which then goes first.',
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
  { label: 'the list of bundles', path: '/bundles' },
  { label: 'the status of an order', path: '/order/status' },
  { label: 'the wallet balance', path: '/wallet/balance' },
  { label: 'the transactions', path: '/transactions' },
]

/**
 * What can go wrong, to be tried on purpose.
 *
 * @param {ProviderClient} provider
 */
export function faultsView(provider) {
  const active = element('ul', {
    class: 'active-faults',
    'data-testid': 'active-faults',
    'aria-label': 'Faults in force',
  })
  const none = nothingYet('Nothing goes wrong at the moment.')
  const clear = element(
    'button',
    { type: 'button', class: 'small-button', onclick: () => attempt(() => provider.endFaults()) },
    'End all faults',
  )
  const path = element(
    'select',
    { 'aria-label': 'Request that the fault is about' },
    ...paths.map(({ label }, at) => element('option', { value: String(at) }, label)),
  )
  const box = element(
    'div',
    { class: 'panel-part' },
    element('h3', {}, 'In force'),
    none,
    active,
    clear,
    element('h3', {}, 'When the bot asks for ', path),
    element('ul', { class: 'faults' }, ...requestFaults.map((one) => faultRow(one, add))),
    element('h3', {}, 'When the bot reads the transactions'),
    element('ul', { class: 'faults' }, ...entryFaults.map((one) => faultRow(one, add))),
    element('h3', {}, 'When the bot looks up an order'),
    element('ul', { class: 'faults' }, ...statusFaults.map((one) => faultRow(one, add))),
    element('h3', {}, 'When the provider calls back'),
    element('ul', { class: 'faults' }, ...callbackFaults.map((one) => faultRow(one, add))),
  )
  return { box, draw }

  /** @param {ProviderState['faults']} faults */
  function draw(faults) {
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
    const isOfRequest = requestFaults.some(({ kind }) => kind === fault.kind)
    const chosen = isOfRequest ? paths[Number(path.value)]?.path : undefined
    const about = isOfEntries ? '/transactions' : isOfStatus ? '/order/status' : chosen
    return attempt(() => provider.addFault({ ...fault, ...(about === undefined ? {} : { path: about }) }))
  }
}

/**
 * @param {FaultSwitch} fault
 * @param {(fault: Fault) => unknown} add
 */
function faultRow({ kind, title, sentence, choice }, add) {
  const input = choice && choiceInput(choice, title)
  return element(
    'li',
    { class: 'fault', 'data-testid': `fault-${kind}` },
    element('div', { class: 'fault-text' }, element('strong', {}, title), element('span', {}, sentence)),
    element(
      'div',
      { class: 'fault-controls' },
      input && element('label', { class: 'fault-choice' }, choice.label, input),
      strikes('Once', 1),
      strikes('Always', null),
    ),
  )

  /**
   * @param {string} label
   * @param {number | null} times
   */
  function strikes(label, times) {
    const press = () => add({ kind, times, ...(input ? choice?.field(input.value) : {}) })
    return element(
      'button',
      {
        type: 'button',
        class: 'small-button',
        'aria-label': `${title}: ${label.toLowerCase()}`,
        onclick: press,
      },
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
  const known = [...requestFaults, ...entryFaults, ...statusFaults, ...callbackFaults].find(
    ({ kind }) => kind === fault.kind,
  )
  const title = known?.title ?? fault.kind
  const left = fault.left === null ? 'always' : fault.left === 1 ? 'the next time' : `${fault.left} times`
  return element(
    'li',
    { class: 'card-line', 'data-testid': 'active-fault' },
    element('span', {}, element('strong', {}, title), ` · ${left}`, fault.path && ` · ${fault.path}`),
    element(
      'button',
      {
        type: 'button',
        class: 'small-button',
        'aria-label': `End ${title}`,
        onclick: () => attempt(() => provider.endFaults(fault.id)),
      },
      'End',
    ),
  )
}
