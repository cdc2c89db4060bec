import { isAnswer, isHeldNews, isRedraw, type Notice, type NoticeContent } from '../domain/notice.ts'

/** One message to be sent: a notice, or several redraws of one card. */
export interface Entry {
  /** The newest notice, which stands for all. */
  notice: Notice
  ids: number[]
  /** Whether all of them can wait a little. */
  isCalm: boolean
  /** Whether all of them wait for what may follow at once. */
  isAwaiting: boolean
}

/** How often cards are drawn, as this process remembers it. Times are by the monotonic clock, ms. */
export interface Redraws {
  /**
   * When to look again for other redraws of the same subject, ms; they become one with this entry. 0 if it is no redraw,
   * or has waited enough.
   */
  gatherMs(entry: Entry): number
  /** When the card may be drawn next; null: now. Only a card that changes often has to wait. */
  dueMs(entry: Entry): number | null
  noteDrawn(content: NoticeContent): void
  /** Whether the card is to be owed once more because another process sent it too. Remembers that it is. */
  drawsAgain(content: NoticeContent): boolean
}

/** The least time between two drawings of a card that changes often, such as a list's card with each callback. */
const calmEveryMs = 1_500
/**
 * Without a limit, two processes that both send notices would make each other draw a card for ever. It doubles each time,
 * because a chat in which many cards are drawn takes longer to come back to the first one.
 */
const againEveryMs = 10_000
/** A card that was drawn again so long ago begins anew. */
const againForgottenMs = 60 * 60_000

/**
 * A card that awaits an outcome waits so many times as long as another: most providers answer in that time, and with it
 * the card still changes within a second of the press.
 */
const timesAwaited = 3

const maxRemembered = 10_000

/**
 * @param redrawMs how long a redraw waits for the next ones of its subject.
 * @param monotonicMs a clock that nobody sets.
 */
export const createRedraws = (options: {
  redrawMs: number
  now: () => Date
  monotonicMs: () => number
}): Redraws => {
  const { redrawMs, now, monotonicMs } = options
  /** By subject, when its card was last drawn. */
  const drawn = new Map<string, number>()
  /** By subject, when its card was last owed once more because of another process, and for how long it is not again. */
  const drawnAgain = new Map<string, { atMs: number; restMs: number }>()

  const note = <T>(known: Map<string, T>, subject: string, value: T): void => {
    if (known.size > maxRemembered) known.clear()
    known.set(subject, value)
  }

  return {
    gatherMs: ({ notice: { content, createdAt }, isAwaiting }) => {
      const mostMs = isAwaiting ? timesAwaited * redrawMs : redrawMs
      const leftMs = createdAt.getTime() + mostMs - now().getTime()
      // A notice owed in the future was written before the clock was set back.
      return isRedraw(content) && leftMs > 0 && leftMs <= mostMs ? Math.min(leftMs, redrawMs) : 0
    },
    dueMs: ({ notice: { content }, isCalm }) => {
      const dueMs = (drawn.get(content.subject) ?? Number.NEGATIVE_INFINITY) + calmEveryMs
      return isCalm && dueMs > monotonicMs() ? dueMs : null
    },
    noteDrawn: (content) => {
      if (content.kind === 'card') note(drawn, content.subject, monotonicMs())
    },
    drawsAgain: (content) => {
      if (!isRedraw(content)) return false
      const atMs = monotonicMs()
      const last = drawnAgain.get(content.subject)
      const sinceMs = atMs - (last?.atMs ?? Number.NEGATIVE_INFINITY)
      if (sinceMs <= (last?.restMs ?? 0)) return false
      const restMs = last && sinceMs < againForgottenMs ? 2 * last.restMs : againEveryMs
      note(drawnAgain, content.subject, { atMs, restMs })
      return true
    },
  }
}

/** One of several redraws of one subject is sent for all, in the place of the first; so is news that a list is held up. */
export const collapse = (notices: Notice[]): Entry[] => {
  const result: Entry[] = []
  const redraws = new Map<string, Entry>()
  for (const notice of notices) {
    const isNews = isHeldNews(notice.content)
    const key = `${isNews ? 'held' : notice.content.kind}/${notice.content.subject}`
    const earlier = isNews || isRedraw(notice.content) ? redraws.get(key) : undefined
    if (earlier) {
      earlier.ids.push(notice.id)
      earlier.isCalm &&= isCalm(notice.content)
      earlier.isAwaiting &&= isAwaiting(notice.content)
      if (isAnswer(notice.content)) earlier.notice = { ...earlier.notice, content: notice.content }
      continue
    }
    const entry = {
      notice,
      ids: [notice.id],
      isCalm: isCalm(notice.content),
      isAwaiting: isAwaiting(notice.content),
    }
    if (isNews || isRedraw(notice.content)) redraws.set(key, entry)
    result.push(entry)
  }
  return result
}

const isCalm = (content: NoticeContent): boolean => content.kind === 'card' && content.calm === true
const isAwaiting = (content: NoticeContent): boolean => content.kind === 'card' && content.awaits === true
