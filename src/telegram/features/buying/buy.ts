import type { ListedBundle } from '../../../lists/meaning/listed-bundle.ts'
import { readPhone } from '../../../lists/phone.ts'
import { recognize } from '../../../lists/recognition.ts'
import { likelyNetworks } from '../../../orders/buying/likely-network.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import { isNetwork, type Phone } from '../../../provider/index.ts'
import type { ButtonPress } from '../../buttons/button.ts'
import { networksFor } from '../../cards/agent-permissions.ts'
import { type Asker, askNext, type BotContext, forgetQuestion, messageCause } from '../../chat/context.ts'
import { personOf } from '../../chat/person.ts'
import type { Presses } from '../../chat/press.ts'
import { askingFor } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { notAllowed } from '../../words/agent-permissions.ts'
import * as bundleTexts from '../../words/bundle.ts'
import { hints } from '../../words/hints.ts'
import { settingsLabels } from '../../words/settings.ts'
import { contactButtons, namedThere } from '../contacts/contact-choice.ts'
import { orderByName } from '../contacts/contact-order.ts'
import { sayAccountNeeded } from '../guards/account-needed.ts'
import { admit } from '../guards/order-denial.ts'
import { takeText } from '../lists/paste.ts'
import { endEarlier } from '../wallet/unanswered.ts'
import { askAbout } from './ask-about.ts'
import {
  bundlesScreen,
  leaveButton,
  mismatchScreen,
  networksScreen,
  offerNameOf,
  phoneScreen,
  singleWays,
} from './bundle-screens.ts'
import { showPrices } from './bundles.ts'
import { buyerOf, keepNumber, mayBelong, offer, showEarlier } from './offering.ts'
import { type Offered, withPrices } from './priced-bundles.ts'
import { buyByText } from './typed-order.ts'
import * as buyTexts from './words.ts'

/** `/buy`, with or without a number and a size. */
export const buy = async (ctx: BotContext, services: Services): Promise<void> => {
  await forgetQuestion(ctx, services)
  const person = await personOf(ctx, services)
  if (!person) {
    sayAccountNeeded(ctx, services)
    return
  }
  if (!(await admit(ctx, services, person))) return
  const text = typeof ctx.match === 'string' ? ctx.match.trim() : ''
  if (text === '') return openAtDefault(ctx, services, person)
  if (await takeText(ctx, services, null, text)) return
  if (await buyByText(ctx, services, person, text)) return
  if (!(await orderByName(ctx, services, text))) ctx.talk.say(buyTexts.notAnOrder)
}

/** The bundles of the person's most bought network, or all networks. */
const openAtDefault = async (ctx: BotContext, services: Services, person: Person): Promise<void> => {
  const allowed = await networksFor(services.store, person)
  const { defaultNetwork } = await services.store.preferences.of(person.userId)
  if (defaultNetwork === null || !allowed.includes(defaultNetwork)) {
    ctx.talk.show(networksScreen(buyTexts.chooseNetwork, null, { allowed }))
    return
  }
  const work = async (bundles: ListedBundle[]) => {
    const ways = { ...singleWays(defaultNetwork, null), backLabel: settingsLabels.otherNetworks }
    ctx.talk.show(bundlesScreen(bundles, defaultNetwork, 0, ways))
  }
  const press = { do: 'bundles', network: defaultNetwork, page: 0 } as const
  withPrices(ctx, services, person, work, { messageId: ctx.msgId ?? 0, press })
}

const pressCause = (ctx: Asker, bundleId: number, phone: Phone): string =>
  `press:${ctx.talk.chatId}:${ctx.msgId}:${bundleId}:${phone}`

const showNetworks = async (
  ctx: BotContext,
  services: Services,
  phone: Phone | null,
  /** Shows all networks, even if the person has set one. */
  all = false,
): Promise<void> => {
  await forgetQuestion(ctx, services)
  const person = await personOf(ctx, services)
  if (!person) {
    sayAccountNeeded(ctx, services)
    return
  }
  if (!(await admit(ctx, services, person))) return
  if (!phone && !all) return openAtDefault(ctx, services, person)
  const text = phone ? buyTexts.chooseNetworkFor(phone) : buyTexts.chooseNetwork
  const likely = phone ? await likelyNetworks(services.store, person.accountId, phone) : []
  const allowed = await networksFor(services.store, person)
  ctx.talk.show(networksScreen(text, phone, { allowed, likely }))
}

