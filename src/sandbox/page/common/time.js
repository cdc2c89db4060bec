const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const clockWithSeconds = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})
const day = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' })

/** @param {number} unixSeconds as in a message's `date` */
export function clockOf(unixSeconds) {
  return clock.format(new Date(unixSeconds * 1000))
}

/** @param {string} iso */
export function secondsOf(iso) {
  return clockWithSeconds.format(new Date(iso))
}

/**
 * @param {number} unixSeconds
 * @param {Date} now
 */
export function dayOf(unixSeconds, now) {
  const date = new Date(unixSeconds * 1000)
  return date.toDateString() === now.toDateString() ? 'Today' : day.format(date)
}

/**
 * A time in the reader's own time zone. The format is one of Telegram's: `d` or `D` for the date, `t` or `T` for the
 * time, `w` for the day of the week. Null if the text stays as it is; relative times are not simulated.
 *
 * @param {number} unixSeconds
 * @param {string} format
 */
export function shownTime(unixSeconds, format) {
  if (format === '' || format === 'r') return null
  const has = (/** @type {string} */ letter) => format.includes(letter)
  return new Intl.DateTimeFormat('en-GB', {
    ...(has('w') && { weekday: 'short' }),
    ...(has('d') && { day: '2-digit', month: '2-digit', year: '2-digit' }),
    ...(has('D') && { day: 'numeric', month: 'long', year: 'numeric' }),
    ...((has('t') || has('T')) && { hour: '2-digit', minute: '2-digit' }),
    ...(has('T') && { second: '2-digit' }),
  }).format(new Date(unixSeconds * 1000))
}
