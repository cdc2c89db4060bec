import type { Person } from '../../../orders/buying/purchases.ts'
import { statsPicture } from '../../../pictures/stats.ts'
import type { Accent } from '../../../pictures/theme.ts'
import { periods, type StatsPeriod, spansOf } from '../../../shop/stats-period.ts'
import { readTallies, type Tallies } from '../../../shop/tally.ts'
import { noFilter } from '../../buttons/history-filter.ts'
import { amountsFor, viewOf as seenBy } from '../../cards/viewer.ts'
import { sellingLabels } from '../../cards/words/shop.ts'
import type * as summaryWords from '../../cards/words/summary.ts'
import type { BotContext } from '../../chat/context.ts'
import { type Button, button, homeButton } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { homeLabels } from '../../words/labels.ts'
import { closeButton } from './day.ts'
import { sellingButton } from './shop.ts'
import * as words from './stats-words.ts'

/** `/stats`: shows statistics of the account's orders (for an agent, of their own orders) as a picture with a text. */
export const stats = (ctx: BotContext, person: Person, period: StatsPeriod): void => {
  const { services } = ctx
  ctx.talk.aside(async () => {
    const shop = await services.store.shops.of(person.accountId)
    const view = await viewOf(person, services, period, shop.name)
    const userId = person.role === 'owner' ? null : person.userId
    const whose = { accountId: person.accountId, userId, prices: amountsFor(view.prices) }
    show(ctx, view, await readTallies(services.store.tallies, whose, view.spans), shop.accent)
  })
}

const viewOf = async (
  person: Person,
  { store, now }: Services,
  period: StatsPeriod,
  shop: string | null,
): Promise<summaryWords.StatsView> => ({
  role: person.role,
  prices: (await seenBy(store, person, person.role)).prices,
  shop,
  period,
  spans: spansOf(period, now()),
})

const show = ({ talk }: BotContext, view: summaryWords.StatsView, tallies: Tallies, accent: Accent): void => {
  const rows = buttonsFor(view, words.lacksPrices(view, tallies))
  if (tallies.total.ordered === 0) {
    talk.show({ text: words.noStats(view), rows })
    return
  }
  const svg = statsPicture({ ...words.statsPictureOf(view, tallies), accent })
  talk.showPhoto(async () => ({ svg, text: words.stats(view, tallies), rows }))
}

const buttonsFor = ({ period: shown, role }: summaryWords.StatsView, lacksPrices: boolean): Button[][] => [
  periods.map((period) => button(words.periodLabel(period, shown), { do: 'stats', period })),
  lacksPrices ? [sellingButton(sellingLabels.setPrices, { act: 'rule' })] : [],
  [
    role === 'owner'
      ? closeButton(homeLabels.closeDay)
      : button(homeLabels.orders, { do: 'orders', page: 0, filter: noFilter }),
    homeButton,
  ],
]
