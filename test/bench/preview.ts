import { type Figure, median, repeats } from './figure.ts'
import { type Customer, connect } from './journey.ts'
import { peakMegabytes, residentMegabytes } from './program.ts'
import { bareBot, bot, onStage } from './stage.ts'

const lines = 10_000
/** Just below what is taken, in bytes. */
const largest = 5 * 1024 * 1024 - 1024

/** From a file with a list to its preview in the chat, and what the largest file costs in memory. */
export const preview = async (): Promise<Figure[]> => {
  const times = await onStage(bot, async (stage) => timesOf(await connect(stage), 'ready'))
  const bare = await onStage(bareBot, async (stage) => timesOf({ chat: stage.newChat() }, 'answers every'))
  const peaks: number[] = []
  for (let run = 0; run < repeats; run += 1) peaks.push(await onStage(bot, memoryOfLargest))
  return [
    {
      what: '10,000 lines from the file to their preview, once warm',
      unit: 'ms',
      bot: median(times),
      baseline: median(bare),
      against: 'a bare grammY bot answers the file with a sentence',
      goal: { under: 500 },
    },
    {
      what: 'memory at the peak of the largest file (5 MB, 10,000 lines) above idle',
      unit: 'MB',
      bot: median(peaks),
      baseline: largest / 1024 / 1024,
      against: 'the file itself',
      goal: { under: 100 },
    },
  ]
}

const timesOf = async ({ chat }: Pick<Customer, 'chat'>, answer: string): Promise<number[]> => {
  const times: number[] = []
  for (let run = 0; run <= repeats; run += 1) {
    const began = performance.now()
    const { message_id: after } = chat.sendFile('list.csv', listOf(run))
    await chat.waitForText(answer, { after, timeoutMs: 60_000 })
    times.push(performance.now() - began)
  }
  return times.slice(1)
}

/** @param width of a line in bytes */
const listOf = (run: number, width = 0): string =>
  Array.from({ length: lines }, (_, line) => {
    const start = `${String(240_000_000 + run * lines + line).padStart(10, '0')},${1 + (line % 3)}GB`
    return width === 0 ? start : `${start},${'customer of the market '.repeat(30)}`.slice(0, width - 1)
  }).join('\n')

const memoryOfLargest = async (
  stage: Parameters<typeof connect>[0],
  { pid }: { pid: number },
): Promise<number> => {
  const { chat } = await connect(stage)
  const idle = await residentMegabytes(pid)
  const { message_id: after } = chat.sendFile('list.csv', listOf(0, Math.floor(largest / lines)))
  await chat.waitForText('ready', { after, timeoutMs: 60_000 })
  return (await peakMegabytes(pid)) - idle
}
