import { expect, test } from 'vitest'
import { placements } from '../../../../src/domain/order/placement.ts'
import * as blockWordsInCardsWordsWarning from '../../../../src/telegram/cards/words/warning.ts'
import * as blockWordsInOperatingBlockWords from '../../../../src/telegram/features/operating/block-words.ts'
import * as stuckWords from '../../../../src/telegram/features/operating/stuck-words.ts'
import * as operatorWords from '../../../../src/telegram/features/operating/words.ts'
import { now } from '../../words/any-order.ts'
import { testTexts, times, type Values, type Wording } from '../../words/wording.ts'

const blockWords = {
  youAreBlocked: blockWordsInCardsWordsWarning.youAreBlocked,
  ...blockWordsInOperatingBlockWords,
}

const words = { ...blockWords, ...operatorWords, ...stuckWords }

const maintenance = ({ text, flag }: Values) => ({
  since: now,
  until: flag ? now : null,
  reason: flag ? text : null,
})
const people = ({ count }: Values) => ({
  owners: count,
  agents: count,
  following: count,
  muted: count,
  blocked: count,
})
const stuck = ({ count }: Values) => ({ notices: count, orders: count, callbacks: count })
const notice = ({ text, count }: Values) => ({
  id: count,
  chatId: count,
  kind: text,
  subject: text,
  attempts: count,
  createdAt: now,
  setAsideAt: now,
})
const order = ({ text, flag, count }: Values) => ({
  id: 'o'.repeat(22),
  accountId: 'a'.repeat(22),
  account: 'abcdefgh',
  chatId: count,
  placement: flag ? 'review' : text,
  reason: flag ? text : null,
  quantity: count,
  since: now,
  nextLookAt: flag ? now : null,
})
const callback = ({ text, flag, count }: Values) => ({
  id: count,
  orderId: text,
  reference: text,
  status: text,
  receivedAt: now,
  isUnapplied: flag,
  isAnswer: !flag,
})

/** A few rows, as a page lists them. */
const few = <T>({ count }: Values, value: T): T[] => times(count % 6, value)

const personOf = ({ text, count }: Values) => ({
  id: count,
  name: count % 2 ? text : null,
  username: count % 3 ? 'ama_data' : null,
})

const wording: Wording<typeof words> = {
  stuckLabel: ({ count }) => words.stuckLabel(count),
  overview: (values) =>
    words.overview({
      down: values.flag ? [values.text] : [],
      maintenance: values.flag ? maintenance(values) : null,
      accounts: values.count,
      people: people(values),
      today: times(placements.length, { state: values.text, count: values.count }),
      open: placements.map((placement) => ({ placement, count: values.count })),
      callbacks: { count: values.count, oldest: values.flag ? now : null },
      messages: { count: values.count, oldest: values.flag ? null : now },
      database: values.text,
      version: values.text,
      now,
    }),
  stuck: (values) =>
    words.stuck(stuck(values), { refused: values.count, frozen: values.count, muted: values.count }),
  notices: (values) => words.notices(few(values, notice(values)), values.count, values.count, now),
  notice: (values) => words.notice(notice(values), now),
  orders: (values) => words.orders(few(values, order(values)), values.count, values.count, now),
  order: (values) => words.order(order(values), now),
  callbacks: (values) => words.callbacks(few(values, callback(values)), values.count, values.count, now),
  callback: (values) => words.callback(callback(values), now),
  dismissed: ({ count }) => words.dismissed(count),
  accounts: (values) =>
    words.accounts(
      few(values, {
        account: 'abcdefgh',
        refusedSince: values.flag ? now : null,
        frozenUntil: values.flag ? null : now,
      }),
      values.count,
      values.count,
      now,
    ),
  invitation: () => words.invitation('https://t.me/bot?start=i1', 24 * 60 * 60_000),
  invitationText: () => words.invitationText('https://t.me/bot?start=i1', 24 * 60 * 60_000),
  invitations: (values) => words.invitations(few(values, { createdAt: now, expiresAt: now }), now),
  revokeLabel: ({ count }) => words.revokeLabel(count),
  blockedChats: (values) =>
    words.blockedChats(few(values, { chatId: -values.count, since: now }), values.count, values.count, now),
  unblockLabel: ({ count }) => words.unblockLabel(count),
  notAnId: ({ text }) => words.notAnId(text),
  notMet: ({ text }) => words.notMet(text),
  askBlock: ({ flag }) => words.askBlock(flag),
  personLabel: (values) => words.personLabel(personOf(values)),
  askBlockSure: (values) =>
    words.askBlockSure({
      chatId: values.count,
      person: values.flag ? personOf(values) : null,
      role: values.flag ? 'owner' : null,
      open: values.count,
    }),
  maintenanceOn: (values) => words.maintenanceOn(maintenance(values), now),
  askPause: ({ count, flag, text }) => words.askPause(count, flag ? text : null),
  reasonTooLong: ({ count }) => words.reasonTooLong(count),
  lengthLabel: ({ count, flag }) => words.lengthLabel(count, flag),
}

testTexts(words, wording, {
  plain: ['personLabel', 'invitationText'],
  others: ['stuckTotal'],
})

test('the operators’ overview counts orders in up to five states, and of more than five states it counts four and adds up the others', () => {
  const today = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ state: `state${index}`, count: 10 - index }))
  const screen = (states: number) =>
    words.overview({
      maintenance: null,
      down: [],
      accounts: 0,
      today: today(states),
      open: [],
      people: { owners: 0, agents: 0, following: 0, muted: 0, blocked: 0 },
      callbacks: { count: 0, oldest: null },
      messages: { count: 0, oldest: null },
      database: 'SQLite',
      version: '1',
      now,
    })
  expect(screen(5)).toContain('state4 6')
  expect(screen(5)).not.toContain('other')
  expect(screen(6)).toContain('state3 7 · other states 11')
})
