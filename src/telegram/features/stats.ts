import type { Person } from '../../orders/purchases.ts'
import { statsPicture } from '../../pictures/stats.ts'
import { type Period, periods, spansOf } from '../../shop/period.ts'
import { readTallies, type Tallies } from '../../shop/tally.ts'
import type { BotContext } from '../context.ts'
import { personOf } from '../person.ts'
import { type Key, key } from '../screen.ts'
import type { Services } from '../services.ts'
import { homeLabels } from '../texts/home.ts'
import { labels } from '../texts/labels.ts'
import { needAccount, notYours } from '../texts/refusal.ts'
import * as words from '../texts/stats.ts'
import { amountsFor, viewOf as seenBy } from '../viewer.ts'

/** `/stats`: how the account's orders went, or an agent's own, as a picture with the same in words. */
export const stats = async (ctx: BotContext, services: Services, period: Period = 'week'): Promise<void> => {
  const person = await personOf(ctx, services)
  if (!person) {
    if (ctx.callbackQuery) ctx.talk.toast(notYours)
    else ctx.talk.say(needAccount)
    return
  }
  ctx.talk.aside(async () => {
    const view = await viewOf(person, services, period)
    const userId = person.role === 'owner' ? null : person.userId
    const whose = { accountId: person.accountId, userId, prices: amountsFor(view.prices) }
    show(ctx, view, await readTallies(services.store.tallies, whose, view.spans))
  })
}

const viewOf = async (
  person: Person,
  { store, now }: Services,
  period: Period,
): Promise<words.StatsView> => ({
  role: person.role,
  prices: (await seenBy(store, person, person.role)).prices,
  shop: (await store.shops.of(person.accountId)).name,
  period,
  spans: spansOf(period, now()),
})

const show = ({ talk }: BotContext, view: words.StatsView, tallies: Tallies): void => {
  const rows = keysOf(view.period)
  if (tallies.total.ordered === 0) {
    talk.show({ text: words.noStats(view), rows })
    return
  }
  const svg = statsPicture(words.statsPictureOf(view, tallies))
  talk.showPhoto(async () => ({ svg, text: words.stats(view, tallies), rows }))
}

const keysOf = (shown: Period): Key[][] => [
  periods.map((period) => key(words.periodLabel(period, shown), { do: 'stats', period })),
  [key(homeLabels.orders, { do: 'orders', page: 0 }), key(labels.home, { do: 'home' })],
]
