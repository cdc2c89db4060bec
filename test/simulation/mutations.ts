import { hasClaimedDebit, type Read, samenessOf } from '../../src/accounts/sameness.ts'
import { pair } from '../../src/domain/debits/pairing.ts'
import { chargeOf, isUnfinished, type Order } from '../../src/domain/order/order.ts'
import type { PlacementOutcome, Provider, Transaction } from '../../src/provider/index.ts'
import { maintenanceFact, networksFact } from '../../src/store/operators/facts.ts'
import type { Queries } from '../../src/store/store.ts'
import { newReading, readEntries } from '../../src/wallets/wallet-reading.ts'
import { purchasesPerSeed } from './options.ts'
import type { Weather } from './outside/weather.ts'
import { simulate } from './simulation.ts'
import type { Mutation } from './world.ts'

/** Each mutation removes one of the bot's safeguards, without changing the bot's code. */
export const mutations: Record<string, Mutation> = {
  'the compare-and-set on the purchase': {
    queries: (queries) => ({
      ...queries,
      purchases: {
        ...queries.purchases,
        byId: async (id) => {
          const purchase = await queries.purchases.byId(id)
          return purchase && { ...purchase, state: 'draft' }
        },
        leaveDraft: async (guard, state) => {
          await queries.purchases.leaveDraft(guard, state)
          return true
        },
      },
    }),
  },
  'the checks of an order’s lease: before the first byte, and when the outcome is written': {
    seed: 4,
    queries: (queries) => ({
      ...queries,
      orders: { ...queries.orders, go: ({ id }, ...rest) => queries.orders.go({ id }, ...rest) },
    }),
    provider: (provider) => ({
      ...provider,
      placeOrder: (order, call) => provider.placeOrder(order, { ...call, mayStart: () => true }),
    }),
  },
  'the adoption of a reference from a callback with the order’s own token': {
    queries: (queries) => ({
      ...queries,
      statusReports: {
        ...queries.statusReports,
        ofOrder: async (orderId, disposition) =>
          disposition === 'unmatched' ? [] : queries.statusReports.ofOrder(orderId, disposition),
      },
    }),
    weather: inDoubt,
  },
  'the hold on a list, and the rule that its orders are sent one at a time': {
    seed: 5,
    purchases: 80,
    queries: (queries) => ({
      ...queries,
      purchases: { ...queries.purchases, byId: unheld(queries) },
      orders: { ...queries.orders, placementsOf: async () => [] },
    }),
    weather: (weather) => ({ ...weather, lists: { ...weather.lists, rate: 0.3 } }),
  },
  'the rule that proof beats inference': {
    queries: (queries) => ({ ...queries, orders: asProven(queries) }),
    weather: inDoubt,
  },
  'the edit of a warning whose order is settled': {
    queries: (queries) => ({
      ...queries,
      warnings: { ...queries.warnings, standing: async () => [] },
    }),
    weather: inDoubt,
  },
  'the daily limit of an agent': {
    seed: 5,
    queries: (queries) => ({
      ...queries,
      accounts: { ...queries.accounts, orderer: unlimited(queries) },
    }),
  },
  'the rule that a removed agent cannot order': {
    queries: (queries) => ({ ...queries, accounts: asBefore(queries) }),
  },
  'the rule that no order of a removed agent is sent': {
    queries: (queries) => ({
      ...queries,
      accounts: { ...queries.accounts, member: asBefore(queries).member },
    }),
    weather: (weather) => ({
      ...undisturbed(weather),
      removals: 1,
      post: { ...weather.post, unreachable: 0.6, rateLimited: 0.2 },
    }),
  },
  'the pause of an agent': {
    seed: 2,
    purchases: 80,
    queries: (queries) => ({ ...queries, accounts: { ...queries.accounts, orderer: unpaused(queries) } }),
    weather: (weather) => ({ ...weather, instances: { ...weather.instances, count: 2 } }),
  },
  'the question before an order is repeated within minutes': {
    seed: 2,
    queries: (queries) => ({ ...queries, orders: { ...queries.orders, hasRecent: async () => false } }),
  },
  'the warning about an earlier order for the same number and bundle': {
    queries: (queries) => ({ ...queries, orders: { ...queries.orders, recentFor: async () => [] } }),
  },
  'the delivery of notices that quiet hours held back': {
    queries: (queries) => ({ ...queries, notices: { ...queries.notices, enqueue: unheldNotice(queries) } }),
  },
  'the digest of notices that quiet hours held back': {
    queries: (queries) => ({ ...queries, notices: { ...queries.notices, enqueue: undigested(queries) } }),
  },
  'the rule that notices wait for the end of quiet hours': {
    queries: (queries) => ({ ...queries, notices: { ...queries.notices, enqueue: awake(queries) } }),
  },
  'the record that an owner was warned of a low balance': {
    queries: (queries) => ({ ...queries, preferences: unmarked(queries) }),
  },
  'the search for postponed orders': {
    queries: (queries) => ({
      ...queries,
      orders: {
        ...queries.orders,
        dueToSend: async (...asked) =>
          (await queries.orders.dueToSend(...asked)).filter(({ notBefore }) => notBefore === null),
      },
    }),
  },
  'the search for wallets that are due for a read': {
    queries: (queries) => ({ ...queries, orders: { ...queries.orders, dueToReconcile: async () => [] } }),
    weather: inDoubt,
  },
  'the rule that only the leader does the rounds': { everyoneLeads: true, weather: several },
  'the end of the leader’s lease by the database’s clock': {
    lease: (options) => ({
      ...options,
      store: { leases: options.store.leases, clock: async () => options.now() },
    }),
    weather: (weather) => ({ ...several(weather), ...offClocks(weather) }),
  },
  'the end of the leader’s lease by a monotonic clock': {
    seed: 2,
    purchases: 80,
    lease: (options) => ({ ...options, monotonicMs: () => 0 }),
    weather: (weather) => ({ ...several(weather), ...offClocks(weather) }),
  },
  'the check of an order’s lease before the first byte': {
    provider: (provider) => ({
      ...provider,
      placeOrder: (order, call) => provider.placeOrder(order, { ...call, mayStart: () => true }),
      placeBulkOrder: (order, call) => provider.placeBulkOrder(order, { ...call, mayStart: () => true }),
    }),
    weather: (weather) => ({ ...several(weather), pause: { ...weather.pause, atPost: 0.1 } }),
  },
  'the redraw of a card that another process drew too': {
    seed: 5,
    purchases: 80,
    outside: (queries) => ({ ...queries, notices: { ...queries.notices, enqueue: async () => {} } }),
    weather: (weather) => ({ ...several(weather), pause: { ...weather.pause, anywhere: 0.003 } }),
  },
  'the rounds at regular intervals': { onlyWoken: true, weather: several },
  'the use of wallet entries without a reference': {
    provider: (provider) => ({
      ...provider,
      transactions: async (query) => {
        const page = await provider.transactions(query)
        return { ...page, transactions: page.transactions.filter(({ reference }) => reference !== null) }
      },
    }),
    weather: (weather) => ({ ...lostAnswers(weather), doubts: { ...weather.doubts, unreferenced: 0.8 } }),
  },
  'the use of wallet entries whose reference the look-up does not know': {
    provider: withoutUnknown,
    weather: (weather) => ({ ...lostAnswers(weather), doubts: { ...weather.doubts, unknown: 0.8 } }),
  },
  'the later pages of a wallet that lists its oldest entries first': {
    provider: (provider) => ({
      ...provider,
      transactions: async (query) => {
        const page = await provider.transactions(query)
        return { ...page, pagination: page.pagination && { ...page.pagination, lastPage: 1 } }
      },
    }),
    weather: (weather) => ({
      ...lostAnswers(weather),
      wallet: { ...weather.wallet, isOrdered: true },
      doubts: { ...weather.doubts, oldestFirst: true, olderEntries: 150 },
    }),
  },
  'the last page that a read of a wallet needs': {
    seed: 5,
    reading: withoutLastPage,
    weather: (weather) => ({
      ...lostAnswers(weather),
      wallet: { ...weather.wallet, pageSize: 7, isOrdered: true },
    }),
  },
  'the watch for a late debit of an order that was not placed': {
    queries: (queries) => ({ ...queries, orders: { ...queries.orders, claimants: withoutDenied(queries) } }),
    weather: (weather) => {
      const lost = lostAnswers(weather)
      return { ...lost, post: { ...lost.post, debitLate: 0.5, maxDebitDelayMs: 600 * 60_000 } }
    },
  },
  'the measurement of the provider’s clock by its own records': {
    queries: (queries) => ({ ...queries, orders: { ...queries.orders, sentTimes: async () => new Map() } }),
    outside: (queries) => ({ ...queries, orders: { ...queries.orders, sentTimes: async () => new Map() } }),
    provider: (provider) => ({
      ...provider,
      balance: async () => ({ ...(await provider.balance()), timestamp: null }),
    }),
    weather: (weather) => ({
      ...lostAnswers(weather),
      clockOffsetMs: -2 * 3_600_000,
      doubts: { ...weather.doubts, dateByProxy: true },
    }),
  },
  'the rule that a 409 may be about the order’s own POST': {
    seed: 4,
    provider: (provider) => ({
      ...provider,
      placeOrder: async (...order) => asRefused(await provider.placeOrder(...order)),
      placeBulkOrder: async (...order) => asRefused(await provider.placeBulkOrder(...order)),
    }),
    weather: (weather) => ({ ...weather, doubts: { ...weather.doubts, repeated: 0.5 } }),
  },
  'the rule that nothing is sent while the key is refused': {
    queries: (queries) => ({ ...queries, accounts: { ...queries.accounts, byId: asAccepted(queries) } }),
    outside: (queries) => ({ ...queries, accounts: { ...queries.accounts, byId: asAccepted(queries) } }),
    weather: (weather) => ({
      ...weather,
      read: { ...weather.read, unauthorized: 0.05 },
      doubts: { ...weather.doubts, refused: 0.3 },
    }),
  },
  'the retries of a refused key': {
    queries: (queries) => ({ ...queries, accounts: { ...queries.accounts, dueToVerify: async () => [] } }),
    weather: (weather) => ({
      ...weather,
      read: { ...weather.read, unauthorized: 0.3 },
      doubts: { ...weather.doubts, refused: 0.3 },
    }),
  },
  'the doubt about inferred references if others use the key too': {
    queries: (queries) => ({ ...queries, orders: { ...queries.orders, prove: asFact(queries) } }),
    weather: (weather) => ({
      ...lostAnswers(weather),
      post: { ...weather.post, answerLost: 0.5, debitLate: 0.5 },
      outsiders: 1,
    }),
  },
  'the rule that debits of bulk orders are not matched by guessing': {
    pairing: (claimants, debits, weigh) => pair(claimants, debits, named(weigh), { isShared: false }),
    weather: (weather) => ({
      ...lostAnswers(weather),
      // The sequence of the debits differs from the sequence in which the orders were sent.
      post: { ...answersAll, hang: 0.7, answerLost: 0.3, maxDebitDelayMs: 0 },
      doubts: { ...weather.doubts, repeated: 0, unreferenced: 0, unknown: 0 },
      lists: { ...weather.lists, rate: 1, most: 3, names: false },
    }),
  },
  'the close of a list once callbacks have reported all its numbers': {
    queries: (queries) => ({ ...queries, orders: { ...queries.orders, openOf: untilAsked(queries) } }),
    weather: (weather) => ({
      ...weather,
      callback: { ...weather.callback, never: 0 },
      doubts: { ...weather.doubts, lags: true },
      lists: { ...weather.lists, rate: 0.5, callbacks: 'recipient' },
    }),
  },
  'the rule that a time too far in the future counts as past': {
    seed: 5,
    queries: (queries) => ({ ...queries, orders: { ...queries.orders, dueToPoll: onlyPast(queries) } }),
    weather: (weather) => ({
      ...weather,
      instances: { ...weather.instances, count: 1 },
      ahead: { ms: 60 * 3_600_000, isBetweenLives: false },
    }),
  },
  'the news that the charge differs from the price': {
    queries: (queries) => ({
      ...queries,
      notices: { ...queries.notices, enqueue: without(queries, 'other_price') },
    }),
    weather: (weather) => ({ ...lostAnswers(weather), doubts: { ...weather.doubts, debitedTwice: 0.5 } }),
  },
  'the news that an order of unknown outcome was placed': {
    queries: (queries) => ({
      ...queries,
      warnings: { ...queries.warnings, standing: async () => [] },
    }),
    weather: lostAnswers,
  },
  'the rule that two debits under one reference are two charges': {
    provider: (provider) => ({
      ...provider,
      transactions: async (query) => {
        const page = await provider.transactions(query)
        return { ...page, transactions: earliestOfEach(page.transactions) }
      },
    }),
    weather: (weather) => ({ ...lostAnswers(weather), doubts: { ...weather.doubts, debitedTwice: 0.5 } }),
  },
  'the references that show to which wallet a typed key belongs': {
    sameness: { judgeRead: (orders, read, now) => samenessOf(unreferenced(orders), anyDebits(read), now) },
    weather: (weather) => ({ ...weather, typedKeys: 60 }),
  },
  'the rule that one debit that looks like an order of unknown outcome does not identify a wallet': {
    sameness: {
      judgeNamed: (claims, entries) =>
        hasClaimedDebit(
          claims.map(({ order }) => order),
          entries,
        ),
    },
    weather: (weather) => ({ ...lostAnswers(weather), typedKeys: 60 }),
  },
  'the read of the price just before an order is sent': {
    seed: 4,
    prices: (prices) => ({ ...prices, listToSend: (accountId) => prices.list(accountId, 'order') }),
    weather: (weather) => ({ ...undisturbed(weather), priceChanges: 1 }),
  },
  'the continuation of an interrupted read of a wallet': {
    reading: ({ beganAt }, ...rest) => readEntries(newReading(beganAt), ...rest),
    weather: (weather) => ({
      ...lostAnswers(weather),
      wallet: { ...weather.wallet, pageSize: 7, isMixed: true },
      doubts: { ...weather.doubts, olderEntries: 400 },
    }),
  },
  'the news of a partial refund': {
    seed: 2,
    queries: (queries) => ({ ...queries, notices: { ...queries.notices, enqueue: withoutParts(queries) } }),
    weather: (weather) => ({
      ...weather,
      failedDelivery: 0.4,
      lists: { ...weather.lists, rate: 0.5, names: true },
    }),
  },
  'the closing message of a list': {
    queries: (queries) => ({ ...queries, notices: { ...queries.notices, enqueue: unclosed(queries) } }),
    weather: (weather) => ({ ...weather, lists: { ...weather.lists, rate: 0.5 } }),
  },
  'the news that an order failed after its list closed silently': {
    queries: (queries) => ({
      ...queries,
      notices: { ...queries.notices, enqueue: withoutEndsOfLists(queries) },
    }),
    weather: (weather) => ({
      ...weather,
      callback: { ...weather.callback, never: 0, forged: 1 },
      lists: { ...weather.lists, rate: 0.5 },
    }),
  },
  'the second reference that an order’s own answer names': {
    queries: (queries) => ({ ...queries, orders: { ...queries.orders, patch: withoutSecond(queries) } }),
    weather: (weather) => ({
      ...several(weather),
      outsiders: 1,
      callback: { ...weather.callback, never: 0, misdirected: 1 },
      pause: { ...weather.pause, atPost: 0.5 },
      lists: { ...weather.lists, rate: 0 },
    }),
  },
  'the look-up of a second reference that a callback names': {
    queries: (queries) => ({ ...queries, statusReports: withoutNamedSecond(queries) }),
    weather: (weather) => ({
      ...weather,
      outsiders: 1,
      post: { ...weather.post, answerLost: 0.5 },
      callback: { ...weather.callback, never: 0, misdirected: 1 },
      lists: { ...weather.lists, rate: 0 },
    }),
  },
  'the rule that nothing is confirmed on a network that is down': {
    queries: allNetworks,
    weather: (weather) => ({ ...weather, networkSwitches: 6 }),
  },
  'the rule that queued orders wait while their network is down': {
    queries: networksOffForPresses,
    weather: (weather) => ({
      ...undisturbed(weather),
      networkSwitches: 6,
      post: { ...weather.post, unreachable: 0.4, rateLimited: 0.4 },
    }),
  },
  'the rule that Confirm is accepted although its chat floods the bot': {
    seed: 2,
    admission: (admission) => ({
      ...admission,
      enter: (arrival) => admission.enter({ ...arrival, isDecisive: false }),
      begin: (arrival) => admission.begin({ ...arrival, isDecisive: false }),
    }),
    weather: (weather) => {
      const { instances, ...rest } = several(weather)
      return { ...rest, instances: { ...instances, chatter: 150 } }
    },
  },
  'the rule that nobody orders while all orders are paused': {
    queries: (queries) => ({ ...queries, ...withoutFact(queries, maintenanceFact) }),
    weather: (weather) => ({ ...weather, maintenance: 6 }),
  },
  'the rule that an agent may order less than an owner': {
    seed: 5,
    queries: (queries) => ({ ...queries, accounts: { ...queries.accounts, orderer: asOwner(queries) } }),
  },
  'the rule that a status cannot fall back': {
    queries: (queries) => ({ ...queries, orders: withoutRanks(queries) }),
  },
}

