import { createHash } from 'node:crypto'
import type { Transaction, TransactionPage } from '../provider/index.ts'
import {
  entryKey,
  isLastPlace,
  isOldestFirst,
  mirrorOf,
  newHistory,
  pageThatShowsSorting,
  takePage,
} from './wallet-history.ts'

/**
 * One screen of a wallet's entries. The provider numbers its pages from the newest entry, so entries move to later
 * pages as new ones arrive. A screen therefore continues from an entry, not from a page number. That entry is looked
 * for on its old page and the pages after it.
 *
 * If a provider sorts from old to new, its last page is read as if it were the first.
 */
export interface EntriesView<T> {
  /** Newest first. */
  shown: T[]
  newer: Place | null
  older: Place | null
  /** Why the screen is not full although there may be more entries; null if it is full, or if there are none. */
  cutShort: CutShort | null
  unreadable: number
}

/** The entry that a screen continues from: the page on which it was shown, and its mark (`entryMark`). */
export interface Place {
  page: number
  mark: string
}

/** Why a screen is not full: this press has read the maximum number of pages, or a read failed. */
export type CutShort = { why: 'enough' } | { why: 'failed'; error: unknown }

interface ViewRequest<T> {
  /** Reads a page. If it throws, entries found before are still shown. */
  readPage: (page: number) => Promise<TransactionPage>
  /** Chooses what to show for each entry of a page; null leaves the entry out. */
  choose: (entries: Transaction[]) => Promise<{ entry: Transaction; chosen: T | null }[]>
  from: ({ way: 'older' | 'newer' } & Place) | null
  size: number
}

export const maxPagesAPress = 5
/** How many pages are searched for the entry that a screen continues from. */
const maxShiftedPages = 3

/** A short hash that identifies an entry in a button. */
export const entryMark = (entry: Pick<Transaction, 'type' | 'id'>): string =>
  createHash('sha256').update(entryKey(entry)).digest('base64url').slice(0, 8)

interface Looked<T> extends Place {
  chosen: T | null
}

export const readView = async <T>(request: ViewRequest<T>): Promise<EntriesView<T>> => {
  const pages = pagesOf(request)
  if (request.from?.way === 'newer') {
    const view = await lookBack(pages, request.from, request.size)
    // If this reaches the newest entry, the first screen is shown instead, because this one may not be full.
    if (view.newer !== null) return view
  }
  return lookOn(pages, request.from?.way === 'older' ? request.from : null, request.size)
}

interface Page<T> {
  entries: Looked<T>[]
  isLast: boolean
}

/** Pages counted from the newest one, each read once for this press. Null if no more may be read. */
interface Pages<T> {
  read(page: number): Promise<Page<T> | null>
  cutShort(): CutShort
  unreadable(): number
}

const pagesOf = <T>({ readPage, choose }: ViewRequest<T>): Pages<T> => {
  const known = new Map<number, Page<T>>()
  const history = newHistory()
  const fresh = new Map<number, Transaction[]>()
  /** Whether the newest entries are on the last page; null until that is known. */
  let isMirrored: boolean | null = null
  let cutShort: CutShort = { why: 'enough' }

  const take = async (page: number): Promise<void> => {
    fresh.set(page, takePage(history, page, await readPage(page)))
  }

  /** The entries that shifted onto a page after it was read. Reads the page again if there may be any. */
  const takeShifted = async (page: number): Promise<Transaction[]> =>
    history.stale.has(page) ? takePage(history, page, await readPage(page)) : []

  /**
   * Finds out how the wallet is sorted. Most are sorted from new to old, and usually the requested page shows that.
   * @returns whether the oldest entries come first
   */
  const findOrder = async (place: number): Promise<boolean> => {
    await take(place)
    for (let page = pageThatShowsSorting(history); page !== null; page = pageThatShowsSorting(history))
      await take(page)
    return isOldestFirst(history)
  }

  const read = async (place: number): Promise<Page<T>> => {
    isMirrored ??= await findOrder(place)
    const page = isMirrored ? mirrorOf(history, place) : place
    if (!history.pages.has(page)) await take(page)
    const entries = [...(fresh.get(page) ?? []), ...(await takeShifted(page + 1))]
    fresh.delete(page)
    const chosen = await choose(isMirrored ? entries.toReversed() : entries)
    const looked = chosen.map(({ entry, ...each }) => ({ page: place, mark: entryMark(entry), ...each }))
    return { entries: looked, isLast: isLastPlace(history, place) }
  }

  return {
    unreadable: () => history.unreadable,
    cutShort: () => cutShort,
    read: async (place) => {
      const before = known.get(place)
      if (before) return before
      if (known.size >= maxPagesAPress) return null
      try {
        const page = await read(place)
        known.set(place, page)
        return page
      } catch (error) {
        if (known.size === 0) throw error
        cutShort = { why: 'failed', error }
        return null
      }
    },
  }
}