/** Step 2: a button per bundle. */
const showBundles = async (
  ctx: BotContext,
  services: Services,
  network: string,
  phone: Phone | null,
  page: number,
): Promise<void> => {
  await forgetQuestion(ctx, services)
  const person = await personOf(ctx, services)
  if (!person) {
    sayAccountNeeded(ctx, services)
    return
  }
  if (!(await mayBuy(ctx, services, person, network))) return
  await endEarlier(ctx, services, 'bundles')
  showBundlesTo(ctx, services, person, { network, phone, page })
}

/** The same for a member. */
export const showBundlesTo = (
  ctx: Asker,
  services: Services,
  person: Person,
  { network, phone, page }: { network: string; phone: Phone | null; page: number },
): void => {
  const work = async (bundles: ListedBundle[]) =>
    ctx.talk.show(bundlesScreen(bundles, network, page, singleWays(network, phone)))
  const press: ButtonPress = phone
    ? { do: 'bundles_for', network, phone, page }
    : { do: 'bundles', network, page }
  withPrices(ctx, services, person, work, { messageId: ctx.msgId ?? 0, press })
}

/** Whether the person may order on that network. If not, an agent is told the allowed ones. */
export const mayBuy = async (
  ctx: BotContext,
  { store }: Services,
  person: Person,
  network: string,
): Promise<boolean> => {
  const allowed = await networksFor(store, person)
  if (allowed.includes(network) || !isNetwork(network)) return true
  ctx.talk.toast(notAllowed(network, allowed), true)
  return false
}

/** Step 3: after the choice of a bundle, asks for the number, or shows the card if it is known. */
const chooseByButton = async (
  ctx: BotContext,
  services: Services,
  bundleId: number,
  phone: Phone | null,
  keep: boolean,
): Promise<void> => {
  const person = await personOf(ctx, services)
  if (!person) {
    sayAccountNeeded(ctx, services)
    return
  }
  if (!(await admit(ctx, services, person))) return
  // The question is committed before the price list is read, because the number may come at once.
  if (!phone) await askNext(ctx, { what: 'phone', bundleId })
  await takeChosen(
    ctx,
    services,
    person,
    phone && keep ? { do: 'keep', bundleId, phone } : { do: 'bundle', bundleId, phone },
  )
}

/** The same for a member, who may have pressed it a while ago. */
export const takeChosen = async (
  ctx: Asker,
  services: Services,
  person: Person,
  press: Extract<ButtonPress, { do: 'bundle' | 'keep' }>,
): Promise<void> => {
  const { bundleId, phone } = press
  const ask = { messageId: ctx.msgId ?? 0, press }
  if (!phone)
    return withPrices(
      ctx,
      services,
      person,
      (bundles) => askPhoneFor(ctx, services, person, bundleId, bundles),
      ask,
    )
  const cause = pressCause(ctx, bundleId, phone)
  if (await showEarlier(ctx, services, cause)) return
  const work = async (bundles: ListedBundle[], offered: Offered) => {
    const bundle = bundles.find(({ id }) => id === bundleId)
    const isKept = press.do === 'keep'
    if (!bundle) ctx.talk.show(networksScreen(bundleTexts.bundleGone, phone))
    else if (isKept || (await mayBelong(services, person, bundle.network, phone))) {
      if (isKept) await keepNumber(services, person, phone, bundle.network)
      await offer(ctx, services, person, cause, { ...offered(bundle), phone })
    } else {
      const { likely } = await buyerOf(services, person, phone)
      ctx.talk.show(mismatchScreen(bundles, bundle, phone, likely))
    }
  }
  withPrices(ctx, services, person, work, ask)
}

