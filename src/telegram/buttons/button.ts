import type { When } from '../../accounts/departure.ts'
import { agentPriceKinds } from '../../domain/selling.ts'
import { exportFormats } from '../../exports/export-file.ts'
import { accentNames } from '../../pictures/theme.ts'
import { topics } from '../../settings/setting.ts'
import { periods } from '../../shop/stats-period.ts'
import { agentNotifyLevels } from '../../store/accounts/accounts.ts'
import {
  type Codec,
  type Contents,
  flag,
  matching,
  nullAs,
  oneOf,
  optional,
  type ValueOf,
  type Variant,
  variants,
  whole,
} from './codec.ts'
import { entriesWish } from './entries.ts'
import { exportSubjects, period } from './export.ts'
import {
  addition,
  bundleId,
  chatId,
  count,
  digest,
  id,
  invitationName,
  invitationSecret,
  limit,
  network,
  networkName,
  phone,
  placeOrAll,
  prefixChange,
  price,
  pricedBundleId,
  products,
  rounding,
  rowId,
  rule,
  setting,
  shortCount,
  size,
  suggestion,
  tierScope,
  timeMs,
  userId,
} from './fields.ts'
import { helpTopics } from './help.ts'
import { historyFilter } from './history.ts'

/** What one of several acts carries, by its word. */
const acts = <Kinds extends Readonly<Record<string, Contents>>>(kinds: Kinds): Codec<Variant<'act', Kinds>> =>
  variants('act', kinds)

const whens = ['confirmed', 'done', 'now'] as const satisfies readonly When[]

const aboutOrder = { orderId: id }
const aboutAgent = { id: userId }
const aboutContact = { id }
const aboutEnquiry = { enquiryId: id }
const ofNetwork = { network: optional(networkName, null) }

/**
 * Every button: its word, and what it carries in the order of its data. Types, writer, reader and the handlers that
 * features owe follow from here. The words stay as they are, so that a press on any old message works.
 *
 * Keyboards keep no state: a press works after a restart, and in any order. Callback data may be forged, so what it
 * names is checked against its owner when it is used.
 */
