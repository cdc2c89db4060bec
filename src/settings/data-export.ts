import { type Order, type Purchase, phonesOf } from '../domain/order/order.ts'
import { isRemoved } from '../domain/order/removed-phone.ts'
import { inPricesOf, seenPrice } from '../domain/selling/agent-prices.ts'
import type { AgentPrices } from '../domain/selling/price-rule.ts'
import { maskPhone } from '../provider/phone.ts'
import type { KeptPurchase, KeptReport } from '../store/accounts/personal-data.ts'
import type { Reminder } from '../store/orders/reminders.ts'
import type { Store } from '../store/store.ts'
import type { Somebody } from './change.ts'

const perPage = 200
/** The most saved networks of numbers in an export. Nobody has that many. */
const maxKept = 100_000

/**
 * The largest document, in bytes. Telegram accepts 50 MB from a bot, but a document of this size arrives even over a
 * slow connection.
 */
const maxBytes = 20 * 1024 * 1024

/**
 * Everything that the bot stores about a person and, for an owner, about their account. Yields JSON documents, each
 * as a stream of text. When a document is full, the next one begins. The orders are read page by page, so memory
 * does not grow with their number. The documents do not contain credentials or the ids of other people.
 */
export async function* exportOf(
  store: Store,
  person: Somebody,
  now: Date,
  limitBytes = maxBytes,
): AsyncGenerator<AsyncGenerator<string>> {
  const purchases = purchasesOf(store, person)
  let next = await purchases.next()

  const documentOf = async function* (part: number): AsyncGenerator<string> {
    yield `{\n"exported": ${JSON.stringify(now)},\n"part": ${part}`
    if (part === 1) yield* allButPurchases(store, person)
    yield ',\n"purchases": ['
    let written = 0
    for (let separator = '\n'; !next.done && written < limitBytes; separator = ',\n') {
      yield separator + next.value
      written += Buffer.byteLength(next.value)
      next = await purchases.next()
    }
    yield '\n]\n}\n'
  }

  for (let part = 1; part === 1 || !next.done; part += 1) yield documentOf(part)
}

async function* allButPurchases(store: Store, person: Somebody): AsyncGenerator<string> {
  const { userId, accountId, role } = person
  const { personalData } = store
  yield field('person', await personOf(store, person))
  yield field('follows', (await personalData.follows(userId)).map(followed))
  yield field('asked', await personalData.asked(userId))
  yield field('complaints', await personalData.complaints({ raisedBy: BigInt(userId) }))
  yield field('questionsBlockedSince', await personalData.blocks(userId))
  if (accountId === null) return
  const isOwner = role === 'owner'
  yield field('contacts', await personalData.contacts(accountId, isOwner ? 0 : userId))
  yield field('reminders', (await store.reminders.all(userId)).map(reminded))
  if (!isOwner) return
  yield field('keptNumbers', await store.ported.list(accountId, maxKept))
  yield field('account', await accountOf(store, accountId))
  yield field('questions', await personalData.enquiries(accountId))
  yield field('complaintsAboutOrders', await personalData.complaints({ accountId }))
}

const field = (name: string, value: unknown): string => `,\n"${name}": ${JSON.stringify(value)}`

const personOf = async (store: Store, { userId, role }: Somebody) => {
  const member = await store.accounts.member(userId)
  const { notify, quietFrom, quietTo, lowBalancePesewas, defaultNetwork, ...rest } =
    await store.preferences.of(userId)
  return {
    telegramId: userId,
    role,
    memberSince: member?.createdAt ?? null,
    ...(role === 'agent' && {
      name: member?.name ?? null,
      dailyLimitPesewas: member?.dailyLimitPesewas ?? null,
      // An agent's price rule is left out, because it would tell what the shop pays.
      limitRaisedTo: member?.raisedPesewas ?? null,
      limitRaisedAt: member?.raisedAt ?? null,
      askedForMoreAt: member?.askedAt ?? null,
      networks: member?.networks ?? null,
      pausedAt: member?.pausedAt ?? null,
      resumedAt: member?.resumedAt ?? null,
    }),
    settings: {
      notify,
      quietFrom,
      quietTo,
      lowBalancePesewas,
      defaultNetwork,
      freeRepeatPesewas: rest.freeRepeatPesewas,
      summaryHour: rest.summaryHour,
      timeZone: rest.timeZone,
      tellsSlow: rest.tellsSlow,
      slowNetworks: rest.slowNetworks,
    },
  }
}

