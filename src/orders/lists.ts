import { createHash } from 'node:crypto'
import { balanceFor } from '../accounts/balance-reading.ts'
import { NoWallet, type Wallets } from '../accounts/wallets.ts'
import { mergeCorrections } from '../lists/correction.ts'
import { fileLimits } from '../lists/files/limits.ts'
import type { Answers, ListReading, Market } from '../lists/reading.ts'
import { joinParts } from '../lists/seam.ts'
import { ProviderError } from '../provider/index.ts'
import type { Pesewas } from '../provider/money.ts'
import type { Phone } from '../provider/phone.ts'
import { cardOf, deletionOf } from '../relay/notice.ts'
import { kindFor, type NewOrder } from '../store/orders.ts'
import type { Queries, Store } from '../store/store.ts'
import { type Hindrance, hindranceTo, type Wanted } from './allowance.ts'
import { chunksOf } from './chunking.ts'
import { earlierOrders } from './earlier-order.ts'
import { rememberLast } from './last-reading.ts'
import {
  bundlesSeen,
  costsOf,
  doneKey,
  type List,
  type ListAnswers,
  nothingShown,
  type Selection,
  type Shown,
  select,
} from './list.ts'
import { insertListDraft, listOf, type NewList } from './list-draft.ts'
import { mapOf, prefixChanges } from './network-prefixes.ts'
import { networksDown } from './network-switch.ts'
import { isReduced, type Order, type Purchase } from './order.ts'
import { offerOf, type Prices } from './prices.ts'
import { cancelQueued, mayRead, type Person } from './purchases.ts'
import { allowedNetworks, allowedPurse, pricesSeenBy, purseOf } from './purse.ts'
import { queueOrders } from './queueing.ts'
import { claimAgain, earlierRetry, type Which } from './retry.ts'
import { tell } from './telling.ts'
import { makeRoom } from './unconfirmed-lists.ts'

/** A list as its preview shows it. */
export interface Preview {
  purchase: Purchase
  list: List
  reading: ListReading
  selection: Selection
  /** What Confirm confirms, in a few characters: another preview has another. */
  digest: string
}

type ListConfirmation =
  /** `leftId`: the draft of what was not ready, which is still to be looked at. */
  | { kind: 'confirmed'; leftId: string | null }
  /** An earlier press did it, or it ended otherwise. */
  | { kind: 'already'; purchase: Purchase }
  | { kind: 'expired' }
  /** The preview is another than the one whose button was pressed. */
  | { kind: 'changed' }
  /** Some of it was ordered since the preview was made: the card tells now which. */
  | { kind: 'repeated' }
  | { kind: 'nothing_ready' }
  /** The account is being removed: nothing new is ordered on it. */
  | { kind: 'closing' }
  /** An agent may not, or not so much: the draft stays one. */
  | { kind: 'hindered'; hindrance: Hindrance }
  | { kind: 'unknown' }

export type GoingOn =
  | { kind: 'going' }
  /** It is still held up. */
  | { kind: 'hindered'; hindrance: Hindrance }
  | { kind: 'nothing_held' }

/** A further message for a draft. */
export type ListMessage =
  /** What Telegram had cut off. */
  | { kind: 'part'; text: string }
  /** Corrected lines. */
  | { kind: 'corrections'; text: string }
  /** The answer to the question with that key. */
  | { kind: 'answer'; question: string; answer: string }

/** What became of a further message for a draft. `known`: it was taken before. `gone`: there is no such draft. */
export type Extension = 'taken' | 'known' | 'unchanged' | 'too_long' | 'gone'

