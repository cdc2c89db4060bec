import { ProviderError } from './error.ts'

/** The two headers of API §5, and a mask that keeps their values out of all other text. */
export interface Credentials {
  headers: Readonly<Record<'x-api-key' | 'x-api-secret', string>>
  /** Masks the key and the secret in a text, because a provider may quote them in an error. */
  scrub(text: string): string
}

/** Visible ASCII, the characters that a header carries unchanged. A line break in a key could add further headers. */
const visibleAscii = /^[\x21-\x7e]{1,4096}$/

/** Shorter values are not masked: no real secret is so short, and masking them would garble ordinary words. */
const minSecretLength = 6

/**
 * Checks the key and the secret.
 * @throws ProviderError `invalid_credentials`; its message names the field, never its value.
 */
export const createCredentials = (apiKey: string, apiSecret: string): Credentials => {
  assertHeaderValue('API key', apiKey)
  assertHeaderValue('API secret', apiSecret)
  const secrets = [apiKey, apiSecret].filter((secret) => secret.length >= minSecretLength)
  return {
    headers: { 'x-api-key': apiKey, 'x-api-secret': apiSecret },
    scrub: (text) => secrets.reduce((scrubbed, secret) => scrubbed.replaceAll(secret, '•••'), text),
  }
}

const assertHeaderValue = (name: string, value: unknown): void => {
  if (typeof value === 'string' && visibleAscii.test(value)) return
  const problem =
    value === '' ? 'is empty' : 'may hold only visible ASCII characters, no spaces or line breaks'
  throw new ProviderError('invalid_credentials', `The ${name} ${problem}.`)
}
