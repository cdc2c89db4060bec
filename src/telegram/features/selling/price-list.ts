import type { Person } from '../../../orders/buying/purchases.ts'
import { priceListPictures } from '../../../pictures/price-list.ts'
import { readSetting } from '../../../settings/setting.ts'
import { type PriceList, priceListOf } from '../../../shop/price-list.ts'
import type { ActOf } from '../../buttons/table.ts'
import { sellingLabels } from '../../cards/words/shop.ts'
import { type BotContext, forgetQuestion } from '../../chat/context.ts'
import { plainText } from '../../chat/screen.ts'
import { whatsAppButtons } from '../../chat/whatsapp.ts'
import { withCosts } from '../buying/priced-bundles.ts'
import { asksShopName, sellingButton } from './shop.ts'
import { allHidden, shopLabels } from './shopfront-words.ts'
import * as words from './words.ts'

type ListAct = Extract<ActOf<'selling'>, { act: 'picture' | 'text' }>

/**
 * Sends a price list for the seller to post, so its messages have no buttons that customers must not see. A message
 * after the list says what is missing from it. Pictures come in both formats, each as an album.
 */
export const make = async (ctx: BotContext, person: Person, act: ListAct): Promise<void> => {
  if (await asksShopName(ctx, person, act)) return
  withCosts(ctx, person, async (bundles) => {
    const shop = await ctx.services.store.shops.of(person.accountId)
    const hidden = await ctx.services.store.shops.hidden(person.accountId)
    const list = priceListOf(shop, bundles, { network: act.network, hidden })
    send(ctx, act, list)
    sayWhatIsMissing(ctx, person, list)
  })
}

const send = ({ talk, me, services: { now } }: BotContext, { act }: ListAct, list: PriceList): void => {
  if (list.networks.length === 0) return
  if (act === 'text') {
    for (const text of words.priceListTexts(list, now()))
      talk.say({ text, rows: [whatsAppButtons(null, plainText(text))] })
    return
  }
  const picture = words.priceListPicture(list, now(), `https://t.me/${me.username}`)
  for (const format of ['post', 'status'] as const) {
    talk.sendAlbum(async () => ({
      pictures: priceListPictures(picture, format),
      caption: words.priceListCaption(list, now(), format),
      partly: words.pictureMissing,
    }))
  }
}

const sayWhatIsMissing = ({ talk }: BotContext, { role }: Person, list: PriceList): void => {
  const isOwner = role === 'owner'
  const rows = isOwner ? [[sellingButton(sellingLabels.setPrices, { act: 'rule' })]] : []
  if (list.networks.length === 0 && list.unpriced === 0 && list.hidden > 0)
    talk.say({
      text: allHidden(isOwner),
      rows: isOwner ? [[sellingButton(shopLabels.hiding, { act: 'hiding' })]] : [],
    })
  else if (list.networks.length === 0) talk.say({ text: words.nothingPriced(isOwner), rows })
  else if (list.unpriced > 0) talk.say({ text: words.leftOut(list.unpriced, isOwner), rows })
}

/**
 * Takes the shop's name, which was asked for before the first receipt or list. @returns false if the text cannot be a
 * shop's name.
 */
export const takeShopName = async (
  ctx: BotContext,
  { accountId }: Person,
  text: string,
): Promise<boolean> => {
  const setting = readSetting('shop', text)
  if (setting?.topic !== 'shop' || setting.name === null) {
    ctx.talk.say(words.notAShopName(text))
    return false
  }
  await ctx.services.store.shops.name(accountId, setting.name)
  await forgetQuestion(ctx)
  ctx.talk.say(words.shopNamed(setting.name))
  return true
}
