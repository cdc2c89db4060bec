/** @import { ProviderState } from '../provider/control.ts' */
/** @import { ProviderClient } from './provider.js' */
import { element } from './element.js'
import { attempt, toast } from './toast.js'

/**
 * Another user of a wallet's key: orders that the bot knows nothing of.
 *
 * @param {ProviderClient} provider
 */
export function elsewhereView(provider) {
  const account = element('select', { 'aria-label': 'Wallet that they order on' })
  const bundle = element('select', { 'aria-label': 'Bundle that they order' })
  const phones = element('input', {
    class: 'fault-numbers',
    inputmode: 'tel',
    placeholder: '0241234567',
    'aria-label': 'Numbers that they order for',
  })
  const box = element(
    'ul',
    { class: 'lines card' },
    element(
      'li',
      { class: 'fault column', 'data-testid': 'elsewhere' },
      element(
        'div',
        { class: 'column' },
        element('strong', {}, 'Another user of the key'),
        element(
          'span',
          { class: 'small muted' },
          'Somebody else orders with a wallet’s key. Several numbers make a bulk order.',
        ),
      ),
      element(
        'div',
        { class: 'fault-controls row wrap' },
        account,
        bundle,
        phones,
        element(
          'button',
          { class: 'small-button', 'aria-label': 'Order elsewhere', onclick: order },
          'Order',
        ),
      ),
    ),
  )
  return { box, draw }

  /**
   * @param {ProviderState['accounts']} accounts
   * @param {string | undefined} firstAccount
   */
  function draw(accounts, firstAccount) {
    if (account.options.length === accounts.length) return
    account.replaceChildren(
      ...accounts.map(({ id, name }) =>
        element('option', { value: id, selected: id === firstAccount }, name),
      ),
    )
    if (bundle.options.length === 0) void attempt(fillBundles)
  }

  async function fillBundles() {
    const bundles = await provider.bundles(account.value)
    bundle.replaceChildren(
      ...bundles.map(({ id, network, volume }) =>
        element('option', { value: String(id) }, `${network} ${volume}`),
      ),
    )
  }

  async function order() {
    const typed = (phones.value || phones.placeholder).split(/[\s,;]+/).filter(Boolean)
    const isPlaced = await attempt(() =>
      provider.orderElsewhere(account.value, { bundleId: Number(bundle.value), phones: typed }),
    )
    if (isPlaced) toast('Ordered')
  }
}
