import type { Logger } from 'pino'
import { crashPoint } from '../crash-point.ts'
import type { Store } from '../store/store.ts'
import { isRedraw, type Notice } from './notice.ts'

/** What became of one notice. */
export type Delivery =
  | { kind: 'sent' }
  /** Nothing could be sent now; `waitMs` where Telegram named a time. */
  | { kind: 'later'; waitMs: number | null; reason: string }
  /** The chat refuses messages: it is muted until it writes again. */
  | { kind: 'muted' }
  /** It will never be taken: an operator's line, and the next. */
  | { kind: 'refused'; reason: string }

/** Sends what is owed to chats, in order within each chat. */
export interface Outbox {
  round(): Promise<void>
  /** Waits for what is under way. */
  settled(): Promise<void>
}

/** A notice that failed so often is set aside, so that it does not hold up its chat. */
const mostAttempts = 12
const mostChats = 30
const pageSize = 300

/**
 * @param deliver words a notice and sends it; it must not throw for what Telegram may answer.
 */
export const createOutbox = (options: {
  store: Store
  deliver: (notice: Notice) => Promise<Delivery>
  now: () => Date
  log: Logger
  /** Asked to call `round` again soon. */
  again: () => void
}): Outbox => {
  const { store, deliver, now, log } = options
  const busy = new Map<number, Promise<void>>()
  /** Chats whose next notice has to wait, and until when (epoch ms): they are not read meanwhile. */
  const waiting = new Map<number, number>()
  let stopped = false

  const serve = async (chatId: number, notices: Notice[]): Promise<void> => {
    for (const { notice, ids } of collapse(notices)) {
      if (stopped || (notice.notBefore && notice.notBefore > now())) return
      const delivery = await deliver(notice).catch((error: unknown): Delivery => {
        log.error({ noticeId: notice.id, err: error }, 'a notice could not be worded or sent')
        return { kind: 'later', waitMs: null, reason: 'fault' }
      })
      if (!(await record(chatId, notice, ids, delivery))) return
    }
  }

  /** @returns whether the chat's next notice may follow. */
  const record = async (
    chatId: number,
    notice: Notice,
    ids: number[],
    delivery: Delivery,
  ): Promise<boolean> => {
    switch (delivery.kind) {
      case 'sent':
        crashPoint('notice_accepted')
        await store.notices.done(ids)
        return true
      case 'muted':
        await store.chats.mute(chatId, now())
        return false
      case 'refused':
        log.error(
          { noticeId: notice.id, kind: notice.content.kind, reason: delivery.reason },
          'a notice was set aside',
        )
        await store.notices.setAside(ids, now())
        return true
      case 'later': {
        if (notice.attempts + 1 >= mostAttempts && delivery.waitMs === null) {
          log.error(
            { noticeId: notice.id, reason: delivery.reason },
            'a notice was set aside after many tries',
          )
          await store.notices.setAside(ids, now())
          return true
        }
        const waitMs = delivery.waitMs ?? Math.min(60_000, 500 * 2 ** notice.attempts)
        await store.notices.retryAt(ids, new Date(now().getTime() + waitMs))
        return false
      }
    }
  }

  return {
    round: async () => {
      for (const [chatId, until] of waiting) if (until <= now().getTime()) waiting.delete(chatId)
      const notices = await store.notices.due(pageSize, [...busy.keys(), ...waiting.keys()])
      const chats = Map.groupBy(notices, ({ chatId }) => chatId)
      for (const [chatId, owed] of chats) {
        if (stopped || busy.size >= mostChats) break
        if (busy.has(chatId)) continue
        const [next] = owed
        if (next?.notBefore && next.notBefore > now()) {
          if (next.attempts > 0) waiting.set(chatId, next.notBefore.getTime())
          continue
        }
        const served = serve(chatId, owed)
          .catch((error: unknown) => log.error({ err: error }, 'the outbox could not serve a chat'))
          .finally(() => {
            busy.delete(chatId)
            options.again()
          })
        busy.set(chatId, served)
      }
    },
    settled: async () => {
      stopped = true
      await Promise.all(busy.values())
    },
  }
}

/** Of several redraws of one subject the last stands for all, in the place of the first. */
export const collapse = (notices: Notice[]): { notice: Notice; ids: number[] }[] => {
  const result: { notice: Notice; ids: number[] }[] = []
  const redraws = new Map<string, { notice: Notice; ids: number[] }>()
  for (const notice of notices) {
    const key = `${notice.content.kind}/${notice.content.subject}`
    const earlier = isRedraw(notice.content) ? redraws.get(key) : undefined
    if (earlier) {
      earlier.ids.push(notice.id)
      continue
    }
    const entry = { notice, ids: [notice.id] }
    if (isRedraw(notice.content)) redraws.set(key, entry)
    result.push(entry)
  }
  return result
}
