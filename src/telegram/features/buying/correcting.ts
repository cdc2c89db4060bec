import type { Purchase, PurchaseLine } from '../../../domain/order/order.ts'
import { isAhead } from '../../../domain/times/ahead.ts'
import type { ListedBundle } from '../../../lists/meaning/listed-bundle.ts'
import { likelyNetworks } from '../../../orders/buying/likely-network.ts'
import { nearNumber } from '../../../orders/buying/near-number.ts'
import { bundlesOf } from '../../../orders/buying/prices.ts'
import { isTheirs, type Person } from '../../../orders/buying/purchases.ts'
import type { Phone } from '../../../provider/index.ts'
import { bookOf } from '../../../store/shop/contacts.ts'
import type { ActOf, ButtonPress } from '../../buttons/table.ts'
import * as draftTexts from '../../cards/words/draft.ts'
import {
  type Asker,
  askNext,
  type BotContext,
  forgetQuestion,
  messageCause,
  type Question,
} from '../../chat/context.ts'
import { personOf } from '../../chat/person.ts'
import { type Button, button } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { bundleGone, bundleName } from '../../words/bundle.ts'
import { labels } from '../../words/labels.ts'
import { contactButtons } from '../contacts/contact-choice.ts'
import type { Answer } from '../feature.ts'
import { admit } from '../guards/order-denial.ts'
import type { Ask } from '../wallet/unanswered.ts'
import { type BundleWays, bundleLabel, bundlesScreen, mismatchScreen } from './bundle-screens.ts'
import { phoneByName, phoneIn } from './buy.ts'
import { redrawPurchase, showCardOnce } from './card.ts'
import { usualOn } from './offered-networks.ts'
import { keepNumber, mayBeOnNetwork } from './offering.ts'
import { type Offered, withPrices } from './priced-bundles.ts'
import * as buyTexts from './words.ts'

/** A draft for one number that can still be corrected. */
interface OwnDraft {
  person: Person
  purchase: Purchase
  line: PurchaseLine
}

/** The draft for one number and its line; null unless the draft is the person's own and still open. */
const openDraft = async (
  { store, now }: Services,
  person: Person,
  purchaseId: string,
): Promise<OwnDraft | null> => {
  const purchase = await store.purchases.byId(purchaseId)
  const [line] = purchase?.lines ?? []
  if (!purchase || !line || purchase.kind === 'list' || !isTheirs(purchase, person)) return null
  return purchase.state === 'draft' && isAhead(purchase.expiresAt, 'draft', now())
    ? { person, purchase, line }
    : null
}

/**
 * Like `openDraft`, for a press. If the draft is no longer open, the person is told, and the card shows its current
 * state.
 */
const ownDraft = async (ctx: BotContext, purchaseId: string): Promise<OwnDraft | null> => {
  const person = await personOf(ctx)
  const own = person && (await openDraft(ctx.services, person, purchaseId))
  if (own) return own
  const purchase = person && (await ctx.services.store.purchases.byId(purchaseId))
  if (!person || !purchase || purchase.kind === 'list' || !isTheirs(purchase, person)) {
    ctx.talk.toast(draftTexts.cardNotYours)
    return null
  }
  ctx.talk.toast(draftTexts.alreadyEnded, true)
  await redrawPurchase(ctx, purchaseId)
  return null
}

const actOn = (purchaseId: string, act: ActOf<'draft'>): ButtonPress => ({ do: 'draft', purchaseId, act })

const lastRow = ({ id }: Purchase): Button[] => [
  button(labels.back, actOn(id, { act: 'card' })),
  button(labels.cancel, { do: 'cancel', purchaseId: id }),
]

const toPhone =
  ({ purchase, line }: OwnDraft) =>
  (phone: Phone): ButtonPress =>
    actOn(purchase.id, { act: 'set', bundleId: line.bundleId, phone })

/** `✏️ Number`: asks for another number, on the card. */
const askNumber = async (ctx: BotContext, own: OwnDraft): Promise<void> => {
  const { person, purchase, line } = own
  await askNext(ctx, { what: 'new_number', purchaseId: purchase.id })
  if (ctx.msgId !== undefined) await ctx.services.store.purchases.showOn(purchase.id, ctx.msgId)
  const contacts = await contactButtons(ctx.services, person, line, toPhone(own))
  const bundle = bundleName(line.network, line.volume, line.offerSlug)
  ctx.talk.show({
    text: buyTexts.askNewNumber(bundle, line.phone),
    rows: [...contacts, lastRow(purchase)],
  })
}

