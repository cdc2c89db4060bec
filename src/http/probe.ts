/**
 * The header by which a holder of the keys finds out whether an address leads to a bot that has them too. `/healthz`,
 * asked with a nonce in this header, answers with the nonce signed (`Keyring.sign`, for this purpose alone).
 */
export const probeHeader = 'x-bundlegram-probe'

/** The length is bounded because anybody may ask. */
export const isNonce = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w-]{16,64}$/.test(value)
