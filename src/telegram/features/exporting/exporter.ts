import { rm } from 'node:fs/promises'
import type { Logger } from 'pino'
import { wait as sleep } from '../../../base/wait.ts'
import { newId } from '../../../database/id.ts'
import type { ExportRow } from '../../../exports/cell-value.ts'
import { type ExportFile, writeFiles } from '../../../exports/export-file.ts'
import { spanOf } from '../../../exports/export-period.ts'
import { withScratchFolder } from '../../../exports/scratch.ts'
import { entriesOf } from '../../../exports/wallet-entries.ts'
import { processToken } from '../../../messaging/leader-lease.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import type { Reconciler } from '../../../orders/reconciling/reconciler.ts'
import { collectCredits, learnRefunds } from '../../../orders/reconciling/refunds.ts'
import type { Store } from '../../../store/store.ts'
import { pageOf } from '../../../wallets/reader.ts'
import { isWalletError, type Wallets } from '../../../wallets/wallets.ts'
import { viewOf } from '../../cards/viewer.ts'
import { type Button, button, homeButton, type Screen } from '../../chat/screen.ts'
import type { Sender } from '../../chat/sender.ts'
import type { Exporter, ExportWish } from '../../chat/services.ts'
import { cannotRead, entriesName } from '../../words/unreadable.ts'
import { createExportClaims } from './export-claims.ts'
import { entryRows, exportSheet, orderRows } from './export-rows.ts'
import * as exportTexts from './words.ts'

interface ExporterOptions {
  store: Store
  wallets: Wallets
  reconciler: Pick<Reconciler, 'learnCharges'>
  sender: Sender
  now: () => Date
  log: Logger
  /** Called when a notice was enqueued. */
  onNotice: () => void
}

/** Thrown to stop an export. */
class Ended extends Error {
  readonly why: exportTexts.ExportEnd

  constructor(why: exportTexts.ExportEnd) {
    super(`The export has ended: ${why}.`)
    this.why = why
  }
}

interface Running {
  token: string
  abort: AbortController
  progress: ExportProgress
  /** Whether everything is sent except the closing message, so that the next export may begin. */
  isOver: boolean
  done: Promise<void>
}

/** The time between edits of the progress, ms. It leaves room for other messages within Telegram's limits. */
const editEveryMs = 3_000