/** Takes the draft's new number. After any other text, the question stays open. */
export const takeNewNumber = async (
  ctx: BotContext,
  { question: { purchaseId }, text }: Answer<Extract<Question, { what: 'new_number' }>>,
): Promise<void> => {
  const known = await ctx.services.store.purchases.byCause(messageCause(ctx))
  if (known) return showCardOnce(ctx, 'say', known.id)
  const own = await ownDraft(ctx, purchaseId)
  if (!own) {
    await forgetQuestion(ctx)
    return ctx.talk.say(draftTexts.alreadyEnded)
  }
  const { person, line } = own
  const phone = phoneIn(text) ?? (await phoneByName(ctx, person, text, toPhone(own)))
  if (!phone) return
  await forgetQuestion(ctx)
  if (!(await admit(ctx, person))) return
  if (await mayBeOnNetwork(ctx.services, person, line.network, phone)) {
    const { asLastTime: _, confirmedPesewas: __, confirmedAgentPesewas: ___, near: ____, ...same } = line
    const corrected = { ...same, phone }
    await replace(ctx, own, { cause: messageCause(ctx), line: corrected, how: 'say' })
    return
  }
  askNetwork(ctx, own, phone)
}

/**
 * Asks which network is meant, because the new number looks as if it belongs to another network than the draft's
 * bundle.
 */
const askNetwork = (ctx: Asker, { person, purchase, line }: OwnDraft, phone: Phone): void => {
  const work = async (bundles: ListedBundle[]) => {
    const chosen = bundles.find(({ id }) => id === line.bundleId)
    const likely = await likelyNetworks(ctx.services.store, person.accountId, phone)
    ctx.talk.say(
      chosen
        ? mismatchScreen(bundles, chosen, phone, likely, {
            choose: (bundleId) => actOn(purchase.id, { act: 'set', bundleId, phone }),
            list: (network) => actOn(purchase.id, { act: 'other', network, phone, page: 0 }),
          })
        : bundleGone,
    )
  }
  withPrices(ctx, person, work, { messageId: ctx.msgId ?? 0, purchaseId: purchase.id, phone })
}

/** The acts that show a network's bundles on the card. */
type Sizes = Extract<ActOf<'draft'>, { act: 'size' | 'other' }>

/** `✏️ Size` shows the bundles of the card's network, `Switch to …` those of the new number's network. */
const showSizes = (ctx: Asker, own: OwnDraft, act: Sizes): void => {
  const { network } = act.act === 'other' ? act : own.line
  const work = async (bundles: ListedBundle[]) => {
    const { usual } = await usualOn(ctx.services, own.person, network)
    ctx.talk.show(bundlesScreen(bundles, network, act.page, { ...sizeWays(own, act), usual }))
  }
  withPrices(ctx, own.person, work, pressOn(ctx, own, act))
}

/** The press to try again if the prices cannot be read. */
const pressOn = (ctx: Asker, { purchase: { id: purchaseId } }: OwnDraft, act: ActOf<'draft'>): Ask => ({
  messageId: ctx.msgId ?? 0,
  press: { do: 'draft', purchaseId, act },
})

const sizeWays = ({ purchase, line }: OwnDraft, act: Sizes): BundleWays => {
  const { network, phone } = act.act === 'other' ? act : line
  return {
    text: buyTexts.chooseBundle(network, phone),
    back: actOn(purchase.id, { act: 'card' }),
    page: (page) => actOn(purchase.id, { ...act, page }),
    choose: (bundleId) => actOn(purchase.id, { act: 'set', bundleId, phone }),
  }
}

/**
 * `Other offer`: shows the network's other bundles of the draft's size. If there is only one, puts it into the draft
 * without asking.
 */
const showOffers = (ctx: Asker, own: OwnDraft): void => {
  const work = async (bundles: ListedBundle[], offered: Offered) => {
    const { purchase, line } = own
    const sold = bundlesOf(bundles, line.network).filter(({ volume }) => volume === line.volume)
    const others = sold.filter(({ id }) => id !== line.bundleId)
    const [only, more] = others
    if (only && !more) return setBundle(ctx, own, { ...offered(only), phone: line.phone })
    ctx.talk.show({
      text: only
        ? buyTexts.whichOffer(line.volume, line.network, line.phone, null)
        : buyTexts.noOtherOffer(line.network, line.volume),
      rows: [...others.map((bundle) => [choiceButton(own, bundle, sold)]), lastRow(purchase)],
    })
  }
  withPrices(ctx, own.person, work, pressOn(ctx, own, { act: 'offers' }))
}

