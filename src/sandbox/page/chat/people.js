/** @import { Person } from '../../telegram/control/control.ts' */
/** @import { Conversations } from './conversations.js' */

import { byId, element } from '../common/element.js'
import { syncRows } from '../common/rows.js'
import { chooseTab, moveByArrows } from '../common/tabs.js'
import { summaryOf } from './bubble.js'

/**
 * The people whom one can play, with the number of unread messages in their chats.
 *
 * @param {(person: Person) => void} choose
 */
export function peopleTabs(choose) {
  const list = byId('people')
  moveByArrows(list)
  return { draw }

  /**
   * @param {Conversations} conversations
   * @param {number} chosen
   */
  function draw(conversations, chosen) {
    const rows = conversations.people.map((person) => ({
      person,
      unread: conversations.unread.get(person.id) ?? 0,
      last: lastLine(conversations, person),
    }))
    syncRows(list, rows, (row) => String(row.person.id), tabOf)
    chooseTab(list, (tab) => tab.getAttribute('data-key') === String(chosen))
  }

  /** @param {{ person: Person, unread: number, last: string }} row */
  function tabOf({ person, unread, last }) {
    return element(
      'button',
      {
        role: 'tab',
        class: 'person row',
        'aria-controls': 'chat',
        'aria-label': tabName(person, unread),
        'data-testid': `person-${person.role}`,
        'data-control': `person-${person.id}`,
        onclick: () => choose(person),
      },
      avatarOf(person),
      element(
        'span',
        { class: 'column fill' },
        element(
          'span',
          { class: 'person-name row' },
          person.first_name,
          !isNamedByRole(person) && element('span', { class: 'pill' }, person.role),
        ),
        element('span', { class: 'person-last small muted cut' }, last),
      ),
      unread > 0 && element('span', { class: 'badge', 'data-testid': 'unread' }, String(unread)),
    )
  }
}

/** @param {Person} person */
function avatarOf(person) {
  const initials = `${person.first_name[0] ?? ''}${person.last_name?.[0] ?? ''}`
  return element('span', { class: `avatar center avatar-${person.role}`, 'aria-hidden': 'true' }, initials)
}

/**
 * @param {Person} person
 * @param {number} unread
 */
function tabName(person, unread) {
  const name = isNamedByRole(person) ? person.first_name : `${person.first_name}, ${person.role}`
  return `${name}${unread > 0 ? `, ${unread} unread` : ''}`
}

/** @param {Person} person */
export function isNamedByRole({ first_name, role }) {
  return first_name.toLowerCase() === role
}

/**
 * @param {Conversations} conversations
 * @param {Person} person
 */
function lastLine(conversations, person) {
  if (person.blocked) return 'has blocked the bot'
  const last = conversations.chats.get(person.id)?.messages.at(-1)
  if (!last) return 'hasn’t started the bot yet'
  return (last.from?.id === person.id ? 'You: ' : '') + summaryOf(last).replace(/\s+/g, ' ')
}