/** Lists from the first paste to the closing message. */
export interface Lists {
  /** The draft of a cause: asked for twice it is the same one. */
  draft(person: Person, cause: string, list: NewList): Promise<Purchase>
  /** Reads what a preview needs of the provider and the journal, and shows it. @throws {ProviderError | NoWallet} */
  look(purchaseId: string): Promise<void>
  /** Shows drafts whose preview was not shown yet: the bot ended before it could be. */
  resume(): Promise<void>
  /** Takes a further message into a draft: after the next look its card stands below that message. */
  take(purchaseId: string, person: Person, cause: string, message: ListMessage): Promise<Extension>
  /** The preview as it was looked at last; null where there is no such list. */
  preview(purchaseId: string): Promise<Preview | null>
  /** Changes a draft of that person. @returns false where it is theirs or a draft no more. */
  change(
    purchaseId: string,
    person: Person,
    change: (list: List) => Pick<List, 'text'> | Pick<List, 'answers'>,
  ): Promise<boolean>
  /** @param digest of the preview whose button was pressed. */
  confirm(
    purchaseId: string,
    person: Person,
    digest: string,
    cardMessageId: number | null,
  ): Promise<ListConfirmation>
  /** Sends the rest of a list that is held up. */
  goOn(purchaseId: string, person: Person): Promise<GoingOn>
  /** Cancels what of a confirmed list has not been sent. */
  stop(purchaseId: string, person: Person): Promise<boolean>
  /** A draft of the same numbers at today's prices; null where the list is not theirs, or its numbers are removed. */
  repeat(purchaseId: string, person: Person, cause: string): Promise<Purchase | null>
  /**
   * A draft of such numbers of the list, linked to it: each is in one such purchase at most.
   * @returns the earlier one where all were taken before; null where there are none, or they are removed.
   */
  retry(purchaseId: string, person: Person, which: Which): Promise<Purchase | null>
}

interface ListsOptions {
  store: Store
  prices: Prices
  wallets: Wallets
  read: (text: string, market: Market, answers: Answers) => ListReading
  now: () => Date
  newId: () => string
  /** The disk is nearly full: drafts stay what they are. */
  isShortOfRoom?: () => boolean
  /** Told when something is ready to be sent. */
  onQueued: () => void
  /** Told when something is owed to a chat. */
  onNotice: () => void
}