/** Creates the exporter. It keeps its running exports in memory. */
export const createExporter = (options: ExporterOptions): Exporter => {
  const { store, wallets, reconciler, sender, now, log, onNotice } = options
  const running = new Map<number, Running>()
  const claims = createExportClaims(store)
  let isStopping = false

  /**
   * Checks that the export may continue. It is called again and again, so that a person who is removed from the account
   * gets nothing more.
   */
  const check = async ({ userId, accountId, role, chatId }: Person, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted()
    const own = running.get(chatId)
    if (own && !(await claims.goesOn(chatId, own.token))) {
      own.abort.abort()
      signal.throwIfAborted()
    }
    const member = await store.accounts.member(userId)
    if (member?.accountId !== accountId || member.role !== role) throw new Ended('no_member')
  }

  const sourceOf = async (
    person: Person,
    { subject, period }: ExportWish,
    timeZone: string,
    job: Job,
  ): Promise<AsyncIterable<ExportRow>> => {
    const { accountId, userId } = person
    const isOwner = person.role === 'owner'
    const span = spanOf(period, now(), timeZone)
    if (subject === 'orders') {
      const until = span.until ?? now()
      const whose = isOwner ? { userId: null, agentId: 0 } : { userId, agentId: userId }
      const scope = { accountId, ...whose, since: span.since, until }
      const total = await store.exports.count(scope)
      const view = await viewOf(store, person, person.role)
      const rows = orderRows(store, { scope, userId, view })
      return counted(rows, job, (read) => job.tell({ kind: 'read', rows: read, total }))
    }
    const credits = collectCredits()
    const pages = entriesOf({
      span,
      now,
      readPage: async (page) => {
        await job.check()
        const read = await wallets.ask(accountId, 'person', (provider) => pageOf(provider, page))
        credits.take(read.transactions)
        await reconciler.learnCharges(accountId, read.transactions)
        return read
      },
      wait: (ms) => sleep(ms, undefined, { signal: job.signal }),
      onNews: (news) =>
        job.tell(news.kind === 'read' ? { kind: 'read', rows: news.entries, total: news.total } : news),
      onUnreadable: (count) => {
        job.unreadable += count
      },
    })
    const wholeSince = span.until === null ? (span.since ?? new Date(0)) : null
    const learn = () => learnRefunds({ store, now, onNotice }, accountId, credits.sums(), wholeSince)
    return entryRows(store, accountId, afterAll(pages, learn))
  }

  const make = (person: Person, wish: ExportWish, job: Job): Promise<Screen> =>
    withScratchFolder(async (folder) => {
      const { format, subject } = wish
      const { timeZone } = await store.preferences.of(person.userId)
      const rows = await sourceOf(person, wish, timeZone, job)
      const sheet = exportSheet(subject, await viewOf(store, person, person.role), timeZone)
      const sent = { rows: 0, files: 0 }
      for await (const file of writeFiles({ folder, format, sheet, rows })) {
        await job.check()
        if (file.rows > 0) {
          job.tell({ kind: 'sending', part: file.part })
          await deliver(person.chatId, wish, file, timeZone)
          sent.rows += file.rows
          sent.files += 1
        }
        await rm(file.path)
      }
      return endScreen(wish, { ...sent, unreadable: job.unreadable })
    })

  const deliver = async (
    chatId: number,
    { subject, format }: ExportWish,
    file: ExportFile,
    timeZone: string,
  ): Promise<void> => {
    const name = exportTexts.fileName(subject, format, file)
    const caption = exportTexts.fileCaption(subject, file, timeZone)
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const sent = await sender.sendFile(chatId, { name, caption, content: { path: file.path } })
      if (sent.kind === 'sent') return
      if (sent.refusal.kind !== 'flood' && sent.refusal.kind !== 'unknown') break
    }
    throw new Ended('not_sent')
  }

  /** The message for an export that stopped early. */
  const reasonOf = (error: unknown, { subject, period }: ExportWish, signal: AbortSignal): string => {
    if (signal.aborted) return exportTexts.ended(subject, period, isStopping ? 'restarting' : 'stopped')
    if (error instanceof Ended) return exportTexts.ended(subject, period, error.why)
    if (isWalletError(error)) {
      return cannotRead(entriesName, error)
    }
    log.error({ err: error }, 'an export failed')
    return exportTexts.ended(subject, period, 'failed')
  }

  const run = async (
    person: Person,
    wish: ExportWish,
    progress: ExportProgress,
    { token, signal, onOver }: { token: string; signal: AbortSignal; onOver: () => void },
  ): Promise<void> => {
    const job: Job = {
      signal,
      unreadable: 0,
      check: () => check(person, signal),
      tell: (how) => {
        const text = exportTexts.progress(wish.subject, wish.period, how, now())
        progress.tell({ text, rows: [[stopButton]] }, how.kind === 'waits')
      },
    }
    job.tell({ kind: 'read', rows: 0, total: null })
    const made = claims.begin(person.chatId, token).then(() => make(person, wish, job))
    const end = await made.catch((error) => ({ text: reasonOf(error, wish, signal), rows: endRows }))
    // If the claim cannot be removed, it expires.
    await claims.end(person.chatId, token).catch(() => {})
    onOver()
    await progress.end(end)
  }

  const isBusy = (chatId: number): boolean => running.get(chatId)?.isOver === false

  return {
    isBusy,

    begin: (person, wish, messageId) => {
      const { chatId } = person
      if (isBusy(chatId) || isStopping) return
      const abort = new AbortController()
      const progress = createProgress(sender, chatId, messageId)
      const token = processToken(newId())
      const own: Running = { token, abort, progress, isOver: false, done: Promise.resolve() }
      running.set(chatId, own)
      const onOver = () => {
        own.isOver = true
      }
      own.done = run(person, wish, progress, { token, signal: abort.signal, onOver }).finally(() => {
        if (running.get(chatId) === own) running.delete(chatId)
      })
    },

    cancel: async (chatId, messageId) => {
      const found = running.get(chatId)
      if (!found) return claims.stop(chatId)
      if (found.progress.messageId() !== messageId) return false
      found.abort.abort()
      return true
    },

    stop: async () => {
      isStopping = true
      for (const { abort } of running.values()) abort.abort()
      await Promise.all([...running.values()].map(({ done }) => done))
    },
  }
}