const table = variants('do', {
  home: {},
  leave: {},
  connect: {},
  /** The account is named, so that an old question is not answered about another one. */
  disconnect: { when: oneOf([...whens, 'never']), accountId: id },
  /** The time until which the credentials wait names them. */
  switch: { sure: flag, untilMs: timeMs },
  /** The waiting credentials are a new key of the same account. */
  replace_key: { untilMs: timeMs },
  networks: {},
  /** All of them, also where the person has settled for one. */
  all_networks: {},
  bulk_networks: {},
  bundles: { network: networkName, page: count },
  /** A bundle was chosen; with a phone where the number is known already. */
  bundle: { bundleId, phone: optional(phone, null) },
  /** The number stays on this bundle's network although it looks like another's. */
  keep: { bundleId, phone },
  /** Asks for the person's own number, which their app can share. */
  own_number: { bundleId },
  /** The number is known, the network is to be chosen. */
  networks_for: { phone },
  bundles_for: { network: networkName, phone, page: count },
  /** `after`: the card says that the same went to that number, by that order (`briefId`). */
  confirm: { purchaseId: id, after: optional(digest, null) },
  cancel: { purchaseId: id },
  /** Corrects a draft of one number. */
  draft: {
    purchaseId: id,
    act: acts({
      /** Shows the card again. */
      card: {},
      /** Asks for another number. */
      number: {},
      /** A page of the network's bundles. */
      size: { page: shortCount },
      /** The network's other bundles of that size. */
      offers: {},
      /** A page of that network's bundles for that number. */
      other: { network: networkName, phone, page: shortCount },
      /** Puts a draft for that bundle and number in its place. */
      set: { bundleId, phone },
    }),
  },
  send_anyway: aboutOrder,
  /** The person's word on an order that the wallet's entries leave open. */
  judge: { orderId: id, charged: flag },
  refresh: aboutOrder,
  open: aboutOrder,
  /** A new purchase like that order; the nonce is spent by the first press. */
  again: { orderId: id, nonce: count },
  /** The same below news, which stays as it is. */
  again_news: { orderId: id, nonce: count },
  share: aboutOrder,
  report: aboutOrder,
  follow: aboutOrder,
  unfollow: aboutOrder,
  look: aboutOrder,
  /** An order that the chat follows, in a message of its own. */
  open_shared: aboutOrder,
  /** Questions to the shop. */
  enquiry: {
    act: acts({ ask: aboutOrder, answer: aboutEnquiry, block: aboutEnquiry, unblock: aboutEnquiry }),
  },
  /** Saved numbers. Customers, orders and changes are named by id, and found in one's own book. */
  contacts: {
    act: acts({
      /** A page of the book. */
      list: { page: shortCount },
      search: {},
      add: {},
      import: {},
      export: {},
      export_csv: {},
      open: aboutContact,
      buy: aboutContact,
      rename: aboutContact,
      delete: aboutContact,
      /** Takes a change of the book back. */
      undo: { change: id },
      /** Saves the number of an order: the name is asked. */
      save: aboutOrder,
      /** Numbers that were kept on another network than their prefix says; forgets one, or all. */
      kept: {},
      forget_kept: { phone },
      forget_all_kept: {},
      /** Which of several was meant by `Kofi 5gb`: the network only where it was named, else empty. */
      meant: { id, size, network: optional(matching(/^[A-Za-z]{1,12}$/), '') },
    }),
  },
  /** An agent is named by the user id; that they are one of the presser's account is checked when it is used. */
  agents: {
    act: acts({
      list: {},
      invite: {},
      /** Takes back all open invitations. */
      revoke_all: {},
      /** Takes back an open invitation. */
      revoke: { name: invitationName },
      open: aboutAgent,
      limit: aboutAgent,
      /** Null: no limit. */
      set_limit: { id: userId, pesewas: limit },
      networks: aboutAgent,
      /** Allowed from now on, or no longer. */
      network: { id: userId, network, allowed: flag },
      pause: { id: userId, paused: flag },
      tell: aboutAgent,
      set_tell: { id: userId, level: oneOf(agentNotifyLevels) },
      orders: { id: userId, page: whole(0, 99_999) },
      /** What all agents see of prices. */
      prices: {},
      set_prices: { prices: oneOf(agentPriceKinds) },
      remove: aboutAgent,
      remove_sure: aboutAgent,
      remove_owner: aboutAgent,
      remove_owner_sure: aboutAgent,
      /** Somebody becomes an agent by that invitation, or does not. */
      join: { secret: invitationSecret },
      stay: {},
    }),
  },
  orders: { page: count, filter: historyFilter },
  search_orders: {},
  /** The guided list: network, bundle, then the numbers. */
  bulk: {},
  bulk_bundles: { network: networkName, page: count },
  bulk_bundle: { bundleId },
  /** The card of a list. */
  list: {
    purchaseId: id,
    act: acts({
      confirm: { digest },
      /** A page of the lines to fix. */
      page: { page: count },
      /** The digest names the question, for places may change; the choice goes by its place. */
      answer: { question: digest, choice: count },
      /** Takes back the answer to that question. */
      unanswer: { question: digest },
      repeats: { order: flag },
      fits: { fits: flag },
      fix: {},
      /** Its lines correct that list. */
      correct: { listId: id },
      /** Puts a suggestion into its line. */
      accept: { line: count, instead: suggestion },
      /** Puts all suggestions of that page into their lines; the digest names them. */
      accept_all: { page: count, digest },
      /** Takes the last correction back, which the digest names. */
      uncorrect: { digest },
      /** The lines of a draft, or the results of a list, as a file. */
      excel: {},
      csv: {},
      /** The references of its orders, in a message of their own; then its pages. */
      references: {},
      references_page: { page: count },
      /** Reads prices and balance again, and shows the card here. */
      look: {},
      /** Shows it in a message of its own, which is the card from then on. */
      open: {},
      go_on: {},
      stop: {},
      retry: {},
      /** The numbers that certainly got nothing. */
      retry_sure: {},
      /** A page of the numbers whose failure is not certain. */
      doubtful: { page: count },
      /** One number whose order is known to have failed only as a whole. */
      retry_one: { position: count },
      /** The numbers that were refused, without those that are known to be pending. */
      again: {},
      /** A new preview; the nonce is spent by the first press. */
      repeat: { nonce: count },
    }),
  },
  settings: {
    act: acts({
      show: {},
      /** The choices of one. */
      open: { topic: oneOf(topics) },
      set: { setting },
      /** What can be done with what the bot keeps of the person. */
      data: {},
      export: {},
      /** What happened that matters for the account's security. */
      security: {},
      /** Asks whether to forget it. */
      forget: {},
      /** The answer, about the account that was asked about; null: the person had none. */
      forget_sure: { when: oneOf(whens), accountId: nullAs('-', id) },
    }),
  },
  balance: {},
  /** The wallet's entries. */
  transactions: { wish: entriesWish },
  /** A file of orders or of the wallet's entries. */
  export: {
    act: acts({
      /** Asks what is to be exported. */
      begin: {},
      /** Asks for the time. */
      of: { subject: oneOf(exportSubjects) },
      /** Asks for a time to be typed. */
      type: { subject: oneOf(exportSubjects) },
      /** Asks for the kind of file. */
      period: { subject: oneOf(exportSubjects), period },
      make: { subject: oneOf(exportSubjects), period, format: oneOf(exportFormats) },
      /** Ends the export that the message tells of. */
      stop: {},
    }),
  },
  /** Orders once more what stands in an exported file that was sent back. */
  own_file: {},
  prices: products,
  /** What waits for the provider: tries it now, or no more. */
  unanswered: { id, act: acts({ again: {}, drop: {} }) },
  /** Selling prices and receipts. */
  selling: {
    act: acts({
      /** The selling menu, for one network's price list or for all. */
      menu: ofNetwork,
      picture: ofNetwork,
      /** The same in the size of a phone's screen. */
      status: ofNetwork,
      text: ofNetwork,
      /** The rule, to be settled by buttons or typing. */
      rule: {},
      /** Settles what the rule adds; its rounding stays. */
      add: addition,
      round: { pesewas: rounding },
      no_rule: {},
      /** Undoes a change that is still the last: puts `before` in the place of `after`. */
      undo_rule: { before: rule, after: rule },
      /** Rules by network or size; then one of them, or one to be. */
      tiers: {},
      tier: tierScope,
      /** Settles it; null: takes it away. */
      set_tier: { ...tierScope, rule },
      undo_tier: { ...tierScope, before: rule, after: rule },
      networks: {},
      bundles: { network: networkName, page: count },
      bundle: { bundleId: pricedBundleId },
      /** The bundle goes by the rule again. */
      by_rule: { bundleId: pricedBundleId },
      undo_price: { bundleId: pricedBundleId, before: price, after: price },
      /** How the shop looks to its customers. */
      shop: {},
      /** Asks for the shop's number, or takes it away. */
      shop_phone: {},
      no_shop_phone: {},
      colours: {},
      colour: { accent: oneOf(accentNames) },
      /** Asks for the shop's letter, or goes back to the first of its name. */
      letter: {},
      first_letter: {},
      /** The networks whose bundles can be hidden from price lists; then a page of one's bundles. */
      hiding: {},
      hiding_of: { network: networkName, page: shortCount },
      /** Hides a bundle, or shows it again. */
      hide: { bundleId: pricedBundleId, isHidden: flag, page: shortCount },
      receipt: aboutOrder,
      /** A page of the numbers that one receipt may be for. */
      receipts: { orderId: id, page: count },
      /** The receipt for the number at that place, or for all of them. */
      receipt_for: { orderId: id, position: placeOrAll },
      /** Asks for what the order was really sold for. */
      sold_for: aboutOrder,
      undo_sold: { orderId: id, before: price, after: price },
    }),
  },
  stats: { period: oneOf(periods) },
  /** Without a topic: the list of topics. */
  help: { topic: optional(oneOf(helpTopics), null) },
  /** The operators' overview. */
  admin: {},
  /** An invitation to the bot. */
  invite: {},
  /** That it is an operator who presses is checked at every press. */
  operator: {
    act: acts({
      /** What is stuck: messages that were given up and callbacks go by their numbers. */
      stuck: {},
      notices: { page: shortCount },
      notice: { id: rowId },
      again: { id: rowId },
      drop: { id: rowId },
      orders: { page: shortCount },
      order: aboutOrder,
      look: aboutOrder,
      callbacks: { page: shortCount },
      callback: { id: rowId },
      dismiss: { id: rowId },
      dismiss_all: { id: rowId },
      accounts: { page: shortCount },
      invitations: {},
      revoke: { name: invitationName },
      security: { page: shortCount },
      blocked: { page: shortCount },
      ask_block: {},
      block: { chatId },
      block_sure: { chatId },
      unblock: { chatId },
      maintenance: {},
      reason: {},
      no_reason: {},
      /** How long the pause is to last; 0: nobody knows. */
      pause: { minutes: shortCount },
      pause_sure: { minutes: shortCount },
      until: { minutes: shortCount },
      resume: {},
      resume_sure: {},
      networks: {},
      network_down: { network },
      network_up: { network },
      prefixes: {},
      prefix_edit: {},
      prefix_back: prefixChange,
      prefix_reset: {},
      /** Asks for the bot's name; or leaves it to BotFather. */
      bot_name: {},
      bot_name_left: {},
    }),
  },
})

/** What a button does, and with what. */
export type ButtonPress = ValueOf<typeof table>

/** What the buttons of that word do, where they do several things. */
export type ActOf<Do extends ButtonPress['do']> = Extract<ButtonPress, { do: Do; act: unknown }>['act']

/** Telegram's limit. */
const maxBytes = 64

/** Writes the data of a button. @throws RangeError where Telegram would not take it. */
export const encodePress = (press: ButtonPress): string => {
  const data = table.write(press).join(':')
  if (Buffer.byteLength(data) > maxBytes) throw new RangeError(`Callback data is too long for ${press.do}`)
  return data
}

/** Reads callback data; null for anything that this version's keyboards cannot have sent. */
export const decodePress = (data: string): ButtonPress | null => {
  if (Buffer.byteLength(data) > maxBytes) return null
  const press = table.read(data.split(':'))
  return press && table.write(press).join(':') === data ? press : null
}
