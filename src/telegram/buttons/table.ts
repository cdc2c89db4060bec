import type { When } from '../../accounts/departure.ts'
import { complaintKinds, complaintRules } from '../../domain/order/complaint.ts'
import { agentPriceKinds } from '../../domain/selling/price-rule.ts'
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
import { entriesWish, entryFilters } from './entries-wish.ts'
import { exportSubjects, period } from './export-choice.ts'
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
  minutesOfDay,
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
  weekday,
} from './fields.ts'
import { helpTopics } from './help.ts'
import { historyFilter } from './history-filter.ts'

/** The acts of a button that does several things, and the values that each act carries. */
const acts = <Kinds extends Readonly<Record<string, Contents>>>(kinds: Kinds): Codec<Variant<'act', Kinds>> =>
  variants('act', kinds)

const whens = ['confirmed', 'done', 'now'] as const satisfies readonly When[]

const aboutOrder = { orderId: id }
const aboutAgent = { id: userId }
const aboutContact = { id }
const aboutReminder = { id }
const aboutEnquiry = { enquiryId: id }
/** A number of the order; null: the whole order. */
const aboutNumber = { orderId: id, position: nullAs('all', count) }
const ofNetwork = { network: optional(networkName, null) }

/**
 * Every button: the word that begins its data, and the values that follow, in their order. The types, the writer, the
 * reader and the handlers that features must have are derived from this table. A word never changes, so that a press on
 * any old message works. Keyboards keep no state: a press works after a restart, and in any order. Callback data may be
 * forged, so the handler checks that whatever the data names belongs to the person who pressed.
 */
