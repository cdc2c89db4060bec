import { grouped } from '../../words/markup.ts'

/** The words while the database's disk is nearly full. */

/** Refuses a new order or list; also shown as an alert, so it is plain text of at most 200 characters. */
export const noRoom = 'I can’t take new orders or lists just now. Nothing new was ordered. Try again later.'

const megabytes = (bytes: number): string => `${grouped(Math.floor(bytes / 1_000_000))} MB`

/** For `/readyz` and the log. */
export const freeInWords = (bytes: number): string =>
  `${megabytes(bytes)} free on its disk: no new orders or lists are taken`

/** To the operators. */
export const diskIsShort = (bytes: number): string =>
  `⚠️ The database’s disk has only ${megabytes(bytes)} left. Make room on it.\nNobody can order or send lists now, and people are told so. Confirmed orders go on.`
