import type { Person } from '../../orders/buying/purchases.ts'
import { noFilter } from '../buttons/history-filter.ts'
import { type Button, button } from '../chat/screen.ts'
import { homeLabels } from '../words/labels.ts'

/** The buttons below the greeting and the home menu. Agents have no buttons about the wallet. */
export const homeRows = (role: Person['role']): Button[][] => {
  const [buy, bulk] = [button(homeLabels.buy, { do: 'networks' }), button(homeLabels.bulk, { do: 'bulk' })]
  const orders = button(homeLabels.orders, { do: 'orders', page: 0, filter: noFilter })
  const contacts = button(homeLabels.contacts, { do: 'contacts', act: { act: 'list', page: 0 } })
  const prices = button(homeLabels.priceList, {
    do: 'selling',
    act: { act: 'menu', network: null },
  })
  const settings = button(homeLabels.settings, { do: 'settings', act: { act: 'show' } })
  const help = button(homeLabels.help, { do: 'help', topic: null })
  const agents = button(homeLabels.agents, { do: 'agents', act: { act: 'list' } })
  const balance = button(homeLabels.balance, { do: 'balance' })
  const statistics = button(role === 'owner' ? homeLabels.profit : homeLabels.statistics, {
    do: 'stats',
    period: 'week',
  })
  return role === 'owner'
    ? [
        [buy, bulk],
        [orders, contacts],
        [balance, statistics],
        [prices, agents],
        [settings, help],
      ]
    : [
        [buy, bulk],
        [orders, contacts],
        [prices, statistics],
        [settings, help],
      ]
}
