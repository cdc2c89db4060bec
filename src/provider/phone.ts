/** A recipient as the API takes it: `0XXXXXXXXX`, ten digits (API §8.3). */
export type Phone = string & { readonly __form: 'phone' }

/** Whether a text has the API's form of a phone. Other forms are for `phoneFromAnswer`. */
export const isPhone = (text: string): text is Phone => /^0\d{9}$/.test(text)

/** The phone in full, or with the country's code (a zero after it or not), or without its leading zero. */
const written = /^(?:0(\d{9})|(?:(?:\+|00)?2330?)?([1-9]\d{8}))$/

/**
 * Reads a phone as an answer may write it: `0241234567`, `+233241234567`, `233241234567`, `00233241234567`,
 * with spaces or hyphens, or as a number that has lost its leading zero.
 *
 * @returns null if it is no phone, or a masked one.
 */
export const phoneFromAnswer = (value: unknown): Phone | null => {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const match = written.exec(String(value).replace(/[\s-]/g, ''))
  return match && (`0${match[1] ?? match[2]}` as Phone)
}

/** `024•••4567`: the only digits of a number that strangers and logs may see. */
export const maskPhone = (phone: string): string => `${phone.slice(0, 3)}•••${phone.slice(-4)}`
