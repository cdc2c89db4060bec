import { escapeHtml, oneLine } from '../chat/screen.ts'

const unitsMs = { second: 1_000, minute: 60_000, hour: 60 * 60_000, day: 24 * 60 * 60_000 }

const smallerUnit = { day: 'hour', hour: 'minute', minute: 'second', second: null } as const

/**
 * The length of a fixed time, such as a deadline, in words: `an hour`, `15 minutes`. If it is not a whole multiple of
 * the unit, a smaller unit is used: `45 minutes`, not `0.75 hours`.
 */
export const lengthIn = (unit: keyof typeof unitsMs, ms: number): string => {
  const count = ms / unitsMs[unit]
  const smaller = smallerUnit[unit]
  if (!Number.isInteger(count) && smaller !== null) return lengthIn(smaller, ms)
  return count === 1 ? `${unit === 'hour' ? 'an' : 'a'} ${unit}` : `${count} ${unit}s`
}

/** The building blocks of texts: Telegram’s HTML, lines and counts. `screen.ts` escapes values from outside. */
export const b = (text: string) => `<b>${text}</b>`

/** A value that a tap copies. @param most how many UTF-16 units of it are shown at most. */
export const code = (text: string, most = 80) => `<code>${escapeHtml(oneLine(text, most))}</code>`

/** The parts that are not null, with the separator between them. */
export const joined = (separator: string, ...parts: (string | null)[]): string =>
  parts.filter((part) => part !== null).join(separator)

export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

export const lines = (...all: (string | null)[]): string => joined('\n', ...all)

/**
 * A whole number with commas. `Intl` could do this too, but it would slow the start, because it has to load a language.
 */
export const grouped = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')

export const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${grouped(count)} ${many}`

/**
 * A time. Newer apps show it by the reader's own clock in the given format (`t`: the time, `D`: the date); older ones
 * show `text`. Telegram refuses a message with a time outside 31 bits, and the provider may send any time, so such a
 * time is plain text.
 */
export const time = (at: Date, format: 't' | 'Dt', text: string): string => {
  const seconds = Math.floor(at.getTime() / 1000)
  return seconds > 0 && seconds < 2 ** 31
    ? `<tg-time unix="${seconds}" format="${format}">${text}</tg-time>`
    : text
}

/** How long something has lasted, rounded: `12 s`, `5 min`, `3 h`, `2 days`. */
export const span = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`
}
