import type { Pesewas } from '../../provider/money.ts'
import {
  briefRule,
  mostPlusPesewas,
  mostRoundPesewas,
  mostTenths,
  readBriefRule,
} from '../../shop/brief-rule.ts'
import type { PriceRule } from '../../shop/selling.ts'
import { mostPesewas } from '../../shop/written-amount.ts'
import { isId } from '../../store/id.ts'

/** What a button of the prices and receipts does. */
export type SellingAct =
  /** The start of it all, for the price list of one network or of all. */
  | { act: 'menu'; network: string | null }
  | { act: 'picture'; network: string | null }
  | { act: 'text'; network: string | null }
  /** The rule, to be settled by buttons or typing. */
  | { act: 'rule' }
  /** Settles what the rule adds; its rounding stays. */
  | { act: 'add'; kind: PriceRule['kind']; value: number }
  | { act: 'round'; pesewas: Pesewas }
  | { act: 'no_rule' }
  /** Undoes a change that is still the last: puts `before` in the place of `after`. */
  | { act: 'undo_rule'; before: PriceRule | null; after: PriceRule | null }
  | { act: 'networks' }
  | { act: 'bundles'; network: string; page: number }
  | { act: 'bundle'; bundleId: number }
  /** The bundle goes by the rule again. */
  | { act: 'by_rule'; bundleId: number }
  | { act: 'undo_price'; bundleId: number; before: Pesewas | null; after: Pesewas | null }
  | { act: 'receipt'; orderId: string }
  /** A page of the numbers that one receipt may be for. */
  | { act: 'receipts'; orderId: string; page: number }
  /** The receipt for the number at that place, or for all of them. */
  | { act: 'receipt_for'; orderId: string; position: number | 'all' }
  /** Asks for what the order was really sold for. */
  | { act: 'sold_for'; orderId: string }
  | { act: 'undo_sold'; orderId: string; before: Pesewas | null; after: Pesewas | null }

export const wordsOfSellingAct = (act: SellingAct): (string | number)[] => {
  switch (act.act) {
    case 'menu':
    case 'picture':
    case 'text':
      return act.network === null ? [act.act] : [act.act, act.network]
    case 'add':
      return ['add', act.kind, act.value]
    case 'round':
      return ['round', act.pesewas]
    case 'undo_rule':
      return ['undo_rule', briefRule(act.before), briefRule(act.after)]
    case 'bundles':
      return ['bundles', act.network, act.page]
    case 'bundle':
    case 'by_rule':
      return [act.act, act.bundleId]
    case 'undo_price':
      return ['undo_price', act.bundleId, briefPrice(act.before), briefPrice(act.after)]
    case 'receipt':
    case 'sold_for':
      return [act.act, act.orderId]
    case 'receipts':
      return ['receipts', act.orderId, act.page]
    case 'receipt_for':
      return ['receipt_for', act.orderId, act.position]
    case 'undo_sold':
      return ['undo_sold', act.orderId, briefPrice(act.before), briefPrice(act.after)]
    case 'rule':
    case 'no_rule':
    case 'networks':
      return [act.act]
  }
}

export const readSellingAct = ([
  word = '',
  first = '',
  second = '',
  third = '',
]: string[]): SellingAct | null => {
  switch (word) {
    case 'menu':
    case 'picture':
    case 'text':
      return { act: word, network: first || null }
    case 'add': {
      const value = Number(second)
      const most = first === 'plus' ? mostPlusPesewas : first === 'percent' ? mostTenths : -1
      if (!/^\d{1,6}$/.test(second) || value > most) return null
      return { act: 'add', kind: first as PriceRule['kind'], value }
    }
    case 'round':
      return /^\d{1,4}$/.test(first) && Number(first) >= 1 && Number(first) <= mostRoundPesewas
        ? { act: 'round', pesewas: Number(first) as Pesewas }
        : null
    case 'undo_rule': {
      const [before, after] = [readBriefRule(first), readBriefRule(second)]
      return before === undefined || after === undefined ? null : { act: 'undo_rule', before, after }
    }
    case 'bundles':
      return isCount(second) ? { act: 'bundles', network: first, page: Number(second) } : null
    case 'bundle':
    case 'by_rule':
      return isBundle(first) ? { act: word, bundleId: Number(first) } : null
    case 'undo_price':
      return withPrices(second, third, (prices) =>
        isBundle(first) ? { act: 'undo_price', bundleId: Number(first), ...prices } : null,
      )
    case 'receipt':
    case 'sold_for':
      return isId(first) ? { act: word, orderId: first } : null
    case 'receipts':
      return isId(first) && isCount(second) ? { act: 'receipts', orderId: first, page: Number(second) } : null
    case 'receipt_for':
      if (!isId(first) || !(isCount(second) || second === 'all')) return null
      return { act: 'receipt_for', orderId: first, position: second === 'all' ? 'all' : Number(second) }
    case 'undo_sold':
      return withPrices(second, third, (prices) =>
        isId(first) ? { act: 'undo_sold', orderId: first, ...prices } : null,
      )
    case 'rule':
    case 'no_rule':
    case 'networks':
      return { act: word }
    default:
      return null
  }
}

const briefPrice = (price: Pesewas | null): string => (price === null ? 'none' : String(price))

const readPrice = (text: string): Pesewas | null | undefined => {
  if (text === 'none') return null
  const price = /^\d{1,8}$/.test(text) ? Number(text) : Number.NaN
  return price <= mostPesewas ? (price as Pesewas) : undefined
}

const withPrices = (
  first: string,
  second: string,
  make: (prices: { before: Pesewas | null; after: Pesewas | null }) => SellingAct | null,
): SellingAct | null => {
  const [before, after] = [readPrice(first), readPrice(second)]
  return before === undefined || after === undefined ? null : make({ before, after })
}

const isCount = (text: string): boolean => /^\d{1,6}$/.test(text)
/** The column's limit. */
const mostBundleId = 2_147_483_647
const isBundle = (text: string): boolean => /^\d{1,10}$/.test(text) && Number(text) <= mostBundleId