const answersAll: Omit<Weather['post'], 'hang' | 'answerLost' | 'maxDebitDelayMs'> = {
  unreachable: 0,
  resetBefore: 0,
  badAnswer: 0,
  errorBefore: 0,
  errorAfter: 0,
  rateLimited: 0,
  debitLate: 0,
}

/** Answers are lost, no callback comes, and nobody else orders. */
function lostAnswers(weather: Weather): Weather {
  return {
    ...weather,
    post: { ...weather.post, answerLost: 0.5, debitLate: 0 },
    callback: { ...weather.callback, never: 1 },
    outsiders: 0,
  }
}

/** Leaves out entries whose reference the last look-up did not find. */
function withoutUnknown(provider: Provider): Provider {
  const unknown = new Set<string | null>()
  return {
    ...provider,
    orderStatus: async (reference) => {
      unknown.add(reference)
      const record = await provider.orderStatus(reference)
      unknown.delete(reference)
      return record
    },
    transactions: async (query) => {
      const page = await provider.transactions(query)
      return { ...page, transactions: page.transactions.filter(({ reference }) => !unknown.has(reference)) }
    },
  }
}

/** Makes a read of several pages stop one page early and count as complete. */
async function withoutLastPage(...[reading, readPage, sinceMs]: Parameters<typeof readEntries>) {
  let entries = reading.entries
  const remembering: typeof readPage = (...page) => {
    entries = new Map(reading.entries)
    return readPage(...page)
  }
  const read = await readEntries(reading, remembering, sinceMs)
  if (read.requests === 1 || read.isUnfinished) return read
  return readEntries({ ...reading, entries }, readPage, sinceMs)
}

