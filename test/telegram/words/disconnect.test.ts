import * as words from '../../../src/telegram/words/disconnect.ts'
import { now } from './any-order.ts'
import { testTexts, times, type Values, type Wording } from './wording.ts'

const closingOf = ({ count, flag }: Values) => ({ open: count, eraseBy: now, isOwner: flag, now })

const html: Wording<typeof words> = {
  waitingOrders: ({ count }) => words.waitingOrders(count),
  notFinished: ({ count }) => words.notFinished(count),
  wereCancelled: ({ count }) => words.wereCancelled(count),
  askDisconnect: ({ count }) => words.askDisconnect(count % 3, count % 4),
  askDisconnectOpen: ({ count }) => words.askDisconnectOpen(count % 3, count),
  closing: (values) => words.closing(closingOf(values)),
  nothingNew: (values) => words.nothingNew(closingOf(values)),
  disconnected: ({ count }) =>
    words.disconnected({ cancelled: count % 3, sending: count % 4, unfollowed: count % 2 }),
  departed: ({ flag, count }) => words.departed(flag, count % 2 === 0),
  unfollowed: ({ order, count }) => words.unfollowed(times(1 + (count % 15), order), now),
}

testTexts(words, html)
