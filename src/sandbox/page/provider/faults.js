/** @import { Fault, FaultKind, ProviderState } from '../../provider/control.ts' */
/** @import { ProviderClient } from './provider.js' */
import { choice, smallButton } from '../common/controls.js'
import { element } from '../common/element.js'
import { syncRows } from '../common/rows.js'
import { attempt } from '../common/toast.js'
import { elsewhereView } from './elsewhere.js'
import { nothingYet } from './orders.js'

/**
 * A property of a fault that can be chosen. `field` turns the chosen text into fields of a `Fault`. The first
 * option is chosen at first. With `isFree`, any text may be typed.
 *
 * @typedef {{ label: string, options: string[], isFree?: boolean, field: (value: string) => Partial<Fault> }} Choice
 *
 * @typedef {object} FaultSwitch
 * @property {FaultKind} kind
 * @property {string} title
 * @property {string} sentence
 * @property {Choice} [choice]
 * @property {string} [id] if several switches have the same kind
 * @property {Partial<Fault>} [fields]
 *
 * @typedef {{ heading: string, path?: string, switches: FaultSwitch[] }} Group
 */

/** @type {Choice} */
const delay = {
  label: 'seconds',
  options: ['10'],
  isFree: true,
  field: (value) => ({ delayMs: Math.max(0, Number(value) || 0) * 1000 }),
}

/** @type {Choice} */
const errorStatus = {
  label: 'HTTP status',
  options: ['500'],
  isFree: true,
  field: (value) => ({ status: Number(value) || 500 }),
}

/**
 * @param {FaultKind} kind
 * @param {string} title
 * @param {string} sentence
 * @param {Choice} [chosen]
 * @returns {FaultSwitch}
 */
function fault(kind, title, sentence, chosen) {
  return { kind, title, sentence, ...(chosen && { choice: chosen }) }
}

/** @type {Group} */
const ofOrders = {
  heading: 'When the bot orders',
  switches: [
    {
      kind: 'refuse',
      id: 'network',
      title: 'Network refused',
      sentence: 'The provider refuses every order on one network.',
      fields: { type: 'UNPROCESSABLE', message: 'This network is not available at the moment.' },
      choice: {
        label: 'network',
        options: ['MTN', 'Telecel', 'AirtelTigo', 'BigTime'],
        field: (value) => ({ network: value }),
      },
    },
  ],
}

/** Faults of the chosen request. @type {Group} */
const ofRequests = {
  heading: 'When the bot is ',
  switches: [
    fault(
      'answer_lost',
      'Answer lost',
      'The order is placed and charged, but the answer never reaches the bot.',
    ),
    fault('reset_before', 'Connection broken', 'The connection breaks before the provider does anything.'),
    fault('hang', 'Silence', 'The provider receives the request and never answers.', {
      label: 'order is',
      options: ['placed', 'not placed'],
      field: (value) => ({ processed: value === 'placed' }),
    }),
    fault('slow', 'Slow answer', 'The answer is right, but it comes late.', delay),
    fault(
      'error_before',
      'Error, not charged',
      'The provider answers with a server error, and nothing is charged.',
      errorStatus,
    ),
    fault(
      'error_after',
      'Error, but charged',
      'The order is placed and charged, but the answer is a server error.',
      errorStatus,
    ),
    fault('bad_json', 'Broken answer', 'The order is placed, but the answer is broken JSON.'),
    fault('no_reference', 'No reference', 'The order is placed, but the answer has no reference.'),
    fault(
      'repeated',
      'Request duplicated',
      'A proxy sends the request twice. The first is charged, but the bot gets the answer to the second.',
    ),
    fault('redirect', 'Redirect', 'The provider redirects the bot to another address and does nothing.'),
    fault('rate_limited', 'Too many requests', 'The provider tells the bot to wait (429).', {
      label: 'Retry-After',
      options: ['20'],
      isFree: true,
      field: (value) => ({ retryAfter: value.trim() === '' ? null : value.trim() }),
    }),
    fault('refuse', 'Refusal', 'The provider says no, with one of its documented errors.', {
      label: 'error',
      options: [
        'INSUFFICIENT_BALANCE',
        'VALIDATION_ERROR',
        'UNAUTHORIZED',
        'NOT_FOUND',
        'PENDING_ORDER',
        'UNPROCESSABLE',
        'RATE_LIMIT',
        'SERVER_ERROR',
      ],
      field: (value) => ({ type: value }),
    }),
    fault(
      'debit_late',
      'Late debit',
      'The order is placed, but its debit only shows in the transactions later.',
      delay,
    ),
    fault(
      'debit_twice',
      'Charged twice',
      'The order is placed once, and the wallet is charged for it twice.',
    ),
  ],
}

