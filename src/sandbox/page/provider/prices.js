/** @import { ProviderAccountState, ProviderBundleState, ProviderState } from '../../provider/control.ts' */
/** @import { ProviderClient } from './provider.js' */
import { choice, offerAccounts, smallButton } from '../common/controls.js'
import { element } from '../common/element.js'
import { syncRows } from '../common/rows.js'
import { attempt, toast } from '../common/toast.js'
import { cedis, pesewasOf } from './money.js'

/** @typedef {ProviderBundleState & { isOwn: boolean, withOffer: boolean }} Row */

/**
 * What each bundle costs an account. A changed price applies from the next request on.
 *
 * @param {ProviderClient} provider
 */
export function pricesView(provider) {
  const chosen = choice({ id: 'prices-of', class: 'fill', 'data-testid': 'prices-of', onchange: load }, [])
  const list = element('ul', { class: 'lines card', 'data-testid': 'prices', 'aria-label': 'Prices' })
  const reset = smallButton('Usual prices', () => changeAll(() => null))
  const raise = smallButton('All +10%', () => changeAll((pesewas) => Math.round((pesewas * 110) / 100)))
  const box = element(
    'div',
    { class: 'panel-part column' },
    element('div', { class: 'row' }, element('label', { for: 'prices-of' }, 'Prices of'), chosen),
    element('div', { class: 'moves row wrap' }, raise, reset),
    list,
  )
  /** @type {Row[]} */
  let rows = []
  /** @type {ProviderAccountState[]} */
  let accounts = []
  let drawnFrom = ''
  return { box, draw }

  /**
   * @param {ProviderState} state
   * @param {string | undefined} firstAccount
   */
  function draw(state, firstAccount) {
    accounts = state.accounts
    offerAccounts(chosen, accounts, firstAccount)
    load()
  }

  /** The bundles contain the account's prices, so they are read again when a price has changed. */
  async function load() {
    const account = accounts.find(({ id }) => id === chosen.value)
    if (!account) return
    const from = JSON.stringify([account.id, account.prices])
    if (from === drawnFrom) return
    drawnFrom = from
    const bundles = await provider.bundles(account.id)
    if (from !== drawnFrom) return
    rows = bundles.map((bundle) => ({
      ...bundle,
      isOwn: account.prices[bundle.id] !== undefined,
      withOffer: bundles.some((one) => isSameSize(one, bundle) && one.id !== bundle.id),
    }))
    reset.disabled = rows.every(({ isOwn }) => !isOwn)
    syncRows(
      list,
      rows,
      ({ id }) => `${account.id} ${id}`,
      (row) => priceRow(row, change),
    )
  }

  /** @param {(pesewas: number) => number | null} priceFor */
  function changeAll(priceFor) {
    return change(Object.fromEntries(rows.map(({ id, pricePesewas }) => [id, priceFor(pricePesewas)])))
  }

  /** @param {Record<string, number | null>} prices */
  function change(prices) {
    return attempt(() => provider.changeAccount(chosen.value, { prices }))
  }
}

/**
 * @param {ProviderBundleState} one
 * @param {ProviderBundleState} other
 */
function isSameSize(one, other) {
  return one.network === other.network && one.volume === other.volume
}

/**
 * @param {Row} row
 * @param {(prices: Record<string, number | null>) => Promise<boolean>} change
 */
function priceRow({ id, network, volume, offerSlug, pricePesewas, isOwn, withOffer }, change) {
  const name = `${network} ${volume}`
  const shown = cedis(pricePesewas).replace('GHS ', '')
  const input = element('input', {
    class: 'amount',
    inputmode: 'decimal',
    value: shown,
    'aria-label': `Price of ${name} ${offerSlug} in GHS`,
    'data-control': 'price',
  })
  input.addEventListener('change', save)
  return element(
    'li',
    { class: 'row', 'data-testid': 'price', 'data-bundle': id },
    element(
      'span',
      { class: 'fill' },
      name,
      withOffer && element('span', { class: 'muted' }, ` ${offerSlug.replaceAll('_', ' ')}`),
    ),
    isOwn &&
      smallButton('Usual', () => change({ [id]: null }), {
        'aria-label': `Usual price of ${name}`,
        'data-control': 'Usual',
      }),
    element('span', { class: 'muted' }, 'GHS'),
    input,
  )

  async function save() {
    const typed = pesewasOf(input.value.replaceAll(',', ''))
    input.defaultValue = input.value // no longer half-typed: the row that comes next has the new price
    if (typed !== null && (await change({ [id]: typed }))) return
    if (typed === null) toast('Type a price like 23 or 23.50')
    input.value = shown
  }
}
