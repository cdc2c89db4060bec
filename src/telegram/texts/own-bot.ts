import { escapeHtml, oneLine } from '../chat/screen.ts'
import type { BotState } from './bots.ts'
import { b, code, lines } from './markup.ts'

/** The bot that an owner of an account makes in two taps. */

export const ownBotLabels = {
  ownBot: '🤖 My own bot',
  /** Stands in place of the person's keyboard. */
  make: '🤖 Make my bot',
  stop: '⏸ Stop',
  start: '▶️ Start',
  remove: '🗑 Remove',
  removeSure: '✅ Confirm: remove',
} as const

const stateWords: Record<BotState, string> = {
  running: '✅ Runs',
  starting: '⏳ Starts',
  stopped: '⏸ The operator stopped it. Ask them to start it.',
  halted: '⏸ You stopped it. Nobody is answered there.',
  token: '⚠️ Telegram refuses its token. Press Start to try again.',
  rival: '⚠️ Another program uses its token. End that program, then press Start.',
  failed: '⚠️ It doesn’t start yet. I keep trying.',
}

const at = (username: string): string => `@${escapeHtml(oneLine(username, 40))}`

export const openLabel = (username: string): string => `@${oneLine(username, 40)}`

export const address = (username: string): string => `https://t.me/${oneLine(username, 40)}`

export const askMake = lines(
  b('Your own bot'),
  'It carries your shop’s name and has its own people, prices and orders. You run it.',
  `Press “${ownBotLabels.make}” below, then Create.`,
)

export const oldApp =
  'Your app can’t make bots. Update Telegram and press the key again, or ask the operator to add a bot for you.'

export const notOffered = 'No bots can be made here at the moment.'

export const ownersAlone = 'Only the owner of an account can make a bot: /connect.'

/** A bot that somebody made, but that is not run. */
export const notRun = (username: string, why: string): string =>
  `${why}\nI don’t run ${at(username)}. You can delete it with @BotFather.`

export const accountHasOne = 'Your account has a bot already.'

export const made = (username: string): string =>
  `✅ You made ${at(username)}. I’m starting it and will tell you here.`

export const delayed = (username: string): string =>
  `⏳ Telegram doesn’t let me into ${at(username)} yet. I keep trying and will tell you here.`

export const runs = (username: string): string =>
  lines(
    `✅ Your bot runs: ${at(username)}`,
    'Open it, press Start and connect your account there. Then /disconnect here, so that one bot alone orders on your wallet.',
    `To name it, send ${code('/admin')} there.`,
  )

export const ownBot = ({ username, state }: { username: string; state: BotState }): string =>
  lines(b(at(username)), stateWords[state])

export const stoppedNow = 'Stopped'
export const startedNow = 'Starting'
export const notYoursToStart = 'The operator stopped it. Ask them to start it.'
export const noOwnBot = 'You have no bot here.'

export const askRemove = (username: string): string =>
  lines(
    `${b('Remove your bot?')} ${at(username)}`,
    'I stop it and forget its token. Orders under way there are not followed any more.',
  )

export const removed = (username: string): string =>
  `Removed: ${at(username)}. Its data is kept: the operator can add it again.`
