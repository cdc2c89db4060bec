import { createHash } from 'node:crypto'
import { NoWallet, type Wallets } from '../accounts/wallets.ts'
import { mergeCorrections } from '../lists/correction.ts'
import { fileLimits } from '../lists/file.ts'
import { defaultPrefixes } from '../lists/phone.ts'
import type { Answers, ListReading, Market } from '../lists/reading.ts'
import { joinParts } from '../lists/seam.ts'
import { ProviderError } from '../provider/index.ts'
import type { Pesewas } from '../provider/money.ts'
import type { Phone } from '../provider/phone.ts'
import { cardOf, deletionOf } from '../relay/notice.ts'
import { kindFor, type NewOrder } from '../store/orders.ts'
import type { Queries, Store } from '../store/store.ts'
import { chunksOf } from './chunking.ts'
import {
  type List,
  type ListAnswers,
  listOf,
  noAnswers,
  nothingShown,
  recentMs,
  type Selection,
  type Shown,
  select,
} from './list.ts'
import type { Order, Purchase, PurchaseRemark } from './order.ts'
import { freshMs, type Prices } from './prices.ts'
import { progressOf } from './progress.ts'
import { cancelQueued, draftMs, type Person, tell } from './purchases.ts'

/** A list as its preview shows it. */
export interface Preview {
  purchase: Purchase
  list: List
  reading: ListReading
  selection: Selection
  /** What Confirm confirms, in a few characters: another preview has another. */
  digest: string
}

export type ListConfirmation =
  | { kind: 'confirmed' }
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
  | { kind: 'unknown' }

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
  /**
   * Takes a further part of the text, which Telegram had cut. The card that shows the draft, if there is one, goes:
   * after the next look it stands below that message.
   */
  append(purchaseId: string, person: Person, cause: string, part: string): Promise<Extension>
  /** Takes corrected lines, likewise. */
  correct(purchaseId: string, person: Person, cause: string, corrections: string): Promise<Extension>
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
  goOn(purchaseId: string, person: Person): Promise<boolean>
  /** Cancels what of a confirmed list has not been sent. */
  stop(purchaseId: string, person: Person): Promise<boolean>
  /** A draft of the same numbers at today's prices. */
  repeat(purchaseId: string, person: Person, cause: string): Promise<Purchase | null>
  /** A draft of the numbers that failed. `certain`: only those of which a poll or a refund says so. */
  retry(purchaseId: string, person: Person, which: 'certain' | Failed): Promise<Purchase | null>
}

/** One number whose failure is not certain. */
export interface Failed {
  orderId: string
  phone: Phone
}

export interface NewList extends Pick<List, 'text' | 'fixedBundleId'> {
  answers?: ListAnswers
  retryOfId?: string | null
}

export interface ListsOptions {
  store: Store
  prices: Prices
  wallets: Wallets
  read: (text: string, market: Market, answers: Answers) => ListReading
  now: () => Date
  newId: () => string
  /** Told when something is ready to be sent. */
  onQueued: () => void
  /** Told when something is owed to a chat. */
  onNotice: () => void
}

