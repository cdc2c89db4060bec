const second = 1000
const hour = 3600 * second
const day = 24 * hour

/** The wait if the header is missing or unusable: the shortest rate-limit window of API §8. */
const unknownWaitMs = 60 * second

/**
 * Two of the three forms of RFC 9110 §5.6.7 (`asctime` is the third), and ISO 8601 with an offset. `Date.parse`
 * alone would also accept `soon 5`.
 */
const dateForms = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} (GMT|UTC|[+-]\d{4})$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/,
]
const asctime = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/

/**
 * The wait after a 429, in ms, from 1 s to 1 h. The API documents neither the header's unit nor its form (API §8):
 * it may be seconds, milliseconds, an epoch in either, a date, missing or junk.
 *
 * @param headerValue as received; if the header is repeated, the first value counts.
 * @param now ms since the epoch.
 */
export const retryAfterMs = (headerValue: unknown, now: number): number => {
  const value: unknown = Array.isArray(headerValue) ? headerValue[0] : headerValue
  const text = typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
  const waitMs = /^-?\d+(\.\d+)?$/.test(text) ? waitOfNumber(Number(text), now) : waitOfDate(text, now)
  return Math.round(Math.min(Math.max(waitMs ?? unknownWaitMs, second), hour))
}

/**
 * No rate-limit window of the API is longer than a day. So a number that would be more than a day if it meant seconds
 * is in milliseconds, or an epoch. Between an hour and a day, a multiple of 1,000 counts as milliseconds: `30000` is
 * far more often half a minute than eight hours and twenty minutes. If that guess is wrong, the next 429 corrects it at
 * no cost.
 */
const waitOfNumber = (value: number, now: number): number => {
  if (value >= 1e11) return value - now
  if (value >= 1e9) return value * second - now
  const isMs = value * second > day || (value * second > hour && value % 1000 === 0)
  return isMs ? value : value * second
}

const waitOfDate = (text: string, now: number): number | null => {
  const date = asctime.test(text) ? `${text} GMT` : dateForms.some((form) => form.test(text)) ? text : null
  const time = date === null ? Number.NaN : Date.parse(date)
  return Number.isNaN(time) ? null : time - now
}
