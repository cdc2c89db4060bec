/** @import { ProviderState } from '../../provider/control.ts' */
import { element } from '../common/element.js'
import { syncRows } from '../common/rows.js'
import { secondsOf } from '../common/time.js'
import { nothingYet } from './orders.js'

/** The bot's requests to the provider and the provider's callbacks, newest first. */
export function trafficView() {
  const requests = element('ul', { class: 'lines card', 'data-testid': 'requests', 'aria-label': 'Requests' })
  const callbacks = element('ul', {
    class: 'lines card',
    'data-testid': 'callbacks',
    'aria-label': 'Callbacks',
  })
  const noRequests = nothingYet('No requests from the bot yet.')
  const noCallbacks = nothingYet('No callbacks yet.')
  const box = element(
    'div',
    { class: 'panel-part column' },
    element('h3', {}, 'Callbacks to the bot'),
    noCallbacks,
    callbacks,
    element('h3', {}, 'Requests from the bot'),
    noRequests,
    requests,
  )
  return { box, draw }

  /** @param {ProviderState} state */
  function draw(state) {
    noRequests.hidden = state.requests.length > 0
    noCallbacks.hidden = state.callbacks.length > 0
    syncRows(requests, numbered(state.requests), (row) => row.key, requestLine)
    syncRows(callbacks, numbered(state.callbacks), (row) => row.key, callbackLine)
  }
}

/**
 * Adds keys to entries, which have no id. A key is the entry's time and its place among those of the same time.
 *
 * @template {{ at: string }} Entry
 * @param {Entry[]} newestFirst
 * @returns {(Entry & { key: string })[]}
 */
function numbered(newestFirst) {
  /** @type {Map<string, number>} */
  const seen = new Map()
  const oldestFirst = newestFirst.toReversed().map((entry) => {
    const place = (seen.get(entry.at) ?? 0) + 1
    seen.set(entry.at, place)
    return { ...entry, key: `${entry.at} ${place}` }
  })
  return oldestFirst.reverse()
}

/** @param {ProviderState['requests'][number]} request */
function requestLine({ at, method, path, status }) {
  const answer = status === null ? 'no answer' : String(status)
  return element(
    'li',
    { class: 'row small' },
    element('span', { class: 'fill' }, element('code', {}, `${method} ${path}`)),
    element('span', { class: `answer ${toneOf(status)}` }, answer),
    element('span', { class: 'muted' }, secondsOf(at)),
  )
}

/** @param {ProviderState['callbacks'][number]} callback */
function callbackLine({ at, reference, status, answer, attempt }) {
  return element(
    'li',
    { class: 'row small' },
    element(
      'span',
      { class: 'fill' },
      element('strong', {}, status),
      ' ',
      element('code', {}, reference),
      attempt > 1 && ` · try ${attempt}`,
    ),
    element('span', { class: `answer ${toneOf(answer)}` }, answer === null ? 'no answer' : String(answer)),
    element('span', { class: 'muted' }, secondsOf(at)),
  )
}

/** @param {number | null} status */
function toneOf(status) {
  return status !== null && status < 400 ? 'good' : 'bad'
}