const alike = 'any reference'

/** Makes orders and debits comparable only by amount and time. */
const unreferenced = (orders: Parameters<typeof samenessOf>[0]): typeof orders =>
  orders.map((order) => ({ ...order, reference: alike }))

const anyDebits = (read: Read): Read => ({
  ...read,
  entries: read.entries.map((entry) => ({ ...entry, reference: alike })),
})

/** Stops all searches for an order once it is `not_placed`. */
const withoutDenied =
  ({ orders }: Queries): Queries['orders']['claimants'] =>
  async (accountId) =>
    (await orders.claimants(accountId)).filter(({ placement }) => placement !== 'not_placed')

/** Makes a 409 look like any other refusal. */
function asRefused<T>(outcome: PlacementOutcome<T>): PlacementOutcome<T> {
  return outcome.kind === 'rejected' && outcome.httpStatus === 409 ? { ...outcome, httpStatus: 422 } : outcome
}

/** Makes every key look as if the provider had never refused it. */
const asAccepted =
  ({ accounts }: Queries): Queries['accounts']['byId'] =>
  async (id) => {
    const account = await accounts.byId(id)
    return account && { ...account, unauthorizedSince: null, refusalToldAt: null }
  }

/** Makes a found order look certain, although another order may own its debit. */
const asFact =
  ({ orders }: Queries): Queries['orders']['prove'] =>
  (id, patch, now) =>
    orders.prove(id, { ...patch, reason: null }, now)

