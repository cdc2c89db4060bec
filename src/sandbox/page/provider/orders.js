/** @import { ProviderOrderState } from '../../provider/control.ts' */
/** @import { ProviderClient } from './provider.js' */
import { smallButton } from '../common/controls.js'
import { element } from '../common/element.js'
import { syncRows } from '../common/rows.js'
import { secondsOf } from '../common/time.js'
import { attempt } from '../common/toast.js'
import { cedis } from './money.js'

/** The buttons for an order, each with the status that the order gets. */
const moves = [
  { label: 'Deliver', status: 'delivered' },
  { label: 'Fail', status: 'failed' },
  { label: 'Cancel', status: 'cancelled' },
  { label: 'Refund', status: 'refunded' },
]

/**
 * The orders at the provider, newest first.
 *
 * @param {ProviderClient} provider
 */
export function ordersView(provider) {
  const quiet = element('input', { type: 'checkbox', checked: true, id: 'tell-bot' })
  const list = element('div', { class: 'cards column', 'data-testid': 'orders' })
  const none = nothingYet(
    'No orders yet. The bot’s orders appear here. You can deliver them or make them fail.',
  )
  const box = element(
    'div',
    { class: 'panel-part column' },
    element('label', { class: 'check row small' }, quiet, 'Call the bot back when I change a status'),
    none,
    list,
  )
  return { box, draw }

  /** @param {ProviderOrderState[]} orders newest first */
  function draw(orders) {
    none.hidden = orders.length > 0
    syncRows(
      list,
      orders,
      (order) => order.reference,
      (order) => orderCard(order, move),
    )
  }

  /**
   * @param {string} reference
   * @param {string} status
   * @param {string} [phone]
   */
  function move(reference, status, phone) {
    const change = { status, quiet: !quiet.checked, ...(phone === undefined ? {} : { phone }) }
    return attempt(() => provider.setStatus(reference, change))
  }
}

/**
 * @param {string} text
 * @returns {HTMLElement}
 */
export function nothingYet(text) {
  return element('p', { class: 'muted' }, text)
}

/** @typedef {(reference: string, status: string, phone?: string) => unknown} Move */

/**
 * @param {ProviderOrderState} order
 * @param {Move} move
 */
function orderCard(order, move) {
  const isBulk = order.type === 'bulk'
  return element(
    'article',
    {
      class: 'order card column',
      'data-testid': 'order',
      'data-reference': order.reference,
      'aria-label': order.reference,
    },
    element(
      'div',
      { class: 'row apart' },
      element('strong', {}, `${order.network} ${order.volume}`),
      pill(order.status),
    ),
    element(
      'div',
      { class: 'row apart' },
      element('span', {}, isBulk ? `${order.phones.length} numbers` : (order.phones[0]?.phone ?? '')),
      element('span', { class: 'amount-text' }, cedis(order.totalPesewas)),
    ),
    element(
      'div',
      { class: 'row apart small muted' },
      element('code', {}, order.reference),
      element('span', {}, secondsOf(order.placedAt)),
    ),
    moveButtons(order.status, `${order.reference}`, (status) => move(order.reference, status)),
    isBulk && recipientsOf(order, move),
  )
}

/**
 * @param {ProviderOrderState} order
 * @param {Move} move
 */
function recipientsOf(order, move) {
  return element(
    'ul',
    { class: 'recipients', 'aria-label': 'Recipients' },
    ...order.phones.map(({ phone, status }) =>
      element(
        'li',
        { 'data-testid': 'recipient' },
        element('span', { class: 'row apart' }, element('span', {}, phone), pill(status)),
        moveButtons(status, phone, (next) => move(order.reference, next, phone)),
      ),
    ),
  )
}

/**
 * @param {string} current
 * @param {string} subject the order or number that the button is for, which screen readers read with its label
 * @param {(status: string) => unknown} move
 */
function moveButtons(current, subject, move) {
  const buttons = moves.map(({ label, status }) =>
    smallButton(label, () => move(status), {
      class: `small-button move-${status}`,
      title: `${label} ${subject}`,
      disabled: status === current,
      'data-control': `${subject} ${status}`,
    }),
  )
  return element(
    'div',
    { class: 'moves row wrap', role: 'group', 'aria-label': `Change ${subject}` },
    ...buttons,
  )
}

/** @param {string} status */
function pill(status) {
  return element('span', { class: `pill pill-${status}`, 'data-testid': 'status' }, status)
}
