import * as leavingWords from '../../../../src/telegram/cards/words/leaving.ts'
import * as disconnectWords from '../../../../src/telegram/features/connecting/disconnect-words.ts'
import { now } from '../../words/any-order.ts'
import { testTexts, times, type Values, type Wording } from '../../words/wording.ts'

const words = {
  disconnectLabels: leavingWords.disconnectLabels,
  waitingOrders: leavingWords.waitingOrders,
  notFinished: leavingWords.notFinished,
  wereCancelled: leavingWords.wereCancelled,
  nothingNew: leavingWords.nothingNew,
  nothingNewToast: leavingWords.nothingNewToast,
  departed: leavingWords.departed,
  unfollowed: leavingWords.unfollowed,
  askLeave: disconnectWords.askLeave,
  askDisconnect: disconnectWords.askDisconnect,
  askDisconnectOpen: disconnectWords.askDisconnectOpen,
  closing: disconnectWords.closing,
  keptAccount: disconnectWords.keptAccount,
  reopened: disconnectWords.reopened,
  otherThanAsked: disconnectWords.otherThanAsked,
  leftShared: disconnectWords.leftShared,
  disconnected: disconnectWords.disconnected,
}

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
