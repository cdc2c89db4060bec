/**
 * Stands in place of a recipient's number once its order is reduced (see `retention.ts`). It holds the
 * recipient's id, so that no two of an order are alike. Nothing reads it as a phone, because the numbers here
 * are `0XXXXXXXXX`. It is a type of its own, so the compiler makes every reader of a recipient decide what to
 * show.
 */
export type RemovedPhone = string & { readonly __form: 'removed phone' }

/** The start of every such text, which the database writes as well (`store/redaction.ts`). */
export const removedPrefix = 'removed:'

/** Whether a recipient's number has been removed. */
export const isRemoved = (phone: string): phone is RemovedPhone => phone.startsWith(removedPrefix)
