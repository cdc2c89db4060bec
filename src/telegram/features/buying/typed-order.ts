import type { ListedBundle } from '../../../lists/meaning/listed-bundle.ts'
import { mapOf } from '../../../lists/meaning/prefix-line.ts'
import { readList } from '../../../lists/read-list.ts'
import { defaultPrefixes } from '../../../lists/read-phone.ts'
import type { ListReading, Problem, WrittenRecipient } from '../../../lists/reading-result.ts'
import { recognize } from '../../../lists/recognition.ts'
import type { Size } from '../../../lists/size.ts'
import { changesIn, likelyAmong, likelyNetworks } from '../../../orders/buying/likely-network.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import type { Network, Phone } from '../../../provider/index.ts'
import type { Pesewas } from '../../../provider/money.ts'
import { bookOf } from '../../../store/shop/contacts.ts'
import { type Asker, messageCause } from '../../chat/context.ts'
import { referenceIn } from '../../chat/reference.ts'
import type { Screen } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { contactScreen } from '../contacts/contact-screens.ts'
import { admit } from '../guards/order-denial.ts'
import { showPreview } from '../lists/list-preview.ts'
import { askAbout } from './ask-about.ts'
import {
  bundlesScreen,
  type Choice,
  chooseBundle,
  contradictionScreen,
  networksScreen,
  singleWays,
} from './bundle-screens.ts'
import { amountScreen } from './by-amount.ts'
import { askRightNumber } from './mistyped.ts'
import { networksOffered, usualOn } from './offered-networks.ts'
import { buyerOf, mayBeOnNetwork, offer, type ReadNumber, showEarlier } from './offering.ts'
import { type Offered, withPrices } from './priced-bundles.ts'
import * as buyTexts from './words.ts'

/**
 * Reads an order for one number from a message, in the same way as a list. The answer is a card to confirm, an open
 * question, or the line to fix. @returns false if the text is not an order for one number.
 */
export const buyByText = async (ctx: Asker, person: Person, text: string): Promise<boolean> => {
  const meant = recognize(text)
  const isDamaged = meant.kind === 'damaged' && referenceIn(text) === null
  if (meant.kind !== 'one' && meant.kind !== 'number' && !isDamaged) return false
  if (await showEarlier(ctx, messageCause(ctx))) return true
  if (!(await admit(ctx, person))) return true
  if (meant.kind === 'number') await showNumber(ctx, person, { ...meant, text })
  else if (meant.kind === 'one' && !meant.isUnclear) order(ctx, person, text)
  else if (!isDamaged || !askRightNumber(ctx, person, text)) await showAsList(ctx, person, text)
  return true
}

/**
 * Answers a number without a size: shows what the written amount buys, or the contact that is saved with the number,
 * or the bundles of its network, or asks for the network.
 */
const showNumber = async (
  ctx: Asker,
  person: Person,
  {
    phone,
    network,
    amountPesewas: amount,
    text,
  }: { phone: Phone; network: Network | null; amountPesewas: Pesewas | null; text: string },
): Promise<void> => {
  const { services } = ctx
  const { store } = services
  const ask = (screen: Screen) => askAbout(ctx, { text }, screen)
  const book = bookOf(person)
  const contact = amount === null && (await store.contacts.byPhone(book, phone))
  if (contact) {
    ask(await contactScreen(services, { person, book }, contact))
    return
  }
  const { allowed, down } = await networksOffered(services, person)
  const likely = await likelyNetworks(store, person.accountId, phone)
  if (amount !== null) {
    const meant = network ? [network] : likely.length > 0 ? likely : allowed
    const among = meant.filter((each) => allowed.includes(each))
    withPrices(ctx, person, async (bundles) =>
      ask(await amountScreen(services, person, bundles, { phone, amount, among })),
    )
    return
  }
  const meant = network ?? (likely.length === 1 ? likely[0] : null)
  if (meant && allowed.includes(meant)) {
    withPrices(ctx, person, async (bundles) => {
      const { usual, isDown } = await usualOn(services, person, meant)
      ask(bundlesScreen(bundles, meant, 0, { ...singleWays(meant, phone, isDown), usual }))
    })
    return
  }
  const why = likely.length === 0 ? buyTexts.networkNotSold(phone) : buyTexts.chooseNetworkFor(phone)
  ask(networksScreen(why, phone, { allowed, down, likely }))
}

