/** A recipient's phone in the form that the API accepts: `0XXXXXXXXX`, ten digits (API §8.3). */
export type Phone = string & { readonly __form: 'phone' }

/** Whether a text has the API's form of a phone. To read other forms, use `phoneFromAnswer`. */
export const isPhone = (text: string): text is Phone => /^0\d{9}$/.test(text)

/** A phone with its leading zero, without it, or with the country code (followed by the zero or not). */
const written = /^(?:0(\d{9})|(?:(?:\+|00)?2330?)?([1-9]\d{8}))$/

/**
 * Reads a phone as an answer may write it: `0241234567`, `+233241234567`, `233241234567`, `00233241234567`, with
 * spaces or hyphens, or as a number that has lost its leading zero.
 *
 * @returns null if it is not a phone, or a masked one.
 */
export const phoneFromAnswer = (value: unknown): Phone | null => {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const match = written.exec(String(value).replace(/[\s-]/g, ''))
  return match && (`0${match[1] ?? match[2]}` as Phone)
}

/** `024•••4567`: only these digits of a number may appear in logs or be shown to strangers. */
export const maskPhone = (phone: string): string => `${phone.slice(0, 3)}${phoneEnd(phone)}`

/** `•••4567`: the end of a number, which tells apart people with the same name. */
export const phoneEnd = (phone: string): string => `•••${phone.slice(-4)}`