export const createLists = (options: ListsOptions): Lists => {
  const { store, now, newId, isShortOfRoom = () => false, onQueued, onNotice } = options

  const read = rememberLast(options.read)
  const readingOf = (list: List): ListReading => read(list.text, marketOf(list), list.answers.questions)

  /** As its person may see it now: the owner may have settled since it was looked at that agents see no costs. */
  const seenNow = async (queries: Queries, purchase: Purchase, list: List): Promise<List> => {
    if (list.shown.seen) return list
    const { seen } = await pricesSeenBy(queries, purchase, [])
    return seen ? { ...list, shown: { ...list.shown, seen } } : list
  }

  const previewOf = async (queries: Queries, purchaseId: string): Promise<Preview | null> => {
    const purchase = await queries.purchases.byId(purchaseId)
    const stored = purchase && (await queries.lists.byPurchase(purchaseId))
    if (!stored) return null
    const list = await seenNow(queries, purchase, stored)
    const reading = readingOf(list)
    const selection = select(reading, list.answers, list.shown)
    return { purchase, list, reading, selection, digest: digestOf(selection, list.shown) }
  }

  const draft = async (person: Person, cause: string, list: NewList): Promise<Purchase> => {
    const at = now()
    return store.transaction(async (tx) => {
      const known = await tx.purchases.byCause(cause)
      if (known) return known
      return insertListDraft(tx, person, { cause, ...list, remark: null, shown: nothingShown }, { newId, at })
    })
  }

  const look: Lists['look'] = async (purchaseId) => {
    const purchase = await store.purchases.byId(purchaseId)
    const list = await store.lists.byPurchase(purchaseId)
    if (purchase?.state !== 'draft' || !list) return
    const { accountId, chatId } = purchase
    const { bundles } = await options.prices.list(accountId, 'person')
    const at = now()
    const pricedAtMs = options.prices.readAt(accountId)?.getTime() ?? null
    const seen = await pricesSeenBy(store, purchase, bundles)
    const prefixes = await prefixChanges(store)
    const down = [...(await networksDown(store)).keys()]
    const market = { ...nothingShown, bundles, ...seen, pricedAtMs, prefixes, down }
    // All that are written: with an answer more of them are ready.
    const written = readingOf({ ...list, shown: market }).lines.flatMap((line) => line.written)
    const phones = [...new Set(written.map(({ phone }) => phone))]
    const served = await store.orders.servedOn(accountId, phones)
    const priced = { ...market, served, ported: await store.ported.of(accountId, phones) }
    const { neededPesewas } = select(readingOf({ ...list, shown: priced }), list.answers, priced)
    const purse = await purseOf(
      store,
      purchase,
      () => balanceFor(options, accountId, neededPesewas ?? (0 as Pesewas)),
      at,
    )
    const shown = { ...priced, ...purse }
    const known = await journalOf(store, purchase, phones, at)
    await store.transaction(async (tx) => {
      // Who has changed the text meanwhile looks again.
      if ((await tx.lists.byPurchase(purchaseId))?.text !== list.text) return
      await tx.lists.change(purchaseId, { shown: { ...shown, ...known } })
      await tx.notices.owe(chatId, cardOf(purchaseId), at)
    })
    onNotice()
  }

  /** Each message is the cause of one purchase: of those that a draft takes in, one that the draft has replaced. */
  const take: Lists['take'] = (purchaseId, person, cause, message) => {
    const at = now()
    return store.transaction(async (tx) => {
      if (await tx.purchases.byCause(cause)) return 'known'
      const purchase = await tx.purchases.byId(purchaseId)
      const list = purchase && (await tx.lists.byPurchase(purchaseId))
      if (!list || !isTheirs(purchase, person) || !isLive(purchase, at)) return 'gone'
      const next = { ...list, ...withMessage(list, message) }
      if (next.text === list.text && next.answers === list.answers) return 'unchanged'
      if (!isBounded(next.text)) return 'too_long'
      await makeRoom(tx, person, { bytes: Buffer.byteLength(next.text), keptId: purchaseId }, at)
      await tx.lists.change(purchaseId, { text: next.text, answers: next.answers })
      const { expiresAt } = purchase
      const id = newId()
      await tx.purchases.insertDraft({
        id,
        userId: person.userId,
        chatId: person.chatId,
        accountId: person.accountId,
        cause,
        kind: 'list',
        lines: [],
        createdAt: at,
        expiresAt,
      })
      await tx.purchases.supersede(id, purchaseId)
      if (purchase.cardMessageId !== null) {
        await tx.purchases.showOn(purchaseId, null)
        await tx.notices.owe(purchase.chatId, deletionOf(purchase.cardMessageId), at)
      }
      return 'taken'
    })
  }

  /** A confirmed list of that person. */
  const confirmedOf = async (queries: Queries, id: string, person: Person): Promise<Purchase | null> => {
    const purchase = await queries.purchases.byId(id)
    return purchase?.kind === 'list' && isTheirs(purchase, person) && purchase.state === 'confirmed'
      ? purchase
      : null
  }

  return {
    draft,
    preview: (purchaseId) => previewOf(store, purchaseId),

    look,

    resume: async () => {
      for (const { id, chatId } of await store.purchases.unshownLists(now())) {
        try {
          await look(id)
        } catch (error) {
          if (!(error instanceof ProviderError || error instanceof NoWallet)) throw error
          await store.transaction((tx) => tx.notices.owe(chatId, cardOf(id), now()))
          onNotice()
        }
      }
    },

    take,

    change: async (purchaseId, person, change) => {
      const changed = await store.transaction(async (tx) => {
        const purchase = await tx.purchases.byId(purchaseId)
        const list = purchase && (await tx.lists.byPurchase(purchaseId))
        if (!list || !isTheirs(purchase, person) || !isLive(purchase, now())) return false
        await tx.lists.change(purchaseId, change(list))
        return true
      })
      return changed
    },

    confirm: async (purchaseId, person, digest, cardMessageId) => {
      const at = now()
      const confirmation = await store.transaction(async (tx): Promise<ListConfirmation> => {
        const preview = await previewOf(tx, purchaseId)
        if (!preview || !isTheirs(preview.purchase, person)) return { kind: 'unknown' }
        const { purchase, selection } = preview
        const account = await tx.accounts.holdAccount(purchase.accountId)
        if (cardMessageId !== null) await tx.purchases.showOn(purchaseId, cardMessageId)
        await tx.notices.owe(purchase.chatId, cardOf(purchaseId), at)
        if (purchase.state !== 'draft') return { kind: 'already', purchase }
        if (isShortOfRoom()) return { kind: 'hindered', hindrance: { kind: 'no_room' } }
        if (preview.digest !== digest) return { kind: 'changed' }
        if (selection.send.length === 0) return { kind: 'nothing_ready' }
        if (await flagRepeats(tx, preview, at)) return { kind: 'repeated' }
        if (account?.eraseBy) return { kind: 'closing' }
        const hindrance = await hindranceTo(tx, person, wantedOf(preview), at)
        if (hindrance) return hinder(tx, preview, hindrance)
        if (!(await tx.purchases.leaveDraft({ id: purchaseId, userId: person.userId, now: at }, 'confirmed')))
          return { kind: 'expired' }
        await queueOrders(tx, ordersOf(purchase, preview, newId, at), newId)
        const left = await keepLeft(tx, person, preview, { newId, at })
        return { kind: 'confirmed', leftId: left?.id ?? null }
      })
      if (confirmation.kind === 'confirmed') onQueued()
      onNotice()
      return confirmation
    },

    goOn: async (purchaseId, person) => {
      const at = now()
      const outcome = await store.transaction(async (tx): Promise<GoingOn> => {
        const purchase = await confirmedOf(tx, purchaseId, person)
        if (!purchase?.heldById) return { kind: 'nothing_held' }
        const hindrance = await hindranceTo(tx, person, [], at)
        if (hindrance) return { kind: 'hindered', hindrance }
        await tx.purchases.goOn(purchaseId, at)
        await tx.notices.owe(purchase.chatId, cardOf(purchaseId), at)
        return { kind: 'going' }
      })
      if (outcome.kind === 'going') onQueued()
      onNotice()
      return outcome
    },

    stop: async (purchaseId, person) => {
      const at = now()
      const stopped = await store.transaction(async (tx) => {
        const purchase = await confirmedOf(tx, purchaseId, person)
        if (!purchase) return false
        const orders = await tx.orders.ofPurchase(purchaseId)
        const [first] = orders
        if (!first || !(await cancelQueued(tx, orders, at))) return false
        await tell(tx, first, at)
        return true
      })
      onNotice()
      return stopped
    },

    repeat: async (purchaseId, person, cause) => {
      const purchase = await store.purchases.byId(purchaseId)
      if (purchase?.kind !== 'list' || !mayRead(person, purchase)) return null
      const orders = await store.orders.ofPurchase(purchaseId)
      if (orders.some(isReduced)) return null
      const own = orders.filter(({ placement }) => placement !== 'superseded')
      return orders.length === 0 ? null : draft(person, cause, listOf(own.length > 0 ? own : orders))
    },

    retry: async (purchaseId, person, which) => {
      const at = now()
      return store.transaction(async (tx) => {
        const purchase = await tx.purchases.byId(purchaseId)
        if (purchase?.kind !== 'list' || !mayRead(person, purchase)) return null
        const orders = await tx.orders.ofPurchase(purchaseId)
        if (orders.some(isReduced)) return null
        const id = newId()
        const claimed = await claimAgain(tx, orders, which, id)
        if (claimed.length === 0) return earlierRetry(tx, orders, which)
        const remark = which.kind === 'one' ? ('not_certain' as const) : null
        const again = { id, cause: `retry:${id}`, ...listOf(claimed), retryOfId: purchaseId, remark }
        return insertListDraft(tx, person, { ...again, shown: nothingShown }, { newId, at })
      })
    },
  }
}

