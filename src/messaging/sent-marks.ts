import type { Store } from '../store/store.ts'
import { wait } from '../wait.ts'

/**
 * How long sent notices are collected before they are marked, ms. If the bot is killed in this time, it sends them
 * again after its restart, as it would if it were killed before Telegram's answer.
 */
const gatherMs = 10

/**
 * Makes a function that marks notices as sent. Notices of many chats share a commit, so the disk is synced once for
 * many.
 * @returns a promise that resolves once they are marked: false if any notice in that commit was no longer queued.
 */
export const createSentMarks = (
  store: Pick<Store, 'notices'>,
  sleep: (ms: number) => Promise<void> = wait,
): ((ids: number[]) => Promise<boolean>) => {
  let gathering: { ids: number[]; marked: Promise<boolean> } | null = null

  const markAfterwards = async (ids: number[]): Promise<boolean> => {
    await sleep(gatherMs)
    gathering = null
    return (await store.notices.done(ids)) === ids.length
  }

  return (ids) => {
    if (!gathering) {
      const all: number[] = []
      gathering = { ids: all, marked: markAfterwards(all) }
    }
    gathering.ids.push(...ids)
    return gathering.marked
  }
}
