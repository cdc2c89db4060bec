import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { crashPoint } from '../crash-point.ts'
import type { Store } from '../store/store.ts'
import { mostHeld, wakeUp } from './digest.ts'
import { isRedraw, type Notice, type NoticeContent } from './notice.ts'

/** What became of one notice. */
export type Delivery =
  | { kind: 'sent' }
  /** Nothing could be sent now; `waitMs` where Telegram named a time, else nobody knows whether it arrived. */
  | { kind: 'later'; waitMs: number | null; reason: string }
  /** The chat refuses messages: it is muted until it writes again. */
  | { kind: 'muted' }
  /** It will never be taken: an operator's line, and the next. */
  | { kind: 'refused'; reason: string }

/** Sends what is owed to chats, in order within each chat. */
interface Outbox {
  round(): Promise<void>
  /** Waits for what is under way. */
  settled(): Promise<void>
}

/**
 * A notice that failed so often, which takes a minute, is doubted: one that cannot be worded is set aside, and so
 * is one that Telegram does not take while it takes the chat's next. While Telegram takes nothing, nothing is lost.
 */
export const doubtedAfter = 8
const longestRetryMs = 30_000
/** Chats that are written to at once: enough for Telegram's rate with answers that take a second. */
const mostChats = 30
/** Chats that are looked at in a round; more are busy or wait for their own limits only where Telegram is down. */
const mostCandidates = 1_000
/** All that is owed is looked through so often at most: with 300,000 notices that takes some 50 ms. */
const searchEveryMs = 900
/** Notices that are read for a chat's turn. */
const mostInTurn = 50
const mostRemembered = 10_000
const troubleEveryMs = 60_000
/** A chat that the database could not serve is served again after this. */
const faultMs = 5_000
/** A card that changes often, as that of a list does with each callback, is drawn so often at most. */
const calmEveryMs = 1_500
/** Two processes that both bring notices out would else make each other draw a card for ever. */
const againEveryMs = 10_000

/** Redraws of one thing are one message. */
interface Entry {
  notice: Notice
  ids: number[]
  /** All of them can wait a little. */
  isCalm: boolean
}

/**
 * @param deliver words a notice and sends it; it must not throw for what Telegram may answer.
 */
