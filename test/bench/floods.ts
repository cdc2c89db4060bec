import { setTimeout as wait } from 'node:timers/promises'
import { asksToConfirm } from '../../src/telegram/texts/draft.ts'
import { server, withCrew } from './crew.ts'
import { type Figure, percentile } from './figure.ts'
import { type Customer, connect } from './journey.ts'
import { peakMegabytes } from './program.ts'
import { bot, onStage, openBot, type Stage } from './stage.ts'

/** Hostile updates: most come from many strangers, some from a single one. */
const perMinute = 10_000
const strangers = 500
const oneIn = 6
const floodMs = 30_000
/** The flood has begun for so long when the member writes. */
const leadMs = 5_000
const goals = { stepMs: 3_000, megabytes: 300 }
/** In turn: Telegram lets a chat have one message a second, and that is not what is measured. */
const members = 6

/** A member's waits in ms, and the most memory that the bot held. */
interface Measured {
  card: number[]
  placement: number[]
  delivered: number[]
  megabytes: number
}

/**
 * Members buy while strangers send more than Telegram lets a bot answer. The baseline takes in all of it, and makes no
 * difference between members and strangers.
 */
export const floods = async (): Promise<Figure[]> => [
  ...(await compared('by polling', (path) => measured('polling', path))),
  ...(await compared('by webhook', (path) => measured('webhook', path))),
  ...(server ? await compared('to 3 instances on PostgreSQL', measuredTogether) : []),
]

const against = 'the same bot without admission'

const compared = async (how: string, measure: (path: string) => Promise<Measured>): Promise<Figure[]> => {
  const [ours, open] = [await measure(bot), await measure(openBot)]
  return [
    ...(['card', 'placement', 'delivered'] as const).flatMap((step) =>
      [50, 95].map(
        (percent): Figure => ({
          what: `${words[step]}, p${percent} of ${ours[step].length}, hostile updates ${how}`,
          unit: 'ms',
          bot: percentile(ours[step], percent),
          baseline: percentile(open[step], percent),
          against,
          goal: { under: goals.stepMs },
        }),
      ),
    ),
    {
      what: `most memory in that time, hostile updates ${how}`,
      unit: 'MB',
      bot: ours.megabytes,
      baseline: open.megabytes,
      against,
      goal: { under: goals.megabytes },
    },
  ]
}

const words = {
  card: 'a member’s order → its card',
  placement: 'Confirm → the card shows it placed',
  delivered: 'callback → “delivered” in the chat',
}

const measured = (mode: Mode, path: string): Promise<Measured> =>
  onStage(path, (stage, { pid }) => duringFlood(stage, [pid]), {
    limits: true,
    env: { TELEGRAM_UPDATES: mode },
  })

const measuredTogether = (path: string): Promise<Measured> =>
  withCrew(
    3,
    ({ stage, programs }) =>
      duringFlood(
        stage,
        programs.map(({ pid }) => pid),
      ),
    {
      path,
      limits: true,
    },
  )

type Mode = 'polling' | 'webhook'

const duringFlood = async (stage: Stage, pids: number[]): Promise<Measured> => {
  const customers = await Promise.all(Array.from({ length: members }, () => connect(stage)))
  const ended = new AbortController()
  const flooding = flood(stage, ended.signal)
  await wait(leadMs)
  const times: Omit<Measured, 'megabytes'> = { card: [], placement: [], delivered: [] }
  const endsAt = performance.now() + floodMs
  for (let turn = 0; performance.now() < endsAt; turn += 1) {
    const customer = customers[turn % members]
    if (customer) await buyOnce(stage, customer, times)
  }
  ended.abort()
  await flooding
  return { ...times, megabytes: Math.max(...(await Promise.all(pids.map(peakMegabytes)))) }
}

/** For as long as the flood is to last at most: without admission a card comes long after its end. */
const flood = async (stage: Stage, signal: AbortSignal): Promise<void> => {
  const [one, ...many] = Array.from({ length: strangers }, () => stage.newChat())
  const startedAt = performance.now()
  for (let sent = 0; !signal.aborted && performance.now() - startedAt < leadMs + floodMs; sent += 1) {
    const chat = sent % oneIn === 0 ? one : many[sent % many.length]
    chat?.say('/help')
    const dueMs = ((sent + 1) * 60_000) / perMinute
    await wait(Math.max(0, startedAt + dueMs - performance.now()))
  }
}

const patient = { timeoutMs: 600_000 }
let bought = 0

const buyOnce = async (
  { provider }: Stage,
  { chat, account }: Customer,
  times: Omit<Measured, 'megabytes'>,
): Promise<void> => {
  bought += 1
  const phone = `024${String(1_000_000 + bought)}`
  const timed = async (step: keyof typeof times, part: string | RegExp, act: () => unknown) => {
    const startedAt = performance.now()
    act()
    await chat.waitForText(part, { ...patient, after: said })
    times[step].push(performance.now() - startedAt)
  }
  let said = chat.last()?.message_id ?? 0
  await timed('card', asksToConfirm, () => {
    said = chat.say(`${phone} 1GB`).message_id
  })
  await timed('placement', /processing[\s\S]*BUD-API-/, () => chat.press('Confirm'))
  const order = provider.orders().findLast(({ accountId }) => accountId === account.id)
  await timed('delivered', `for ${phone}: delivered`, () =>
    provider.setStatus(order?.reference ?? '', 'delivered'),
  )
  await wait(500)
}
