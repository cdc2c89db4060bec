import { setTimeout as wait } from 'node:timers/promises'
import { buy, connectAll, delivered, onStage, orderFor, type Stage } from './stage.ts'
import { type Figure, percentile } from './table.ts'

/** The updates of the flood: most come from many strangers, some from a single one. */
const perMinute = 10_000
const strangers = 500
const oneIn = 6
const floodMs = 30_000
/** How long the flood lasts before members begin to buy. */
const leadMs = 5_000
/**
 * Several members buy in turn, because Telegram allows only one message a second in a chat, and that limit is not
 * measured here.
 */
const members = 6

/** A member's waits in ms, and the most memory that the bot used. */
interface Measured {
  card: number[]
  placed: number[]
  delivered: number[]
  megabytes: number
}

/**
 * Members buy while strangers send more than Telegram lets a bot answer. The baseline accepts all updates, and treats
 * members and strangers alike.
 */
export const floods = async (): Promise<Figure[]> => [
  ...(await compared('polling')),
  ...(await compared('webhook')),
]

const steps = {
  card: 'order → its card',
  placed: 'Confirm → placed',
  delivered: 'callback → “delivered”',
} as const

const compared = async (updates: 'polling' | 'webhook'): Promise<Figure[]> => {
  const measured = (file: string) =>
    onStage((stage) => measure(stage, file, { TELEGRAM_UPDATES: updates }), { limits: true })
  const [bot, open] = [await measured('src/main.ts'), await measured('test/bench/bot.ts')]
  const against = 'the bot that lets all of it in'
  return [
    ...(['card', 'placed', 'delivered'] as const).flatMap((step) =>
      [50, 95].map(
        (percent): Figure => ({
          what: `by ${updates}: ${steps[step]}, p${percent}`,
          unit: 'ms',
          bot: percentile(bot[step], percent),
          baseline: percentile(open[step], percent),
          against,
        }),
      ),
    ),
    {
      what: `by ${updates}: most memory`,
      unit: 'MB',
      bot: bot.megabytes,
      baseline: open.megabytes,
      against,
    },
  ]
}

const measure = async (stage: Stage, file: string, env: Record<string, string>): Promise<Measured> => {
  const program = stage.start(file, env)
  const contacts = await connectAll(stage, members)
  const ended = new AbortController()
  const flooding = flood(stage, ended.signal)
  await wait(leadMs)
  const times: Omit<Measured, 'megabytes'> = { card: [], placed: [], delivered: [] }
  const endMs = performance.now() + floodMs
  for (let turn = 0; performance.now() < endMs; turn += 1) {
    const contact = contacts[turn % members]
    if (!contact) break
    const { phone, cardMs, placedMs } = await buy(stage, contact)
    const startedMs = performance.now()
    stage.provider.setStatus(orderFor(stage, phone).reference, 'delivered')
    const toldMs = await delivered(contact, phone)
    times.card.push(cardMs)
    times.placed.push(placedMs)
    times.delivered.push(toldMs - startedMs)
    await wait(500)
  }
  ended.abort()
  await flooding
  return { ...times, megabytes: program.peakMb() }
}

/** Ends after a while even if nobody aborts it: without admission, a member's card would come long after the flood. */
const flood = async (stage: Stage, signal: AbortSignal): Promise<void> => {
  const [one, ...many] = Array.from({ length: strangers }, () => stage.newChat())
  const startedMs = performance.now()
  for (let sent = 0; !signal.aborted && performance.now() - startedMs < leadMs + floodMs; sent += 1) {
    const chat = sent % oneIn === 0 ? one : many[sent % many.length]
    chat?.say('/help')
    await wait(Math.max(0, startedMs + ((sent + 1) * 60_000) / perMinute - performance.now()))
  }
}