export const createOutbox = (options: {
  store: Store
  deliver: (notice: Notice) => Promise<Delivery>
  /** Whether it is this process that brings the notices out: one of those on a database does. */
  mayDeliver: () => boolean
  /** How long a message to the chat would have to wait for the chat's own limits, ms. */
  chatWaitMs: (chatId: number) => number
  /** A redraw waits so long for the next ones of its subject, and with it what the chat is owed after it (ms). */
  redrawMs?: number
  /** Resolves after so many milliseconds. */
  sleep?: (ms: number) => Promise<void>
  now: () => Date
  /** A clock that nobody sets, ms: waits within the process are by it. */
  monotonicMs?: () => number
  log: Logger
  /** Asked to call `round` again soon. */
  again: () => void
}): Outbox => {
  const { store, deliver, mayDeliver, chatWaitMs, redrawMs = 0, sleep = wait, now, log } = options
  const { monotonicMs = () => now().getTime() } = options
  const busy = new Map<number, Promise<void>>()
  /** Chats that have had as much as Telegram allows, and until when (ms, by the monotonic clock): others use the time. */
  const waiting = new Map<number, number>()
  /** By subject, when a card that changes often was drawn last (ms, by the monotonic clock). */
  const drawn = new Map<string, number>()
  /** By subject, when it was last owed once more because of another process (ms, by the monotonic clock). */
  const drawnAgain = new Map<string, number>()
  /** Notices that were sent while the database could not take it: they are not sent again. */
  const unmarked = new Set<number>()
  /** By chat, when it last had its turn: a count that grows. */
  const turns = new Map<number, number>()
  const trouble = createTrouble(log, monotonicMs)
  let turn = 0
  let stopped = false
  /** When all that is owed was looked through last (epoch ms). */
  let searchedMs = Number.NEGATIVE_INFINITY

  const mayGo = ({ chatId, notBefore }: Notice): boolean => {
    if (stopped || !mayDeliver() || (notBefore && notBefore > now())) return false
    const waitMs = chatWaitMs(chatId)
    if (waitMs > 0) waiting.set(chatId, monotonicMs() + waitMs)
    return waitMs === 0
  }

  /** Others of its subject may follow at once: the chat is looked at again when they have. */
  const isFresh = ({ chatId, content, createdAt }: Notice): boolean => {
    const at = now().getTime()
    const leftMs = createdAt.getTime() + redrawMs - at
    // One that is owed in the future was written before the clock was set back.
    if (!isRedraw(content) || leftMs <= 0 || leftMs > redrawMs) return false
    waiting.set(chatId, monotonicMs() + leftMs)
    void sleep(leftMs).then(options.again)
    return true
  }

  /** One that can wait is passed over, and its chat looked at again when it is time; the others go on. */
  const isTooSoon = ({ notice: { chatId, content }, isCalm }: Entry): boolean => {
    if (content.kind !== 'card') return false
    const at = monotonicMs()
    const dueMs = (drawn.get(content.subject) ?? Number.NEGATIVE_INFINITY) + calmEveryMs
    if (isCalm && dueMs > at) {
      waiting.set(chatId, dueMs)
      return true
    }
    if (drawn.size > mostRemembered) drawn.clear()
    drawn.set(content.subject, at)
    return false
  }

  const attempt = (notice: Notice): Promise<Delivery> =>
    deliver(notice).catch((error: unknown): Delivery => {
      log.error(
        { noticeId: notice.id, kind: notice.content.kind, err: error },
        'a notice could not be worded or sent',
      )
      return { kind: 'later', waitMs: null, reason: 'fault' }
    })

  const serve = async (chatId: number): Promise<void> => {
    const owed = await store.notices.ofChat(chatId, mostInTurn, now())
    const sent = owed.filter(({ id }) => unmarked.has(id)).map(({ id }) => id)
    if (sent.length > 0) await mark(sent)
    const left = owed.filter(({ id }) => !sent.includes(id))
    if (hasManyHeld(left) && (await wakeUp(store, chatId, now()))) return crashPoint('digest_made')
    const entries = collapse(left)
    for (const [index, entry] of entries.entries()) {
      if (!mayGo(entry.notice) || isFresh(entry.notice)) return
      if (isTooSoon(entry)) continue
      const delivery = await attempt(entry.notice)
      if (!(await record(entry, delivery, entries[index + 1]))) return
    }
  }

  /** @returns whether the chat's next notice may follow. */
  const record = async (entry: Entry, delivery: Delivery, next: Entry | undefined): Promise<boolean> => {
    switch (delivery.kind) {
      case 'sent':
        crashPoint('notice_accepted')
        if (!(await mark(entry.ids))) await drawAgain(entry)
        return true
      case 'muted':
        await store.chats.mute(entry.notice.chatId, now())
        log.info('a chat refuses messages: what it is owed waits until it writes again')
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
   * It is owed no more: another process has brought it out while this one stood still or had lost the lease, and may
   * have drawn it from what is newer. Whoever brings the notices out draws it once more.
   */
  const drawAgain = async ({ notice: { chatId, content } }: Entry): Promise<void> => {
    const at = monotonicMs()
    const isNew = at - (drawnAgain.get(content.subject) ?? Number.NEGATIVE_INFINITY) > againEveryMs
    if (!isRedraw(content) || !isNew) return
    if (drawnAgain.size > mostRemembered) drawnAgain.clear()
    drawnAgain.set(content.subject, at)
    await store.notices.owe(chatId, content, now())
  }

  /** @returns whether all of them were still owed. */
  const mark = async (ids: number[]): Promise<boolean> => {
    for (const id of ids) unmarked.add(id)
    const done = await store.notices.done(ids)
    for (const id of ids) unmarked.delete(id)
    return done === ids.length
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
    const waitMs = Math.min(longestRetryMs, 500 * 2 ** attempts)
    // Nobody knows whether it arrived.
    if ((await store.notices.putOff(entry.ids, after(waitMs), true)) < entry.ids.length)
      await drawAgain(entry)
    return false
  }

  const isTaken = async ({ notice, ids }: Entry): Promise<boolean> => {
    if (!mayGo(notice) || (await attempt(notice)).kind !== 'sent') return false
    await mark(ids)
    return true
  }

  /** Telegram has just taken another of the chat: with one more failure it is the notice itself. */
  const judge = async (entry: Entry, reason: string): Promise<boolean> => {
    if ((await attempt(entry.notice)).kind === 'sent') await mark(entry.ids)
    else await setAside(entry, reason)
    // The rest of the chat is read anew.
    return false
  }

  const begin = (chatId: number): void => {
    turn += 1
    if (turns.size > mostRemembered) turns.clear()
    turns.set(chatId, turn)
    const served = serve(chatId)
      .catch((error: unknown) => {
        log.error({ err: error }, 'the outbox could not serve a chat')
        waiting.set(chatId, monotonicMs() + faultMs)
      })
      .finally(() => {
        busy.delete(chatId)
        options.again()
      })
    busy.set(chatId, served)
  }

  return {
    round: async () => {
      trouble.tell()
      const room = mostChats - busy.size
      if (stopped || room <= 0 || !mayDeliver()) return
      const at = now()
      for (const [chatId, until] of waiting) if (until <= monotonicMs()) waiting.delete(chatId)
      const isFree = (chatId: number) => !busy.has(chatId) && !waiting.has(chatId)
      let free = (await store.notices.longestDueChats(at, mostCandidates)).filter(isFree)
      // Chats that wait may hide others behind them.
      if (free.length < room && monotonicMs() - searchedMs >= searchEveryMs) {
        searchedMs = monotonicMs()
        free = (await store.notices.dueChats(at, mostCandidates)).filter(isFree)
      }
      // Those that have waited longest for a turn; the sort keeps the oldest notice first among equals.
      const byTurn = free.sort((a, b) => (turns.get(a) ?? 0) - (turns.get(b) ?? 0))
      if (!stopped) for (const chatId of byTurn.slice(0, room)) begin(chatId)
    },
    settled: async () => {
      stopped = true
      await Promise.all(busy.values())
    },
  }
}

const hasManyHeld = (notices: Notice[]): boolean =>
  notices.filter(({ quietUntil }) => quietUntil !== null).length > mostHeld

/** Tells the operator of messages that Telegram does not take, in one line a minute. */
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

/** Of several redraws of one subject the last stands for all, in the place of the first. */
export const collapse = (notices: Notice[]): Entry[] => {
  const result: Entry[] = []
  const redraws = new Map<string, Entry>()
  for (const notice of notices) {
    const key = `${notice.content.kind}/${notice.content.subject}`
    const earlier = isRedraw(notice.content) ? redraws.get(key) : undefined
    if (earlier) {
      earlier.ids.push(notice.id)
      earlier.isCalm &&= isCalm(notice.content)
      continue
    }
    const entry = { notice, ids: [notice.id], isCalm: isCalm(notice.content) }
    if (isRedraw(notice.content)) redraws.set(key, entry)
    result.push(entry)
  }
  return result
}

/** What the log says of it: its kind, and the order or purchase that it is about. */
const aboutOf = (content: NoticeContent) => ({
  kind: content.kind,
  ...('orderId' in content && { orderId: content.orderId }),
  ...('purchaseId' in content && { purchaseId: content.purchaseId }),
})

const isCalm = (content: NoticeContent): boolean => content.kind === 'card' && content.calm === true
