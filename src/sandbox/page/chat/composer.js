/** @import { Message, OtherMessage } from '../../telegram/control/control.ts' */
/** @import { Command } from './commands.js' */
/** @import { Contact } from './contact.js' */

import { byId, element } from '../common/element.js'
import { icon } from '../common/icons.js'
import { sizeOf } from './attachment.js'
import { summaryOf } from './bubble.js'
import { commandList } from './commands.js'
import { askContact } from './contact.js'
import { openMenu } from './menu.js'

/**
 * What the person is about to send.
 *
 * @typedef {{ text: string, file: File | null, replyTo: Message | null, edits: Message | null }} Outgoing
 */

const usualHint = 'Message'

/**
 * Where a person types. Enter sends, and Shift+Enter begins a new line. Esc removes the file, reply or edit. ↑ in an
 * empty composer edits the person's last message.
 *
 * @param {object} chat
 * @param {() => Command[]} chat.commands
 * @param {(outgoing: Outgoing) => Promise<boolean>} chat.send answers whether it was sent
 * @param {(contact: Contact) => void} chat.sendContact
 * @param {(kind: OtherMessage['kind']) => void} chat.sendOther
 * @param {() => Message | undefined} chat.lastOwn
 */
export function composer({ commands, send, sendContact, sendOther, lastOwn }) {
  const input = element('textarea', {
    class: 'composer-input fill',
    rows: 1,
    placeholder: usualHint,
    'aria-label': 'Message',
    'data-testid': 'composer',
    autocomplete: 'off',
    role: 'combobox',
    'aria-controls': 'commands',
    'aria-expanded': 'false',
    'aria-autocomplete': 'list',
  })
  const list = commandList(input, { commands, send: sendNow })
  const picker = element('input', {
    type: 'file',
    hidden: true,
    'data-testid': 'file-input',
    onchange: pickFile,
  })
  const context = element('div', { class: 'context row', hidden: true, 'data-testid': 'context' })
  const attachButton = roundButton('Attach', 'attach', attachMenu)
  attachButton.setAttribute('aria-haspopup', 'menu')
  const before = element('span', { tabindex: '-1', 'aria-hidden': 'true' })
  const form = element(
    'form',
    { class: 'composer', onsubmit: submit },
    attachButton,
    // The first Tab on the page leads from here to the text field.
    before,
    input,
    roundButton('Commands', 'slash', () => (list.isOpen() ? list.close() : list.showAll())),
    element(
      'button',
      {
        type: 'submit',
        class: 'round center send',
        'aria-label': 'Send',
        title: 'Send',
        'data-testid': 'send',
      },
      icon('send'),
    ),
    picker,
  )
  /** @type {Omit<Outgoing, 'text'>} */
  let around = nothingAround()
  /** The half-typed texts of chats that are not open. @type {Map<number, string>} */
  const drafts = new Map()
  let openChat = 0

  byId('composer').append(list.box, context, form)
  input.addEventListener('keydown', onKey)
  input.addEventListener('input', onInput)
  input.addEventListener('blur', list.close)
  input.addEventListener('paste', pasteFile)
  before.focus({ preventScroll: true })
  before.blur()
  typeFromAnywhere(input)
  acceptDrops(byId('chat-body'), byId('drop-hint'), attach)

  return { open, fill, attach, hint, reply, edit, sendNow, focus: () => input.focus() }

  /** @param {number} chat */
  function open(chat) {
    drafts.set(openChat, input.value)
    openChat = chat
    setAround(nothingAround())
    setText(drafts.get(chat) ?? '')
  }

  /** @param {string} text */
  function fill(text) {
    setText(text)
    input.focus()
  }

  /** @param {string} [text] what the empty text field says, if the bot gave a hint */
  function hint(text = usualHint) {
    input.placeholder = text
  }

  /** @param {Message} message */
  function reply(message) {
    setAround({ ...nothingAround(), file: around.file, replyTo: message })
    input.focus()
  }

  /** @param {Message} message */
  function edit(message) {
    setAround({ ...nothingAround(), edits: message })
    fill(message.text ?? message.caption ?? '')
  }

  /** @param {File} file */
  function attach(file) {
    setAround({ ...around, edits: null, file })
    input.focus()
  }

  /** @param {string} text */
  async function sendNow(text) {
    if (!text.trim() && !around.file) return
    const outgoing = { text, ...around }
    setAround(nothingAround())
    setText('')
    if (await send(outgoing)) return
    const { text: unsent, ...rest } = outgoing
    if (input.value) return
    setAround(rest)
    setText(unsent)
  }

  /** @param {Event} event */
  function submit(event) {
    event.preventDefault()
    sendNow(input.value.trim())
    input.focus()
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    if (event.isComposing || list.onKey(event)) return
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      list.close()
      form.requestSubmit()
    }
    if (event.key === 'Escape') cancel()
    if (event.key === 'ArrowUp' && input.value === '') editLast(event)
  }

  /** @param {KeyboardEvent} event */
  function editLast(event) {
    const message = lastOwn()
    if (!message) return
    event.preventDefault()
    edit(message)
  }

  function cancel() {
    if (around.edits) setText('')
    setAround(nothingAround())
    input.focus()
  }

  function onInput() {
    grow()
    list.filter()
  }

  /** @param {string} text */
  function setText(text) {
    input.value = text
    list.close()
    grow()
  }

  function grow() {
    input.style.height = 'auto'
    input.style.height = `${input.scrollHeight}px`
  }

  /** @param {Omit<Outgoing, 'text'>} next */
  function setAround(next) {
    around = next
    const lines = contextLines(next)
    context.hidden = lines.length === 0
    context.replaceChildren(...lines)
    if (lines.length > 0) context.append(roundButton('Cancel', 'close', cancel))
  }

  function attachMenu() {
    openMenu(attachButton, [
      { label: 'File or picture', icon: icon('file'), run: () => picker.click() },
      { label: 'Contact', icon: icon('person'), run: pickContact },
      { label: 'Voice message', icon: icon('voice'), run: () => sendOther('voice') },
      { label: 'Sticker', icon: icon('sticker'), run: () => sendOther('sticker') },
      { label: 'Location', icon: icon('location'), run: () => sendOther('location') },
    ])
  }

  async function pickContact() {
    const contact = await askContact()
    if (contact) sendContact(contact)
    input.focus()
  }

  function pickFile() {
    const file = picker.files?.[0]
    picker.value = ''
    if (file) attach(file)
  }

  /** @param {ClipboardEvent} event */
  function pasteFile(event) {
    const file = event.clipboardData?.files[0]
    if (!file) return
    event.preventDefault()
    attach(file)
  }
}

