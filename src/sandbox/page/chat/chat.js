/** @import { InlineKeyboardButton } from 'grammy/types' */
/** @import { ProviderAccountState, ProviderOrderState } from '../../provider/control.ts' */
/** @import { ChatEvent, Message, OtherMessage, Person, ReplyKey, ReplyKeyboard } from '../../telegram/control/control.ts' */
/** @import { Outgoing } from './composer.js' */
/** @import { Contact } from './contact.js' */
/** @import { Suggestion } from './suggestions.js' */

import { offer as offerChoices } from '../common/controls.js'
import { ask } from '../common/dialog.js'
import { byId, element } from '../common/element.js'
import { icon } from '../common/icons.js'
import { attempt, copy, toast } from '../common/toast.js'
import { composer } from './composer.js'
import { apply, isFromBot, load, noConversations } from './conversations.js'
import { emptyChat, guide } from './guide.js'
import { linkOf } from './links.js'
import { chatLog } from './log.js'
import { openMenu } from './menu.js'
import { partsOf } from './parts.js'
import { isNamedByRole, peopleTabs } from './people.js'
import { pendingPresses } from './presses.js'
import { askRecipient, askToShareNumber, storedNotes, storeNotes } from './sharing.js'
import { suggestionsFor } from './suggestions.js'
import { telegram } from './telegram.js'

/**
 * What the suggestions need to know about the provider.
 *
 * @typedef {{ account: ProviderAccountState | undefined, orders: ProviderOrderState[] }} Offer
 */

/**
 * The chats with the bot: the one that is shown, and everything that the person can do in it.
 *
 * @returns {{ offer: (offer: Offer) => void }}
 */
