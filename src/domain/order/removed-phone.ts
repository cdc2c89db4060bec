/**
 * Replaces a recipient's number when its order is redacted (see `orders/following/retention.ts`). It contains the
 * recipient's id, so that no two in an order are alike. It cannot be read as a phone, which always has the form
 * `0XXXXXXXXX`. Because it has a type of its own, the compiler makes all code that reads a recipient decide what to
 * show.
 */
export type RemovedPhone = string & { readonly __form: 'removed phone' }

/** The prefix of every `RemovedPhone`. The database writes it as well (`store/accounts/redaction.ts`). */
export const removedPrefix = 'removed:'

/** Whether a recipient's number has been removed. */
export const isRemoved = (phone: string): phone is RemovedPhone => phone.startsWith(removedPrefix)