/**
 * Tab in a message moves to the text field, and so does typing outside a field. Shift+Tab moves back to the
 * messages, the newest first.
 *
 * @param {HTMLTextAreaElement} input
 */
function typeFromAnywhere(input) {
  addEventListener('keydown', (event) => {
    const from = event.target instanceof HTMLElement ? event.target : document.body
    const isTab = event.key === 'Tab' && !event.shiftKey && from.closest('.message') !== null
    if (isTab) event.preventDefault()
    if (isTab || isTyping(event, from)) input.focus()
  })
}

/**
 * @param {KeyboardEvent} event
 * @param {HTMLElement} from
 */
function isTyping(event, from) {
  if (event.key.length !== 1 || event.key === ' ' || event.ctrlKey || event.metaKey || event.altKey)
    return false
  return from === document.body || from.closest('.message, .log') !== null
}

/** @returns {Omit<Outgoing, 'text'>} */
function nothingAround() {
  return { file: null, replyTo: null, edits: null }
}

/** @param {Omit<Outgoing, 'text'>} around */
function contextLines({ file, replyTo, edits }) {
  return [
    edits && contextLine('edit', 'Edit message', summaryOf(edits)),
    replyTo && contextLine('reply', `Reply to ${replyTo.from?.first_name ?? 'message'}`, summaryOf(replyTo)),
    file && contextLine('file', file.name, `${sizeOf(file.size)} · type a caption or send`),
  ].filter((line) => line !== null)
}

/**
 * @param {'edit' | 'reply' | 'file'} kind
 * @param {string} title
 * @param {string} text
 */
function contextLine(kind, title, text) {
  return element(
    'div',
    { class: 'row fill accent' },
    icon(kind),
    element(
      'div',
      { class: 'column small' },
      element('strong', {}, title),
      element('span', { class: 'muted cut' }, text),
    ),
  )
}

/**
 * @param {string} label
 * @param {'attach' | 'slash' | 'close'} iconName
 * @param {() => void} press
 */
function roundButton(label, iconName, press) {
  const node = element(
    'button',
    { class: 'round center muted', 'aria-label': label, title: label },
    icon(iconName),
  )
  node.addEventListener('pointerdown', (event) => event.preventDefault())
  node.addEventListener('click', press)
  return node
}

/**
 * @param {HTMLElement} area
 * @param {HTMLElement} hint shown while a file hangs over the area
 * @param {(file: File) => void} take
 */
function acceptDrops(area, hint, take) {
  area.addEventListener('dragover', (event) => {
    event.preventDefault()
    hint.hidden = false
  })
  area.addEventListener('dragleave', (event) => {
    if (!area.contains(/** @type {Node | null} */ (event.relatedTarget))) hint.hidden = true
  })
  area.addEventListener('drop', (event) => {
    event.preventDefault()
    hint.hidden = true
    const file = event.dataTransfer?.files[0]
    if (file) take(file)
  })
}
