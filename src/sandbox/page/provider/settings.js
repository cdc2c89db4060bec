/** @import { ProviderSettings } from '../../provider/control.ts' */
/** @import { ProviderClient } from './provider.js' */
import { choice } from '../common/controls.js'
import { element } from '../common/element.js'
import { attempt } from '../common/toast.js'

/**
 * A property of the provider, with the values that can be chosen.
 *
 * @typedef {object} Setting
 * @property {string} id
 * @property {string} label
 * @property {{ words: string, change: Partial<ProviderSettings> }[]} choices
 */

/** @type {Setting} */
const delivery = {
  id: 'deliver-after',
  label: 'Orders are delivered',
  choices: [
    { words: 'when you press Deliver', change: { deliverAfterMs: null } },
    { words: 'after 2 seconds', change: { deliverAfterMs: 2_000 } },
    { words: 'after 5 seconds', change: { deliverAfterMs: 5_000 } },
    { words: 'after 10 seconds', change: { deliverAfterMs: 10_000 } },
    { words: 'after 30 seconds', change: { deliverAfterMs: 30_000 } },
    { words: 'after 2 minutes', change: { deliverAfterMs: 120_000 } },
  ],
}

/** @type {Setting[]} */
const others = [
  {
    id: 'refund-after',
    label: 'Failed orders are refunded',
    choices: [
      { words: 'at once', change: { refundAfterMs: 0 } },
      { words: 'after 10 seconds', change: { refundAfterMs: 10_000 } },
      { words: 'after 2 minutes', change: { refundAfterMs: 120_000 } },
      { words: 'when you press Refund', change: { refundAfterMs: null } },
    ],
  },
  {
    id: 'request-limit',
    label: 'Requests per minute',
    choices: [60, 20, 5].map((perMinute) => ({
      words: `up to ${perMinute}`,
      change: { limits: { perMinute, perHour: 500, perDay: 5_000 } },
    })),
  },
  {
    id: 'provider-clock',
    label: 'The clock',
    choices: [
      { words: 'is right', change: { clockSkewMs: 0, dateByProxy: false } },
      { words: 'is 10 minutes behind', change: { clockSkewMs: -600_000, dateByProxy: false } },
      // A proxy in front of the provider writes the right time into the `Date` header.
      {
        words: 'is 10 minutes behind, hidden by a proxy',
        change: { clockSkewMs: -600_000, dateByProxy: true },
      },
    ],
  },
  {
    id: 'look-up',
    label: 'You can look up',
    choices: [
      { words: 'your own orders', change: { lookUp: 'own' } },
      { words: 'everybody’s orders', change: { lookUp: 'all' } },
    ],
  },
  {
    id: 'bulk-callbacks',
    label: 'Callbacks for a list',
    choices: [
      { words: 'one for each number', change: { bulkCallbacks: 'recipient' } },
      { words: 'one for the whole order', change: { bulkCallbacks: 'order' } },
      { words: 'both', change: { bulkCallbacks: 'both' } },
    ],
  },
  {
    id: 'bulk-recipients',
    label: 'A list’s status covers',
    choices: [
      { words: 'only the whole order', change: { bulkRecipients: false } },
      { words: 'each number too', change: { bulkRecipients: true } },
    ],
  },
  {
    id: 'bulk-pending',
    label: 'A number with an open order',
    choices: [
      { words: 'gets the whole list refused', change: { bulkPending: 'refuse' } },
      { words: 'is left out of the list', change: { bulkPending: 'skip' } },
    ],
  },
]

/**
 * How the provider behaves when nothing goes wrong.
 *
 * @param {ProviderClient} provider
 */
export function settingsView(provider) {
  const selects = [delivery, ...others].map((setting) => ({ setting, select: selectOf(setting, provider) }))
  const [first, ...rest] = selects.map(({ setting, select }) => [
    element('label', { for: setting.id }, setting.label),
    select,
  ])
  const box = element(
    'div',
    { class: 'settings' },
    ...(first ?? []),
    element(
      'details',
      { class: 'more-settings' },
      element('summary', { class: 'row accent' }, 'More settings'),
      element('div', { class: 'settings' }, ...rest.flat()),
    ),
  )
  return { box, draw }

  /** @param {ProviderSettings} settings */
  function draw(settings) {
    for (const { setting, select } of selects) {
      const current = setting.choices.findIndex(({ change }) => isInForce(change, settings))
      // If a program has set another value, no option is selected.
      select.value = String(current)
    }
  }
}

/**
 * @param {Setting} setting
 * @param {ProviderClient} provider
 */
function selectOf({ id, choices }, provider) {
  const words = choices.map((one) => one.words)
  const select = choice({ id, 'data-testid': id, onchange: change }, words)
  return select

  function change() {
    const chosen = choices[Number(select.value)]
    if (chosen) attempt(() => provider.change(chosen.change))
  }
}

/**
 * @param {Partial<ProviderSettings>} change
 * @param {ProviderSettings} settings
 */
function isInForce(change, settings) {
  const now = Object.entries(settings).filter(([name]) => name in change)
  return now.every(
    ([name, value]) =>
      JSON.stringify(value) === JSON.stringify(change[/** @type {keyof ProviderSettings} */ (name)]),
  )
}
