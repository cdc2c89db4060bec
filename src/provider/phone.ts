/** A recipient as the API takes it: `0XXXXXXXXX`, ten digits (API §8.3). */
export type Phone = string & { readonly __form: 'phone' }

export const isPhone = (text: string): text is Phone => /^0\d{9}$/.test(text)

/** In full, or with the country's code (a zero after it or not), or without its leading zero. */
const written = /^(?:0(\d{9})|(?:(?:\+|00)?2330?)?([1-9]\d{8}))$/

/**
 * Reads a phone as an answer may write it: `0241234567`, `+233241234567`, `233241234567`,
 * `00233241234567`, with spaces or hyphens, or as a number that has lost its leading zero.
 *
 * @returns null where it is none, so where it is masked too.
 */
export const phoneFromAnswer = (value: unknown): Phone | null => {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const match = written.exec(String(value).replace(/[\s-]/g, ''))
  return match && (`0${match[1] ?? match[2]}` as Phone)
}

/** `024•••4567`: what strangers and logs may see of a number. */
export const maskPhone = (phone: string): string => `${phone.slice(0, 3)}•••${phone.slice(-4)}`
