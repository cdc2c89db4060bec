import type { Shopfront } from '../../../domain/selling/price-rule.ts'
import { readPhone } from '../../../lists/read-phone.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import { accentNames } from '../../../pictures/theme.ts'
import { readLetter } from '../../../shop/logo-letter.ts'
import type { ActOf } from '../../buttons/table.ts'
import { askNext, type BotContext, forgetQuestion, type Question } from '../../chat/context.ts'
import { askingFor, type Button, button, homeButton, type Screen } from '../../chat/screen.ts'
import { hints } from '../../words/hints.ts'
import { labels } from '../../words/labels.ts'
import { sellingButton } from './shop.ts'
import * as words from './shopfront-words.ts'
import { sameAsBefore, savedToast } from './words.ts'

const { shopLabels } = words

/** The acts that change how the shop looks to its customers. Only owners may use them. */
type ShopAct = Extract<
  ActOf<'selling'>,
  {
    act: 'shop' | 'shop_phone' | 'no_shop_phone' | 'colours' | 'colour' | 'letter' | 'first_letter'
  }
>

/** Handles a button about how the shop looks. */
export const press = async (ctx: BotContext, person: Person, act: ShopAct): Promise<void> => {
  const { shops } = ctx.services.store
  const shop = await shops.of(person.accountId)
  switch (act.act) {
    case 'shop':
      if (shop.name === null) await askNext(ctx, nameQuestion)
      return ctx.talk.show(shopScreen(shop, null))
    case 'shop_phone':
      await askNext(ctx, { what: 'selling', ask: { about: 'shop_phone' } })
      return ctx.talk.show(phoneScreen(shop))
    case 'no_shop_phone':
      await shops.phone(person.accountId, null)
      ctx.talk.toast(shop.phone === null ? sameAsBefore : savedToast)
      return ctx.talk.show(shopScreen({ ...shop, phone: null }, words.phoneRemoved))
    case 'colours':
      return ctx.talk.show(coloursScreen(shop))
    case 'colour':
      await shops.accent(person.accountId, act.accent)
      ctx.talk.toast(shop.accent === act.accent ? sameAsBefore : savedToast)
      return ctx.talk.show(coloursScreen({ ...shop, accent: act.accent }))
    case 'letter':
      await askNext(ctx, { what: 'selling', ask: { about: 'letter' } })
      return ctx.talk.show(letterScreen(shop))
    case 'first_letter':
      await shops.letter(person.accountId, null)
      ctx.talk.toast(shop.letter === null ? sameAsBefore : savedToast)
      return ctx.talk.show(shopScreen({ ...shop, letter: null }, words.letterSaved(null)))
    default:
      return act satisfies never
  }
}

/** The shop's screen asks for the name if there is none, and is shown again once the name is saved. */
const then = { act: 'shop' } as const
const nameQuestion: Question = { what: 'selling', ask: { about: 'shop_name', then } }

const backButton = sellingButton(labels.back, { act: 'shop' })

/**
 * How the shop looks to its customers. @param change what was changed last, in words; `undo` holds the button that
 * undoes it.
 */
export const shopScreen = (shop: Shopfront, change: string | null, undo: Button[] = []): Screen => ({
  text: change === null ? words.shopScreen(shop) : `${change}\n\n${words.shopScreen(shop)}`,
  rows: [
    undo,
    [button(words.nameLabel(shop), { do: 'settings', act: { act: 'open', topic: 'shop' } })],
    [sellingButton(words.phoneLabel(shop), { act: 'shop_phone' })],
    [sellingButton(words.lookLabel(shop), { act: 'colours' })],
    [sellingButton(shopLabels.hiding, { act: 'hiding' })],
    [sellingButton(labels.back, { act: 'menu', network: null }), homeButton],
  ],
})

const phoneScreen = ({ phone }: Shopfront): Screen => ({
  text: words.askPhone(phone),
  rows: [phone === null ? [] : [sellingButton(shopLabels.noPhone, { act: 'no_shop_phone' })], [backButton]],
})

const coloursScreen = ({ accent: chosen }: Shopfront): Screen => {
  const buttons = accentNames.map((accent) =>
    sellingButton(words.colourLabel(accent, accent === chosen), { act: 'colour', accent }),
  )
  return {
    text: words.askColour,
    rows: [
      buttons.slice(0, 3),
      buttons.slice(3),
      [sellingButton(shopLabels.letter, { act: 'letter' }), backButton],
    ],
  }
}

const letterScreen = (shop: Shopfront): Screen => ({
  text: words.askLetter(shop),
  rows: [
    shop.letter === null ? [] : [sellingButton(shopLabels.firstLetter, { act: 'first_letter' })],
    [backButton],
  ],
})

/** Takes the shop's number from a typed text or a shared contact. */
export const takePhone = async (ctx: BotContext, { accountId }: Person, text: string): Promise<void> => {
  const phone = readPhone(text)?.phone
  if (phone === undefined) return ctx.talk.say(askingFor(hints.number, words.notAPhone))
  await ctx.services.store.shops.phone(accountId, phone)
  await forgetQuestion(ctx)
  ctx.talk.say(shopScreen(await ctx.services.store.shops.of(accountId), words.phoneSaved(phone)))
}

export const takeLetter = async (ctx: BotContext, { accountId }: Person, text: string): Promise<void> => {
  const written = readLetter(text)
  if (written.kind === 'refused')
    return ctx.talk.say(askingFor(hints.letter, words.notALetter(written.fault)))
  await ctx.services.store.shops.letter(accountId, written.letter)
  await forgetQuestion(ctx)
  ctx.talk.say(shopScreen(await ctx.services.store.shops.of(accountId), words.letterSaved(written.letter)))
}