/** Makes any debit that fits look as if it named the order's numbers. */
const named =
  (weigh: Parameters<typeof pair>[2]): Parameters<typeof pair>[2] =>
  (claimant, debit) => {
    const evidence = weigh(claimant, debit)
    return evidence.kind === 'adoptable' ? { ...evidence, names: true } : evidence
  }

/** Makes an order count as open for as long as the bot still asks about it. */
const untilAsked =
  ({ orders }: Queries): Queries['orders']['openOf'] =>
  async (purchaseId) =>
    (await orders.ofPurchase(purchaseId)).filter(isUnfinished)

/** Makes no list look held up. */
const unheld =
  ({ purchases }: Queries): Queries['purchases']['byId'] =>
  async (id) => {
    const purchase = await purchases.byId(id)
    return purchase && { ...purchase, heldById: null }
  }

/** Makes anyone who may order look like an owner. */
const asOwner =
  ({ accounts }: Queries): Queries['accounts']['orderer'] =>
  async (userId, accountId) => {
    const member = await accounts.orderer(userId, accountId)
    return member && { ...member, role: 'owner' }
  }

/** Makes every agent look as if they had no limit. */
const unlimited =
  ({ accounts }: Queries): Queries['accounts']['orderer'] =>
  async (userId, accountId) => {
    const member = await accounts.orderer(userId, accountId)
    return member && { ...member, dailyLimitPesewas: null }
  }

