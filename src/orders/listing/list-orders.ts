import type { Logger } from 'pino'
import { type List, leftOf, nothingShown, select } from '../../domain/list-draft.ts'
import type { Denial } from '../../domain/may-order.ts'
import { answeringCard } from '../../domain/notice.ts'
import { isRedacted, type Purchase } from '../../domain/order/order.ts'
import type { NearTwin } from '../../lists/meaning/near-twins.ts'
import type { Answers, ListReading, NamedLine, Names, PriceSnapshot } from '../../lists/reading-result.ts'
import type { Phone } from '../../provider/index.ts'
import { zero } from '../../provider/money.ts'
import type { Queries, Store } from '../../store/store.ts'
import { balanceFor } from '../../wallets/balance-reading.ts'
import { isWalletError, type Wallets } from '../../wallets/wallets.ts'
import { cancelQueued } from '../buying/cancelling.ts'
import { prefixChanges } from '../buying/likely-network.ts'
import type { Prices } from '../buying/prices.ts'
import { isTheirs, mayRead, type Person } from '../buying/purchases.ts'
import { pricesSeenBy, spendableOf } from '../buying/spendable.ts'
import { enqueueNews } from '../following/order-news.ts'
import { endWarnings } from '../following/warnings.ts'
import { denialFor } from '../permission/orderer.ts'
import { networksDown } from '../permission/switches.ts'
import { confirmList, type ListConfirmation } from './list-confirmation.ts'
import { noteLeft } from './list-left.ts'
import { type Extension, isLive, type ListMessage, mergeDraft, takeMessage } from './list-message.ts'
import { createPreviews, journalOf, type Preview } from './list-preview.ts'
import { insertListDraft, listOf, type NewList } from './new-list.ts'
import { earlierRetry, takeForRetry, type Which } from './retry.ts'
import { createTopUpOffers, type TopUpOffers } from './topped-up.ts'

export type GoingOn =
  | { kind: 'going' }
  /** The list is still held up. */
  | { kind: 'denied'; denial: Denial }
  | { kind: 'nothing_held' }

/** Lists of orders, from the pasted text to the closing message. */
export interface Lists {
  /** Makes a draft. If one with this `cause` exists, returns that one. */
  draft(person: Person, cause: string, list: NewList): Promise<Purchase>
  /**
   * Reads prices, balance and whatever else the preview needs, then enqueues its card. @throws {WalletError}
   */
  look(purchaseId: string): Promise<void>
  /** Shows the drafts that have no card yet because the bot stopped before it could show them. */
  resume(): Promise<void>
  /** Applies a later message to a draft. The next `look` shows the card below that message. */
  take(purchaseId: string, person: Person, cause: string, message: ListMessage): Promise<Extension>
  /** Applies a draft's text as a correction of another list. @returns false if one of them is no longer a draft. */
  merge(purchaseId: string, listId: string, person: Person): Promise<boolean>
  /** The preview as of the last `look`; null if the list does not exist. */
  preview(purchaseId: string): Promise<Preview | null>
  /** Changes a draft. @returns false if it is no longer a draft, or not this person's. */
  change(
    purchaseId: string,
    person: Person,
    change: (list: List) => Partial<Pick<List, 'text' | 'answers'>>,
  ): Promise<boolean>
  /**
   * Confirms a list as its preview shows it.
   * @param digest the digest of the preview whose button was pressed.
   */
  confirm(
    purchaseId: string,
    person: Person,
    digest: string,
    cardMessageId: number | null,
  ): Promise<ListConfirmation>
  goOn(purchaseId: string, person: Person): Promise<GoingOn>
  /** Cancels the orders of a confirmed list that are still queued. @returns false if none was. */
  stop(purchaseId: string, person: Person): Promise<boolean>
  /**
   * Makes a draft with the same numbers, at today's prices.
   * @returns null if the person may not see the list, or its numbers were removed.
   */
  repeat(purchaseId: string, person: Person, cause: string): Promise<Purchase | null>
  /**
   * Makes a draft that orders some of the list's numbers again. Each number is in at most one retry.
   * @returns an earlier retry if no number is left for a new one; null if there is none, or the numbers were erased.
   */
  retry(purchaseId: string, person: Person, which: Which): Promise<Purchase | null>
  /** Offers orders again that the provider refused because the balance was too low. */
  topUps: TopUpOffers
}

