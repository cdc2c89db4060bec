/** @import { ProviderAccountState } from '../provider/control.ts' */
/** @import { Person } from '../telegram/control.ts' */
import { byId, element } from './element.js'
import { isNamedByRole } from './people.js'
import { syncRows } from './rows.js'

/**
 * What a newcomer can try as each person. `text` goes into the composer, for the newcomer to send.
 *
 * @typedef {{ label: string, text: string }} Suggestion
 *
 * @param {Person} person
 * @param {ProviderAccountState | undefined} account the reseller's demo account, once the provider is known
 * @returns {Suggestion[]}
 */
export function suggestionsFor(person, account) {
  if (person.role !== 'reseller') return [{ label: '/status', text: '/status ' }]
  return [
    { label: '/connect', text: '/connect' },
    ...(account ? credentialsOf(account) : []),
    { label: '0241234567 5GB', text: '0241234567 5GB' },
  ]
}

/** @param {ProviderAccountState} account */
function credentialsOf(account) {
  return [
    { label: 'Demo API key', text: account.apiKey },
    { label: 'Demo API secret', text: account.apiSecret },
  ]
}

/**
 * The row of suggestions above the composer, which a person can put away for good.
 *
 * @param {(text: string) => void} fill
 */
export function guide(fill) {
  const box = byId('guide')
  const list = element('div', { class: 'guide-list' })
  const close = element('button', { type: 'button', class: 'guide-close', onclick: putAway }, 'Hide')
  box.append(element('span', { class: 'guide-title' }, 'Try'), list, close)
  let isPutAway = sessionStorage.getItem('guide') === 'hidden'
  return { draw }

  /**
   * @param {Person} person
   * @param {ProviderAccountState | undefined} account
   * @param {boolean} isChatEmpty then the chat itself says what to do
   */
  function draw(person, account, isChatEmpty) {
    box.hidden = isPutAway || isChatEmpty
    syncRows(
      list,
      suggestionsFor(person, account),
      (one) => one.label,
      (one) => chip(one, fill),
    )
  }

  function putAway() {
    isPutAway = true
    box.hidden = true
    sessionStorage.setItem('guide', 'hidden')
    byId('composer').querySelector('textarea')?.focus()
  }
}

/**
 * What stands in a chat that has no messages yet.
 *
 * @param {Person} person
 * @param {ProviderAccountState | undefined} account
 * @param {{ start: () => void, fill: (text: string) => void }} presses
 * @returns {HTMLElement}
 */
export function emptyChat(person, account, { start, fill }) {
  return element(
    'div',
    { class: 'empty', 'data-testid': 'empty' },
    element('h3', {}, introduction(person)),
    ...stepsFor(person, account, fill),
    element(
      'button',
      { type: 'button', class: 'button main start', 'data-testid': 'start', onclick: start },
      'Start',
    ),
  )
}

/** @param {Person} person */
function introduction(person) {
  return isNamedByRole(person)
    ? `You are the ${person.role}`
    : `You are ${person.first_name}, the ${person.role}`
}

/**
 * @param {Person} person
 * @param {ProviderAccountState | undefined} account
 * @param {(text: string) => void} fill
 * @returns {HTMLElement[]}
 */
function stepsFor(person, account, fill) {
  switch (person.role) {
    case 'reseller':
      return [
        element(
          'ol',
          {},
          element('li', {}, 'Press Start.'),
          element('li', {}, 'Send ', chip({ label: '/connect', text: '/connect' }, fill), '.'),
          element(
            'li',
            {},
            'When the bot asks, send these, one after the other:',
            ...pasteButtons(account, fill),
          ),
        ),
        element(
          'p',
          {},
          'Then order a bundle, and watch it on the provider’s side. These credentials stay above the composer.',
        ),
      ]
    case 'agent':
      return [
        element(
          'p',
          {},
          'An agent sells from a reseller’s wallet. Open a link that the reseller passes on to you, or start the bot and look around.',
        ),
      ]
    case 'customer':
      return [
        element(
          'p',
          {},
          'A customer waits for a bundle. Send the reference of an order, or open a link that the reseller shares with you, and follow it until it is delivered.',
        ),
      ]
  }
}

/**
 * @param {ProviderAccountState | undefined} account
 * @param {(text: string) => void} fill
 */
function pasteButtons(account, fill) {
  if (!account) return [element('span', { class: 'muted' }, ' (waiting for the provider)')]
  return [element('div', { class: 'paste' }, ...credentialsOf(account).map((one) => chip(one, fill)))]
}

/**
 * @param {Suggestion} suggestion
 * @param {(text: string) => void} fill
 */
function chip({ label, text }, fill) {
  const title = `Put “${text.trim()}” into the composer`
  return element('button', { type: 'button', class: 'chip', title, onclick: () => fill(text) }, label)
}
