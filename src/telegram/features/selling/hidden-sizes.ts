import { bundlesOf } from '../../../orders/buying/prices.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import { type Bundle, networks } from '../../../provider/index.ts'
import { bundleNames } from '../../../shop/price-list.ts'
import type { ActOf } from '../../buttons/table.ts'
import type { BotContext } from '../../chat/context.ts'
import { homeButton, inRows, pagingButtons, type Screen } from '../../chat/screen.ts'
import { noBundles, soldNoMore } from '../../words/bundle.ts'
import { labels } from '../../words/labels.ts'
import { withCosts } from '../buying/priced-bundles.ts'
import { sellingButton } from './shop.ts'
import * as words from './shopfront-words.ts'

/** The acts that choose which sizes price lists show. Only owners may use them. */
type HidingAct = Extract<ActOf<'selling'>, { act: 'hiding' | 'hiding_of' | 'hide' }>

/** Handles a button that shows or changes which sizes price lists leave out. */
export const press = async (ctx: BotContext, person: Person, act: HidingAct): Promise<void> => {
  if (act.act === 'hiding') return ctx.talk.show(networksScreen)
  const { shops } = ctx.services.store
  if (act.act === 'hide') await shops.hide(person.accountId, act.bundleId, act.isHidden)
  withCosts(ctx, person, async (bundles) => {
    const network = act.act === 'hide' ? bundles.find(({ id }) => id === act.bundleId)?.network : act.network
    const hidden = await shops.hidden(person.accountId)
    ctx.talk.show(
      network === undefined
        ? { text: soldNoMore, rows: [[backButton]] }
        : sizesScreen(bundlesOf(bundles, network), hidden, { network, page: act.page }),
    )
  })
}

const backButton = sellingButton(labels.back, { act: 'hiding' })

const networksScreen: Screen = {
  text: words.whichHiding,
  rows: [
    ...inRows(
      networks.map((network) => sellingButton(network, { act: 'hiding_of', network, page: 0 })),
      2,
    ),
    [sellingButton(labels.back, { act: 'shop' })],
  ],
}

const perPage = 4

const sizesScreen = (
  sold: Bundle[],
  hidden: ReadonlySet<number>,
  { network, page }: { network: string; page: number },
): Screen => {
  if (sold.length === 0) return { text: noBundles(network), rows: [[backButton]] }
  const names = bundleNames(sold)
  const buttons = sold.slice(page * perPage, (page + 1) * perPage).map(({ id, volume }) =>
    sellingButton(words.hidingLabel(names.get(id) ?? volume, hidden.has(id)), {
      act: 'hide',
      bundleId: id,
      isHidden: !hidden.has(id),
      page,
    }),
  )
  return {
    text: words.hidingScreen(network, sold.filter(({ id }) => hidden.has(id)).length),
    rows: [
      ...inRows(buttons, 2),
      pagingButtons(page, (page + 1) * perPage < sold.length, (label, to) =>
        sellingButton(label, { act: 'hiding_of', network, page: to }),
      ),
      [backButton, homeButton],
    ],
  }
}