/** One running export. */
interface Job {
  signal: AbortSignal
  unreadable: number
  /** Checks whether the export may continue. @throws if it must end. */
  check(): Promise<void>
  tell(how: exportTexts.ExportProgress): void
}

const maxTries = 5
/** How many rows are made between two calls of `check`. */
const rowsBetweenChecks = 500

/** Yields the pages, then runs `then`, which needs all pages: a refund may be split over entries on several of them. */
async function* afterAll<T>(pages: AsyncIterable<T>, then: () => Promise<void>): AsyncGenerator<T> {
  yield* pages
  await then()
}

async function* counted(
  rows: AsyncIterable<ExportRow>,
  job: Job,
  onRead: (rows: number) => void,
): AsyncGenerator<ExportRow> {
  let read = 0
  for await (const row of rows) {
    if (read % rowsBetweenChecks === 0) {
      await job.check()
      onRead(read)
    }
    read += 1
    yield row
  }
}

/** The message with the progress. Its edits are sent one after the other, and outdated ones are skipped. */
interface ExportProgress {
  /** Shows the progress. @param soon whether to edit immediately, even if the last edit was a moment ago. */
  tell(screen: Screen, soon?: boolean): void
  /** Shows the closing message. */
  end(screen: Screen): Promise<void>
  messageId(): number | null
}

const createProgress = (sender: Sender, chatId: number, first: number | null): ExportProgress => {
  let messageId = first
  /** The next progress to show. `soon`: show it without waiting for `editEveryMs`. */
  let next: { screen: Screen; soon: boolean } | null = null
  let editing: Promise<void> | null = null
  let editedAt = Number.NEGATIVE_INFINITY

  const edit = async (screen: Screen): Promise<void> => {
    editedAt = performance.now()
    const sent =
      messageId === null ? await sender.send(chatId, screen) : await sender.edit(chatId, messageId, screen)
    if (sent.kind === 'sent') messageId = sent.messageId
  }

  const editIfDue = (): void => {
    const isDue = next?.soon || performance.now() - editedAt >= editEveryMs
    if (editing || !next || !isDue) return
    const { screen } = next
    next = null
    editing = edit(screen).finally(() => {
      editing = null
      editIfDue()
    })
  }

  return {
    messageId: () => messageId,
    tell: (screen, soon = false) => {
      next = { screen, soon }
      editIfDue()
    },
    end: async (screen) => {
      next = null
      await editing
      await edit(screen)
    },
  }
}

const stopButton: Button = button(exportTexts.exportLabels.stop, { do: 'export', act: { act: 'stop' } })

const endRows: Button[][] = [
  [button(exportTexts.exportLabels.another, { do: 'export', act: { act: 'begin' } }), homeButton],
]

const endScreen = (
  { subject, period }: ExportWish,
  made: { rows: number; files: number; unreadable: number },
): Screen => ({
  text:
    made.rows === 0 && made.unreadable === 0
      ? exportTexts.nothingToExport(subject, period)
      : exportTexts.finished({ subject, period, ...made }),
  rows: endRows,
})
