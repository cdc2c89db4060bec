import { z } from 'zod'
import type { AnswerMeta } from './answer.ts'
import { type JsonObject, listIn, optional, readEntries, readText, required } from './field.ts'
import type { Pesewas } from './money.ts'
import { networks } from './network.ts'

/** A bundle that can be bought (API §2), at the price for the caller's account type. */
export interface Bundle {
  id: number
  /** One of `networks`, or a network that the provider has added since. */
  network: string
  /** Such as `5GB`. */
  volume: string
  pricePesewas: Pesewas
  offerSlug: string | null
  status: string | null
}

/** The price list of the caller's account (API §4.1). */
export interface BundleList {
  accountType: string | null
  bundles: Bundle[]
  /** How many entries were left out because their id, network, volume or price is missing or unreadable. */
  unreadable: number
  meta: AnswerMeta
}

const bundle = z
  .object({
    id: required.integer,
    network: required.word(networks),
    volume: required.text,
    price: required.price,
    offer_slug: optional.text,
    status: optional.text,
  })
  .transform(
    (entry): Bundle => ({
      id: entry.id,
      network: entry.network,
      volume: entry.volume,
      pricePesewas: entry.price,
      offerSlug: entry.offer_slug,
      status: entry.status,
    }),
  )

/** Reads the answer of API §4.1; null if it has no list of bundles. */
export const bundlesIn = (body: JsonObject): Omit<BundleList, 'meta'> | null => {
  const list = listIn(body, 'bundles')
  if (!list) return null
  const { entries, unreadable } = readEntries(list, bundle)
  return { accountType: readText(body.account_type), bundles: entries, unreadable }
}
