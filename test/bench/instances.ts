import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type Crew, type Formation, server, withCrew } from './crew.ts'
import { type Figure, median } from './figure.ts'
import { type Posting, postAll } from './load.ts'
import { type Program, residentMegabytes } from './program.ts'

const runs = 3
const people = 200
const updatesOfEach = 10
const callbacks = 10_000

interface Rates {
  updates: number
  callbacks: number
  memory: number
}

/**
 * Several instances on one PostgreSQL, with updates by webhook. On a machine of few cores they share these with the
 * server, the balancer and both simulators: more of them are no faster there.
 */
export const instances = async (): Promise<Figure[]> => {
  if (server === undefined) {
    process.stderr.write('  TEST_DATABASE_URL names no PostgreSQL: left out\n')
    return []
  }
  const rates = new Map<Formation, Rates[]>()
  for (let run = 0; run < runs; run += 1) {
    for (const formation of ['SQLite', 1, 2, 4] as const) {
      rates.set(formation, [...(rates.get(formation) ?? []), await withCrew(formation, measured)])
    }
  }
  const of = (formation: Formation, what: keyof Rates) =>
    median((rates.get(formation) ?? []).map((each) => each[what]))
  const versus = (what: keyof Rates, words: string, unit: Figure['unit']): Figure[] => [
    figure(`${words}, one instance on PostgreSQL`, unit, of(1, what), of('SQLite', what), 'one on SQLite'),
    figure(`${words}, 2 instances`, unit, of(2, what), of(1, what), 'one on PostgreSQL'),
    figure(`${words}, 4 instances`, unit, of(4, what), of(1, what), 'one on PostgreSQL'),
  ]
  return [
    ...versus('updates', 'updates handled', 'per second'),
    ...versus('callbacks', 'callbacks acknowledged durably', 'per second'),
    ...versus('memory', 'memory of each', 'MB'),
    {
      what: 'take-over when the leader stands still, until the next answers',
      unit: 'ms',
      bot: await takeOver((leader) => process.kill(-leader.pid, 'SIGSTOP')),
      baseline: await takeOver((leader) => leader.stop()),
      against: 'the same when it was stopped in order',
      goal: { under: 15_000 },
    },
  ]
}

const figure = (
  what: string,
  unit: Figure['unit'],
  bot: number,
  baseline: number,
  against: string,
): Figure => ({
  what,
  unit,
  bot,
  baseline,
  against,
  goal: null,
})

const measured = async (crew: Crew): Promise<Rates> => {
  const updates = await updateRate(crew)
  return {
    updates,
    callbacks: await callbackRate(crew),
    memory: median(await Promise.all(crew.programs.map(({ pid }) => residentMegabytes(pid)))),
  }
}

const updateRate = async ({ stage }: Crew): Promise<number> => {
  const first = stage.newChat()
  first.say('/help')
  await first.waitForText(/./, { timeoutMs: 30_000 })
  const chats = Array.from({ length: people }, () => stage.newChat())
  const startedAt = performance.now()
  for (let turn = 0; turn < updatesOfEach; turn += 1) for (const chat of chats) chat.say('/help')
  const url = `${stage.telegram.url}/bot${stage.telegram.token}/getWebhookInfo`
  for (let pending = 1; pending > 0; await wait(5)) {
    const answer = (await (await fetch(url)).json()) as { result: { pending_update_count: number } }
    pending = answer.result.pending_update_count
  }
  return (people * updatesOfEach) / ((performance.now() - startedAt) / 1000)
}

/** About unknown orders, as after a deletion: they are stored all the same. */
const callbackRate = async ({ stage, urls }: Crew): Promise<number> => {
  const postings = urls.map((url) =>
    Array.from({ length: callbacks / urls.length }, (_, index): Posting => {
      const { pathname } = new URL(stage.callbackUrl(randomBytes(16).toString('base64url')))
      return {
        url: `${url}${pathname}`,
        body: JSON.stringify({
          event: 'order.status.updated',
          reference: `R-${index}`,
          status: 'processing',
        }),
      }
    }),
  )
  const startedAt = performance.now()
  await Promise.all(postings.map((each) => postAll(each, { connections: 64 / urls.length })))
  return callbacks / ((performance.now() - startedAt) / 1000)
}

/** Ms from the leader's end to the answer to somebody who wrote at that moment; the middle one of some. */
const takeOver = async (end: (leader: Program) => unknown): Promise<number> => {
  const tookMs: number[] = []
  for (let run = 0; run < runs; run += 1) {
    tookMs.push(
      await withCrew(
        2,
        async ({ stage, programs: [leader] }) => {
          const warm = stage.newChat()
          warm.say('/help')
          await warm.waitForText(/./, { timeoutMs: 30_000 })
          const chat = stage.newChat()
          const startedAt = performance.now()
          if (leader) void end(leader)
          chat.say('/help')
          await chat.waitForText(/./, { timeoutMs: 60_000 })
          return performance.now() - startedAt
        },
        { mode: 'polling' },
      ),
    )
  }
  return median(tookMs)
}
