import { createHash } from 'node:crypto'
import type { Transaction, TransactionPage } from '../provider/index.ts'
import { historyEntriesPerPage, runOf } from './wallet-history.ts'

/**
 * One screen of a wallet's entries. The provider numbers its pages from the newest entry, so all that is on them
 * moves back as new ones come; a screen is therefore continued from an entry, not from a number. Where that entry
 * stands by now is looked for on the page where it stood and on those behind it.
 *
 * A provider that lists from old to new is read from its last page on, as if it were the first.
 */
export interface View<T> {
  /** Newest first. */
  shown: T[]
  newer: Place | null
  older: Place | null
  /** Why the screen is not full although there may be more entries: no more were, or could be, read for this press. */
  cutShort: CutShort | null
  /** Entries that could not be understood. */
  unreadable: number
}

export interface Place {
  page: number
  mark: string
}

export type CutShort = { why: 'enough' } | { why: 'failed'; error: unknown }

interface ViewRequest<T> {
  /** @throws what keeps it from being read: what was found before it is shown all the same. */
  readPage: (page: number) => Promise<TransactionPage>
  /** What is to be shown of a page, with the entry that it is of. */
  choose: (entries: Transaction[]) => Promise<{ entry: Transaction; chosen: T | null }[]>
  from: ({ way: 'older' | 'newer' } & Place) | null
  /** As many are shown. */
  size: number
}

/** As many pages are read for one press. */
export const mostPagesAPress = 5
/** The entry that a screen goes on from is looked for on so many pages. */
const mostShiftedPages = 3

/** What tells an entry from others, short enough for a button. */
export const markOf = ({ id }: Pick<Transaction, 'id'>): string =>
  createHash('sha256').update(String(id)).digest('base64url').slice(0, 8)

interface Looked<T> extends Place {
  chosen: T | null
}

export const readView = async <T>(request: ViewRequest<T>): Promise<View<T>> => {
  const pages = pagesOf(request)
  if (request.from?.way === 'newer') {
    const view = await lookBack(pages, request.from, request.size)
    // At the very top the first screen is shown, which is full.
    if (view.newer !== null) return view
  }
  return lookOn(pages, request.from?.way === 'older' ? request.from : null, request.size)
}

interface Page<T> {
  entries: Looked<T>[]
  isLast: boolean
}

/** Pages as they are read for this press, each once; null where no more are. */
interface Pages<T> {
  read(page: number): Promise<Page<T> | null>
  cutShort(): CutShort
  unreadable(): number
}

const pagesOf = <T>({ readPage, choose }: ViewRequest<T>): Pages<T> => {
  const known = new Map<number, Page<T>>()
  // What comes while pages are read moves entries to the next page, where they are met again.
  const met = new Set<string>()
  let unreadable = 0
  let cutShort: CutShort = { why: 'enough' }

  const read = async (page: number): Promise<Page<T>> => {
    const answer = await fromNewest(readPage, page)
    unreadable += answer.unreadable
    const fresh = answer.transactions.filter((entry) => !met.has(markOf(entry)))
    for (const entry of fresh) met.add(markOf(entry))
    const entries = (await choose(fresh)).map(({ entry, chosen }) => ({ page, mark: markOf(entry), chosen }))
    const last = answer.pagination?.lastPage ?? null
    const count = answer.transactions.length + answer.unreadable
    return { entries, isLast: last === null ? count < historyEntriesPerPage : page >= last }
  }

  return {
    unreadable: () => unreadable,
    cutShort: () => cutShort,
    read: async (page) => {
      const before = known.get(page)
      if (before) return before
      if (known.size >= mostPagesAPress) return null
      try {
        const fresh = await read(page)
        known.set(page, fresh)
        return fresh
      } catch (error) {
        if (known.size === 0) throw error
        cutShort = { why: 'failed', error }
        return null
      }
    },
  }
}

/** That page as it would be if the newest entries stood on the first. */
const fromNewest = async (
  readPage: (page: number) => Promise<TransactionPage>,
  page: number,
): Promise<TransactionPage> => {
  const answer = await readPage(page)
  const last = answer.pagination?.lastPage ?? 1
  const tellsNothing = last === 1 || page === 1 || answer.transactions.every(({ createdAt }) => !createdAt)
  const run = runOf(answer) ?? (tellsNothing ? null : runOf(await readPage(1)))
  if (run !== 'oldest_first') return answer
  const mirrored = last + 1 - page === page ? answer : await readPage(last + 1 - page)
  return { ...mirrored, transactions: mirrored.transactions.toReversed() }
}

/** Where the entry stands now; where it is not found, the top of its page: better shown twice than not at all. */
const find = async <T>(pages: Pages<T>, { page, mark }: Place): Promise<{ page: number; index: number }> => {
  for (let at = page; at < page + mostShiftedPages; at += 1) {
    const read = await pages.read(at)
    const index = read?.entries.findIndex((each) => each.mark === mark) ?? -1
    if (index >= 0) return { page: at, index }
    if (!read || read.isLast) break
  }
  return { page, index: -1 }
}

/** From there towards the older entries. */
const lookOn = async <T>(pages: Pages<T>, from: Place | null, size: number): Promise<View<T>> => {
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

/** From there towards the newer entries. */
const lookBack = async <T>(pages: Pages<T>, from: Place, size: number): Promise<View<T>> => {
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
