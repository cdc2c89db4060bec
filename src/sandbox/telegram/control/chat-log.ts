import type { Message } from 'grammy/types'
import type { ChatEvent, HistoryEntry, Press } from './control.ts'

/**
 * Everything that happened in the chats, oldest first. It keeps what people could read at each moment, even if that
 * changed later.
 */
export class History {
  readonly entries: HistoryEntry[] = []
  #bot: number
  #now: () => number

  /**
   * @param bot the bot's user id
   * @param now ms since 1970
   */
  constructor(bot: number, now: () => number) {
    this.#bot = bot
    this.#now = now
  }

  clear(): void {
    this.entries.length = 0
  }

  hear(event: ChatEvent): void {
    if (event.type === 'message') this.#add(this.#entryOf(event.message, 'sent'))
    if (event.type === 'edit') this.#add(this.#entryOf(event.message, 'edited'))
    if (event.type === 'delete')
      this.#add({ chat: event.chat, messageId: event.messageId, by: 'bot', kind: 'deleted' })
    if (event.type === 'answer' && event.text !== undefined)
      this.#add({ chat: event.chat, messageId: null, by: 'bot', kind: 'toast', text: event.text })
  }

  press({ from, chat = from, messageId, data }: Press): void {
    this.#add({ chat, messageId, by: 'person', kind: 'pressed', text: data })
  }

  /** Notes that the bot did not get the answer to its last call about that message. */
  lose(chat: number, messageId: number): void {
    const entry = this.entries.findLast((each) => each.chat === chat && each.messageId === messageId)
    if (entry) entry.lost = true
  }

  #entryOf(message: Message, kind: 'sent' | 'edited'): Omit<HistoryEntry, 'at'> {
    const { chat, message_id, from, reply_to_message, reply_markup } = message
    return {
      chat: chat.id,
      messageId: message_id,
      by: from?.id === this.#bot ? 'bot' : 'person',
      kind,
      text: message.text ?? message.caption ?? message.contact?.phone_number ?? '',
      buttons: reply_markup?.inline_keyboard.flat().map(({ text }) => text) ?? [],
      ...(reply_to_message && { replyTo: reply_to_message.message_id }),
    }
  }

  #add(entry: Omit<HistoryEntry, 'at'>): void {
    this.entries.push({ at: this.#now(), ...entry })
  }
}
