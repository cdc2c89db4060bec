import { setTimeout as wait } from 'node:timers/promises'
import { type Figure, inTurn, median } from './figure.ts'
import { bareBot, onStage, openBot, type Stage } from './stage.ts'

const people = 200
const updatesOfEach = 10
const total = people * updatesOfEach
const runs = 3
const against = 'a bare grammY bot: one sendMessage for each'

/**
 * `/help` from many people at once. The bot confirms an update when what must last of it is committed, and speaks
 * afterwards at the pace of Telegram's rules; so what it handles is measured at that pace, and what it answers
 * with it lifted, both without the bounds for strangers. The bare bot answers each update before it takes the next.
 */
export const updates = async (): Promise<Figure[]> => [
  await compare('updates handled and confirmed, replies follow at their pace', openBot, allConfirmed),
  await compare('updates answered, without the pace of sending', 'test/bench/unpaced-bot.ts', allAnswered),
]

const compare = async (what: string, path: string, end: End): Promise<Figure> => {
  const [bots, baselines] = await inTurn(
    runs,
    () => rate(path, end),
    () => rate(bareBot, end),
  )
  return { what, unit: 'per second', bot: median(bots), baseline: median(baselines), against, goal: null }
}

/** Resolves when a program is done with all that was said to it. */
type End = (stage: Stage) => Promise<void>

/** Updates a second, from when they are there to their end. */
const rate = (path: string, end: End): Promise<number> => onStage(path, (stage) => flood(stage, end))

const flood = async (stage: Stage, end: End): Promise<number> => {
  const first = stage.newChat()
  first.say('/help')
  await first.waitForText(/./, { timeoutMs: 20_000 })
  await allConfirmed(stage)
  const chats = Array.from({ length: people }, () => stage.newChat())
  const startedAt = performance.now()
  for (let turn = 0; turn < updatesOfEach; turn += 1) for (const chat of chats) chat.say('/help')
  await end(stage)
  return total / ((performance.now() - startedAt) / 1000)
}

const askEveryMs = 5

/** Telegram has no update left to deliver again. */
const allConfirmed: End = async ({ telegram }) => {
  const url = `${telegram.url}/bot${telegram.token}/getWebhookInfo`
  for (;;) {
    const answer = await fetch(url)
    const { result } = (await answer.json()) as { result: { pending_update_count: number } }
    if (result.pending_update_count === 0) return
    await wait(askEveryMs)
  }
}

/** As many messages of the bot have come as people wrote. */
const allAnswered: End = ({ telegram }) =>
  new Promise((resolve) => {
    let left = total
    const unlisten = telegram.on((event) => {
      if (event.type !== 'message' || !event.message.from?.is_bot) return
      left -= 1
      if (left > 0) return
      unlisten()
      resolve()
    })
  })
