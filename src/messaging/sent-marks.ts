import type { Store } from '../store/store.ts'

/**
 * Marks notices as sent. While one commit is being written, further notices are gathered for the next one, so that many
 * chats share a sync of the disk.
 * @returns a function that marks notices. Its promise resolves to true if all notices of the same commit were still
 * queued.
 */
export const createSentMarks = (store: Pick<Store, 'notices'>): ((ids: number[]) => Promise<boolean>) => {
  let next: { ids: number[]; marked: Promise<boolean> } | null = null
  let written: Promise<unknown> = Promise.resolve()

  const afterwards = async (ids: number[]): Promise<boolean> => {
    await written
    next = null
    return (await store.notices.done(ids)) === ids.length
  }

  return (ids) => {
    if (!next) {
      const gathered: number[] = []
      next = { ids: gathered, marked: afterwards(gathered) }
      // The next commit is written even if this one fails.
      written = next.marked.catch(() => {})
    }
    next.ids.push(...ids)
    return next.marked
  }
}
