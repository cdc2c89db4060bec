import type { Message } from 'grammy/types'
import type { TelegramSimulator } from '../../src/sandbox/index.ts'

/**
 * Makes the simulated Telegram tell all texts in the form in which a person reads them out: `024 123 4567` with
 * no-break spaces is one number, and any other no-break space is a space. Entities keep their places.
 */
export const asRead = (telegram: TelegramSimulator): TelegramSimulator => {
  const { messages, history } = telegram
  return Object.assign(telegram, {
    messages: (chat: number) => messages(chat).map(messageAsRead),
    history: () => {
      const told = history()
      return { ...told, entries: told.entries.map(withTextAsRead) }
    },
  })
}

const messageAsRead = (message: Message): Message => ({
  ...withTextAsRead(message),
  ...(message.caption !== undefined && { caption: readOut(message.caption) }),
  ...(message.reply_markup && {
    reply_markup: {
      inline_keyboard: message.reply_markup.inline_keyboard.map((row) =>
        row.map((button) => ({ ...button, text: readOut(button.text) })),
      ),
    },
  }),
})

const withTextAsRead = <Told extends object>(told: Told): Told =>
  'text' in told && typeof told.text === 'string' ? { ...told, text: readOut(told.text) } : told

const readOut = (text: string): string => text.replace(/(?<=\d)\u00a0(?=\d)/g, '').replaceAll('\u00a0', ' ')