const accountOf = async (store: Store, accountId: string) => {
  const account = await store.accounts.byId(accountId)
  const { name, phone, accent, letter, rule, tiers, own } = await store.shops.of(accountId)
  const hidden = await store.shops.hidden(accountId)
  return {
    accountType: account?.accountType ?? null,
    balancePesewas: account?.balancePesewas ?? null,
    balanceAt: account?.balanceAt ?? null,
    shop: {
      name,
      phone,
      accent,
      letter,
      rule,
      tiers,
      hidden: [...hidden],
      prices: [...own].map(([bundleId, pricePesewas]) => ({ bundleId, pricePesewas })),
    },
  }
}

/** The purchases as JSON: an owner gets those of the whole account, an agent only their own. */
async function* purchasesOf(
  store: Store,
  { accountId, userId, role }: Somebody,
): AsyncGenerator<string, undefined> {
  if (accountId === null) return
  const whose = role === 'owner' ? null : userId
  // An agent's file contains only the prices that the agent sees in the chat.
  const prices = role === 'owner' ? 'cost' : (await store.shops.asSeenBy({ userId, accountId })).agentPrices
  let after: string | null = null
  for (;;) {
    const page: KeptPurchase[] = await store.personalData.purchases(accountId, whose, after, perPage)
    for (const kept of page) yield JSON.stringify(purchaseOf(kept, prices))
    const last = page.at(-1)
    if (!last || page.length < perPage) return
    after = last.purchase.id
  }
}

const purchaseOf = ({ purchase, listText, orders }: KeptPurchase, prices: AgentPrices) => ({
  kind: purchase.kind,
  state: purchase.state,
  createdAt: purchase.createdAt,
  confirmedAt: purchase.confirmedAt,
  ...(listText !== null && { text: listText }),
  ...(orders.length === 0 && { lines: linesOf(purchase, prices) }),
  orders: orders.map(({ order, events }) => ({
    ...orderFields(order, prices),
    events: events.map(reportOf),
  })),
})

const linesOf = ({ lines }: Purchase, prices: AgentPrices) =>
  lines.map((line) => ({
    phone: line.phone,
    network: line.network,
    volume: line.volume,
    pricePesewas: seenPrice(line, prices),
  }))

const orderFields = (order: Order, prices: AgentPrices) => ({
  ...amountsOf(inPricesOf(order, prices)),
  reference: order.reference,
  network: order.network,
  volume: order.volume,
  sellUnitPesewas: prices === 'none' ? null : order.sellUnitPesewas,
  placement: order.placement,
  reason: order.reason,
  status: order.status,
  createdAt: order.createdAt,
  sentAt: order.sentAt,
  placedAt: order.placedAt,
  deliveredAt: order.deliveredAt,
  recipients: order.recipients.map(({ phone, status, statusAt }) => ({
    phone: kept(phone),
    status,
    statusAt,
  })),
})

const amountsOf = (priced: Order | null) => ({
  unitPricePesewas: priced?.unitPricePesewas ?? null,
  chargedPesewas: priced?.chargedPesewas ?? null,
  refundedPesewas: priced?.refundedPesewas ?? null,
})

const reportOf = ({ source, status, phone, receivedAt }: KeptReport) => ({
  source,
  status,
  phone: phone && kept(phone),
  receivedAt,
})

const reminded = ({ id: _, accountId, userId, bundleId, ...reminder }: Reminder) => reminder

/** The phone number; null if it was erased from an old order. */
const kept = (phone: string): string | null => (isRemoved(phone) ? null : phone)

/** The part of an order that a follower may see, without its price and the whole number. */
const followed = ({ createdAt, order }: { createdAt: Date; order: Order }) => ({
  since: createdAt,
  network: order.network,
  volume: order.volume,
  phones: phonesOf(order).map(maskPhone),
  reference: order.reference,
  status: order.status,
})
