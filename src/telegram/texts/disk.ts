import { grouped } from './markup.ts'

/** What is said while the disk of the database is nearly full. */

/** Instead of what would begin an order or a list; as an alert too, so plain text of at most 200 characters. */
export const noRoom =
  'I can’t take new orders or lists just now. Nothing was ordered and nothing was charged. Try again in half an hour.'

const megabytes = (bytes: number): string => `${grouped(Math.floor(bytes / 1_000_000))} MB`

/** For `/readyz` and the log. */
export const freeInWords = (bytes: number): string =>
  `${megabytes(bytes)} free on its disk: no new orders or lists are taken`

/** To the operators. */
export const diskIsShort = (bytes: number): string =>
  `⚠️ The database’s disk has only ${megabytes(bytes)} left. Nobody can order or send lists now, and people are told so. Make room on the disk. What was confirmed before goes on, and callbacks are still taken.`

export const diskHasRoom = (bytes: number): string =>
  `✅ The database’s disk has room again: ${megabytes(bytes)}. Orders and lists are taken again.`
