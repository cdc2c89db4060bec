/** @import { Person } from '../../telegram/control/control.ts' */
/** @import { Suggestion } from './suggestions.js' */
import { byId, element } from '../common/element.js'
import { icon } from '../common/icons.js'
import { syncRows } from '../common/rows.js'
import { isNamedByRole } from './people.js'

/**
 * The row of suggestions above the composer. A person can close it for good.
 *
 * @param {(suggestion: Suggestion) => void} take
 */
export function guide(take) {
  const box = byId('guide')
  const list = element('div', { class: 'guide-list fill', 'data-testid': 'suggestions' })
  const close = element(
    'button',
    { class: 'round center muted', 'aria-label': 'Hide suggestions', title: 'Hide', onclick: putAway },
    icon('close'),
  )
  box.append(element('span', { class: 'guide-title' }, 'Try'), list, close)
  let isPutAway = sessionStorage.getItem('guide') === 'hidden'
  return { draw }

  /**
   * @param {Suggestion[]} suggestions
   * @param {boolean} isElsewhere whether the chat itself already says what to do
   */
  function draw(suggestions, isElsewhere) {
    box.hidden = isPutAway || isElsewhere || suggestions.length === 0
    syncRows(
      list,
      suggestions,
      (one) => one.label,
      (one) => chip(one, takeIt),
    )
  }

  /** @param {Suggestion} suggestion */
  function takeIt(suggestion) {
    list.scrollLeft = 0
    take(suggestion)
  }

  function putAway() {
    isPutAway = true
    box.hidden = true
    sessionStorage.setItem('guide', 'hidden')
    byId('composer').querySelector('textarea')?.focus()
  }
}

/**
 * What a chat without messages shows.
 *
 * @param {Person} person
 * @param {() => void} start
 * @returns {HTMLElement}
 */
export function emptyChat(person, start) {
  return element(
    'div',
    { class: 'empty card column', 'data-testid': 'empty' },
    element('h3', {}, introduction(person)),
    ...sentencesFor(person).map((sentence) => element('p', { class: 'muted' }, sentence)),
    element('button', { class: 'button main', 'data-testid': 'start', onclick: start }, 'Start'),
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
 * @returns {string[]}
 */
function sentencesFor({ role }) {
  switch (role) {
    case 'reseller':
      return [
        'You have an account at the provider and sell data bundles.',
        'Press Start. Suggestions for what to send next appear above the text field.',
      ]
    case 'agent':
      return [
        'You sell for a reseller, whose wallet pays for your orders.',
        'First switch to the reseller, send /agents and invite an agent. Then forward the link to the agent.',
      ]
    case 'customer':
      return [
        'Somebody ordered a bundle for you.',
        'Press Start and send the order’s reference, or open a link the reseller shares with you.',
      ]
    case 'operator':
      return ['You run this bot for everybody.', 'Press Start, then send /admin.']
  }
}

/**
 * @param {Suggestion} suggestion
 * @param {(suggestion: Suggestion) => void} take
 */
function chip(suggestion, take) {
  const what = suggestion.fileName ? 'Attach' : 'Write'
  const title = `${what} “${suggestion.fileName ?? suggestion.text.trim()}”`
  return element('button', { class: 'chip small', title, onclick: () => take(suggestion) }, suggestion.label)
}
