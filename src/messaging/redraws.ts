import { isAnswer, isRedraw, mergeKey, type Notice, type NoticeContent } from '../domain/notice.ts'

/** One message to send: a notice, or several redraws of one card. */
export interface Entry {
  /** The notice that is sent in place of all the redraws. */
  notice: Notice
  ids: number[]
  /** Whether all the redraws can wait a little, because the card changes often. */
  isCalm: boolean
  /** Whether all the redraws were queued while the order's outcome was expected within moments. */
  isAwaiting: boolean
}

/** Limits how often cards are redrawn. Kept in memory; times are ms of the monotonic clock. */
export interface Redraws {
  /**
   * How long to wait, ms, for further redraws of the same subject, which are then sent as one message. 0 if the entry
   * is not a redraw, or has waited long enough.
   */
  gatherMs(entry: Entry): number
  /** When the card may be drawn; null for now. Only a card that changes often has to wait. */
  dueMs(entry: Entry): number | null
  noteDrawn(content: NoticeContent): void
  /**
   * Whether to redraw the card once more because another process has drawn it as well. Remembers when the answer was
   * yes, to limit how often that happens.
   */
  drawsAgain(content: NoticeContent): boolean
}

/**
 * The shortest time between two drawings of a card that changes often, such as a list's card, which changes with each
 * callback.
 */
const calmEveryMs = 1_500
/**
 * After a card was redrawn because another process had drawn it as well, this much time, ms, must pass before the next
 * such redraw. Otherwise two processes that both send notices would make each other redraw a card forever. The time
 * doubles with each such redraw, because a chat with many such cards takes longer to return to the first one.
 */
const againEveryMs = 10_000
/** After this long without such a redraw, ms, the doubling starts again. */
const againForgottenMs = 60 * 60_000

/**
 * A card that expects an outcome waits this many times longer for further redraws than other cards. Most outcomes
 * arrive in that time, and the card still changes within a second of the press.
 */
const timesAwaited = 3

const maxRemembered = 10_000

/**
 * @param redrawMs how long a redraw waits for further redraws of its subject.
 * @param monotonicMs a clock that nobody can set.
 */
export const createRedraws = (options: {
  redrawMs: number
  now: () => Date
  monotonicMs: () => number
}): Redraws => {
  const { redrawMs, now, monotonicMs } = options
  /** When the card of each subject was last drawn. */
  const drawn = new Map<string, number>()
  /**
   * For each subject, when its card was last redrawn because of another process, and how long no such redraw is made
   * after that.
   */
  const drawnAgain = new Map<string, { atMs: number; restMs: number }>()

  const note = <T>(known: Map<string, T>, subject: string, value: T): void => {
    if (known.size > maxRemembered) known.clear()
    known.set(subject, value)
  }

  return {
    gatherMs: ({ notice: { content, createdAt }, isAwaiting }) => {
      const mostMs = isAwaiting ? timesAwaited * redrawMs : redrawMs
      const leftMs = createdAt.getTime() + mostMs - now().getTime()
      // If the notice's creation time is in the future, it was written before the clock was set back. It does not wait.
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

/** Merges redraws of the same subject, and equal news of a list, into one entry at the position of the first. */
export const collapse = (notices: Notice[]): Entry[] => {
  const result: Entry[] = []
  const known = new Map<string, Entry>()
  for (const notice of notices) {
    const key = mergeKey(notice.content)
    const earlier = key === null ? undefined : known.get(key)
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
    if (key !== null) known.set(key, entry)
    result.push(entry)
  }
  return result
}

const isCalm = (content: NoticeContent): boolean => content.kind === 'card' && content.calm === true
const isAwaiting = (content: NoticeContent): boolean => content.kind === 'card' && content.awaits === true
