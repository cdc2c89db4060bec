/** @import { ProviderState } from '../../provider/control.ts' */
/** @import { ProviderClient } from './provider.js' */

import { byId, element } from '../common/element.js'
import { chooseTab, moveByArrows } from '../common/tabs.js'
import { accountsView } from './accounts.js'
import { faultsView } from './faults.js'
import { historyView } from './history.js'
import { ordersView } from './orders.js'
import { pricesView } from './prices.js'
import { settingsView } from './settings.js'
import { trafficView } from './traffic.js'

/**
 * The provider's view: its wallets, and in tabs the orders, the money, the prices, the traffic and what can go wrong.
 *
 * @param {ProviderClient} provider
 */
export function ledger(provider) {
  const settings = settingsView(provider)
  const accounts = accountsView(provider)
  const orders = ordersView(provider)
  const history = historyView()
  const prices = pricesView(provider)
  const traffic = trafficView()
  const faults = faultsView(provider)
  const parts = [
    { name: 'Orders', box: orders.box },
    { name: 'Money', box: history.box },
    { name: 'Prices', box: prices.box },
    { name: 'Traffic', box: traffic.box },
    { name: 'Faults', box: faults.box },
  ]
  const tabs = element(
    'div',
    { class: 'panel-tabs', role: 'tablist', 'aria-label': 'Provider' },
    ...parts.map(tabOf),
  )
  const notice = element(
    'p',
    { class: 'offline', hidden: true, role: 'status' },
    'The provider isn’t answering. Reconnecting…',
  )
  moveByArrows(tabs)
  show('Orders')
  byId('provider').append(
    element(
      'header',
      { class: 'provider-head row wrap' },
      element('h2', {}, 'The provider’s side'),
      element('p', { class: 'small muted' }, 'The bot orders here. You decide what happens.'),
      settings.box,
    ),
    notice,
    accounts.box,
    tabs,
    ...parts.map(({ box }) => box),
  )
  return { draw, connection }

  /** @param {{ name: string, box: HTMLElement }} part */
  function tabOf({ name, box }) {
    box.id = `part-${name.toLowerCase()}`
    box.setAttribute('role', 'tabpanel')
    box.setAttribute('aria-label', name)
    return element(
      'button',
      { role: 'tab', 'data-part': name, 'aria-controls': box.id, onclick: () => choose(name) },
      name,
      element('span', { class: 'accent', 'data-count': name }),
    )
  }

  /**
   * Scrolls on a phone, where the wallets above the tabs fill the window.
   *
   * @param {string} name
   */
  function choose(name) {
    show(name)
    if (innerWidth < 860) tabs.scrollIntoView({ block: 'start' })
  }

  /** @param {string} name */
  function show(name) {
    for (const part of parts) part.box.hidden = part.name !== name
    chooseTab(tabs, (tab) => tab.getAttribute('data-part') === name)
  }

  /**
   * @param {ProviderState} state
   * @param {string | undefined} firstAccount
   */
  function draw(state, firstAccount) {
    settings.draw(state.settings)
    accounts.draw(state.accounts, firstAccount)
    orders.draw(state.orders)
    history.draw(state)
    prices.draw(state, firstAccount)
    traffic.draw(state)
    faults.draw(state, firstAccount)
    count('Orders', state.orders.length)
    count('Faults', state.faults.length)
  }

  /**
   * @param {string} name
   * @param {number} entries
   */
  function count(name, entries) {
    const place = tabs.querySelector(`[data-count="${name}"]`)
    if (place) place.textContent = entries > 0 ? ` ${entries}` : ''
  }

  /** @param {boolean} isConnected */
  function connection(isConnected) {
    notice.hidden = isConnected
  }
}
