import type { Logger } from 'pino'
import { wait } from '../base/wait.ts'
import type { Notice } from '../domain/notice.ts'
import { isAhead } from '../domain/times/ahead.ts'
import type { Store } from '../store/store.ts'
import { createChatDelivery, type Delivery } from './chat-delivery.ts'
import { createRedraws } from './redraws.ts'

/** Sends the queued notices of all chats, in order within each chat. */
interface Outbox {
  round(): Promise<void>
  /** Starts to serve no further chat, and waits for those being served. */
  settled(): Promise<void>
}

/**
 * How many chats are served at the same time: enough for Telegram's 30 messages a second if each call takes a second.
 */
const maxChats = 30
/** How many chats one search finds. Those that were served longest ago go first. */
const maxCandidates = 100
const maxRemembered = 10_000
/** After a database failure, the chat is served again after this time, ms. */
const faultMs = 5_000

/** @param deliver makes a notice's text and sends it. Must not throw, whatever Telegram answers. */
export const createOutbox = (options: {
  store: Store
  deliver: (notice: Notice) => Promise<Delivery>
  /** Whether this process is the worker, as far as it knows. */
  mayWork: () => boolean
  /** How long, ms, a message to the chat would have to wait because of Telegram's limit for one chat. */
  chatWaitMs: (chatId: number) => number
  /** How long a redraw waits for further redraws of its subject, ms. The chat's later notices wait too. */
  redrawMs?: number
  sleep?: (ms: number) => Promise<void>
  now: () => Date
  /** A clock that nobody can set, ms, for waits within the process. */
  monotonicMs?: () => number
  log: Logger
  /** Asks for `round` to be called again soon. */
  again: () => void
  /** Called when a chat was served. */
  onServed?: () => void
}): Outbox => {
  const { store, deliver, mayWork, chatWaitMs, redrawMs = 0, sleep = wait, now, log } = options
  const { monotonicMs = () => now().getTime() } = options
  const busy = new Map<number, Promise<void>>()
  /** Chats that must wait, and until when (ms of the monotonic clock). Other chats are served in the meantime. */
  const waiting = new Map<number, number>()
  /** A number for each chat that says when it was last served. Higher numbers are later, across all chats. */
  const turns = new Map<number, number>()
  let turn = 0
  let stopped = false
  /** Whether the last search left out chats, because they or too many others were being served. */
  let isSearchOwed = false

  const maySend = ({ chatId, notBefore }: Notice): boolean => {
    if (stopped || !mayWork() || (notBefore && isAhead(notBefore, 'noticeNotBefore', now()))) return false
    const waitMs = chatWaitMs(chatId)
    if (waitMs > 0) waiting.set(chatId, monotonicMs() + waitMs)
    return waitMs === 0
  }

  const { serve, tellTrouble } = createChatDelivery({
    store,
    deliver,
    maySend,
    now,
    monotonicMs,
    log,
    redraws: createRedraws({ redrawMs, now, monotonicMs }),
    putOff: (chatId, untilMs) => waiting.set(chatId, untilMs),
    lookAfter: (ms) => void sleep(ms).then(options.again),
  })

  const begin = (chatId: number): void => {
    turn += 1
    if (turns.size > maxRemembered) turns.clear()
    turns.set(chatId, turn)
    const served = serve(chatId)
      .catch((error: unknown) => {
        log.error({ err: error }, 'the outbox could not serve a chat')
        waiting.set(chatId, monotonicMs() + faultMs)
      })
      .finally(() => {
        busy.delete(chatId)
        if (isSearchOwed) options.again()
        isSearchOwed = false
        options.onServed?.()
      })
    busy.set(chatId, served)
  }

  return {
    round: async () => {
      tellTrouble()
      isSearchOwed = busy.size > 0
      if (stopped || !mayWork() || busy.size >= maxChats) return
      for (const [chatId, until] of waiting) if (until <= monotonicMs()) waiting.delete(chatId)
      const except = [...busy.keys(), ...waiting.keys()]
      const found = await store.notices.dueChats(now(), maxCandidates, except)
      const free = found.filter((chatId) => !busy.has(chatId) && !waiting.has(chatId))
      // Chats that were served longest ago go first. Among equals, the sort keeps the chat with the oldest notice
      // first.
      const byTurn = free.sort((a, b) => (turns.get(a) ?? 0) - (turns.get(b) ?? 0))
      const next = byTurn.slice(0, maxChats - busy.size)
      if (next.length < byTurn.length) isSearchOwed = true
      if (!stopped) for (const chatId of next) begin(chatId)
    },
    settled: async () => {
      stopped = true
      await Promise.all(busy.values())
    },
  }
}