const choiceButton = ({ purchase, line }: OwnDraft, bundle: ListedBundle, sold: ListedBundle[]): Button =>
  button(
    bundleLabel(bundle, sold),
    actOn(purchase.id, { act: 'set', bundleId: bundle.id, phone: line.phone }),
  )

/** Puts the bundle and the number that a button carries into the draft. */
const set = async (
  ctx: BotContext,
  own: OwnDraft,
  { bundleId, phone }: Pick<PurchaseLine, 'bundleId' | 'phone'>,
): Promise<void> => {
  const { person, purchase, line } = own
  await forgetQuestion(ctx)
  if (bundleId === line.bundleId && phone === line.phone) return redrawPurchase(ctx, purchase.id)
  if (await admit(ctx, person)) setTo(ctx, own, { bundleId, phone })
}

const setTo = (
  ctx: Asker,
  own: OwnDraft,
  { bundleId, phone }: Pick<PurchaseLine, 'bundleId' | 'phone'>,
): void => {
  const { person, purchase } = own
  const work = async (bundles: ListedBundle[], offered: Offered) => {
    const bundle = bundles.find(({ id }) => id === bundleId)
    if (!bundle) return ctx.talk.show({ text: bundleGone, rows: [lastRow(purchase)] })
    if (!(await mayBeOnNetwork(ctx.services, person, bundle.network, phone)))
      await keepNumber(ctx.services, person, phone, bundle.network)
    await setBundle(ctx, own, { ...offered(bundle), phone })
  }
  withPrices(ctx, person, work, pressOn(ctx, own, { act: 'set', bundleId, phone }))
}

const setBundle = (ctx: Asker, own: OwnDraft, line: PurchaseLine): Promise<void> => {
  const cause = `correct:${own.purchase.id}:${line.bundleId}:${line.phone}`
  const pricedAt = ctx.services.prices.readAt(own.person.accountId)
  return replace(ctx, own, { cause, line: { ...line, pricedAt }, how: 'show' })
}

/** Replaces the card by the corrected one: in its message if a button was pressed, otherwise in a new message. */
const replace = async (
  ctx: Asker,
  { person, purchase }: OwnDraft,
  { cause, line, how }: { cause: string; line: PurchaseLine; how: 'say' | 'show' },
): Promise<void> => {
  // If the correction had to wait for the provider, the card replaces the message that said so.
  const { services } = ctx
  const messageId = how === 'show' && !ctx.onUnread ? (ctx.msgId ?? null) : null
  const near = await nearNumber(services.store.knownNumbers, bookOf(person), line.phone)
  const corrected = await services.purchases.correct(purchase.id, person, {
    cause,
    messageId,
    line: { ...line, ...(near && { near }) },
  })
  if (!corrected) return services.purchases.redraw(purchase.id, messageId)
  if (person.role === 'owner') await services.freshenBalance(person.accountId, line.pricePesewas)
  showCardOnce(ctx, how, corrected.id)
}

/** Handles a button that corrects a draft for one number. */
export const pressDraft = async (
  ctx: BotContext,
  { purchaseId, act }: Extract<ButtonPress, { do: 'draft' }>,
): Promise<void> => {
  const own = await ownDraft(ctx, purchaseId)
  if (!own) return
  switch (act.act) {
    case 'card':
      await forgetQuestion(ctx)
      return redrawPurchase(ctx, purchaseId)
    case 'number':
      return askNumber(ctx, own)
    case 'size':
    case 'other':
      await forgetQuestion(ctx)
      return showSizes(ctx, own, act)
    case 'offers':
      return showOffers(ctx, own)
    case 'set':
      return set(ctx, own, act)
  }
}

/**
 * Makes a correction (a press or a new number) that had to wait for the prices. If the draft has ended, drops the
 * correction.
 */
export const correctLate = async (
  ctx: Asker,
  person: Person,
  { purchaseId, wanted }: { purchaseId: string; wanted: ActOf<'draft'> | Phone },
): Promise<void> => {
  const own = await openDraft(ctx.services, person, purchaseId)
  if (!own) ctx.talk.show(draftTexts.alreadyEnded)
  else if (typeof wanted === 'string') askNetwork(ctx, own, wanted)
  else if (wanted.act === 'size' || wanted.act === 'other') showSizes(ctx, own, wanted)
  else if (wanted.act === 'offers') showOffers(ctx, own)
  else if (wanted.act === 'set') setTo(ctx, own, wanted)
}