/**
 * Finds where the entry is now. If it is not found, the screen starts at the top of its old page, because showing
 * entries twice is better than missing some.
 */
const find = async <T>(pages: Pages<T>, { page, mark }: Place): Promise<{ page: number; index: number }> => {
  for (let at = page; at < page + maxShiftedPages; at += 1) {
    const read = await pages.read(at)
    const index = read?.entries.findIndex((each) => each.mark === mark) ?? -1
    if (index >= 0) return { page: at, index }
    if (!read || read.isLast) break
  }
  return { page, index: -1 }
}

/** Collects entries from a place towards older ones. */
const lookOn = async <T>(pages: Pages<T>, from: Place | null, size: number): Promise<EntriesView<T>> => {
  const start = from ? await find(pages, from) : { page: 1, index: -1 }
  const shown: (Looked<T> & { chosen: T })[] = []
  let last: Looked<T> | null = null
  let first: Looked<T> | null = null
  let isEnd = false
  let isCut = false
  for (let page = start.page; shown.length < size && !isEnd; page += 1) {
    const read = await pages.read(page)
    if (read === null) {
      isCut = true
      break
    }
    for (const [index, looked] of read.entries.entries()) {
      if (page === start.page && index <= start.index) continue
      if (shown.length === size) break
      first ??= looked
      last = looked
      if (looked.chosen !== null) shown.push({ ...looked, chosen: looked.chosen })
    }
    isEnd = read.isLast && (shown.length < size || last === read.entries.at(-1))
  }
  return {
    shown: shown.map(({ chosen }) => chosen),
    newer: from && placeOf(first ?? from),
    older: isEnd ? null : placeOf(last ?? from),
    cutShort: isCut ? pages.cutShort() : null,
    unreadable: pages.unreadable(),
  }
}

/** Collects entries from a place towards newer ones. */
const lookBack = async <T>(pages: Pages<T>, from: Place, size: number): Promise<EntriesView<T>> => {
  const start = await find(pages, from)
  const shown: T[] = []
  let first: Looked<T> | null = null
  let last: Looked<T> | null = null
  let page = start.index < 0 ? start.page - 1 : start.page
  let isCut = false
  for (; page >= 1 && shown.length < size; page -= 1) {
    const read = await pages.read(page)
    if (read === null) {
      isCut = true
      break
    }
    const before = page === start.page && start.index >= 0 ? read.entries.slice(0, start.index) : read.entries
    for (const looked of before.toReversed()) {
      if (shown.length === size) break
      last ??= looked
      first = looked
      if (looked.chosen !== null) shown.unshift(looked.chosen)
    }
  }
  const isTop = !isCut && shown.length < size
  return {
    shown,
    newer: isTop ? null : placeOf(first ?? from),
    older: placeOf(last ?? from),
    cutShort: isCut ? pages.cutShort() : null,
    unreadable: pages.unreadable(),
  }
}

const placeOf = (looked: Place | null): Place | null => looked && { page: looked.page, mark: looked.mark }
