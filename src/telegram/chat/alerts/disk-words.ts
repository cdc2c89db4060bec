import { grouped } from '../../words/markup.ts'

/** Texts for when the database's disk is nearly full. */

/** Refuses a new order or list. It is also shown as a pop-up, so it is plain text of at most 200 characters. */
export const noRoom = 'I can’t take new orders or lists just now. Nothing new was ordered. Try again later.'

const megabytes = (bytes: number): string => `${grouped(Math.floor(bytes / 1_000_000))} MB`

/** The free space in words, for `/readyz` and the log. */
export const freeInWords = (bytes: number): string =>
  `${megabytes(bytes)} free on its disk: no new orders or lists are taken`

/** The warning to the operators. */
export const diskIsShort = (bytes: number): string =>
  `⚠️ The database’s disk has only ${megabytes(bytes)} left. Free up some space.\nNobody can order or send lists now, and I’m telling people so. Confirmed orders still go out.`