/** Makes a former member look like a member. */
const asBefore = ({ accounts }: Queries): Queries['accounts'] => {
  const member: Queries['accounts']['member'] = async (userId) =>
    (await accounts.member(userId)) ?? {
      userId,
      chatId: userId,
      accountId: `account${Math.floor(userId / 10)}`,
      role: 'agent',
      name: null,
      invitedBy: null,
      dailyLimitPesewas: null,
      raisedPesewas: null,
      raisedAt: null,
      askedAt: null,
      askedFor: null,
      priceRule: null,
      networks: null,
      pausedAt: null,
      resumedAt: null,
      notifyLevel: 'ends',
      createdAt: new Date(0),
    }
  const orderer: Queries['accounts']['orderer'] = async (userId, accountId) => {
    const [known, account] = [await member(userId), await accounts.byId(accountId)]
    return known && account && { ...known, account }
  }
  return { ...accounts, member, orderer }
}

/** Makes every agent look as if they were not paused. */
const unpaused =
  ({ accounts }: Queries): Queries['accounts']['orderer'] =>
  async (userId, accountId) => {
    const member = await accounts.orderer(userId, accountId)
    return member && { ...member, pausedAt: null }
  }

type Owe = Queries['notices']['enqueue']

/** Leaves out orders whose next poll is far in the future. */
const onlyPast =
  ({ orders }: Queries): Queries['orders']['dueToPoll'] =>
  async (now, ...asked) =>
    (await orders.dueToPoll(now, ...asked)).filter(({ nextPollAt }) => nextPollAt && nextPollAt <= now)