interface ListsOptions {
  store: Store
  log: Pick<Logger, 'error'>
  prices: Prices
  wallets: Wallets
  read: (text: string, priceSnapshot: PriceSnapshot, answers: Answers) => ListReading
  /** Finds the contacts that lines of the list name. Without this function, no name is recognised. */
  namesMeant?: (purchase: Purchase, lines: readonly NamedLine[]) => Promise<Names | null>
  /**
   * Finds numbers that may contain a typing slip. Without this function, none are shown.
   * @param served the numbers with an earlier order.
   */
  nearNumbers?: (
    purchase: Purchase,
    phones: readonly Phone[],
    served: ReadonlySet<string>,
  ) => Promise<readonly NearTwin[]>
  now: () => Date
  newId: () => string
  /** Nothing can be confirmed while the disk is nearly full. */
  isShortOfRoom?: () => boolean
  /** Called when an order may be ready to be sent. */
  onQueued: () => void
  onNotice: () => void
}

/** The most numbers with a suspected typing slip that a preview shows. */
const maxNear = 50

export const createLists = (options: ListsOptions): Lists => {
  const { store, now, newId, isShortOfRoom = () => false, onQueued, onNotice } = options

  const previews = createPreviews(options.read, now)

  const draft = async (person: Person, cause: string, list: NewList): Promise<Purchase> => {
    const at = now()
    return store.transaction(
      async (tx) => {
        const known = await tx.purchases.byCause(cause)
        if (known) return known
        return insertListDraft(
          tx,
          person,
          { cause, ...list, remark: null, shown: nothingShown },
          { newId, at },
        )
      },
      { accounts: [person.accountId] },
    )
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
    const unnamed = { ...nothingShown, bundles, ...seen, pricedAtMs, prefixes, down }
    const { named } = previews.read({ ...list, shown: unnamed })
    const names = await (options.namesMeant?.(purchase, named) ?? null)
    const priceSnapshot = names ? { ...unnamed, names } : unnamed
    // Every number in the text, even in lines that are not ready, because an answer may make them ready.
    const written = previews.read({ ...list, shown: priceSnapshot }).lines.flatMap((line) => line.written)
    const phones = [...new Set(written.map(({ phone }) => phone))]
    const served = await store.orders.servedOn(accountId, phones)
    const priced = { ...priceSnapshot, served, ported: await store.ported.of(accountId, phones) }
    const reading = previews.read({ ...list, shown: priced })
    const selection = select(reading, list.answers, priced)
    const near = (await options.nearNumbers?.(purchase, phones, new Set(Object.keys(served)))) ?? []
    const purse = await spendableOf(
      store,
      purchase,
      () => balanceFor(options, accountId, selection.neededPesewas ?? zero),
      at,
    )
    const shown = { ...priced, ...purse, ...(near.length > 0 && { near: near.slice(0, maxNear) }) }
    const known = await journalOf(store, purchase, phones, at)
    await store.transaction(
      async (tx) => {
        // If the person has changed the text in the meantime, another `look` follows, so this one stops.
        if ((await tx.lists.byPurchase(purchaseId))?.text !== list.text) return
        await tx.lists.change(purchaseId, { shown: { ...shown, ...known } })
        await noteLeft(tx, purchase, () => leftOf(reading, selection.done), at)
        await tx.notices.enqueue(chatId, answeringCard(purchaseId), at)
      },
      { accounts: [accountId] },
    )
    onNotice()
  }

  /** The purchase of a confirmed list; null if the list is not confirmed, or not this person's. */
  const confirmedOf = async (queries: Queries, id: string, person: Person): Promise<Purchase | null> => {
    const purchase = await queries.purchases.byId(id)
    return purchase?.kind === 'list' && isTheirs(purchase, person) && purchase.state === 'confirmed'
      ? purchase
      : null
  }

  return {
    draft,
    topUps: createTopUpOffers({ ...options, look }),
    preview: (purchaseId) => previews.of(store, purchaseId),

    look,

    resume: async () => {
      for (const { id, chatId } of await store.purchases.unshownLists(now())) {
        try {
          await look(id)
        } catch (error) {
          if (!isWalletError(error)) throw error
          await store.transaction((tx) => tx.notices.enqueue(chatId, answeringCard(id), now()))
          onNotice()
        }
      }
    },

    take: (purchaseId, person, cause, message) => {
      const at = now()
      return store.transaction((tx) => takeMessage(tx, { purchaseId, person, cause, message, newId, at }), {
        accounts: [person.accountId],
      })
    },

    merge: async (purchaseId, listId, person) => {
      const merged = await store.transaction(
        (tx) => mergeDraft(tx, { purchaseId, listId, person, at: now() }),
        { accounts: [person.accountId] },
      )
      onNotice()
      return merged
    },

    change: async (purchaseId, person, change) => {
      const changed = await store.transaction(
        async (tx) => {
          const purchase = await tx.purchases.byId(purchaseId)
          const list = purchase && (await tx.lists.byPurchase(purchaseId))
          if (!list || !isTheirs(purchase, person) || !isLive(purchase, now())) return false
          const next = change(list)
          await tx.lists.change(purchaseId, next)
          await noteLeft(tx, purchase, () => previews.left({ ...list, ...next }), now())
          return true
        },
        { accounts: [person.accountId] },
      )
      return changed
    },

    confirm: async (purchaseId, person, digest, cardMessageId) => {
      const at = now()
      const confirmation = await store.transaction(
        async (tx): Promise<ListConfirmation> => {
          const preview = await previews.of(tx, purchaseId)
          if (!preview || !isTheirs(preview.purchase, person)) return { kind: 'unknown' }
          const press = { person, digest, cardMessageId }
          return confirmList(tx, preview, press, { newId, at, isShortOfRoom: isShortOfRoom() })
        },
        { accounts: [person.accountId] },
      )
      if (confirmation.kind === 'confirmed') onQueued()
      onNotice()
      return confirmation
    },

    goOn: async (purchaseId, person) => {
      const at = now()
      const outcome = await store.transaction(
        async (tx): Promise<GoingOn> => {
          const purchase = await confirmedOf(tx, purchaseId, person)
          if (!purchase?.heldById) return { kind: 'nothing_held' }
          const moment = { at, isShortOfRoom: isShortOfRoom() }
          const denial = await denialFor(tx, person, { kind: 'release' }, moment)
          if (denial) return { kind: 'denied', denial }
          await tx.purchases.goOn(purchaseId, at)
          await tx.notices.enqueue(purchase.chatId, answeringCard(purchaseId), at)
          await endWarnings(tx, purchaseId, at)
          return { kind: 'going' }
        },
        { accounts: [person.accountId] },
      )
      if (outcome.kind === 'going') onQueued()
      onNotice()
      return outcome
    },

    stop: async (purchaseId, person) => {
      const at = now()
      const stopped = await store.transaction(
        async (tx) => {
          const purchase = await confirmedOf(tx, purchaseId, person)
          if (!purchase) return false
          const orders = await tx.orders.ofPurchase(purchaseId)
          const [first] = orders
          if (!first || !(await cancelQueued(tx, orders, at))) return false
          await enqueueNews(tx, first, at)
          return true
        },
        { accounts: [person.accountId] },
      )
      onNotice()
      return stopped
    },

    repeat: async (purchaseId, person, cause) => {
      const purchase = await store.purchases.byId(purchaseId)
      if (purchase?.kind !== 'list' || !mayRead(person, purchase)) return null
      const orders = await store.orders.ofPurchase(purchaseId)
      if (orders.some(isRedacted)) return null
      const own = orders.filter(({ placement }) => placement !== 'superseded')
      return orders.length === 0 ? null : draft(person, cause, listOf(own.length > 0 ? own : orders))
    },

    retry: async (purchaseId, person, which) => {
      const at = now()
      return store.transaction(
        async (tx) => {
          const purchase = await tx.purchases.byId(purchaseId)
          if (purchase?.kind !== 'list' || !mayRead(person, purchase)) return null
          const orders = await tx.orders.ofPurchase(purchaseId)
          if (orders.some(isRedacted)) return null
          const id = newId()
          const taken = await takeForRetry(tx, orders, which, id)
          if (taken.length === 0) return earlierRetry(tx, orders, which)
          const remark = which.kind === 'one' ? ('not_certain' as const) : null
          const again = { id, cause: `retry:${id}`, ...listOf(taken), retryOfId: purchaseId, remark }
          return insertListDraft(tx, person, { ...again, shown: nothingShown }, { newId, at })
        },
        { accounts: [person.accountId] },
      )
    },
  }
}
