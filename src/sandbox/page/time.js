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
