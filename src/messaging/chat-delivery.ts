import type { Logger } from 'pino'
import { crashPoint } from '../base/crash-point.ts'
import type { Notice, NoticeContent } from '../domain/notice.ts'
import type { Store } from '../store/store.ts'
import { maxSentSingly, wakeUp } from './digest.ts'
import { LeaseLost } from './leader-lease.ts'
import { collapse, type Entry, type Redraws } from './redraws.ts'
import { createSentMarks } from './sent-marks.ts'

export type Delivery =
  | { kind: 'sent' }
  /**
   * The notice must be tried again. `waitMs` is the delay that Telegram asked for; null if nobody knows whether the
   * message arrived.
   */
  | { kind: 'later'; waitMs: number | null; reason: string }
  /**
   * The chat refuses messages, e.g. because the bot is blocked. It gets no messages until somebody writes there again.
   */
  | { kind: 'muted' }
  /** Nothing was sent, because another process may have taken over the work. */
  | { kind: 'left' }
  /** Telegram will never accept the message. It is logged for the operator, and the next notice is sent. */
  | { kind: 'refused'; reason: string }

/**
 * After this many failures (about a minute), the notice itself is suspected to be the cause, instead of Telegram. The
 * notice is set aside if making its text fails, or if Telegram accepts the chat's next notice but not this one. As long
 * as Telegram accepts nothing at all, no notice is set aside.
 */
export const doubtedAfter = 8
const maxRetryMs = 30_000
/** The most notices that are read each time a chat is served. */
export const maxInTurn = 50
const troubleEveryMs = 60_000

/** Sends the notices of one chat, in order. */
export interface ChatDelivery {
  /** Sends the chat's notices until all that were read are sent, or the next one has to wait. */
  serve(chatId: number): Promise<void>
  /** Logs undelivered messages for the operator, at most once a minute. Call it in every round. */
  tellTrouble(): void
}

interface ChatDeliveryOptions {
  store: Store
  /** Makes a notice's text and sends it. Does not throw, whatever Telegram answers. */
  deliver: (notice: Notice) => Promise<Delivery>
  redraws: Redraws
  /** Whether a notice may be sent now. It is delayed if the chat has reached Telegram's limit. */
  maySend: (notice: Notice) => boolean
  /** Sends the chat nothing until `untilMs` of the monotonic clock. */
  putOff: (chatId: number, untilMs: number) => void
  /** Makes the outbox search for due notices again after that many ms. */
  lookAfter: (ms: number) => void
  now: () => Date
  monotonicMs: () => number
  log: Logger
}

