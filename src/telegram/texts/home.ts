import { formatGhs, type Pesewas } from '../../provider/money.ts'
import { foreignWord } from '../screen.ts'
import { when } from '../time.ts'
import { b, lines } from './markup.ts'

/** The words of the first screen, and of leaving what somebody is doing. */

export const homeLabels = {
  buy: '🛒 Buy a bundle',
  bulk: '📝 Order a list',
  orders: '🧾 Orders',
  balance: '💰 Balance',
  transactions: '↕️ Transactions',
  customers: '👥 Customers',
  statistics: '📊 Statistics',
  profit: '📊 Profit & more',
  priceList: '🏷 Prices',
  agents: '🤝 Agents',
  settings: '⚙️ Settings',
  help: '❔ Help',
  connect: '🔑 Connect an account',
} as const

export const welcome = (mayConnect: boolean) =>
  [
    `${b('Bundlegram')}: mobile data bundles, ordered in this chat.`,
    '',
    mayConnect
      ? '• You sell data? Connect your account at the provider once, then order for any number in seconds.'
      : '• Connecting an account here is by invitation: ask whoever runs this bot for a link.',
    '• Somebody ordered for you? Send the order’s reference (it begins with <code>BUD-</code>) and see where it is.',
  ].join('\n')

export const home = (options: {
  accountType: string | null
  balance: Pesewas | null
  balanceAt: Date | null
  refused: boolean
  eraseBy: Date | null
  now: Date
}) => {
  const balance =
    options.balance === null
      ? 'Balance: not read yet'
      : `Balance: ${b(formatGhs(options.balance))}${options.balanceAt ? ` (${when(options.balanceAt, options.now)})` : ''}`
  return lines(
    b('Bundlegram'),
    options.accountType ? `Account type: ${foreignWord(options.accountType)}` : null,
    balance,
    options.eraseBy
      ? `\nThis account is being removed: nothing new can be ordered, and its key and secret are erased when its last order is done, at ${when(options.eraseBy, options.now)} at the latest. /disconnect shows what is left, and undoes it.`
      : null,
    options.refused
      ? '\n⚠️ The provider refuses your API key. Nothing can be ordered until you /connect again.'
      : options.eraseBy
        ? null
        : '\nSend a number and a size to order at once, for example <code>0241234567 5GB</code>.',
  )
}

export const left = 'Cancelled. Nothing was ordered.'

export const nothingToLeave = 'There is nothing to cancel. /start shows what you can do.'