/** Drops a notice that quiet hours would hold back. */
const unheldNotice =
  ({ notices }: Queries): Owe =>
  async (chatId, content, now, notBefore, quietUntil) =>
    quietUntil ? undefined : notices.enqueue(chatId, content, now, notBefore)

/** Drops announcements of that kind. */
const without =
  ({ notices }: Queries, about: string): Owe =>
  async (chatId, content, ...times) =>
    content.kind === 'announce' && content.what.about === about
      ? undefined
      : notices.enqueue(chatId, content, ...times)

/** Leaves out the news of a partial refund. */
const withoutParts =
  ({ notices, orders }: Queries): Owe =>
  async (chatId, content, ...times) => {
    const isRefund = content.kind === 'announce' && content.what.about === 'refund'
    const order = isRefund ? await orders.byId(content.orderId) : null
    const isPart = order?.kind === 'bulk' && (order.refundedPesewas ?? 0) < chargeOf(order)
    return isPart ? undefined : notices.enqueue(chatId, content, ...times)
  }

const unclosed =
  ({ notices }: Queries): Owe =>
  async (chatId, content, ...times) =>
    content.kind === 'list' && content.what === 'done'
      ? undefined
      : notices.enqueue(chatId, content, ...times)

/** Leaves out the news that an order of a list has ended. */
const withoutEndsOfLists =
  ({ notices, orders }: Queries): Owe =>
  async (chatId, content, ...times) => {
    const isEnd = content.kind === 'announce' && content.what.about === 'status'
    const isListed = isEnd && (await orders.byId(content.orderId))?.listed === true
    return isListed ? undefined : notices.enqueue(chatId, content, ...times)
  }

