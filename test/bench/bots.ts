import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sealToken } from '../../src/accounts/bot-tokens.ts'
import { addedDatabasesOf } from '../../src/database/added-databases.ts'
import { openDatabase } from '../../src/database/database.ts'
import type { TelegramSimulator } from '../../src/sandbox/telegram/index.ts'
import { createStore } from '../../src/store/store.ts'
import { createKeyring } from '../../src/wallets/keyring.ts'
import { dropSchema, newSchema } from '../support/new-schema.ts'
import { server } from './crew.ts'
import type { Figure } from './figure.ts'
import { launch, residentMegabytes } from './program.ts'
import { serverCpuMs } from './server-time.ts'
import { bot, createStage, type Stage } from './stage.ts'

const bots = 200
/** So many with a database client each: the memory rises by the same for each further one. */
const separate = 20
/** How long nobody does anything before and while the processors are watched. */
const restMs = 20_000
const watchedMs = 30_000

/** What the baseline starts: whole bots in one process, each with a database client and a server of its own. */
const separateBots = 'test/bench/separate-bots.ts'

/** One process with many added bots that nobody uses. */
export const manyBots = async (): Promise<Figure[]> => {
  const ours = await measure(bot, bots)
  const [one, some] = [await measure(separateBots, 1), await measure(separateBots, separate)]
  const reckoned = (of: (idle: Idle) => number): number =>
    of(one) + ((of(some) - of(one)) / (separate - 1)) * (bots - 1)
  const against = `as many with a database client each, reckoned from ${separate}`
  return [
    ...(server === undefined ? [] : comparedOnServer(await onPostgresql(), ours)),
    {
      ...{ what: `resident memory with ${bots} added bots`, unit: 'MB', against },
      ...{ bot: ours.megabytes, baseline: reckoned(({ megabytes }) => megabytes), goal: { under: 400 } },
    },
    {
      ...{ what: `processor time in a second while ${bots} bots are idle`, unit: 'ms', against, goal: null },
      ...{ bot: ours.busyMs, baseline: reckoned(({ busyMs }) => busyMs) },
    },
  ]
}

const comparedOnServer = ({ megabytes, busyMs, serverMs }: Idle, onSqlite: Idle): Figure[] => {
  const against = 'as many on SQLite'
  const idle = `in a second while ${bots} bots are idle on PostgreSQL`
  return [
    {
      ...{ what: `resident memory with ${bots} added bots on PostgreSQL`, unit: 'MB', goal: { under: 400 } },
      ...{ bot: megabytes, baseline: onSqlite.megabytes, against },
    },
    {
      ...{ what: `processor time ${idle}`, unit: 'ms', goal: null },
      ...{ bot: busyMs, baseline: onSqlite.busyMs, against },
    },
    {
      ...{ what: `processor time of the server ${idle}`, unit: 'ms', goal: null },
      ...{ bot: serverMs, baseline: busyMs, against: 'that of the bots’ process' },
    },
  ]
}

interface Idle {
  megabytes: number
  /** Processor time in each second. */
  busyMs: number
  /** The same of all servers of PostgreSQL on this machine. */
  serverMs: number
}

/** Each bot has a schema. */
const onPostgresql = async (): Promise<Idle> => {
  const { url, drop } = newSchema()
  try {
    return await measure(bot, bots, url)
  } finally {
    for (const added of await addedDatabasesOf(url)) await dropSchema(added.url)
    await drop()
  }
}

/**
 * @param program gets the tokens of that many bots beside its own.
 * @param databaseUrl where the bots are not on SQLite.
 */
const measure = async (program: string, count: number, databaseUrl?: string): Promise<Idle> => {
  const stage = await createStage(databaseUrl ? { env: { DATABASE_URL: databaseUrl } } : {})
  const added = Array.from({ length: count }, () => stage.telegram.addBot())
  try {
    await register(stage, added, databaseUrl)
    const start = stage.program(program)
    const tokens = added.map(({ token }) => token).join(',')
    const running = launch({ ...start, env: { ...start.env, SEPARATE_TOKENS: tokens } })
    try {
      return await running.until(idleOf(running.pid, added))
    } finally {
      await running.kill()
    }
  } finally {
    await stage.close()
  }
}

/** Registers the bots as `/admin` would. */
const register = async (
  stage: Stage,
  added: readonly TelegramSimulator[],
  url = `file:${join(stage.folder, 'bundlegram.db')}`,
): Promise<void> => {
  const database = await openDatabase(url)
  const keyring = createKeyring([stage.key])
  for (const { token, state } of added) {
    const { id, username = '' } = state().bot
    await createStore(database).bots.add({
      ...{ id, username, sealedToken: sealToken(keyring, id, token), accountId: null, ownerIds: [] },
      ...{ addedAt: new Date(), startedAt: null, stopped: null },
    })
  }
  await database.close()
}

const idleOf = async (pid: number, added: readonly TelegramSimulator[]): Promise<Idle> => {
  while (!added.every(({ state }) => state().isBotConnected)) await wait(100)
  await wait(restMs)
  const [before, serverBefore] = [await busyMsOf(pid), serverCpuMs()]
  await wait(watchedMs)
  const each = (ms: number): number => ms / (watchedMs / 1000)
  const [busyMs, serverMs] = [each((await busyMsOf(pid)) - before), each(serverCpuMs() - serverBefore)]
  return { megabytes: await residentMegabytes(pid), busyMs, serverMs }
}

/** The processor time of a process so far, ms: Linux counts it in hundredths of a second. */
const busyMsOf = async (pid: number): Promise<number> => {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}