/** A notice is sent only after the one before it has been sent or set aside. */
export const createChatDelivery = (options: ChatDeliveryOptions): ChatDelivery => {
  const { store, deliver, redraws, maySend, putOff, lookAfter, now, monotonicMs, log } = options
  /** Notices that were sent but are not yet marked as sent in the database. They are not sent again. */
  const unmarked = new Set<number>()
  const markSent = createSentMarks(store)
  const trouble = createTrouble(log, monotonicMs)

  /**
   * Waits a moment for further redraws of the same subject, which are then sent as one message. @returns false if there
   * is no need to wait.
   */
  const gather = (entry: Entry): boolean => {
    const waitMs = redraws.gatherMs(entry)
    if (waitMs === 0) return false
    putOff(entry.notice.chatId, monotonicMs() + waitMs)
    lookAfter(waitMs)
    return true
  }

  /**
   * Skips a card that may be redrawn later, sends the notices after it, and serves the chat again when the card is due.
   * @returns true if the card was skipped.
   */
  const passOver = (entry: Entry): boolean => {
    const { chatId, content } = entry.notice
    const dueMs = redraws.dueMs(entry)
    if (dueMs === null) redraws.noteDrawn(content)
    else putOff(chatId, dueMs)
    return dueMs !== null
  }

  const attempt = (notice: Notice): Promise<Delivery> =>
    deliver(notice).catch((error: unknown): Delivery => {
      if (error instanceof LeaseLost) return { kind: 'left' }
      log.error({ noticeId: notice.id, kind: notice.content.kind, err: error }, 'a notice could not be sent')
      return { kind: 'later', waitMs: null, reason: 'fault' }
    })

  const mute = (chatId: number): Promise<void> => store.transaction((tx) => tx.chats.mute(chatId, now()))

  const muteAgain = (chatId: number): Promise<void> =>
    store.transaction((tx) => tx.chats.muteAgain(chatId, now()))

  const serve: ChatDelivery['serve'] = async (chatId) => {
    const owed = await store.notices.forTurn(chatId, maxInTurn, now())
    const sent = owed.filter(({ id }) => unmarked.has(id)).map(({ id }) => id)
    if (sent.length > 0) await mark(sent)
    const left = owed.filter(({ id }) => !sent.includes(id))
    if (needsDigest(left) && (await wakeUp(store, chatId, now()))) {
      lookAfter(0)
      return crashPoint('digest_made')
    }
    if (owed.length === maxInTurn) lookAfter(0)
    const entries = collapse(left)
    let isOpen = false
    for (const [index, entry] of entries.entries()) {
      if (!maySend(entry.notice) || gather(entry)) return
      if (passOver(entry)) continue
      // Asked before the first message only, because most turns end without one.
      isOpen ||= !(await store.chats.isMuted(chatId))
      if (!isOpen) return muteAgain(chatId)
      const delivery = await attempt(entry.notice)
      if (!(await record(entry, delivery, entries[index + 1]))) return
    }
  }

  /** Records what became of a notice. @returns false if the chat's next notice has to wait. */
  const record = async (entry: Entry, delivery: Delivery, next: Entry | undefined): Promise<boolean> => {
    switch (delivery.kind) {
      case 'sent':
        crashPoint('notice_accepted')
        if (!(await mark(entry.ids))) await drawAgain(entry)
        return true
      case 'muted':
        await mute(entry.notice.chatId)
        log.info('a chat refuses messages: its notices wait until it writes again')
        return false
      case 'left':
        return false
      case 'refused':
        await setAside(entry, delivery.reason)
        return true
      case 'later':
        if (delivery.waitMs === null) return failed(entry, delivery.reason, next)
        await store.notices.putOff(entry.ids, after(delivery.waitMs), false)
        return false
    }
  }

  /**
   * Called if the sent notice no longer exists: another process has sent it too, while this one was suspended or had
   * lost the lease. This process may have shown an older state than the other one, so the card is redrawn once more.
   */
  const drawAgain = async ({ notice: { chatId, content } }: Entry): Promise<void> => {
    if (!redraws.drawsAgain(content)) return
    await store.notices.enqueue(chatId, content, now())
    lookAfter(0)
  }

  /** Marks notices as sent. @returns false if any notice marked in the same commit was no longer queued. */
  const mark = async (ids: number[]): Promise<boolean> => {
    for (const id of ids) unmarked.add(id)
    const wereQueued = await markSent(ids)
    for (const id of ids) unmarked.delete(id)
    return wereQueued
  }

  const after = (ms: number): Date => new Date(now().getTime() + ms)

  const setAside = async ({ notice, ids }: Entry, reason: string): Promise<void> => {
    log.error(
      { noticeId: notice.id, ...aboutOf(notice.content), tries: notice.attempts + 1, reason },
      'a notice was set aside: it is not sent any more',
    )
    await store.notices.setAside(ids, now())
  }

  const failed = async (entry: Entry, reason: string, next: Entry | undefined): Promise<boolean> => {
    trouble.add(reason)
    const { attempts } = entry.notice
    if (attempts + 1 >= doubtedAfter) {
      if (reason === 'fault') {
        await setAside(entry, reason)
        return true
      }
      if (next && (await isTaken(next))) return judge(entry, reason)
    }
    const waitMs = Math.min(maxRetryMs, 500 * 2 ** attempts)
    // The message may have arrived although the call failed.
    if ((await store.notices.putOff(entry.ids, after(waitMs), true)) < entry.ids.length)
      await drawAgain(entry)
    return false
  }

  const isTaken = async ({ notice, ids }: Entry): Promise<boolean> => {
    if (!maySend(notice) || (await attempt(notice)).kind !== 'sent') return false
    await mark(ids)
    return true
  }

  /**
   * Tries a suspected notice once more. Telegram has just accepted another message to this chat, so if this one fails,
   * the notice itself is at fault.
   */
  const judge = async (entry: Entry, reason: string): Promise<boolean> => {
    const { kind } = await attempt(entry.notice)
    if (kind === 'sent') await mark(entry.ids)
    else if (kind !== 'left') await setAside(entry, reason)
    // The chat's other notices are read again when it is served next.
    return false
  }

  return { serve, tellTrouble: trouble.tell }
}

const needsDigest = (notices: Notice[]): boolean =>
  notices.filter(({ quietUntil }) => quietUntil !== null).length > maxSentSingly

/** Logs undelivered messages, at most once a minute. */
const createTrouble = (log: Logger, monotonicMs: () => number) => {
  let failures = 0
  let lastReason = ''
  let toldAtMs = Number.NEGATIVE_INFINITY
  return {
    add: (reason: string): void => {
      failures += 1
      lastReason = reason
    },
    tell: (): void => {
      if (failures === 0 || monotonicMs() - toldAtMs < troubleEveryMs) return
      log.warn({ failures, lastReason }, 'messages could not be delivered; they are tried again')
      failures = 0
      toldAtMs = monotonicMs()
    },
  }
}

const aboutOf = (content: NoticeContent) => ({
  kind: content.kind,
  ...('orderId' in content && { orderId: content.orderId }),
  ...('purchaseId' in content && { purchaseId: content.purchaseId }),
})
