import { formatGhs, type Pesewas } from '../../../provider/money.ts'
import { foreignWord } from '../../chat/screen.ts'
import { when } from '../../chat/time.ts'
import { orderHint } from '../../words/hints.ts'
import { b, lines } from '../../words/markup.ts'

/** The menu, and the greeting for new people. */

export const welcome = (mayConnect: boolean) =>
  [
    `${b('Bundlegram')}: mobile data bundles, ordered in this chat.`,
    '',
    mayConnect
      ? '• Do you sell data? Connect your provider account once, then order for any number in seconds.'
      : '• Do you sell data? You’ll need an invitation. Ask whoever runs this bot for a link.',
    '• Did somebody order for you? Send the order’s reference (<code>BUD-…</code>) to see if it has arrived.',
  ].join('\n')

/** The last line of an operator's menu. */
export const operatorHint = 'Operator’s menu: /admin'

/** Shown above the buttons that are not on the home menu. */
export const more = `${b('More')}\nEverything else is in ❓ Help, topic by topic.`

/** The menu of an owner. */
export const home = (options: {
  accountType: string | null
  balance: Pesewas | null
  balanceAt: Date | null
  refused: boolean
  eraseBy: Date | null
  now: Date
}) => {
  const { accountType, eraseBy, refused, now } = options
  return lines(
    b('Bundlegram'),
    accountType ? `Account type: ${foreignWord(accountType)}` : null,
    balanceLine(options),
    eraseBy
      ? `\n⏳ This account is being removed, so nothing new can be ordered.\nIts key and secret will be erased once its orders have ended, by ${when(eraseBy, now)} at the latest. Changed your mind? /disconnect lets you keep it.`
      : null,
    refused
      ? '\n⚠️ The provider isn’t accepting your API key, so nothing can be ordered. /connect again with the current key.'
      : null,
    refused || eraseBy ? null : `\n${orderHint}`,
  )
}

const balanceLine = (options: { balance: Pesewas | null; balanceAt: Date | null; now: Date }): string => {
  const { balance, balanceAt, now } = options
  if (balance === null) return 'Balance: not known yet'
  return `Balance: ${b(formatGhs(balance))}${balanceAt ? ` (${when(balanceAt, now)})` : ''}`
}

export const left = 'Cancelled. Nothing new was ordered.'

export const nothingToLeave = 'There’s nothing to cancel. /start shows what you can do.'
