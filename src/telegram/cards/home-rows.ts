import type { Person } from '../../orders/buying/purchases.ts'
import { noFilter } from '../buttons/history-filter.ts'
import { type Button, button, homeButton, inRows } from '../chat/screen.ts'
import { homeLabels } from '../words/labels.ts'
import { reminderLabels } from './words/reminder.ts'

/** The buttons below the greeting and the home menu. Agents have no wallet. */
export const homeRows = (role: Person['role']): Button[][] => [
  [button(homeLabels.buy, { do: 'networks' }), button(homeLabels.bulk, { do: 'bulk' })],
  [
    button(homeLabels.orders, { do: 'orders', page: 0, filter: noFilter }),
    ...(role === 'owner' ? [button(homeLabels.balance, { do: 'balance' })] : []),
    ...(role === 'agent' ? [moreButton] : []),
  ],
  role === 'owner' ? [moreButton] : [],
]

const moreButton = button(homeLabels.more, { do: 'home_more' })

/**
 * How many orders a person must have before `More` shows the button, so that newcomers see only a few. Commands always
 * work, and the topics of the help name them.
 */
const fromOrders = { contacts: 1, prices: 3, sales: 3, agents: 20 } as const

/** Counting a person's orders can stop here, because no button depends on more. */
export const ordersCounted = Math.max(...Object.values(fromOrders))

/**
 * The buttons behind `More`.
 * @param orders how many orders the person has, counted up to `ordersCounted`.
 */
export const moreRows = (role: Person['role'], orders: number, hasReminders: boolean): Button[][] => {
  const from = (least: number, ...buttons: Button[]) => (orders >= least ? buttons : [])
  return inRows(
    [
      ...from(
        fromOrders.contacts,
        button(homeLabels.contacts, { do: 'contacts', act: { act: 'list', page: 0 } }),
      ),
      ...from(
        fromOrders.prices,
        button(homeLabels.priceList, { do: 'selling', act: { act: 'menu', network: null } }),
      ),
      ...from(fromOrders.sales, button(homeLabels.sales, { do: 'stats', period: 'week' })),
      ...(role === 'owner'
        ? from(fromOrders.agents, button(homeLabels.agents, { do: 'agents', act: { act: 'list' } }))
        : []),
      ...(hasReminders ? [button(reminderLabels.all, { do: 'remind', act: { act: 'list', page: 0 } })] : []),
      button(homeLabels.settings, { do: 'settings', act: { act: 'show' } }),
      button(homeLabels.help, { do: 'help', topic: null }),
      homeButton,
    ],
    2,
  )
}
