/**
 * With this header, the doctor finds out whether an address leads to a bot with the same keys. It sends a nonce in
 * the header to `/healthz`, and the bot answers with the nonce signed (`Keyring.sign`, with a key for this purpose
 * only).
 */
export const probeHeader = 'x-bundlegram-probe'

/** Whether a header is a nonce to sign. Its form is limited because anybody may ask for a signature. */
export const isNonce = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w-]{16,64}$/.test(value)