export const createLists = (options: ListsOptions): Lists => {
  const { store, now, newId, onQueued, onNotice } = options

  const readingOf = (list: List): ListReading =>
    options.read(list.text, marketOf(list), list.answers.questions)

  const previewOf = async (queries: Queries, purchaseId: string): Promise<Preview | null> => {
    const purchase = await queries.purchases.byId(purchaseId)
    const list = purchase && (await queries.lists.byPurchase(purchaseId))
    if (!list) return null
    const reading = readingOf(list)
    const selection = select(reading, list.answers, list.shown)
    return { purchase, list, reading, selection, digest: digestOf(selection) }
  }

  const draft = async (person: Person, cause: string, list: NewList): Promise<Purchase> => {
    const at = now()
    return store.transaction(async (tx) => {
      const known = await tx.purchases.byCause(cause)
      if (known) return known
      return insertDraft(tx, person, { cause, ...list, remark: null, shown: nothingShown }, { newId, at })
    })
  }

  const look: Lists['look'] = async (purchaseId) => {
    const purchase = await store.purchases.byId(purchaseId)
    const list = await store.lists.byPurchase(purchaseId)
    if (purchase?.state !== 'draft' || !list) return
    const { accountId, chatId } = purchase
    const { bundles } = await options.prices.list(accountId, 'person')
    const shown = { ...nothingShown, bundles, balancePesewas: await readBalance(options, accountId) }
    const at = now()
    // All that are written: with an answer more of them are ready.
    const written = readingOf({ ...list, shown }).lines.flatMap((line) => line.written)
    const phones = [...new Set(written.map(({ phone }) => phone))]
    const known = await journalOf(store, accountId, phones, at)
    await store.transaction(async (tx) => {
      // Who has changed the text meanwhile looks again.
      if ((await tx.lists.byPurchase(purchaseId))?.text !== list.text) return
      await tx.lists.change(purchaseId, { shown: { ...shown, ...known } })
      await tx.notices.owe(chatId, cardOf(purchaseId), at)
    })
    onNotice()
  }

  /** Each message is the cause of one purchase: of those that a draft takes in, one that the draft has replaced. */
  const extend = (
    purchaseId: string,
    person: Person,
    cause: string,
    rewrite: (list: List) => string,
  ): Promise<Extension> => {
    const at = now()
    return store.transaction(async (tx) => {
      if (await tx.purchases.byCause(cause)) return 'known'
      const purchase = await tx.purchases.byId(purchaseId)
      const list = purchase && (await tx.lists.byPurchase(purchaseId))
      if (!list || !isTheirs(purchase, person) || !isLive(purchase, at)) return 'gone'
      const text = rewrite(list)
      if (text === list.text) return 'unchanged'
      if (!isBounded(text)) return 'too_long'
      await tx.lists.change(purchaseId, { text })
      const { expiresAt } = purchase
      const id = newId()
      await tx.purchases.insertDraft({
        id,
        ...person,
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

    append: (purchaseId, person, cause, part) =>
      extend(purchaseId, person, cause, ({ text }) => joinParts([text, part])),

    correct: (purchaseId, person, cause, corrections) =>
      extend(purchaseId, person, cause, (list) =>
        mergeCorrections(list.text, corrections, marketOf(list), list.answers.questions),
      ),

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
        if (cardMessageId !== null) await tx.purchases.showOn(purchaseId, cardMessageId)
        await tx.notices.owe(purchase.chatId, cardOf(purchaseId), at)
        if (purchase.state !== 'draft') return { kind: 'already', purchase }
        if (preview.digest !== digest) return { kind: 'changed' }
        if (selection.send.length === 0) return { kind: 'nothing_ready' }
        if (await flagRepeats(tx, preview, at)) return { kind: 'repeated' }
        if ((await tx.accounts.byId(purchase.accountId))?.eraseBy) return { kind: 'closing' }
        if (!(await tx.purchases.leaveDraft({ id: purchaseId, userId: person.userId, now: at }, 'confirmed')))
          return { kind: 'expired' }
        await tx.orders.insertQueued(ordersOf(purchase, selection, newId, at), newId)
        return { kind: 'confirmed' }
      })
      if (confirmation.kind === 'confirmed') onQueued()
      onNotice()
      return confirmation
    },

    goOn: async (purchaseId, person) => {
      const at = now()
      const gone = await store.transaction(async (tx) => {
        const purchase = await confirmedOf(tx, purchaseId, person)
        if (!purchase?.heldById) return false
        await tx.purchases.goOn(purchaseId, at)
        await tx.notices.owe(purchase.chatId, cardOf(purchaseId), at)
        return true
      })
      if (gone) onQueued()
      onNotice()
      return gone
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
      if (purchase?.kind !== 'list' || purchase.accountId !== person.accountId) return null
      const orders = await store.orders.ofPurchase(purchaseId)
      return orders.length === 0 ? null : draft(person, cause, listOf(orders))
    },

    retry: async (purchaseId, person, which) => {
      const at = now()
      return store.transaction(async (tx) => {
        const purchase = await tx.purchases.byId(purchaseId)
        if (purchase?.kind !== 'list' || purchase.accountId !== person.accountId) return null
        const id = newId()
        const orders = await claimFailed(tx, await tx.orders.ofPurchase(purchaseId), which, id)
        if (orders.length === 0) return null
        const draftOfRetry = {
          id,
          cause: `retry:${id}`,
          ...listOf(orders),
          retryOfId: purchaseId,
          remark: null,
          shown: nothingShown,
        }
        return insertDraft(tx, person, draftOfRetry, { newId, at })
      })
    },
  }
}

const marketOf = ({ shown, fixedBundleId }: List): Market => ({
  bundles: shown.bundles,
  prefixes: defaultPrefixes,
  fixedBundleId,
})

/** A list grows by corrections to what a file may hold, not beyond. */
const isBounded = (text: string): boolean =>
  text.length <= fileLimits.bytes && text.split('\n', fileLimits.lines + 1).length <= fileLimits.lines

const isTheirs = (purchase: Purchase, person: Person): boolean =>
  purchase.userId === person.userId && purchase.accountId === person.accountId

const isLive = (purchase: Purchase, now: Date): boolean =>
  purchase.state === 'draft' && purchase.expiresAt > now

/** The balance as of the last minute; null where it cannot be read: a preview works without. */
const readBalance = async (
  { store, wallets, now }: ListsOptions,
  accountId: string,
): Promise<Pesewas | null> => {
  const account = await store.accounts.byId(accountId)
  const { balancePesewas, balanceAt } = account ?? { balancePesewas: null, balanceAt: null }
  if (balanceAt && now().getTime() - balanceAt.getTime() < freshMs) return balancePesewas
  const answer = await wallets.ask(accountId, 'person', (provider) => provider.balance())
  await store.accounts.rememberBalance(accountId, answer.balancePesewas, now(), answer.accountType)
  return answer.balancePesewas
}

/** What the journal knows of the numbers of a list. */
const journalOf = async (
  queries: Queries,
  accountId: string,
  phones: Phone[],
  at: Date,
): Promise<Pick<Shown, 'recent' | 'waiting'>> => {
  const since = new Date(at.getTime() - recentMs)
  const asked = new Set<string>(phones)
  const recent = (await queries.orders.recentFor(accountId, phones, since))
    .filter(isCharged)
    .flatMap((order) =>
      order.recipients
        .filter(({ phone }) => asked.has(phone))
        .map(({ phone }) => ({ phone, bundleId: order.bundleId, reference: order.reference })),
    )
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
  const { recent } = await journalOf(tx, purchase.accountId, phones, at)
  const sent = new Set(selection.send.map(keyOf))
  const flagged = new Set(list.shown.recent.map(keyOf))
  const repeats = recent.filter((order) => sent.has(keyOf(order)) && !flagged.has(keyOf(order)))
  if (repeats.length === 0) return false
  const shown = { ...list.shown, recent: [...list.shown.recent, ...repeats] }
  await tx.lists.change(purchase.id, { shown, answers: { ...list.answers, recent: 'skip' } })
  return true
}

const isCharged = ({ status }: Order): boolean =>
  status !== 'failed' && status !== 'cancelled' && status !== 'refunded'

interface Draft extends NewList {
  id?: string
  cause: string
  remark: PurchaseRemark | null
  shown: Shown
}

const insertDraft = async (
  tx: Queries,
  person: Person,
  { id, cause, remark, retryOfId, answers = noAnswers, ...list }: Draft,
  { newId, at }: { newId: () => string; at: Date },
): Promise<Purchase> => {
  const purchase = await tx.purchases.insertDraft({
    id: id ?? newId(),
    accountId: person.accountId,
    userId: person.userId,
    chatId: person.chatId,
    cause,
    kind: 'list',
    lines: [],
    retryOfId: retryOfId ?? null,
    ...(remark && { remark }),
    createdAt: at,
    expiresAt: new Date(at.getTime() + draftMs),
  })
  await tx.lists.insert({ purchaseId: purchase.id, answers, ...list })
  return purchase
}

/** The orders of a list that was just confirmed: one after another in turn. */
const ordersOf = (
  purchase: Purchase,
  { send }: Selection,
  newId: () => string,
  createdAt: Date,
): NewOrder[] => {
  const places = new Map(send.map((recipient, position) => [recipient, position]))
  let afterId: string | null = null
  return chunksOf(send).flatMap((recipients, position) => {
    const [first] = recipients
    if (!first) return []
    const id = newId()
    const order: NewOrder = {
      id,
      purchaseId: purchase.id,
      accountId: purchase.accountId,
      userId: purchase.userId,
      chatId: purchase.chatId,
      kind: kindFor(recipients.length),
      listed: true,
      position,
      afterId,
      bundleId: first.bundleId,
      network: first.network,
      volume: first.volume,
      offerSlug: first.offerSlug,
      unitPricePesewas: first.pricePesewas,
      recipients: recipients.map((each) => ({ phone: each.phone, position: places.get(each) ?? 0 })),
      createdAt,
    }
    afterId = id
    return [order]
  })
}

/** What would be sent, for what price, in a few characters that fit a button. */
const digestOf = ({ send }: Selection): string => {
  const hash = createHash('sha256')
  for (const { phone, bundleId, pricePesewas } of send) hash.update(`${phone} ${bundleId} ${pricePesewas}\n`)
  return hash.digest('base64url').slice(0, 8)
}

/** Takes the failed recipients for the purchase of that id; those that another live one has taken stay with it. */
const claimFailed = async (
  tx: Queries,
  orders: Order[],
  which: 'certain' | Failed,
  retryId: string,
): Promise<Order[]> => {
  const claimed: Order[] = []
  const failures = Map.groupBy(
    progressOf(orders).failed.filter((failure) =>
      which === 'certain'
        ? failure.isCertain
        : failure.orderId === which.orderId && failure.phone === which.phone,
    ),
    ({ orderId }) => orderId,
  )
  for (const order of orders) {
    const free = failures.get(order.id)?.filter((failure) => failure.retryId === null) ?? []
    const phones = free.map(({ phone }) => phone)
    if (phones.length === 0) continue
    await tx.orders.claimRetry(order.id, phones, retryId)
    claimed.push({ ...order, recipients: order.recipients.filter(({ phone }) => phones.includes(phone)) })
  }
  return claimed
}

/**
 * Puts a new draft in the place of what of a list is queued and must not be sent as it was confirmed, and shows it.
 * @param bundles the price list that it is shown by; null: the one that was confirmed.
 */
export const askAgainForRest = async (
  tx: Queries,
  order: Order,
  ask: { remark: PurchaseRemark; bundles: Shown['bundles'] | null; newId: () => string; at: Date },
): Promise<boolean> => {
  const { remark, newId, at } = ask
  const purchase = await tx.purchases.byId(order.purchaseId)
  const list = purchase && (await tx.lists.byPurchase(purchase.id))
  if (!list) return false
  const all = await tx.orders.ofPurchase(purchase.id)
  const rest: Order[] = []
  for (const each of all) {
    if (await tx.orders.go({ id: each.id }, 'superseded', { reason: remark }, at)) rest.push(each)
  }
  if (rest.length === 0) return false
  const account = await tx.accounts.byId(purchase.accountId)
  const shown = {
    ...nothingShown,
    bundles: ask.bundles ?? list.shown.bundles,
    balancePesewas: account?.balancePesewas ?? null,
  }
  const draft = await insertDraft(
    tx,
    purchase,
    { cause: `rest:${order.id}`, ...listOf(rest), retryOfId: purchase.id, remark, shown },
    { newId, at },
  )
  if (rest.length === all.length) await tx.purchases.supersede(purchase.id, draft.id)
  for (const each of rest) await tx.orders.wakeWaiting(each.id)
  await tell(tx, order, at)
  await tx.notices.owe(purchase.chatId, cardOf(draft.id), at)
  return true
}