const askPhoneFor = async (
  ctx: Asker,
  services: Services,
  person: Person,
  bundleId: number,
  bundles: ListedBundle[],
): Promise<void> => {
  const bundle = bundles.find(({ id }) => id === bundleId)
  if (!bundle) return ctx.talk.show(networksScreen(bundleTexts.bundleGone))
  const contacts = await contactButtons(services, person, bundle, toPhone(bundleId))
  ctx.talk.show(phoneScreen(bundle, offerNameOf(bundle, bundles), contacts))
}

const toPhone =
  (bundleId: number) =>
  (phone: Phone): ButtonPress => ({ do: 'bundle', bundleId, phone })

/** The one number of a text, with manners or not. */
export const phoneIn = (text: string): Phone | null => {
  const meant = recognize(text)
  return meant.kind === 'number' ? meant.phone : (readPhone(text)?.phone ?? null)
}

/** Step 4: the number. The question stays after any other text. */
export const takePhone = async (
  ctx: BotContext,
  services: Services,
  bundleId: number,
  text: string,
): Promise<void> => {
  const person = await personOf(ctx, services)
  if (!person) {
    sayAccountNeeded(ctx, services)
    return
  }
  const phone = phoneIn(text) ?? (await phoneByName(ctx, services, person, text, toPhone(bundleId)))
  if (!phone) return
  await forgetQuestion(ctx, services)
  if (await showEarlier(ctx, services, messageCause(ctx))) return
  if (!(await admit(ctx, services, person))) return
  offerTyped(ctx, services, person, bundleId, phone)
}

/** The card for a number that was sent, or the question that is left. */
export const offerTyped = (
  ctx: Asker,
  services: Services,
  person: Person,
  bundleId: number,
  phone: Phone,
): void => {
  const work = async (bundles: ListedBundle[], offered: Offered) => {
    const bundle = bundles.find(({ id }) => id === bundleId)
    if (!bundle) ctx.talk.say(networksScreen(bundleTexts.bundleGone, phone))
    else if (await mayBelong(services, person, bundle.network, phone))
      await offer(ctx, services, person, messageCause(ctx), { ...offered(bundle), phone })
    else {
      const { likely } = await buyerOf(services, person, phone)
      askAbout(ctx, services, { text: phone, bundleId }, mismatchScreen(bundles, bundle, phone, likely))
    }
  }
  withPrices(ctx, services, person, work, { messageId: ctx.msgId ?? 0, bundleId, phone })
}

/** A text that is no number may be a whole order or a customer's name; otherwise the person is told what is wrong. */
export const phoneByName = async (
  ctx: BotContext,
  services: Services,
  person: Person,
  text: string,
  pick: (phone: Phone) => ButtonPress,
): Promise<Phone | null> => {
  if (recognize(text).kind === 'one') {
    await forgetQuestion(ctx, services)
    await buyByText(ctx, services, person, text)
    return null
  }
  const named = await namedThere(services, person, text, pick)
  if (named.kind === 'phone') return named.phone
  if (named.kind === 'several') ctx.talk.say({ text: named.text, rows: [...named.rows, [leaveButton]] })
  else if (named.kind === 'nobody') ctx.talk.say({ text: named.text, rows: [[leaveButton]] })
  else ctx.talk.say(askingFor(hints.number, buyTexts.notAPhone(text)))
  return null
}

/** Presses on the way to an order for one number. */
export const presses = {
  networks: (ctx, services) => showNetworks(ctx, services, null),
  all_networks: (ctx, services) => showNetworks(ctx, services, null, true),
  networks_for: (ctx, services, { phone }) => showNetworks(ctx, services, phone),
  bundles: (ctx, services, { network, page }) => showBundles(ctx, services, network, null, page),
  bundles_for: (ctx, services, { network, phone, page }) => showBundles(ctx, services, network, phone, page),
  bundle: (ctx, services, { bundleId, phone }) => chooseByButton(ctx, services, bundleId, phone, false),
  keep: (ctx, services, { bundleId, phone }) => chooseByButton(ctx, services, bundleId, phone, true),
  prices: (ctx, services, { do: _, ...products }) => showPrices(ctx, services, products),
} satisfies Partial<Presses>