const order = (ctx: Asker, person: Person, text: string): void => {
  const work = async (bundles: ListedBundle[], offered: Offered) => {
    const wanted = await wantedBy(ctx.services, person, bundles, text)
    if (wanted) await offerWanted(ctx, person, wanted, { bundles, offered, text })
    else await showAsList(ctx, person, text)
  }
  withPrices(ctx, person, work, { messageId: ctx.msgId ?? 0, text })
}

/** A number with its size, and what is known about the number. */
type Wanted = WrittenRecipient & { size: Size; known: ReadNumber }

/** The only number of a text; null if the text has faults that a question about the bundle cannot solve. */
const wantedBy = async (
  { store }: Services,
  person: Person,
  bundles: readonly ListedBundle[],
  text: string,
): Promise<Wanted | null> => {
  const anywhere = { bundles, prefixes: defaultPrefixes, fixedBundleId: null }
  // This first reading only finds the number. What is known about the number then affects the second reading.
  const [number, another] = readList(text, anywhere).lines.flatMap(({ written }) => written)
  if (!number || another) return null
  const { phone } = number
  const { served, ported, saved, prefixes, balance } = await store.knownNumbers.of(bookOf(person), phone)
  const priceSnapshot = {
    ...anywhere,
    prefixes: mapOf(changesIn(prefixes)),
    served: served.length > 0 ? { [phone]: [...served] } : {},
    ported: ported === null ? {} : { [phone]: ported },
  }
  const wanted = wantedIn(readList(text, priceSnapshot))
  return wanted && { ...wanted, known: { served, saved, balance, likely: likelyAmong(priceSnapshot, phone) } }
}

/**
 * The number that a text means, and the bundle, or the question which one. @param text an order for one number.
 * @returns null if the text has faults that this question cannot solve.
 */
export const chooseWritten = async (
  services: Services,
  person: Person,
  bundles: ListedBundle[],
  text: string,
): Promise<(Choice & { phone: Phone }) | null> => {
  const wanted = await wantedBy(services, person, bundles, text)
  return wanted && { ...(await chooseWanted(services, person, bundles, wanted)), phone: wanted.phone }
}

const chooseWanted = async (
  services: Services,
  person: Person,
  bundles: ListedBundle[],
  { phone, size, network, known }: Wanted,
): Promise<Choice> => {
  const { likely } = known
  if (network && !(await mayBeOnNetwork(services, person, network, phone, known)))
    return { kind: 'ask', screen: contradictionScreen(bundles, { network, size, phone, likely }) }
  return chooseBundle(bundles, await buyerOf(services, person, phone, known), size, network)
}

const wantedIn = ({ lines }: ListReading): Omit<Wanted, 'known'> | null => {
  const [only, another] = lines.flatMap(({ written }) => written)
  const isAskable = lines.every(({ problems }) => problems.every(({ code }) => askable.has(code)))
  return only?.size && !another && isAskable ? { ...only, size: only.size } : null
}

const askable: ReadonlySet<Problem['code']> = new Set(['asked', 'not_sold', 'network_unknown'])

const offerWanted = async (
  ctx: Asker,
  person: Person,
  wanted: Wanted,
  { bundles, offered, text }: { bundles: ListedBundle[]; offered: Offered; text: string },
): Promise<void> => {
  const choice = await chooseWanted(ctx.services, person, bundles, wanted)
  if (choice.kind === 'ask') return askAbout(ctx, { text }, choice.screen)
  const { phone, amountPesewas, known } = wanted
  const { asLastTime, bundle } = choice
  const typed = amountPesewas === null ? {} : { writtenPesewas: amountPesewas }
  const chosen = { ...offered(bundle), asLastTime, ...typed, phone }
  await offer(ctx, person, messageCause(ctx), chosen, known)
}

/**
 * Shows the text as a list with a line to fix, because a card for one number has no way to ask about faults in the
 * text.
 */
const showAsList = async (ctx: Asker, person: Person, text: string): Promise<void> => {
  const list = await ctx.services.lists.draft(person, messageCause(ctx), { text, fixedBundleId: null })
  showPreview(ctx, list)
}
