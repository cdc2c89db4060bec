import type { Facts, Order, Said } from '../facts.ts'
import { type Check, lookAt, together } from '../finding.ts'
import { amountsIn, phonesIn, referencesIn } from '../words.ts'

/** No chat got anything about another account's order, and no agent saw a cost that the shop hides from agents. */
export const privacy: Check = (facts) => {
  const texts = facts.telegram.entries.filter(
    (entry): entry is Said => entry.by === 'bot' && Boolean(entry.text),
  )
  const seen = new Map<string, Said>(texts.map((said) => [`${said.chat} ${said.text}`, said]))
  const distinct = [...seen.values()]
  return together(lookAt(distinct, foreignOrder(facts)), lookAt(agentsTexts(facts, distinct), costIn(facts)))
}

const foreignOrder = (facts: Facts) => {
  const { orders, accountOf } = facts
  const byReference = Map.groupBy([...orders.values()], ({ reference }) => reference)
  const byPhone = Map.groupBy(
    [...orders.values()].flatMap((order) => order.phones.map((phone) => ({ phone, order }))),
    ({ phone }) => phone,
  )
  const insiders = insidersOf(facts)
  const wallets = walletsOf(facts)
  const shops = new Set(facts.database.shops.map(({ phone }) => phone))
  const belongs = (chat: number, accounts: readonly string[]): boolean =>
    accounts.some((account) => insiders.get(account)?.has(chat))

  return ({ chat, text, messageId }: Said): string | null => {
    const isOwn = (name: string): boolean =>
      facts.writtenIn(chat).replaceAll(/[ -]/g, '').includes(name.replaceAll('-', ''))
    for (const reference of referencesIn(text)) {
      const holders = (byReference.get(reference) ?? []).map(({ accountId }) => accountId)
      const wallet = accountOf.get(reference)
      const accounts = wallet === undefined ? holders : [...holders, ...(wallets.get(wallet) ?? [])]
      if (accounts.length === 0 || belongs(chat, accounts) || isOwn(reference)) continue
      if ((byReference.get(reference) ?? []).some(({ id }) => isShared(facts, chat, id))) continue
      return `chat ${chat} read ${reference} of account ${accounts[0]} in message ${messageId}`
    }
    for (const phone of phonesIn(text)) {
      const accounts = (byPhone.get(phone) ?? []).map(({ order }) => order.accountId)
      if (accounts.length === 0 || belongs(chat, accounts) || isOwn(phone) || shops.has(phone)) continue
      return `chat ${chat} read ${phone} of account ${accounts[0]} in message ${messageId}`
    }
    return null
  }
}

/** Whether the chat follows the order, or has opened its link. */
const isShared = ({ database, writtenIn }: Facts, chat: number, orderId: string): boolean =>
  database.follows.some((follow) => follow.chatId === chat && follow.orderId === orderId) ||
  writtenIn(chat).includes(orderId)

/** For each account of the bot, the chats of everybody who ever belonged to it. */
const insidersOf = ({ database, orders, purchases }: Facts): Map<string, Set<number>> => {
  const insiders = new Map<string, Set<number>>()
  const add = (account: string, chat: number | null): void => {
    if (chat !== null) insiders.set(account, (insiders.get(account) ?? new Set()).add(chat))
  }
  for (const { accountId, chatId } of database.members) add(accountId, chatId)
  for (const { accountId, usedBy } of database.invited) add(accountId, usedBy)
  for (const { accountId, chatId } of purchases.values()) add(accountId, chatId)
  for (const { accountId, chatId, ownerChatId } of orders.values()) {
    add(accountId, chatId)
    add(accountId, ownerChatId)
  }
  return insiders
}

/** For each wallet at the provider, the bot's accounts that have references of it or send orders to it. */
const walletsOf = ({ orders, accountOf, posts }: Facts): Map<string, Set<string>> => {
  const wallets = new Map<string, Set<string>>()
  const add = (wallet: string | null | undefined, account: string | undefined): void => {
    if (wallet && account) wallets.set(wallet, (wallets.get(wallet) ?? new Set()).add(account))
  }
  for (const { reference, accountId } of orders.values()) add(accountOf.get(reference ?? ''), accountId)
  for (const { accountId, orderId } of posts) add(accountId, orders.get(orderId)?.accountId)
  return wallets
}

interface AgentsText {
  said: Said
  order: Order
}

/** The texts that agents got about their own orders, in shops that hide costs from them. */
const agentsTexts = ({ database, orders }: Facts, texts: readonly Said[]): AgentsText[] => {
  const open = new Set(
    database.shops.filter(({ agentPrices }) => agentPrices === 'cost').map(({ accountId }) => accountId),
  )
  const agents = database.members.filter(({ role, accountId }) => role === 'agent' && !open.has(accountId))
  return agents.flatMap(({ userId, chatId }) =>
    [...orders.values()]
      .filter((order) => order.userId === userId && order.chatId === chatId)
      .flatMap((order) =>
        texts
          .filter(({ chat, text }) => chat === chatId && isAbout(text, order))
          .map((said) => ({ said, order })),
      ),
  )
}

const isAbout = (text: string, { reference, phones }: Order): boolean =>
  (reference !== null && text.includes(reference)) || phones.some((phone) => text.includes(phone))

const costIn =
  ({ orders }: Facts) =>
  ({ said, order }: AgentsText): string | null => {
    const own = [...orders.values()].filter(({ userId }) => userId === order.userId)
    const prices = new Set(
      own.flatMap(({ agentUnitPesewas: unit, quantity }) => (unit === null ? [] : [unit, unit * quantity])),
    )
    const { unitPricePesewas, quantity, chargedPesewas } = order
    const costs = [unitPricePesewas, unitPricePesewas * quantity, chargedPesewas].filter(
      (cost) => cost !== null && !prices.has(cost),
    )
    const read = amountsIn(said.text).find((amount) => costs.includes(amount))
    return read === undefined
      ? null
      : `agent ${order.userId} read the cost of order ${order.id} in message ${said.messageId}`
  }
