/** @import { ProviderState } from '../../provider/control.ts' */
/** @import { ProviderClient } from './provider.js' */
import { choice, offer, offerAccounts, smallButton } from '../common/controls.js'
import { element } from '../common/element.js'
import { attempt, toast } from '../common/toast.js'

/**
 * Orders by somebody else who has a wallet's key. The bot does not know about these orders.
 *
 * @param {ProviderClient} provider
 */
export function elsewhereView(provider) {
  const account = choice({ 'aria-label': 'Wallet they order on' }, [])
  const bundle = choice({ 'aria-label': 'Bundle they order' }, [])
  const phones = element('input', {
    class: 'fault-numbers',
    inputmode: 'tel',
    placeholder: '0241234567',
    'aria-label': 'Numbers they order for',
  })
  const button = smallButton('Order', order, { 'aria-label': 'Order elsewhere' })
  const box = element(
    'div',
    { class: 'fault card column', 'data-testid': 'elsewhere' },
    element('strong', {}, 'Another user of the key'),
    element(
      'span',
      { class: 'small muted' },
      'Order as somebody else with the same key. Several numbers make a bulk order.',
    ),
    element('div', { class: 'fault-controls row wrap' }, account, bundle, phones, button),
  )
  return { box, draw }

  /**
   * @param {ProviderState['accounts']} accounts
   * @param {string | undefined} firstAccount
   */
  function draw(accounts, firstAccount) {
    offerAccounts(account, accounts, firstAccount)
    if (bundle.options.length === 0) void attempt(fillBundles)
  }

  async function fillBundles() {
    const bundles = await provider.bundles(account.value)
    offer(
      bundle,
      bundles.map(({ id, network, volume }) => ({ value: String(id), words: `${network} ${volume}` })),
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