export function chat() {
  const conversations = noConversations()
  conversations.notes = storedNotes()
  const presses = pendingPresses()
  const log = chatLog(
    { command: sayText, link: openLink, copy, key: pressKey, menu: messageMenu, show, nameOf },
    (empty) => emptyChat(empty, start),
  )
  const writer = composer({ commands, send, sendContact, sendOther, lastOwn })
  const people = peopleTabs((person) => become(person.id))
  const suggestions = guide(takeSuggestion)
  const unblock = element('button', { class: 'button main', onclick: () => block(false) }, 'Unblock the bot')
  const blockedBar = element('div', { class: 'blocked-bar center', hidden: true }, unblock)
  const replyKeys = element('div', {
    class: 'reply-keys column',
    hidden: true,
    role: 'group',
    'aria-label': 'Answers',
  })
  const groups = element('select', {
    class: 'groups',
    'aria-label': 'Chat',
    hidden: true,
    onchange: chooseGroup,
  })
  const actions = element(
    'button',
    { class: 'round center muted', 'aria-label': 'Chat menu', 'aria-haspopup': 'menu' },
    icon('more'),
  )
  /** The person whom the page's user is playing. */
  let person = Number(location.hash.slice(1))
  let openChat = person
  /** @type {Offer} */
  let offered = { account: undefined, orders: [] }
  let isConnected = false
  /** @type {ReplyKeyboard | null} */
  let shownKeyboard = null

  byId('chat-actions').append(groups, actions)
  byId('composer').append(replyKeys)
  byId('composer').after(blockedBar)
  actions.addEventListener('click', chatMenu)
  telegram.follow({ load: reload, apply: take, status: connection })
  return { offer }

  // ── What is on the screen ────────────────────────────────────────────────────────────────────────────────────────

  function draw() {
    const me = current()
    if (!me) return
    const title = conversations.bot?.first_name ?? 'Bot'
    byId('bot-name').textContent =
      openChat < 0 ? (conversations.chats.get(openChat)?.title ?? 'Group') : title
    byId('presence').textContent = presence(me)
    byId('no-bot').hidden = conversations.isBotConnected
    byId('composer').hidden = me.blocked
    blockedBar.hidden = !me.blocked
    people.draw(conversations, person)
    drawGroups()
    drawKeyboard()
    log.draw(conversations, { person, chat: openChat, isTyping: isTyping(), empty: me })
    suggestions.draw(suggested(me), isEmpty() || me.blocked || openChat < 0)
    document.title = titleWith([...conversations.unread.values()].reduce((sum, count) => sum + count, 0))
  }

  /** @param {Person} me */
  function presence(me) {
    if (!isConnected) return 'connecting…'
    if (isTyping()) return 'typing…'
    return me.blocked
      ? `blocked by ${me.first_name}`
      : `bot · you are ${isNamedByRole(me) ? `the ${me.role}` : me.first_name}`
  }

  function isTyping() {
    return (conversations.busyUntil.get(openChat) ?? 0) > Date.now()
  }

  function isEmpty() {
    const hasNote = conversations.notes.some((note) => note.to === openChat)
    return !hasNote && (conversations.chats.get(openChat)?.messages.length ?? 0) === 0
  }

  function drawGroups() {
    const ids = [...conversations.chats.keys()].filter((id) => id < 0)
    groups.hidden = ids.length === 0
    if (groups.options.length === ids.length + 1) return
    const titles = ids.map((id) => ({
      value: String(id),
      words: conversations.chats.get(id)?.title || 'Group',
    }))
    offerChoices(groups, [{ value: '0', words: 'Private chat' }, ...titles])
  }

  function drawKeyboard() {
    const asked = conversations.chats.get(openChat)?.keyboard ?? null
    if (asked === shownKeyboard) return
    shownKeyboard = asked
    replyKeys.hidden = !asked?.rows.length
    replyKeys.replaceChildren(...(asked?.rows ?? []).map((row) => replyRow(row, pressReplyKey)))
    writer.hint(asked?.placeholder)
    const question = conversations.chats.get(openChat)?.messages.findLast(isFromBot)
    if (asked?.forceReply && question) writer.reply(question)
  }

  function chooseGroup() {
    open(Number(groups.value) || person)
  }

  /** @param {number} id */
  function become(id) {
    byId('toasts').replaceChildren()
    person = id
    history.replaceState(null, '', `#${id}`)
    groups.value = '0'
    open(id)
  }

  /** @param {number} chatId */
  function open(chatId) {
    openChat = chatId
    conversations.unread.delete(chatId)
    writer.open(chatId)
    draw()
  }

  /** @param {Offer} next */
  function offer(next) {
    const before = JSON.stringify(offered)
    offered = next
    if (JSON.stringify(next) !== before) draw()
  }

  /** @param {Person} me */
  function suggested({ id, role }) {
    const messages = conversations.chats.get(id)?.messages ?? []
    return suggestionsFor({
      ...offered,
      role,
      commands: (conversations.chats.get(id)?.commands ?? []).map(({ command }) => command),
      hasNote: conversations.notes.some(({ to }) => to === id),
      lastFromBot: messages.findLast(isFromBot)?.text ?? '',
    })
  }

  /** @param {Suggestion} suggestion */
  function takeSuggestion({ text, fileName, as }) {
    const other = conversations.people.find(({ role }) => role === as)
    if (other) become(other.id)
    if (fileName === undefined) writer.fill(text)
    else writer.attach(new File([text], fileName, { type: 'text/csv' }))
  }

  // ── What comes from the server ───────────────────────────────────────────────────────────────────────────────────

  async function reload() {
    load(conversations, await telegram.state(), openChat)
    if (!current()) become(conversations.people[0]?.id ?? 0)
    else if (byId('log').childElementCount === 0) open(openChat)
  }

  /** @param {boolean} connected */
  function connection(connected) {
    isConnected = connected
    draw()
  }

  /** @param {ChatEvent} event */
  function take(event) {
    apply(conversations, event, openChat, Date.now())
    if (event.type === 'action')
      setTimeout(draw, (conversations.busyUntil.get(event.chat) ?? 0) - Date.now() + 1)
    if (event.type === 'answer') answered(event)
    draw()
  }

  /** @param {Extract<ChatEvent, { type: 'answer' }>} answer */
  function answered(answer) {
    presses.end(answer)
    if (answer.chat !== openChat) return
    if (answer.url) openLink(answer.url)
    if (!answer.text) return
    if (answer.alert) ask({ title: answer.text, choices: [{ label: 'OK', choice: true, main: true }] })
    else toast(answer.text)
  }

  // ── What the person does ─────────────────────────────────────────────────────────────────────────────────────────

  /** @param {Outgoing} outgoing */
  function send({ text, file, replyTo, edits }) {
    log.scrollToEnd()
    const from = { from: person, chat: openChat }
    return attempt(async () => {
      if (edits) await telegram.say({ ...from, text, edits: edits.message_id })
      else if (file)
        await telegram.drop({ ...from, ...(await contentsOfFile(file)), ...(text ? { caption: text } : {}) })
      else await sayInParts(text, replyTo)
    })
  }

  /**
   * @param {string} text
   * @param {Message | null} replyTo
   */
  async function sayInParts(text, replyTo) {
    const from = { from: person, chat: openChat }
    const [first = '', ...others] = partsOf(text)
    await telegram.say({ ...from, text: first, ...(replyTo ? { replyTo: replyTo.message_id } : {}) })
    for (const part of others) await telegram.say({ ...from, text: part })
  }

  /** @param {OtherMessage['kind']} kind */
  function sendOther(kind) {
    log.scrollToEnd()
    attempt(() => telegram.sendOther({ from: person, chat: openChat, kind }))
  }

  /** @param {Contact} contact */
  function sendContact(contact) {
    log.scrollToEnd()
    attempt(() => telegram.sendContact({ from: person, chat: openChat, ...contact }))
  }

  /** @param {string} text */
  function sayText(text) {
    writer.sendNow(text)
  }

  /** @param {ReplyKey} key */
  async function pressReplyKey(key) {
    if (typeof key !== 'string' && !(await shareOwnNumber())) return
    if (shownKeyboard?.once) replyKeys.hidden = true
    if (typeof key === 'string') sayText(key)
  }

  /** Asks before it sends the number, as Telegram's apps do. Returns whether it was sent. */
  async function shareOwnNumber() {
    const me = current()
    if (!me || !(await askToShareNumber(me))) return false
    const { first_name: firstName, phoneNumber, id: userId } = me
    sendContact({ firstName, phoneNumber, userId })
    return true
  }

  function start() {
    writer.sendNow('/start')
    writer.focus()
  }

  /**
   * @param {Message} message
   * @param {InlineKeyboardButton} button
   * @param {HTMLButtonElement} node
   */
  function pressKey(message, button, node) {
    if ('callback_data' in button) {
      const press = {
        from: person,
        chat: openChat,
        messageId: message.message_id,
        data: button.callback_data,
      }
      attempt(() => presses.start(node, () => telegram.press(press)))
    } else if ('url' in button) openLink(button.url)
    else if ('copy_text' in button) copy(button.copy_text.text)
    else toast('The sandbox doesn’t support this kind of button.')
  }

  /** @param {string} address */
  async function openLink(address) {
    const link = linkOf(address, conversations.bot?.username ?? '')
    switch (link.kind) {
      case 'start':
        await attempt(() => telegram.open(person, link.url))
        return become(person)
      case 'bot':
        return become(person)
      case 'share':
        return passOn(link.text)
      case 'elsewhere':
        return openElsewhere(link.url)
    }
  }

  /** @param {string} text */
  async function passOn(text) {
    const others = conversations.people.filter((one) => one.id !== person)
    const to = await askRecipient(text, others)
    if (!to) return
    const note = {
      id: crypto.randomUUID(),
      from: person,
      to: to.id,
      date: Math.floor(Date.now() / 1000),
      text,
    }
    conversations.notes.push(note)
    conversations.unread.set(to.id, (conversations.unread.get(to.id) ?? 0) + 1)
    storeNotes(conversations.notes)
    draw()
    toast(`Sent to ${to.first_name}`, { label: 'Open their chat', run: () => become(to.id) })
  }

  /** @param {number} messageId */
  function show(messageId) {
    log.reveal(messageId)
  }

  /**
   * @param {Message} message
   * @param {HTMLElement} button
   */
  function messageMenu(message, button) {
    const text = message.text ?? message.caption
    const isMine = message.from?.id === person
    openMenu(button, [
      { label: 'Reply', icon: icon('reply'), run: () => writer.reply(message) },
      ...(isMine && message.text
        ? [{ label: 'Edit', icon: icon('edit'), run: () => writer.edit(message) }]
        : []),
      ...(text ? [{ label: 'Copy text', icon: icon('copy'), run: () => copy(text) }] : []),
      ...(text
        ? [{ label: 'Forward to the bot', icon: icon('forward'), run: () => forwardToBot(text) }]
        : []),
      ...(text ? [{ label: 'Forward to…', icon: icon('forward'), run: () => passOn(text) }] : []),
      ...(isMine ? [{ label: 'Delete', icon: icon('close'), run: () => remove(message) }] : []),
    ])
  }

  /** @param {Message} message */
  function remove({ message_id }) {
    attempt(() => telegram.remove({ from: person, chat: openChat, messageId: message_id }))
  }

  async function makeGroup() {
    const members = conversations.people.map(({ id }) => id)
    await attempt(async () => {
      const { id } = await telegram.group({ title: 'Group with the bot', members })
      load(conversations, await telegram.state(), openChat)
      drawGroups()
      groups.value = String(id)
      open(id)
    })
  }

  /** @param {string} text */
  function forwardToBot(text) {
    log.scrollToEnd()
    attempt(() => telegram.say({ from: person, chat: openChat, text, forwarded: true }))
  }

  function chatMenu() {
    const me = current()
    if (!me) return
    const blocking = me.blocked ? 'Unblock the bot' : 'Block the bot'
    openMenu(actions, [
      { label: blocking, icon: icon('block'), run: () => block(!me.blocked) },
      {
        label: 'Deliver the last update again',
        icon: icon('forward'),
        run: () => attempt(telegram.redeliver),
      },
      { label: 'Make a group with the bot', icon: icon('group'), run: makeGroup },
    ])
  }

  /** @param {boolean} blocked */
  async function block(blocked) {
    await attempt(() => telegram.block(person, blocked))
    if (!blocked) writer.focus()
  }

  // ── Look-ups ─────────────────────────────────────────────────────────────────────────────────────────────────────

  function current() {
    return conversations.people.find((one) => one.id === person)
  }

  function commands() {
    return conversations.chats.get(openChat)?.commands ?? conversations.commands
  }

  function lastOwn() {
    const messages = conversations.chats.get(openChat)?.messages ?? []
    return messages.findLast((message) => !isFromBot(message) && message.from?.id === person && message.text)
  }

  /** @param {number} id */
  function nameOf(id) {
    return conversations.people.find((one) => one.id === id)?.first_name ?? 'Someone'
  }
}

/**
 * @param {ReplyKey[]} keys
 * @param {(key: ReplyKey) => void} press
 */
function replyRow(keys, press) {
  const nodeOf = (/** @type {ReplyKey} */ key) => {
    const label = typeof key === 'string' ? key : key.text
    return element('button', { class: 'reply-key', onclick: () => press(key) }, label)
  }
  return element('div', { class: 'keyboard-row' }, ...keys.map(nodeOf))
}

/** @param {number} unread */
function titleWith(unread) {
  return unread > 0 ? `(${unread}) Bundlegram sandbox` : 'Bundlegram sandbox'
}

/** @param {string} url */
async function openElsewhere(url) {
  const body = [
    element('p', {}, 'You’re leaving the sandbox for:'),
    element('p', { class: 'share-text' }, url),
  ]
  const isMeant = await ask({
    title: 'Open this link?',
    body,
    choices: [{ label: 'Open', choice: true, main: true }],
  })
  if (isMeant) window.open(url, '_blank', 'noopener,noreferrer')
}

/** @param {File} file */
async function contentsOfFile(file) {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return { name: file.name, mime: file.type || 'application/octet-stream', dataBase64: btoa(binary) }
}
