/**
 * Replaces a recipient's number when its order is redacted (see `orders/following/retention.ts`). It contains the
 * recipient's id, so that no two in an order are alike. It cannot be mistaken for a phone, which always has the form
 * `0XXXXXXXXX`. It has a type of its own, so the compiler makes all code that shows a recipient handle it.
 */
export type RemovedPhone = string & { readonly __form: 'removed phone' }

/** The prefix of every `RemovedPhone`. The database writes it as well (`store/accounts/redaction.ts`). */
export const removedPrefix = 'removed:'

export const isRemoved = (phone: string): phone is RemovedPhone => phone.startsWith(removedPrefix)
