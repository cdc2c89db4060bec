import { escapeHtml, oneLine } from '../../chat/screen.ts'
import { when } from '../../chat/time.ts'
import { b, grouped, lines } from '../../words/markup.ts'

export const botNameLabels = {
  name: '🏷 Bot name',
  leave: '↩️ Set it in BotFather',
} as const

/** Whether Telegram has accepted the chosen name. `left`: no operator has chosen one. */
export type ShownStanding =
  | { kind: 'left' }
  | { kind: 'published' | 'refused'; name: string }
  | { kind: 'waiting'; name: string; until: Date }

/** @param shown the name that Telegram shows; null if Telegram could not be asked. */
export const askBotName = (
  shown: string | null,
  standing: ShownStanding,
  { most, now }: { most: number; now: Date },
): string =>
  lines(
    b('Bot name'),
    shown !== null && standing.kind === 'published' && standing.name === shown
      ? `You’ve named the bot ${quoted(shown)}.`
      : `${shown === null ? '' : `Telegram shows ${quoted(shown)}. `}${standingWords(standing, now)}`,
    '',
    `Send a new name, up to ${most} characters.`,
  )

/** How many characters of a name are shown: Telegram's limit for a name. */
const maxShown = 64

const quoted = (name: string): string => `“${escapeHtml(oneLine(name, maxShown))}”`

const standingWords = (standing: ShownStanding, now: Date): string => {
  switch (standing.kind) {
    case 'left':
      return 'The name is set in @BotFather.'
    case 'published':
      return `You chose ${quoted(standing.name)}.`
    case 'refused':
      return `Telegram doesn’t accept ${quoted(standing.name)}.`
    case 'waiting':
      return `Telegram can’t change the name now. I’ll set it to ${quoted(standing.name)} at ${when(standing.until, now)}.`
  }
}

/** Said after a name was chosen and Telegram has answered. */
export const botNameChosen = (standing: ShownStanding, now: Date): string =>
  standing.kind === 'published'
    ? `✅ The bot is now called ${quoted(standing.name)}. Telegram may take a few minutes to show it.`
    : standingWords(standing, now)

export const botNameTooLong = (length: number, most: number): string =>
  `Too long: ${grouped(length)} characters. Send at most ${most}, or /cancel.`

export const botNameEmpty = 'The name needs a letter or digit. Send another, or /cancel.'

/** The answer, as a pop-up, when the name was left to BotFather. Plain text of at most 200 characters. */
export const botNameLeft = 'From now on, set the name in BotFather. It stays the same until you do.'
