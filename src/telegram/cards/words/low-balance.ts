import { formatGhs, type Pesewas } from '../../../provider/money.ts'
import { bundleName } from '../../words/bundle.ts'
import { b, joined, lines } from '../../words/markup.ts'

/** The alert for a low balance, and labels about the wallet. */

export const walletLabels = {
  alert: '🔔 Alert',
  export: '📄 Export',
  lookFurther: 'Search further ▶',
  lookFurtherBack: '◀ Search further',
} as const

/** How many orders of the usual bundle a balance pays for. */
export interface GoodFor {
  count: number
  network: string
  volume: string
}

export const goodForWords = ({ count, network, volume }: GoodFor): string =>
  count === 0
    ? `Not enough for one ${bundleName(network, volume)}, your usual.`
    : `Good for ${b(`${count} × ${bundleName(network, volume)}`)}, your usual.`

export const lowBalance = (options: { balance: Pesewas; level: Pesewas; goodFor: GoodFor | null }) =>
  lines(
    `⚠️ ${b(`The balance is low: ${formatGhs(options.balance)}`)}`,
    joined(
      ' ',
      options.goodFor ? goodForWords(options.goodFor) : null,
      `Your alert is set at ${formatGhs(options.level)}.`,
    ),
    '',
    'Top up with the provider before orders are refused. After that, I’ll warn you the next time your balance is low.',
  )