const withoutSecond =
  ({ orders }: Queries): Queries['orders']['patch'] =>
  (id, { otherReference: _, ...patch }, at) =>
    orders.patch(id, patch, at)

/** As if callbacks had named no reference for orders that are proven. */
const withoutNamedSecond = ({ orders, statusReports }: Queries): Queries['statusReports'] => ({
  ...statusReports,
  ofOrder: async (id, disposition) => {
    const order = disposition === 'unmatched' ? await orders.byId(id) : null
    const isProven = order?.placement === 'placed' && !order.inferred
    return isProven ? [] : statusReports.ofOrder(id, disposition)
  },
})

/** Makes that fact look unset, always or only in some queries. */
const withoutFact = (
  { facts, orders }: Queries,
  hidden: string,
  isHidden = () => true,
): Pick<Queries, 'facts' | 'orders'> => ({
  facts: {
    ...facts,
    read: async (name) => (name === hidden && isHidden() ? null : facts.read(name)),
    readAll: (names) => facts.readAll(names.filter((name) => name !== hidden || !isHidden())),
  },
  orders: {
    ...orders,
    toSend: async (...asked) => {
      const found = await orders.toSend(...asked)
      return hidden === networksFact && isHidden() ? { ...found, networksDown: null } : found
    },
  },
})

/** Makes no network look down. */
function allNetworks(queries: Queries): Queries {
  return { ...queries, ...withoutFact(queries, networksFact) }
}

/** Shows that networks are down only to transactions that read a member, as a confirmation does. */
function networksOffForPresses(queries: Queries): Queries {
  let isPress = false
  const orderer: Queries['accounts']['orderer'] = (...member) => {
    isPress = true
    return queries.accounts.orderer(...member)
  }
  return {
    ...queries,
    accounts: { ...queries.accounts, orderer },
    ...withoutFact(queries, networksFact, () => !isPress),
  }
}

const earliestOfEach = (entries: readonly Transaction[]): Transaction[] => {
  const seen = new Set<string | null>()
  return entries.filter(({ type, reference }) => {
    const isKnown = type === 'debit' && reference !== null && seen.has(reference)
    if (type === 'debit') seen.add(reference)
    return !isKnown
  })
}

