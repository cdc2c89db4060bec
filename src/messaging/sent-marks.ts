import type { Store } from '../store/store.ts'
import { wait } from '../wait.ts'

/**
 * How long sent notices are gathered, ms. A bot that is killed in this time sends them again, as it does if it is killed
 * before Telegram's answer.
 */
const gatherMs = 10

/**
 * Marks notices as sent. Those of many chats share a commit, with one sync of the disk.
 * @returns resolves once they are marked: whether all in that commit were still queued.
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
