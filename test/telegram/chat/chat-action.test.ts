import { expect, onTestFinished, test, vi } from 'vitest'
import { acting } from '../../../src/telegram/chat/chat-action.ts'

/** How often “typing…” was shown during work of this length. */
const shownIn = async (workMs: number): Promise<number> => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let shown = 0
  const done = acting(
    async () => {
      shown += 1
    },
    () => new Promise<void>((resolve) => setTimeout(resolve, workMs)),
  )
  await vi.advanceTimersByTimeAsync(workMs)
  await done
  await vi.advanceTimersByTimeAsync(60_000)
  return shown
}

test('a chat shows “typing…” during longer work until its end, and not during quick work', async () => {
  expect(await shownIn(100)).toBe(0)
  expect(await shownIn(1_000)).toBe(1)
  expect(await shownIn(10_000)).toBe(3)
})
