import type { ListedBundle } from '../../../lists/meaning/listed-bundle.ts'
import { readPhone } from '../../../lists/read-phone.ts'
import { recognize } from '../../../lists/recognition.ts'
import { likelyNetworks } from '../../../orders/buying/likely-network.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import { isNetwork, type Phone } from '../../../provider/index.ts'
import type { ButtonPress } from '../../buttons/table.ts'
import { networksFor } from '../../cards/agent-permissions.ts'
import { notAllowed } from '../../cards/words/agent-permissions.ts'
import {
  type Asker,
  askNext,
  type BotContext,
  forgetQuestion,
  messageCause,
  type Question,
} from '../../chat/context.ts'
import { askingFor, leaveButton } from '../../chat/screen.ts'
import * as bundleTexts from '../../words/bundle.ts'
import { hints } from '../../words/hints.ts'
import { labels } from '../../words/labels.ts'
import { contactButtons, namedThere } from '../contacts/contact-choice.ts'
import { orderByName } from '../contacts/contact-order.ts'
import type { Answer } from '../feature.ts'
import { admit } from '../guards/order-denial.ts'
import { takeText } from '../lists/paste.ts'
import { settingsLabels } from '../settings/words.ts'
import { endEarlier } from '../wallet/unanswered.ts'
import { askAbout } from './ask-about.ts'
import {
  bundlesScreen,
  mismatchScreen,
  networksScreen,
  offerNameOf,
  phoneScreen,
  singleWays,
} from './bundle-screens.ts'
import { networksOffered, usualOn } from './offered-networks.ts'
import { buyerOf, keepNumber, mayBeOnNetwork, offer, showEarlier } from './offering.ts'
import { type Offered, withPrices } from './priced-bundles.ts'
import { buyByText } from './typed-order.ts'
import * as buyTexts from './words.ts'

/** `/buy`: begins an order, with or without a number and a size. */
export const buy = async (ctx: BotContext, person: Person, text: string): Promise<void> => {
  if (text === '') return openAtDefault(ctx, person)
  if (await takeText(ctx, { question: null, text })) return
  if (await buyByText(ctx, person, text)) return
  if (!(await orderByName(ctx, { text, question: null }))) ctx.talk.say(buyTexts.notAnOrder)
}

/** Shows the bundles of the person's default network, or all networks if there is none. */
export const openAtDefault = async (ctx: BotContext, person: Person): Promise<void> => {
  const offered = await networksOffered(ctx.services, person)
  const { defaultNetwork } = await ctx.services.store.preferences.of(person.userId)
  if (defaultNetwork === null || !offered.allowed.includes(defaultNetwork))
    ctx.talk.show(networksScreen(buyTexts.chooseNetwork, null, offered))
  else
    showBundlesTo(
      ctx,
      person,
      { network: defaultNetwork, phone: null, page: 0 },
      settingsLabels.otherNetworks,
    )
}

const pressCause = (ctx: Asker, bundleId: number, phone: Phone): string =>
  `press:${ctx.talk.chatId}:${ctx.msgId}:${bundleId}:${phone}`

/** Step 1: a button for each network. @param phone null: the number is asked for later. */
export const showNetworks = async (ctx: BotContext, person: Person, phone: Phone | null): Promise<void> => {
  const text = phone ? buyTexts.chooseNetworkFor(phone) : buyTexts.chooseNetwork
  const likely = phone ? await likelyNetworks(ctx.services.store, person.accountId, phone) : []
  ctx.talk.show(networksScreen(text, phone, { ...(await networksOffered(ctx.services, person)), likely }))
}

/** Step 2: a button for each bundle. */
export const showBundles = async (
  ctx: BotContext,
  person: Person,
  wanted: Parameters<typeof showBundlesTo>[2],
): Promise<void> => {
  if (!(await mayBuy(ctx, person, wanted.network))) return
  await endEarlier(ctx, 'bundles')
  showBundlesTo(ctx, person, wanted)
}

/** Like `showBundles`. It also answers a press that had to wait because the prices could not be read. */
export const showBundlesTo = (
  ctx: Asker,
  person: Person,
  { network, phone, page }: { network: string; phone: Phone | null; page: number },
  backLabel: string = labels.back,
): void => {
  const work = async (bundles: ListedBundle[]) => {
    const { usual, isDown } = await usualOn(ctx.services, person, network)
    const ways = { ...singleWays(network, phone, isDown), usual, backLabel }
    ctx.talk.show(bundlesScreen(bundles, network, page, ways))
  }
  const press: ButtonPress = phone
    ? { do: 'bundles_for', network, phone, page }
    : { do: 'bundles', network, page }
  withPrices(ctx, person, work, { messageId: ctx.msgId ?? 0, press })
}

/** Whether the person may order on the network. Agents who may not are told which networks they may use. */
export const mayBuy = async (ctx: BotContext, person: Person, network: string): Promise<boolean> => {
  const { store } = ctx.services
  const allowed = await networksFor(store, person)
  if (allowed.includes(network) || !isNetwork(network)) return true
  ctx.talk.toast(notAllowed(network, allowed), true)
  return false
}

