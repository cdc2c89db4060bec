import type { TelegramSimulator } from '../../src/sandbox/index.ts'

/** More buttons below one message hide its text on a small phone. */
const maxButtons = 8

/** @throws if the bot sent a message with too many buttons. */
export const expectFewButtons = (telegram: Pick<TelegramSimulator, 'history'>): void => {
  const crowded = telegram.history().entries.find(({ buttons = [] }) => buttons.length > maxButtons)
  if (crowded)
    throw new Error(`More than ${maxButtons} buttons below one message: ${crowded.buttons?.join(' | ')}`)
}
