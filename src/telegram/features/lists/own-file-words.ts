import { grouped } from '../../words/markup.ts'

/** The answer to a person who sends back a file of orders that this bot exported. */

export const ownFile = '📄 That’s one of my own exports. Nothing was ordered.'

export const orderTheseAgain = (count: number) => `🔁 Order these again (${grouped(count)})`

export const ownFileGone = 'That file is no longer in this chat. Nothing was ordered. Send it again.'
