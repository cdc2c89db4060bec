/**
 * How somebody who has the keys finds out whether an address leads to a bot that has them too: `/healthz`, asked with
 * a nonce of theirs in this header, answers with it signed (`Keyring.sign`, for this purpose alone).
 */
export const probeHeader = 'x-bundlegram-probe'

/** Bounded, for anybody may ask. */
export const isNonce = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w-]{16,64}$/.test(value)
