import { readPhone } from '../../../lists/read-phone.ts'
import { isList, type Recognized, recognize } from '../../../lists/recognition.ts'
import { readSeveralOrders } from '../../../lists/several-orders.ts'
import { personOf } from '../../chat/person.ts'
import { readReference } from '../../chat/reference.ts'
import type { Feature } from '../feature.ts'
import { sayAccountNeeded } from '../guards/account-needed.ts'
import { leaving, member, orderer } from '../guards/guards.ts'
import { bundles, showPrices } from './bundles.ts'
import { buy, choose, openAtDefault, showBundles, showNetworks, takePhone } from './buy.ts'
import { pressDraft, takeNewNumber } from './correcting.ts'
import { askOwnNumber, takeReply } from './own-number.ts'
import { askForNumbers, ordersWritten } from './several-orders.ts'
import { buyByText } from './typed-order.ts'
import { numberStillAsked, numbersStillAsked } from './words.ts'

const isSeveral = (text: string): boolean => readReference(text) !== null || readSeveralOrders(text) !== null

const isSeveralOrList = (text: string): boolean => isSeveral(text) || isList(text)

/** Ordering a bundle for one number, or several bundles of one size; prices of bundles. */
export const buying = {
  commands: {
    buy: { run: orderer(buy) },
    bundles: { run: member(bundles), onlyShows: true },
  },
  presses: {
    networks: leaving(orderer(openAtDefault)),
    all_networks: leaving(orderer((ctx, person) => showNetworks(ctx, person, null))),
    networks_for: leaving(orderer((ctx, person, { phone }) => showNetworks(ctx, person, phone))),
    bundles: leaving(member((ctx, person, press) => showBundles(ctx, person, { ...press, phone: null }))),
    bundles_for: leaving(member(showBundles)),
    bundle: orderer(choose),
    keep: orderer(choose),
    own_number: member((ctx, _person, { bundleId }) => askOwnNumber(ctx, bundleId)),
    draft: pressDraft,
    prices: member((ctx, person, { do: _, ...products }) => showPrices(ctx, person, products)),
  },
  questions: {
    phone: {
      staysFor: isSeveralOrList,
      stillAsked: numberStillAsked,
      text: member(takePhone),
      takesNumber: () => true,
    },
    new_number: {
      staysFor: isSeveralOrList,
      stillAsked: numberStillAsked,
      text: takeNewNumber,
      takesNumber: () => true,
    },
    numbers: {
      staysFor: isSeveral,
      stillAsked: numbersStillAsked,
      rewritten: ordersWritten,
      takesNumber: (number) => readPhone(number) !== null,
      takesForwarded: () => true,
    },
  },
  texts: {
    several_orders: async (ctx, { text }) => {
      const several = readSeveralOrders(text)
      if (several) await orderer<void>(() => askForNumbers(ctx, several))(ctx)
      return several !== null
    },
    order: async (ctx, { text }) => {
      const person = await personOf(ctx)
      return person !== null && buyByText(ctx, person, text)
    },
    order_of_stranger: async (ctx, { text }) => {
      if (!isOrder(text) || (await personOf(ctx))) return false
      sayAccountNeeded(ctx)
      return true
    },
  },
  first: takeReply,
} satisfies Feature

/** Whether a text is meant as an order, even if it has mistakes. */
const isOrder = (text: string): boolean => orderKinds.has(recognize(text).kind) && !hasReference.test(text)

/** Matches the start of a reference, whose digits must not be read as a phone number. */
const hasReference = /\bBUD-/i

const orderKinds: ReadonlySet<Recognized['kind']> = new Set(['one', 'damaged', 'list'])