/** @type {Group[]} */
const others = [
  {
    heading: 'When the bot reads the transactions',
    path: '/transactions',
    switches: [
      fault(
        'entries_unreferenced',
        'Entries without references',
        'No transaction says which order it is for.',
      ),
      fault('entries_reworded', 'Unexpected wording', 'Every transaction has this description.', {
        label: 'words',
        options: ['Data purchase'],
        isFree: true,
        field: (value) => ({ message: value }),
      }),
      fault(
        'entries_reversed',
        'Oldest entries first',
        'The transactions are listed oldest first, so the newest are on the last page.',
      ),
      fault(
        'entries_many',
        'Many entries at once',
        'The wallet has 250 older transactions, all from the same second.',
      ),
    ],
  },
  {
    heading: 'When the bot looks up an order',
    path: '/order/status',
    switches: [
      fault(
        'status_open',
        'Status lags behind',
        'The look-up always says “processing”, and nothing about individual numbers.',
      ),
    ],
  },
  {
    heading: 'When the provider calls back',
    switches: [
      fault(
        'callback_early',
        'Early callback',
        'The callback arrives before the answer to the order itself.',
      ),
      fault('callback_late', 'Late callback', 'Callbacks are sent later than they should be.', delay),
      fault('callback_twice', 'Duplicate callback', 'Each callback is sent twice.'),
      fault(
        'callback_reversed',
        'Callbacks out of order',
        'Callbacks are held back until the order is final, and then sent in reverse order.',
      ),
      fault('callback_never', 'No callback', 'The provider never calls back, so the bot has to ask it.'),
    ],
  },
]

/** The requests to which a fault can apply. */
const paths = [
  { words: 'placing an order', value: '' },
  { words: 'reading the bundles', value: '/bundles' },
  { words: 'reading a status', value: '/order/status' },
  { words: 'reading the balance', value: '/wallet/balance' },
  { words: 'reading the transactions', value: '/transactions' },
]

/**
 * Everything that can go wrong, with buttons to make it happen.
 *
 * @param {ProviderClient} provider
 */
export function faultsView(provider) {
  const active = element('ul', {
    class: 'active-faults lines card',
    'data-testid': 'active-faults',
    'aria-label': 'Active faults',
  })
  const elsewhere = elsewhereView(provider)
  const none = nothingYet('Nothing is going wrong right now.')
  const clear = smallButton('End all faults', () => attempt(() => provider.endFaults()))
  const path = choice({ 'aria-label': 'Request the fault is about' }, paths)
  const box = element(
    'div',
    { class: 'panel-part column' },
    element('h3', {}, 'Active faults'),
    none,
    active,
    clear,
    ...[ofOrders, ofRequests, ...others].flatMap(sectionOf),
    element('h3', {}, 'When others order too'),
    elsewhere.box,
  )
  return { box, draw }

  /** @param {Group} group */
  function sectionOf(group) {
    const isChosen = group === ofRequests
    const add = (/** @type {Fault} */ one) => {
      const about = isChosen ? path.value : group.path
      return attempt(() => provider.addFault({ ...one, ...(about && { path: about }) }))
    }
    const rows = group.switches.map((one) => faultRow(one, add))
    return [
      element('h3', {}, group.heading, isChosen && path),
      element('ul', { class: 'lines card' }, ...rows),
    ]
  }

  /**
   * @param {ProviderState} state
   * @param {string | undefined} firstAccount
   */
  function draw({ faults, accounts }, firstAccount) {
    elsewhere.draw(accounts, firstAccount)
    none.hidden = faults.length > 0
    clear.hidden = faults.length === 0
    const end = (/** @type {string} */ id) => attempt(() => provider.endFaults(id))
    syncRows(
      active,
      faults,
      (one) => one.id,
      (one) => activeFault(one, end),
    )
  }
}

/**
 * @param {FaultSwitch} fault
 * @param {(fault: Fault) => unknown} add
 */
function faultRow({ kind, id = kind, title, sentence, fields, choice: chosen }, add) {
  const input = chosen && inputOf(chosen, title)
  return element(
    'li',
    { class: 'fault column', 'data-testid': `fault-${id}` },
    element('strong', {}, title),
    element('span', { class: 'small muted' }, sentence),
    element(
      'div',
      { class: 'fault-controls row wrap' },
      input && element('label', { class: 'fault-choice row small muted' }, chosen.label, input),
      strikes('Once', 1),
      strikes('Always', null),
    ),
  )

  /**
   * @param {string} label
   * @param {number | null} times
   */
  function strikes(label, times) {
    const press = () => add({ kind, times, ...fields, ...(input && chosen.field(input.value)) })
    return smallButton(label, press, { 'aria-label': `${title}: ${label.toLowerCase()}` })
  }
}

/**
 * @param {Choice} chosen
 * @param {string} title
 */
function inputOf({ label, options, isFree }, title) {
  const name = { 'aria-label': `${title}: ${label}` }
  if (isFree) return element('input', { ...name, value: options[0], class: 'fault-input' })
  return choice(
    name,
    options.map((value) => ({ value, words: value })),
  )
}

/**
 * @param {ProviderState['faults'][number]} one
 * @param {(id: string) => unknown} end
 */
function activeFault({ id, kind, left, network, path }, end) {
  const groups = [network === undefined ? ofRequests : ofOrders, ...others]
  const title = groups.flatMap(({ switches }) => switches).find((each) => each.kind === kind)?.title ?? kind
  const times = left === null ? 'always' : left === 1 ? 'next time' : `${left} times`
  const about = [times, network, path].filter((part) => part !== undefined)
  return element(
    'li',
    { class: 'row apart', 'data-testid': 'active-fault' },
    element('span', {}, element('strong', {}, title), ...about.map((part) => ` · ${part}`)),
    smallButton('End', () => end(id), { 'aria-label': `End ${title}` }),
  )
}
