import type { Message } from 'grammy/types'
import { mimeOf } from './messages/files.ts'
import type { TelegramSimulator } from './simulator.ts'

/** One person's chat with the bot, with the actions that a test needs. */
export interface TestChat {
  id: number
  say(text: string): Message
  /** @param content text is sent as UTF-8 */
  sendFile(
    name: string,
    content: string | Uint8Array,
    options?: { mime?: string; caption?: string; album?: string },
  ): Message
  sendContact(
    firstName: string,
    phoneNumber: string,
    more?: { lastName?: string; forwarded?: boolean },
  ): Message
  /** Presses the newest button whose label contains `labelPart`; returns the id of the callback query. */
  press(labelPart: string): { id: string }
  last(): Message | undefined
  /** All texts and captions of the bot as people see them now, oldest first. */
  texts(): string[]
  /** Waits for a message of the bot whose text matches, and returns the newest one. */
  waitForText(part: string | RegExp, options?: { timeoutMs?: number; after?: number }): Promise<Message>
  /** The newest button whose label contains `labelPart`. */
  button(labelPart: string): { message: Message; label: string; data?: string; url?: string } | undefined
  waitForButton(
    labelPart: string,
    options?: { timeoutMs?: number },
  ): Promise<{ message: Message; label: string }>
  /**
   * Waits for a document from the bot, and returns the newest one. With `after`, the id of a message, it must follow
   * that message.
   */
  waitForFile(options?: { timeoutMs?: number; after?: number }): Promise<SentFile>
  /** Like `waitForFile`, but for a picture. */
  waitForPhoto(options?: { timeoutMs?: number; after?: number }): Promise<SentPhoto>
}

export interface SentFile {
  message: Message
  name: string
  bytes: Buffer
}

export interface SentPhoto {
  message: Message
  width: number
  height: number
  bytes: Buffer
}

/** @param chatId the person's private chat by default */
export function chatOf(sim: TelegramSimulator, personId: number, chatId = personId): TestChat {
  const fromBot = () => sim.messages(chatId).filter(({ from }) => from?.is_bot)

  function button(labelPart: string) {
    for (const message of fromBot().toReversed()) {
      const found = message.reply_markup?.inline_keyboard.flat().find(({ text }) => text.includes(labelPart))
      if (!found) continue
      const action =
        'callback_data' in found ? { data: found.callback_data } : 'url' in found ? { url: found.url } : {}
      return { message, label: found.text, ...action }
    }
    return undefined
  }

  return {
    id: chatId,
    say: (text) => sim.say({ from: personId, chat: chatId, text }),
    sendFile: (name, content, { mime = mimeOf(name), caption, album } = {}) =>
      sim.drop({
        from: personId,
        chat: chatId,
        name,
        mime,
        dataBase64: Buffer.from(content).toString('base64'),
        ...(caption === undefined ? {} : { caption }),
        ...(album === undefined ? {} : { album }),
      }),
    sendContact: (firstName, phoneNumber, more = {}) =>
      sim.sendContact({ from: personId, chat: chatId, firstName, phoneNumber, ...more }),
    press(labelPart) {
      const found = button(labelPart)
      if (found?.data === undefined) throw new Error(`There is no button “${labelPart}” to press.`)
      return sim.press({
        from: personId,
        chat: chatId,
        messageId: found.message.message_id,
        data: found.data,
      })
    },
    last: () => fromBot().at(-1),
    texts: () => fromBot().map(textOf),
    waitForText: (part, { timeoutMs, after = 0 } = {}) =>
      sim.waitFor(
        () => fromBot().findLast((message) => message.message_id > after && matches(textOf(message), part)),
        { message: `Waiting for “${part}” from the bot`, ...(timeoutMs === undefined ? {} : { timeoutMs }) },
      ),
    button,
    waitForButton: (labelPart, { timeoutMs } = {}) =>
      sim.waitFor(() => button(labelPart), {
        message: `Waiting for a button “${labelPart}”`,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      }),
    waitForFile: ({ timeoutMs, after = 0 } = {}) =>
      sim.waitFor(() => newestFile(sim, fromBot(), after), {
        message: 'Waiting for a file from the bot',
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      }),
    waitForPhoto: ({ timeoutMs, after = 0 } = {}) =>
      sim.waitFor(() => newestPhoto(sim, fromBot(), after), {
        message: 'Waiting for a picture from the bot',
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      }),
  }
}

function newestFile(sim: TelegramSimulator, messages: Message[], after: number): SentFile | undefined {
  const message = messages.findLast((each) => each.document && each.message_id > after)
  const bytes = message?.document && sim.fileBytes(message.document.file_id)
  return message && bytes && { message, name: message.document?.file_name ?? '', bytes }
}

function newestPhoto(sim: TelegramSimulator, messages: Message[], after: number): SentPhoto | undefined {
  const message = messages.findLast((each) => each.photo && each.message_id > after)
  const photo = message?.photo?.at(-1)
  const bytes = photo && sim.fileBytes(photo.file_id)
  return message && bytes && { message, width: photo.width, height: photo.height, bytes }
}

const textOf = (message: Message) => message.text ?? message.caption ?? ''

function matches(text: string, part: string | RegExp): boolean {
  return typeof part === 'string' ? text.includes(part) : part.test(text)
}