const marketOf = ({ shown, fixedBundleId }: List): Market => ({
  bundles: bundlesSeen(shown),
  prefixes: mapOf(shown.prefixes ?? {}),
  fixedBundleId,
  ...(shown.served && { served: shown.served }),
  ...(shown.ported && { ported: shown.ported }),
})

const withMessage = (list: List, message: ListMessage): Partial<Pick<List, 'text' | 'answers'>> => {
  const { text, answers } = list
  switch (message.kind) {
    case 'part':
      return { text: joinParts([text, message.text]) }
    case 'corrections':
      return { text: mergeCorrections(text, message.text, marketOf(list), answers.questions) }
    case 'answer':
      return { answers: withAnswer(answers, message.question, message.answer) }
  }
}

/** A list grows by corrections to what a file may hold, not beyond. */
const isBounded = (text: string): boolean =>
  text.length <= fileLimits.bytes && text.split('\n', fileLimits.lines + 1).length <= fileLimits.lines

/** The newest answer stands last; null takes one back. */
export const withAnswer = (answers: ListAnswers, question: string, answer: string | null): ListAnswers => {
  const { [question]: _, ...others } = answers.questions
  return { ...answers, questions: answer === null ? others : { ...others, [question]: answer } }
}

const isTheirs = (purchase: Purchase, person: Person): boolean =>
  purchase.userId === person.userId && purchase.accountId === person.accountId

