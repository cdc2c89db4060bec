import type { Message } from 'grammy/types'
import type { TelegramSimulator } from '../../src/sandbox/index.ts'

/**
 * Makes the simulated Telegram return all texts as a person reads them out: `024 123 4567` with no-break spaces is one
 * number, and any other no-break space is a space. The positions of entities stay as they were sent.
 */
export const asRead = (telegram: TelegramSimulator): TelegramSimulator => {
  const { messages, history, calls } = telegram
  return Object.assign(telegram, {
    messages: (chat: number) => messages(chat).map(messageAsRead),
    calls: (method?: string) =>
      calls(method).map((call) => ({ ...call, payload: payloadAsRead(call.payload) })),
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

const read = new WeakMap<object, Record<string, unknown>>()

/** Without this, a test that looks for a number that must not be sent would miss it if it is written in groups. */
const payloadAsRead = (payload: Record<string, unknown>): Record<string, unknown> => {
  const known = read.get(payload) ?? (valueAsRead(payload) as Record<string, unknown>)
  read.set(payload, known)
  return known
}

const valueAsRead = (value: unknown): unknown => {
  if (typeof value === 'string') return readOut(value)
  if (Array.isArray(value)) return value.map(valueAsRead)
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, valueAsRead(each)]))
}

/** The text with numbers and amounts as they are written in tests: without groups and no-break spaces. */
export const readOut = (text: string): string =>
  text.includes('\u00a0') ? text.replace(/(?<=\d)\u00a0(?=\d)/g, '').replaceAll('\u00a0', ' ') : text
