/** @import { ProviderSettings } from '../provider/control.ts' */
/** @import { ProviderClient } from './provider.js' */
import { element } from './element.js'
import { attempt } from './toast.js'

/** What the list of delivery times offers, in seconds; null is by hand. */
const deliveryTimes = [null, 2, 5, 10, 30, 120]

/**
 * What the provider's clock may be like: a proxy in front of it writes the right time into the `Date` header.
 *
 * @type {{ words: string, clock: Pick<ProviderSettings, 'clockSkewMs' | 'dateByProxy'> }[]}
 */
const clocks = [
  { words: 'is right', clock: { clockSkewMs: 0, dateByProxy: false } },
  { words: 'is 10 minutes behind', clock: { clockSkewMs: -600_000, dateByProxy: false } },
  { words: 'is 10 minutes behind a proxy', clock: { clockSkewMs: -600_000, dateByProxy: true } },
]

/**
 * Whose orders the look-up of a status answers for.
 *
 * @type {{ words: string, lookUp: ProviderSettings['lookUp'] }[]}
 */
const lookUps = [
  { words: 'for own orders', lookUp: 'own' },
  { words: 'for everybody’s orders', lookUp: 'all' },
]

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
  const clock = element(
    'select',
    { id: 'provider-clock', 'data-testid': 'provider-clock', onchange: setClock },
    ...clocks.map(({ words }, at) => element('option', { value: String(at) }, words)),
  )
  const lookUp = element(
    'select',
    { id: 'look-up', 'data-testid': 'look-up', onchange: setLookUp },
    ...lookUps.map(({ words, lookUp: value }) => element('option', { value }, words)),
  )
  const box = element(
    'div',
    { class: 'settings' },
    element('label', { for: 'deliver-after' }, 'Orders are delivered'),
    deliver,
    element('label', { for: 'provider-clock' }, 'Its clock'),
    clock,
    element('label', { for: 'look-up' }, 'Its look-up answers'),
    lookUp,
  )
  return { box, draw }

  /** @param {ProviderSettings} settings */
  function draw({ deliverAfterMs, clockSkewMs, dateByProxy, ...settings }) {
    lookUp.value = settings.lookUp
    const shown = clocks.findIndex(
      (each) => each.clock.clockSkewMs === clockSkewMs && each.clock.dateByProxy === dateByProxy,
    )
    if (shown >= 0) clock.value = String(shown)
    const current = deliverAfterMs === null ? null : deliverAfterMs / 1000
    const offered = deliveryTimes.includes(current) ? deliveryTimes : [...deliveryTimes, current]
    if (deliver.value === String(current) && deliver.options.length === offered.length) return
    deliver.replaceChildren(
      ...offered.map((seconds) =>
        element('option', { value: String(seconds), selected: seconds === current }, deliveryWords(seconds)),
      ),
    )
  }

  function setClock() {
    const chosen = clocks[Number(clock.value)]
    if (chosen) attempt(() => provider.change(chosen.clock))
  }

  function setLookUp() {
    const chosen = lookUps.find((each) => each.lookUp === lookUp.value)
    if (chosen) attempt(() => provider.change({ lookUp: chosen.lookUp }))
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