const isLive = (purchase: Purchase, now: Date): boolean =>
  purchase.state === 'draft' && purchase.expiresAt > now

/**
 * What is not ready when a list is confirmed, and what the balance was not enough for, stays as a draft of its own:
 * the same text, so that headings and the numbers of lines hold, without what is done.
 */
const keepLeft = async (
  tx: Queries,
  person: Person,
  { purchase, list, reading, selection }: Preview,
  draft: { newId: () => string; at: Date },
): Promise<Purchase | null> => {
  const behind = [...selection.cut, ...selection.down]
  const isLeft = behind.length > 0 || reading.lines.some(({ verdict }) => verdict === 'fix')
  if (!isLeft) return null
  const cut = new Set(behind)
  const done = reading.recipients.filter((recipient) => !cut.has(recipient)).map(doneKey)
  const { text, fixedBundleId, shown } = list
  const answers: ListAnswers = { ...list.answers, recent: 'skip', fits: false, done }
  const cause = `left:${purchase.id}`
  return insertListDraft(
    tx,
    person,
    { cause, text, fixedBundleId, answers, remark: 'left_over', shown },
    draft,
  )
}

/** The preview says from then on what is left and what is allowed, so that what fits can be sent. */
const hinder = async (
  tx: Queries,
  { purchase, list }: Preview,
  hindrance: Hindrance,
): Promise<ListConfirmation> => {
  const bounds =
    hindrance.kind === 'limit'
      ? allowedPurse(hindrance)
      : hindrance.kind === 'network'
        ? allowedNetworks(hindrance.allowed)
        : hindrance.kind === 'network_down'
          ? { down: hindrance.down }
          : null
  if (bounds) await tx.lists.change(purchase.id, { shown: { ...list.shown, ...bounds } })
  return { kind: 'hindered', hindrance }
}