const table = variants('do', {
  home: {},
  /** Shows the buttons that are not on the home menu. */
  home_more: {},
  leave: {},
  connect: {},
  /** The button carries the account, so that a press on an old question never removes another account. */
  disconnect: { when: oneOf([...whens, 'never']), accountId: id },
  /** Switches to the account of the waiting credentials. `untilMs`, when they expire, also identifies them. */
  switch: { sure: flag, untilMs: timeMs },
  /** Takes the waiting credentials as a new key for the same account. */
  replace_key: { untilMs: timeMs },
  networks: {},
  /** Offers all networks, even if the person has chosen one in the settings. */
  all_networks: {},
  bulk_networks: {},
  bundles: { network: networkName, page: count },
  /** Chooses a bundle. `phone` is set if the number is already known. */
  bundle: { bundleId, phone: optional(phone, null) },
  /** Keeps this bundle's network although the number's prefix belongs to another network. */
  keep: { bundleId, phone },
  /** Asks for the person's own number, which their app can share. */
  own_number: { bundleId },
  /** Offers the networks for a number that is known already. */
  networks_for: { phone },
  bundles_for: { network: networkName, phone, page: count },
  /** `after`: the `briefId` of the earlier order that the card warns about; null if it warns about none. */
  confirm: { purchaseId: id, after: optional(digest, null) },
  cancel: { purchaseId: id },
  /** Corrects a draft of one number. */
  draft: {
    purchaseId: id,
    act: acts({
      /** Shows the draft's card again. */
      card: {},
      /** Asks for another number. */
      number: {},
      /** Shows a page of the network's bundles. */
      size: { page: shortCount },
      /** Shows the network's other bundles of the draft's size. */
      offers: {},
      /** Shows a page of another network's bundles for the number `phone`. */
      other: { network: networkName, phone, page: shortCount },
      /** Replaces the draft by one for the bundle and number that the button carries. */
      set: { bundleId, phone },
    }),
  },
  send_anyway: aboutOrder,
  /** Says whether an order was charged, if the wallet's entries do not show it. */
  judge: { orderId: id, charged: flag },
  refresh: aboutOrder,
  open: aboutOrder,
  /** Makes a new purchase like the order. The first press uses up the nonce, so a second press makes none. */
  again: { orderId: id, nonce: count },
  /** Shows all buttons of an order below the pressed message. */
  more: aboutOrder,
  share: aboutOrder,
  report: aboutOrder,
  follow: aboutOrder,
  unfollow: aboutOrder,
  look: aboutOrder,
  /** Shows an order that the chat follows, in a new message. */
  open_shared: aboutOrder,
  /** Questions to the shop. */
  enquiry: {
    act: acts({ ask: aboutOrder, answer: aboutEnquiry, block: aboutEnquiry, unblock: aboutEnquiry }),
  },
  /** Complaints that a delivered order has not arrived. */
  complaint: {
    act: acts({
      begin: aboutOrder,
      /** Shows a page of the order's numbers, to choose the one that got nothing. */
      numbers: { orderId: id, page: count },
      /** Asks what is wrong. */
      of: aboutNumber,
      /** Asks for a picture of the balance. */
      picture: { ...aboutNumber, kind: oneOf(complaintKinds) },
      /** Raises the complaint without a picture. */
      raise: { ...aboutNumber, kind: oneOf(complaintKinds) },
      /** Says that it is solved, or that the order has arrived. */
      solve: { complaintId: id },
    }),
  },
  /** Saved numbers. Contacts, orders and changes are named by id and looked up only in the presser's own book. */
  contacts: {
    act: acts({
      /** Shows a page of the contact book. */
      list: { page: shortCount },
      /** Shows what can be done with the whole book. */
      more: {},
      search: {},
      add: {},
      import: {},
      export: {},
      export_csv: {},
      open: aboutContact,
      buy: aboutContact,
      rename: aboutContact,
      delete: aboutContact,
      /** Undoes a change of the contact book. */
      undo: { change: id },
      /** Saves the number of an order; the bot asks for the name. */
      save: aboutOrder,
      /**
       * Shows the numbers that the person kept on another network than their prefix says. `forget_…` forgets one, or
       * all.
       */
      kept: {},
      forget_kept: { phone },
      forget_all_kept: {},
      /** Says which of several contacts `Kofi 5gb` meant. The network is empty unless the message named it. */
      meant: { id, size, network: optional(matching(/^[A-Za-z]{1,12}$/), '') },
    }),
  },
  /**
   * Agents of the presser's account. `id` is a user id; the handler checks that this person is an agent of the account.
   */
  agents: {
    act: acts({
      list: {},
      page: { page: shortCount },
      /** Shows what owners rarely need: what all agents see, the invitations, and the other owners. */
      others: {},
      owners: {},
      invitations: {},
      invite: {},
      /** Revokes all open invitations. */
      revoke_all: {},
      revoke: { name: invitationName },
      open: aboutAgent,
      limit: aboutAgent,
      /** Sets the daily limit; null removes it. */
      set_limit: { id: userId, pesewas: limit },
      /** Shows the rule that makes this agent's prices; `set_price` sets it, and null removes it. */
      price: aboutAgent,
      set_price: { id: userId, rule },
      /** Asks an owner to raise today's limit for a purchase. Only agents press it. */
      ask: { purchaseId: id },
      /** Answers an agent who asked for more. `pesewas`: today's new limit; null: the limit stays as it is. */
      raise: { id: userId, pesewas: limit, purchaseId: id },
      more: aboutAgent,
      networks: aboutAgent,
      /** Allows the network from now on, or forbids it. */
      network: { id: userId, network, allowed: flag },
      pause: { id: userId, paused: flag },
      tell: aboutAgent,
      set_tell: { id: userId, level: oneOf(agentNotifyLevels) },
      orders: { id: userId, page: whole(0, 99_999) },
      /** Asks which prices all agents see. */
      prices: {},
      set_prices: { prices: oneOf(agentPriceKinds) },
      remove: aboutAgent,
      remove_sure: aboutAgent,
      remove_owner: aboutAgent,
      remove_owner_sure: aboutAgent,
      /** Accepts the invitation to become an agent, or declines it. */
      join: { secret: invitationSecret },
      stay: {},
    }),
  },
  /** Reminders, named by id and looked up only among the presser's own; orders that a new one is for. */
  remind: {
    act: acts({
      list: { page: shortCount },
      open: aboutReminder,
      pause: { id, paused: flag },
      delete: aboutReminder,
      /** Asks on which day to remind of an order like this one, then at what time. */
      days: aboutOrder,
      times: { orderId: id, weekday },
      /** Makes the reminder. */
      set: { bundleId: pricedBundleId, phone, weekday, minutes: minutesOfDay },
    }),
  },
  orders: { page: count, filter: historyFilter },
  filter_orders: { filter: historyFilter },
  /** The guided list: network, bundle, then the numbers. */
  bulk: {},
  bulk_bundles: { network: networkName, page: count },
  bulk_bundle: { bundleId },
  /** The card of a list, and messages about the list. */
  list: {
    purchaseId: id,
    act: acts({
      confirm: { digest },
      /** Shows a page of the lines to fix. */
      page: { page: count },
      /** Shows the buttons of a preview that are rarely needed. */
      more: {},
      /**
       * Answers a question. The digest identifies it, because its place may change; `choice` is the place of the
       * answer.
       */
      answer: { question: digest, choice: count },
      unanswer: { question: digest },
      repeats: { order: flag },
      fits: { fits: flag },
      fix: {},
      /** Uses the draft's lines as corrections of the list `listId`. */
      correct: { listId: id },
      /** Replaces a line's damaged words by a suggestion. */
      accept: { line: count, instead: suggestion },
      /** Accepts all suggestions on the page, unless they differ from those in the digest. */
      accept_all: { page: count, digest },
      /** Undoes the last correction, which the digest identifies. */
      uncorrect: { digest },
      /** Sends the lines of a draft, or the results of a list, as a file. */
      excel: {},
      csv: {},
      /** Sends a draft as the file that the network's own portal takes. */
      network_file: {},
      /** Orders the numbers in that file here after all. */
      put_back: {},
      /**
       * Shows the list's numbers in a new message. `numbers_page` turns its pages, `references_page` shows
       * references.
       */
      numbers: {},
      numbers_page: { page: count },
      references_page: { page: count },
      /** Saves the names that stand next to the list's numbers. */
      save_names: {},
      /** Reads prices and balance again, and redraws the card in place. */
      look: {},
      /** Shows the card in a new message. Only that message is updated from then on. */
      open: {},
      go_on: {},
      stop: {},
      retry: {},
      /** Retries only the numbers that certainly got nothing. */
      retry_sure: {},
      /** Shows a page of the numbers whose failure is not certain. */
      doubtful: { page: count },
      /** Retries one number whose failure is not certain. */
      retry_one: { position: count },
      /** Retries the refused numbers, except those that have an open order at the provider. */
      again: {},
      /** Makes a new preview of the same list. The first press uses up the nonce, so a second press makes none. */
      repeat: { nonce: count },
    }),
  },
  settings: {
    act: acts({
      show: {},
      /** Shows the settings that few people change. */
      more: {},
      /** Shows the choices of one setting. */
      open: { topic: oneOf(topics) },
      set: { setting },
      /** Shows what the person can do with the data that the bot keeps about them. */
      data: {},
      export: {},
      /** Shows the account's security log. */
      security: {},
      /** Asks whether to forget the person's data. */
      forget: {},
      /** Forgets the data. `accountId` is the account that the question named; null if the person had none. */
      forget_sure: { when: oneOf(whens), accountId: nullAs('-', id) },
    }),
  },
  balance: {},
  transactions: { wish: entriesWish },
  /** Asks which of the entries to show. */
  transactions_filters: { filter: oneOf(entryFilters) },
  /** Makes a file of orders or of the wallet's entries. */
  export: {
    act: acts({
      /** Asks what to export. */
      begin: {},
      /** Asks for the period to export. */
      of: { subject: oneOf(exportSubjects) },
      /** Asks the person to type a period. */
      type: { subject: oneOf(exportSubjects) },
      /** Asks for the kind of file. */
      period: { subject: oneOf(exportSubjects), period },
      make: { subject: oneOf(exportSubjects), period, format: oneOf(exportFormats) },
      /** Stops the export that this message shows. */
      stop: {},
    }),
  },
  /** Orders again the numbers of an exported file that the person sent back. */
  own_file: {},
  prices: products,
  /** A request that the provider did not answer: tries it again now, or drops it. */
  unanswered: { id, act: acts({ again: {}, drop: {} }) },
  /** Selling prices and receipts. */
  selling: {
    act: acts({
      /** Shows the selling menu. Its price list has one network or all of them. */
      menu: ofNetwork,
      picture: ofNetwork,
      text: ofNetwork,
      /** Shows the price rule, which buttons or typing can change. */
      rule: {},
      /** Sets what the rule adds; its rounding stays. */
      add: addition,
      /** Asks to what amount prices are rounded up; `round` sets it. */
      rounding: {},
      round: { pesewas: rounding },
      no_rule: {},
      /** Undoes a change of the rule, from `after` back to `before`, unless a later change has replaced it. */
      undo_rule: { before: rule, after: rule },
      /** Shows a page of the price rules for one network or for large sizes. `tier` shows one of them, or a new one. */
      tiers: { page: optional(shortCount, 0) },
      tier: tierScope,
      /** Sets the tier's rule; null removes it. */
      set_tier: { ...tierScope, rule },
      undo_tier: { ...tierScope, before: rule, after: rule },
      networks: {},
      bundles: { network: networkName, page: count },
      bundle: { bundleId: pricedBundleId },
      /** Removes the bundle's own price, so that the rule applies again. */
      by_rule: { bundleId: pricedBundleId },
      undo_price: { bundleId: pricedBundleId, before: price, after: price },
      /** Shows how the shop looks to its customers. */
      shop: {},
      /** Asks for the shop's number, or removes it. */
      shop_phone: {},
      no_shop_phone: {},
      colours: {},
      colour: { accent: oneOf(accentNames) },
      /** Asks which letter stands for the shop in its pictures, or goes back to the first letter of its name. */
      letter: {},
      first_letter: {},
      /**
       * Shows the networks whose bundles can be hidden from price lists. `hiding_of` shows a page of one network's
       * bundles.
       */
      hiding: {},
      hiding_of: { network: networkName, page: shortCount },
      /** Hides a bundle, or shows it again. */
      hide: { bundleId: pricedBundleId, isHidden: flag, page: shortCount },
      receipt: aboutOrder,
      /** Shows a page of the order's numbers, to choose the one for the receipt. */
      receipts: { orderId: id, page: count },
      /** Makes the receipt for the number at that place in the order, or for all of them. */
      receipt_for: { orderId: id, position: placeOrAll },
      /** Asks for the price that the order was really sold for. */
      sold_for: aboutOrder,
      undo_sold: { orderId: id, before: price, after: price },
    }),
  },
  stats: { period: oneOf(periods) },
  /** Adds up the owner's day. `picture`: as a picture, in a new message. */
  close_day: { picture: flag },
  /** Without a topic, shows the list of topics. */
  help: { topic: optional(oneOf(helpTopics), null) },
  /** Shows the operators' overview. */
  admin: {},
  /** Makes an invitation to the bot. */
  invite: {},
  /** Operators' buttons. Every press checks that the presser is an operator. */
  operator: {
    act: acts({
      /**
       * What is stuck: notices that were given up, orders, and callbacks. `id` is the row of a notice or of a callback.
       */
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
      /** Asks whether to pause all orders for these minutes; 0: until further notice. */
      pause: { minutes: shortCount },
      pause_sure: { minutes: shortCount },
      until: { minutes: shortCount },
      resume: {},
      resume_sure: {},
      networks: {},
      /** Asks whether to mark the network as down; `network_down_sure` marks it. */
      network_down: { network },
      network_down_sure: { network },
      network_back: { network },
      /** Shows the networks' balance codes, and asks for one. */
      codes: {},
      /** Shows how long the provider takes complaints about each network, or sets it. */
      complaints: {},
      complaint_rule: { network, rule: nullAs('none', oneOf(complaintRules)) },
      prefixes: {},
      prefix_edit: {},
      prefix_back: prefixChange,
      prefix_reset: {},
      /** Asks for the bot's name, or leaves the name to BotFather. */
      bot_name: {},
      bot_name_left: {},
    }),
  },
})

/** What a button does, with the values that it carries. */
export type ButtonPress = ValueOf<typeof table>

/** The acts of a button that does several things. */
export type ActOf<Do extends ButtonPress['do']> = Extract<ButtonPress, { do: Do; act: unknown }>['act']

/** Telegram's limit for the data of a button. */
const maxBytes = 64

/** Writes the data of a button. @throws RangeError if the data is longer than Telegram accepts. */
export const encodePress = (press: ButtonPress): string => {
  const data = table.write(press).join(':')
  if (Buffer.byteLength(data) > maxBytes) throw new RangeError(`Callback data is too long for ${press.do}`)
  return data
}

/** Reads callback data. Null if it is not written exactly as `encodePress` would write it. */
export const decodePress = (data: string): ButtonPress | null => {
  if (Buffer.byteLength(data) > maxBytes) return null
  const press = table.read(data.split(':'))
  return press && table.write(press).join(':') === data ? press : null
}
