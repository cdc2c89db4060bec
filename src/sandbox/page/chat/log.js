/** @import { BubblePresses } from './bubble.js' */
/** @import { Conversations, Note } from './conversations.js' */
/** @import { Message, Person } from '../../telegram/control/control.ts' */

import { byId, element } from '../common/element.js'
import { icon } from '../common/icons.js'
import { syncRows } from '../common/rows.js'
import { dayOf } from '../common/time.js'
import { bubbleOf, noteOf } from './bubble.js'
import { contentsOf } from './conversations.js'

/**
 * @typedef {{ kind: 'day', key: string, title: string }
 *   | { kind: 'message', key: string, message: Message, isMine: boolean, isSilent: boolean, startsGroup: boolean, isGroupChat: boolean }
 *   | { kind: 'note', key: string, note: Note }
 *   | { kind: 'typing', key: string, name: string }} Row
 */

/** In pixels. When the log is scrolled this close to its end, it counts as being at the end. */
const nearEndPx = 60

/**
 * The messages of the open chat. If the person is at the end, the log stays at the end when messages arrive. If not,
 * it stays where the person has scrolled to.
 *
 * @param {BubblePresses} presses
 * @param {(person: Person) => HTMLElement} drawEmpty what to show in a chat without messages
 */
export function chatLog(presses, drawEmpty) {
  const log = byId('log')
  const toEnd = byId('to-end')
  let isAtEnd = true
  let drawnSize = ''
  let shownChat = 0
  log.tabIndex = 0 // so that the keyboard can scroll it
  toEnd.append(icon('down'))
  toEnd.addEventListener('click', scrollToEnd)
  log.addEventListener('scroll', noticePosition)
  log.addEventListener('load', keepPosition, true) // a picture that arrives makes its bubble taller
  new ResizeObserver(keepPosition).observe(log)

  return { draw, scrollToEnd, reveal }

  /**
   * @param {Conversations} conversations
   * @param {{ person: number, chat: number, isTyping: boolean, empty: Person }} view
   */
  function draw(conversations, view) {
    const rows = rowsOf(conversations, view)
    if (shownChat !== view.chat) log.replaceChildren()
    if (rows.length === 0) syncRows(log, [view.empty], () => 'empty', drawEmpty)
    else syncRows(log, rows, (row) => row.key, drawRow)
    if (shownChat !== view.chat) isAtEnd = true
    shownChat = view.chat
    keepPosition()
  }

  /** @param {Row} row */
  function drawRow(row) {
    switch (row.kind) {
      case 'day':
        return element('p', { class: 'day small' }, row.title)
      case 'typing':
        return typingBubble(row.name)
      case 'note':
        return noteOf(row.note, presses)
      case 'message':
        return bubbleOf(row, presses)
    }
  }

  function keepPosition() {
    drawnSize = sizeOfLog()
    if (isAtEnd) log.scrollTop = log.scrollHeight
    noticePosition()
  }

  /** Ignores scrolling that was caused by a change of the window's size, not by the person. */
  function noticePosition() {
    if (sizeOfLog() !== drawnSize) return
    isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < nearEndPx
    toEnd.hidden = isAtEnd
  }

  function sizeOfLog() {
    return `${log.clientWidth} ${log.clientHeight}`
  }

  function scrollToEnd() {
    isAtEnd = true
    keepPosition()
  }

  /** @param {number} messageId */
  function reveal(messageId) {
    const bubble = log.querySelector(`[data-message-id="${messageId}"]`)
    bubble?.scrollIntoView({ block: 'center' })
    bubble?.classList.add('revealed')
    setTimeout(() => bubble?.classList.remove('revealed'), 1500)
  }
}

/**
 * @param {Conversations} conversations
 * @param {{ person: number, chat: number, isTyping: boolean }} view
 * @returns {Row[]}
 */
function rowsOf(conversations, { person, chat, isTyping }) {
  /** @type {Row[]} */
  const rows = []
  let day = ''
  let sender = 0
  const now = new Date()
  const silent = conversations.chats.get(chat)?.silent
  for (const entry of contentsOf(conversations, chat)) {
    const title = dayOf(entry.date, now)
    if (title !== day) {
      rows.push({ kind: 'day', key: `day:${title}`, title })
      sender = 0
    }
    day = title
    if (entry.kind === 'note') {
      rows.push({ kind: 'note', key: `note:${entry.note.id}`, note: entry.note })
      sender = 0
      continue
    }
    const from = entry.message.from?.id ?? 0
    const isSilent = silent?.has(entry.message.message_id) === true
    const place = { isMine: from === person, isSilent, startsGroup: from !== sender, isGroupChat: chat < 0 }
    rows.push({
      kind: 'message',
      key: `message:${entry.message.message_id}`,
      message: entry.message,
      ...place,
    })
    sender = from
  }
  if (isTyping) rows.push({ kind: 'typing', key: 'typing', name: conversations.bot?.first_name ?? 'The bot' })
  return rows
}

/** @param {string} name */
function typingBubble(name) {
  return element(
    'div',
    {
      class: 'message column theirs starts typing',
      'data-testid': 'typing',
      'aria-label': `${name} is typing`,
    },
    element('div', { class: 'bubble' }, element('i', {}), element('i', {}), element('i', {})),
  )
}