/** Step 3, after a bundle was chosen: asks for the number, or shows the card if the number is known. */
export const choose = async (ctx: BotContext, person: Person, press: ChosenPress): Promise<void> => {
  // Committed before the price list is read, because the person may send the number while it is being read.
  if (!press.phone) await askNext(ctx, { what: 'phone', bundleId: press.bundleId })
  await takeChosen(ctx, person, press)
}

type ChosenPress = Extract<ButtonPress, { do: 'bundle' | 'keep' }>

/**
 * Continues after a bundle was chosen. It also answers a press that had to wait because the prices could not be read.
 */
export const takeChosen = async (ctx: Asker, person: Person, press: ChosenPress): Promise<void> => {
  const { services } = ctx
  const { bundleId, phone } = press
  const ask = { messageId: ctx.msgId ?? 0, press }
  if (!phone) return withPrices(ctx, person, (bundles) => askPhoneFor(ctx, person, bundleId, bundles), ask)
  const cause = pressCause(ctx, bundleId, phone)
  if (await showEarlier(ctx, cause)) return
  const work = async (bundles: ListedBundle[], offered: Offered) => {
    const bundle = bundles.find(({ id }) => id === bundleId)
    const isKept = press.do === 'keep'
    if (!bundle) ctx.talk.show(networksScreen(bundleTexts.bundleGone, phone))
    else if (isKept || (await mayBeOnNetwork(services, person, bundle.network, phone))) {
      if (isKept) await keepNumber(services, person, phone, bundle.network)
      await offer(ctx, person, cause, { ...offered(bundle), phone })
    } else {
      const { likely } = await buyerOf(services, person, phone)
      ctx.talk.show(mismatchScreen(bundles, bundle, phone, likely))
    }
  }
  withPrices(ctx, person, work, ask)
}

const askPhoneFor = async (
  ctx: Asker,
  person: Person,
  bundleId: number,
  bundles: ListedBundle[],
): Promise<void> => {
  const bundle = bundles.find(({ id }) => id === bundleId)
  if (!bundle) return ctx.talk.show(networksScreen(bundleTexts.bundleGone))
  const contacts = await contactButtons(ctx.services, person, bundle, toPhone(bundleId))
  ctx.talk.show(phoneScreen(bundle, offerNameOf(bundle, bundles), contacts))
}

const toPhone =
  (bundleId: number) =>
  (phone: Phone): ButtonPress => ({ do: 'bundle', bundleId, phone })

/** The only number of a text, with or without polite words around it. */
export const phoneIn = (text: string): Phone | null => {
  const meant = recognize(text)
  return meant.kind === 'number' ? meant.phone : (readPhone(text)?.phone ?? null)
}

/** Step 4: takes the number. After any other text, the question stays open. */
export const takePhone = async (
  ctx: BotContext,
  person: Person,
  { question: { bundleId }, text }: Answer<Extract<Question, { what: 'phone' }>>,
): Promise<void> => {
  const phone = phoneIn(text) ?? (await phoneByName(ctx, person, text, toPhone(bundleId)))
  if (!phone) return
  await forgetQuestion(ctx)
  if (await showEarlier(ctx, messageCause(ctx))) return
  if (!(await admit(ctx, person))) return
  offerTyped(ctx, person, bundleId, phone)
}

/** Shows the card for a number that was sent, or the question that is still open. */
export const offerTyped = (ctx: Asker, person: Person, bundleId: number, phone: Phone): void => {
  const work = async (bundles: ListedBundle[], offered: Offered) => {
    const bundle = bundles.find(({ id }) => id === bundleId)
    if (!bundle) ctx.talk.say(networksScreen(bundleTexts.bundleGone, phone))
    else if (await mayBeOnNetwork(ctx.services, person, bundle.network, phone))
      await offer(ctx, person, messageCause(ctx), { ...offered(bundle), phone })
    else {
      const { likely } = await buyerOf(ctx.services, person, phone)
      askAbout(ctx, { text: phone, bundleId }, mismatchScreen(bundles, bundle, phone, likely))
    }
  }
  withPrices(ctx, person, work, { messageId: ctx.msgId ?? 0, bundleId, phone })
}

/**
 * Reads a text without a number as a whole order or a contact's name. If it is neither, the person is told what is
 * wrong.
 */
export const phoneByName = async (
  ctx: BotContext,
  person: Person,
  text: string,
  pick: (phone: Phone) => ButtonPress,
): Promise<Phone | null> => {
  if (recognize(text).kind === 'one') {
    await forgetQuestion(ctx)
    await buyByText(ctx, person, text)
    return null
  }
  const named = await namedThere(ctx.services, person, text, pick)
  if (named.kind === 'phone') return named.phone
  if (named.kind === 'several') ctx.talk.say({ text: named.text, rows: [...named.rows, [leaveButton]] })
  else if (named.kind === 'nobody') ctx.talk.say({ text: named.text, rows: [[leaveButton]] })
  else ctx.talk.say(askingFor(hints.number, buyTexts.notAPhone(text)))
  return null
}
