import { hasPrices, type Shop } from '../../../domain/selling/price-rule.ts'
import { readNetwork } from '../../../lists/reading/grammar/network-word.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import { type Bundle, networks } from '../../../provider/index.ts'
import type { ActOf } from '../../buttons/table.ts'
import { sellingLabels } from '../../cards/words/shop.ts'
import { type BotContext, forgetQuestion, type Question } from '../../chat/context.ts'
import { type Button, button, homeButton, type Screen } from '../../chat/screen.ts'
import { noSuchNetwork } from '../../words/bundle.ts'
import { homeLabels } from '../../words/labels.ts'
import type { Answer } from '../feature.ts'
import * as hiding from './hidden-sizes.ts'
import * as priceList from './price-list.ts'
import * as prices from './price-rule.ts'
import * as tiers from './price-tiers.ts'
import * as receipt from './receipt.ts'
import { exampleOf, readableBundles, sellingButton } from './shop.ts'
import * as shopfront from './shopfront.ts'
import * as words from './words.ts'

/** `/prices` and `/prices MTN`: shows the selling menu. */
export const showPrices = (ctx: BotContext, person: Person, word: string): void => {
  const network = word ? readNetwork(word) : null
  if (word && !network) {
    const rows = [networks.map((name) => sellingButton(name, { act: 'menu', network: name }))]
    ctx.talk.say({ text: noSuchNetwork(word), rows })
    return
  }
  showMenu(ctx, person, network)
}

export const pressSelling = async (ctx: BotContext, person: Person, act: ActOf<'selling'>): Promise<void> => {
  switch (act.act) {
    case 'menu':
      return showMenu(ctx, person, act.network)
    case 'picture':
    case 'text':
      return priceList.make(ctx, person, act)
    case 'receipt':
    case 'receipts':
    case 'receipt_for':
      return receipt.make(ctx, person, act)
    case 'sold_for':
      return receipt.askSoldFor(ctx, person, act.orderId)
    case 'undo_sold':
      return receipt.undoSold(ctx, person, act)
  }
  if (person.role !== 'owner') return ctx.talk.toast(words.ownersOnly, true)
  switch (act.act) {
    case 'shop':
    case 'shop_phone':
    case 'no_shop_phone':
    case 'colours':
    case 'colour':
    case 'letter':
    case 'first_letter':
      return shopfront.press(ctx, person, act)
    case 'tiers':
    case 'tier':
    case 'set_tier':
    case 'undo_tier':
      return tiers.press(ctx, person, act)
    case 'hiding':
    case 'hiding_of':
    case 'hide':
      return hiding.press(ctx, person, act)
    default:
      return prices.press(ctx, person, act)
  }
}

/** Takes the typed answer to a question about selling. */
export const takeText = async (
  ctx: BotContext,
  person: Person,
  { question: { ask }, text }: Answer<Extract<Question, { what: 'selling' }>>,
): Promise<void> => {
  if (ask.about === 'sold_for') return receipt.takeSoldFor(ctx, person, ask.orderId, text)
  if (person.role !== 'owner') {
    await forgetQuestion(ctx)
    return ctx.talk.say(words.ownersOnly)
  }
  switch (ask.about) {
    case 'rule':
      return prices.takeRule(ctx, person, text)
    case 'tier':
      return tiers.takeTier(ctx, person, ask, text)
    case 'price':
      return prices.takePrice(ctx, person, ask.bundleId, text)
    case 'shop_phone':
      return shopfront.takePhone(ctx, person, text)
    case 'letter':
      return shopfront.takeLetter(ctx, person, text)
    case 'shop_name': {
      if (!(await priceList.takeShopName(ctx, person, text))) return
      await forgetQuestion(ctx)
      return pressSelling(ctx, person, ask.then)
    }
  }
}

const showMenu = (ctx: BotContext, person: Person, network: string | null): void => {
  ctx.talk.aside(async () => {
    const bundles = await readableBundles(ctx.services, person.accountId)
    const shop = await ctx.services.store.shops.of(person.accountId)
    ctx.talk.show(menuScreen(shop, bundles ?? [], person, network))
  })
}

const menuScreen = (shop: Shop, bundles: Bundle[], person: Person, network: string | null): Screen => {
  const isOwner = person.role === 'owner'
  const list: Button[][] = [
    [
      sellingButton(sellingLabels.picture, { act: 'picture', network }),
      sellingButton(sellingLabels.text, { act: 'text', network }),
    ],
  ]
  const own: Button[] = [
    sellingButton(sellingLabels.setPrices, { act: 'rule' }),
    sellingButton(sellingLabels.shop, { act: 'shop' }),
  ]
  const sales = button(homeLabels.sales, { do: 'stats', period: 'week' })
  return {
    text: words.sellingMenu({
      shop: shop.name,
      rule: shop.rule,
      tiers: shop.tiers.length,
      own: shop.own.size,
      example: isOwner ? exampleOf(shop, bundles) : null,
      isOwner,
      network,
    }),
    rows: [...(hasPrices(shop) ? list : []), isOwner ? own : [], [...(isOwner ? [sales] : []), homeButton]],
  }
}
