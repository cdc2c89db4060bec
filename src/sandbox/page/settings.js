/** @import { ProviderSettings } from '../provider/control.ts' */
/** @import { ProviderClient } from './provider.js' */
import { element } from './element.js'
import { attempt } from './toast.js'

/** What the list of delivery times offers, in seconds; null is by hand. */
const deliveryTimes = [null, 2, 5, 10, 30, 120]

/**
 * How the provider behaves when nothing goes wrong.
 *
 * @param {ProviderClient} provider
 */
export function settingsView(provider) {
  const deliver = element('select', {
    id: 'deliver-after',
    'data-testid': 'deliver-after',
    onchange: setDelivery,
  })
  const box = element(
    'div',
    { class: 'settings' },
    element('label', { for: 'deliver-after' }, 'Orders are delivered'),
    deliver,
  )
  return { box, draw }

  /** @param {ProviderSettings} settings */
  function draw({ deliverAfterMs }) {
    const current = deliverAfterMs === null ? null : deliverAfterMs / 1000
    const offered = deliveryTimes.includes(current) ? deliveryTimes : [...deliveryTimes, current]
    if (deliver.value === String(current) && deliver.options.length === offered.length) return
    deliver.replaceChildren(
      ...offered.map((seconds) =>
        element('option', { value: String(seconds), selected: seconds === current }, deliveryWords(seconds)),
      ),
    )
  }

  function setDelivery() {
    const deliverAfterMs = deliver.value === 'null' ? null : Number(deliver.value) * 1000
    attempt(() => provider.change({ deliverAfterMs }))
  }
}

/** @param {number | null} seconds */
function deliveryWords(seconds) {
  if (seconds === null) return 'by hand'
  return seconds < 120 ? `after ${seconds} seconds` : `after ${seconds / 60} minutes`
}
