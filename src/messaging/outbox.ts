import type { Logger } from 'pino'
import { isAhead } from '../domain/ahead.ts'
import type { Notice } from '../domain/notice.ts'
import type { Store } from '../store/store.ts'
import { wait } from '../wait.ts'
import { createChatDelivery, type Delivery } from './chat-delivery.ts'
import { createRedraws } from './redraws.ts'

/** Sends chats what they are owed, in order within each chat. */
interface Outbox {
  round(): Promise<void>
  /** Waits for the turns that are under way. */
  settled(): Promise<void>
}

/** Chats that are written to at once: enough for Telegram's rate if an answer takes a second. */
const maxChats = 30
/** Chats that are found at once: of so many, those whose last turn is oldest go first. */
const maxCandidates = 100
const maxRemembered = 10_000
/** A chat that the database could not serve is served again after this time. */
const faultMs = 5_000

/** @param deliver words a notice and sends it. It must not throw for any answer that Telegram may give. */
export const createOutbox = (options: {
  store: Store
  deliver: (notice: Notice) => Promise<Delivery>
  /** Whether this process is the worker, as far as it knows. */
  mayWork: () => boolean
  /** How long a message to the chat would have to wait for the chat's own limits, ms. */
  chatWaitMs: (chatId: number) => number
  /** How long a redraw waits for the next ones of its subject, ms. Later notices of the chat wait with it. */
  redrawMs?: number
  /** Resolves after so many milliseconds. */
  sleep?: (ms: number) => Promise<void>
  now: () => Date
  /** A clock that nobody sets, ms: waits within the process go by it. */
  monotonicMs?: () => number
  log: Logger
  /** Asks for `round` to be called again soon. */
  again: () => void
}): Outbox => {
  const { store, deliver, mayWork, chatWaitMs, redrawMs = 0, sleep = wait, now, log } = options
  const { monotonicMs = () => now().getTime() } = options
  const busy = new Map<number, Promise<void>>()
  /**
   * Chats that have had as much as Telegram allows, and until when (ms, by the monotonic clock). Other chats use the
   * time.
   */
  const waiting = new Map<number, number>()
  /** By chat, the number of its last turn. The number grows with each turn of any chat. */
  const turns = new Map<number, number>()
  let turn = 0
  let stopped = false

  const maySend = ({ chatId, notBefore }: Notice): boolean => {
    if (stopped || !mayWork() || (notBefore && isAhead(notBefore, 'noticeNotBefore', now()))) return false
    const waitMs = chatWaitMs(chatId)
    if (waitMs > 0) waiting.set(chatId, monotonicMs() + waitMs)
    return waitMs === 0
  }

  const { serve, tellTrouble } = createChatDelivery({
    ...{ store, deliver, maySend, now, monotonicMs, log },
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
        options.again()
      })
    busy.set(chatId, served)
  }

  return {
    round: async () => {
      tellTrouble()
      if (stopped || !mayWork() || busy.size >= maxChats) return
      for (const [chatId, until] of waiting) if (until <= monotonicMs()) waiting.delete(chatId)
      const except = [...busy.keys(), ...waiting.keys()]
      const found = await store.notices.dueChats(now(), maxCandidates, except)
      const free = found.filter((chatId) => !busy.has(chatId) && !waiting.has(chatId))
      // The chats whose last turn is oldest go first. The sort keeps the oldest notice first among equals.
      const byTurn = free.sort((a, b) => (turns.get(a) ?? 0) - (turns.get(b) ?? 0))
      if (!stopped) for (const chatId of byTurn.slice(0, maxChats - busy.size)) begin(chatId)
    },
    settled: async () => {
      stopped = true
      await Promise.all(busy.values())
    },
  }
}