const undigested =
  ({ notices }: Queries): Owe =>
  async (chatId, content, ...times) =>
    content.kind === 'digest' && content.quiet ? undefined : notices.enqueue(chatId, content, ...times)

const awake =
  ({ notices }: Queries): Owe =>
  (chatId, content, now, notBefore) =>
    notices.enqueue(chatId, content, now, notBefore)

/** Makes a balance below the warning level always look newly below it. */
const unmarked = ({ preferences }: Queries): Queries['preferences'] => ({
  ...preferences,
  balanceIsLow: async (userId, balance, at) => {
    const level = await preferences.balanceIsLow(userId, balance, at)
    await preferences.change(userId, { lowBalanceToldAt: null })
    return level
  },
})

/** Every order is sent: no process dies or is suspended, and no price changes. */
function undisturbed(weather: Weather): Weather {
  const { pause, instances } = weather
  return {
    ...weather,
    crash: { anywhere: 0, atPost: 0 },
    pause: { ...pause, anywhere: 0, atPost: 0 },
    database: 0,
    priceChanges: 0,
    instances: { ...instances, chatter: 0 },
  }
}

/** At least three instances. */
function several(weather: Weather): Weather {
  const { instances } = weather
  return { ...weather, instances: { ...instances, count: Math.max(3, instances.count) } }
}

/** Wall clocks that are wrong by seconds and are set now and then. */
function offClocks({ instances, pause }: Weather): Pick<Weather, 'instances' | 'pause'> {
  const clocks = { offMs: 5_000, driftPpm: 200, sets: 12 }
  return {
    instances: { ...instances, count: Math.max(3, instances.count), clocks, leaves: 3 },
    pause: { ...pause, suspends: false },
  }
}

/** Makes an inferred reference look proven, so that proof does not move it. */
const asProven = ({ orders }: Queries): Queries['orders'] =>
  readAs(orders, (order) => ({ ...order, inferred: false }))

/** Changes how orders look when they are read by their ids. */
const readAs = (orders: Queries['orders'], looks: (order: Order) => Order): Queries['orders'] => ({
  ...orders,
  byId: async (id) => {
    const order = await orders.byId(id)
    return order && looks(order)
  },
  byIds: async (ids) => (await orders.byIds(ids)).map(looks),
})

/** Answers are lost, debits and callbacks are late, and in the meantime others order the same. */
function inDoubt(weather: Weather): Weather {
  return {
    ...weather,
    post: { ...weather.post, answerLost: 0.4, debitLate: 0.6, maxDebitDelayMs: 600 * 60_000 },
    callback: { ...weather.callback, never: 0, late: 0.6 },
    outsiders: 0.6,
  }
}

/** Makes a placed order look as if it had no status yet, so that any later status is accepted. */
const withoutRanks = ({ orders }: Queries): Queries['orders'] =>
  readAs(orders, (order) => (order.placement === 'placed' ? { ...order, status: null } : order))

/** How many seeds are tried. The number is large, because a safeguard may matter only in rare weather. */
const maxSeeds = 60

/** How many seeds are tried if only the judge checks the run. More would hardly help. */
const maxSeedsOfJudge = 6

/** The seed that noticed the missing safeguard, and the promise that was broken. */
export interface Noticed {
  seed: number
  broken: string
}

/**
 * @param safeguard the safeguard that the mutation removes; the mutation has its name.
 * @param judgedAlone whether only the judge checks the run.
 * @returns null if no seed noticed it.
 */
export const noticed = async (safeguard: string, judgedAlone: boolean): Promise<Noticed | null> => {
  const mutation = mutations[safeguard]
  if (!mutation) throw new Error(`There is no mutation “${safeguard}”.`)
  const { seed: first = 1, purchases = purchasesPerSeed } = mutation
  const most = judgedAlone ? maxSeedsOfJudge : maxSeeds
  for (let seed = first; seed < first + most; seed += 1) {
    const { broken } = await simulate({ seed, purchases, mutation, judgedAlone })
    if (broken !== null) return { seed, broken }
  }
  return null
}