/** What the journal knows of the numbers of a list. Agents do not see the references of others' orders. */
const journalOf = async (
  queries: Queries,
  { accountId, userId }: Pick<Purchase, 'accountId' | 'userId'>,
  phones: Phone[],
  at: Date,
): Promise<Pick<Shown, 'recent' | 'waiting'>> => {
  const isAgent = (await queries.accounts.member(userId))?.role === 'agent'
  const isShown = (order: Order) => !isAgent || order.userId === userId
  const recent = (await earlierOrders(queries, accountId, phones, at)).map(({ phone, order }) => ({
    phone,
    bundleId: order.bundleId,
    orderId: order.id,
    reference: isShown(order) ? order.reference : null,
  }))
  const open = await queries.orders.phonesWithOpen(accountId, phones)
  return { recent, waiting: phones.filter((phone) => open.has(phone)) }
}

/**
 * Two previews of one paste show the same numbers: what was ordered from the other one meanwhile is flagged on this.
 * @returns whether there is such.
 */
const flagRepeats = async (
  tx: Queries,
  { purchase, list, selection }: Preview,
  at: Date,
): Promise<boolean> => {
  const keyOf = ({ phone, bundleId }: { phone: Phone; bundleId: number }) => `${phone} ${bundleId}`
  const phones = [...new Set(selection.send.map(({ phone }) => phone))]
  const { recent } = await journalOf(tx, purchase, phones, at)
  const sent = new Set(selection.send.map(keyOf))
  const flagged = new Set(list.shown.recent.map(({ orderId }) => orderId))
  const repeats = recent.filter((order) => sent.has(keyOf(order)) && !flagged.has(order.orderId))
  if (repeats.length === 0) return false
  const shown = { ...list.shown, recent: [...repeats, ...list.shown.recent] }
  await tx.lists.change(purchase.id, { shown, answers: { ...list.answers, recent: 'skip' } })
  return true
}

/** What of an agent's limit it takes, and on which networks. */
const wantedOf = ({ selection: { send }, list: { shown } }: Preview): Wanted[] => {
  const costs = costsOf(shown)
  return send.map(({ network, bundleId }) => ({
    network,
    pricePesewas: costs.get(bundleId) ?? 0,
    agentPesewas: shown.seen?.[bundleId] ?? null,
  }))
}

/** Numbers that wait for another order are taken out of theirs, which have a hundred at most, one after another. */
const placesBetween = 1_000

/** The orders of a list that was just confirmed: one after another in turn. */
const ordersOf = (
  purchase: Purchase,
  { selection: { send }, list: { shown } }: Preview,
  newId: () => string,
  createdAt: Date,
): NewOrder[] => {
  const costs = costsOf(shown)
  const places = new Map(send.map((recipient, position) => [recipient, position]))
  let afterId: string | null = null
  return chunksOf(send).flatMap((recipients, index) => {
    const [first] = recipients
    const cost = first && costs.get(first.bundleId)
    if (!first || cost === undefined) return []
    const bundle = shown.bundles.find(({ id }) => id === first.bundleId)
    const id = newId()
    const order: NewOrder = {
      id,
      purchaseId: purchase.id,
      accountId: purchase.accountId,
      userId: purchase.userId,
      chatId: purchase.chatId,
      kind: kindFor(recipients.length),
      listed: true,
      position: index * placesBetween,
      afterId,
      bundleId: first.bundleId,
      network: first.network,
      volume: first.volume,
      offerSlug: bundle ? offerOf(bundle, shown.bundles).offerSlug : first.offerSlug,
      unitPricePesewas: cost,
      ...(shown.seen && { agentUnitPesewas: shown.seen[first.bundleId] ?? null }),
      recipients: recipients.map((each) => ({ phone: each.phone, position: places.get(each) ?? 0 })),
      createdAt,
    }
    afterId = id
    return [order]
  })
}

/** What would be sent, for what price, in a few characters that fit a button. */
const digestOf = ({ send }: Selection, shown: Shown): string => {
  const costs = costsOf(shown)
  const hash = createHash('sha256')
  for (const { phone, bundleId, pricePesewas } of send)
    hash.update(`${phone} ${bundleId} ${costs.get(bundleId)}${shown.seen ? ` ${pricePesewas}` : ''}\n`)
  return hash.digest('base64url').slice(0, 8)
}
