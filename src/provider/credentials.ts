import { ProviderError } from './error.ts'

/** The two headers of API §5, and a guard that keeps their values out of everything else. */
export interface Credentials {
  headers: Readonly<Record<'x-api-key' | 'x-api-secret', string>>
  /** The text with key and secret masked: a provider may quote them in an error. */
  scrub(text: string): string
}

/**
 * The characters that a header carries unchanged: visible ASCII. With a line break, a key could add headers of
 * its own.
 */
const visibleAscii = /^[\x21-\x7e]{1,4096}$/

/** A shorter text is no secret worth masking, and masking it would damage ordinary words. */
const minSecretLength = 6

/**
 * Checks the key and the secret.
 * @throws ProviderError `invalid_credentials`, naming the field, never its value.
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
