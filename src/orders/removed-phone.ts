/**
 * What stands in the place of a recipient's number once its order is reduced (see `retention.ts`). It holds the
 * recipient's id, so that no two of an order are alike, and is read as a phone by nothing: the numbers here are
 * `0XXXXXXXXX`.
 */
export type RemovedPhone = string & { readonly __form: 'removed phone' }

/** The one form of it, which the database writes as well (`store/reduction.ts`). */
export const removedPrefix = 'removed:'

export const isRemoved = (phone: string): phone is RemovedPhone => phone.startsWith(removedPrefix)
