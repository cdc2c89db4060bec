import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Fault, ProviderSimulator } from '../../src/sandbox/index.ts'
import type { Random } from '../simulation/random.ts'
import type { Distance } from '../support/network/distance.ts'
import type { Instance } from './instance.ts'
import type { PostgresServer } from './postgres-server.ts'

/** How often each kind of harm was done to the bots. */
export type Deeds = Record<string, number>

export interface Havoc {
  deeds: Deeds
  /** When each act against the instances or their database began or ended, epoch ms. */
  interruptionsMs: readonly number[]
  /** Stops the havoc and repairs everything: all instances run, and nothing is broken. */
  stop(): Promise<void>
}

interface Victims {
  instances: readonly Instance[]
  provider: ProviderSimulator
  databaseUrl: string
  /** The network between the instances and the database. */
  distance: Distance
  /** Null if we did not start the database ourselves: then only connections to it are cut. */
  server: PostgresServer | null
}

/** Faults of the provider's network, each for one request or order. */
const faults: readonly Fault[] = [
  { kind: 'answer_lost' },
  { kind: 'reset_before' },
  { kind: 'hang', processed: true },
  { kind: 'hang' },
  { kind: 'error_after', status: 502 },
  { kind: 'slow', delayMs: 4_000 },
  { kind: 'no_reference' },
  { kind: 'debit_late', delayMs: 15_000 },
  { kind: 'callback_early' },
  { kind: 'callback_late', delayMs: 8_000 },
  { kind: 'callback_twice' },
  { kind: 'callback_never' },
  { kind: 'error_before', status: 503, path: '*', times: 3 },
]

/** How long to wait between two acts. */
const pauseMs = { least: 1_500, most: 9_000 }
/** How long an instance is suspended. The longest suspensions outlast the worker's lease and an order's. */
const standstillMs = { least: 1_000, most: 38_000 }

export const startHavoc = (victims: Victims, random: Random, say: (line: string) => void): Havoc => {
  const ended = new AbortController()
  const deeds: Deeds = {}
  const interruptionsMs: number[] = []
  const underWay = new Set<Promise<void>>()

  const sleep = (ms: number) => wait(ms, undefined, { signal: ended.signal }).catch(() => {})

  const kill = async (): Promise<void> => {
    const instance = random.pick(victims.instances)
    await instance.kill()
    await sleep(random.between(0, 6_000))
    if (!instance.isRunning()) await instance.start()
  }

  const standStill = async (): Promise<void> => {
    const instance = random.pick(victims.instances)
    instance.pause()
    await sleep(random.between(standstillMs.least, standstillMs.most))
    instance.resume()
  }

  const restartServer = async (): Promise<void> => {
    const mode = random.chance(0.5) ? 'immediate' : 'fast'
    await victims.server?.restart(mode, random.between(0, 3_000))
  }

  const cutConnections = async (): Promise<void> => {
    const client = new pg.Client({ connectionString: victims.databaseUrl })
    client.on('error', () => {})
    await client.connect()
    await client
      .query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = 'bundlegram' AND datname = current_database()`,
      )
      .finally(() => client.end())
  }

  const swallowConnections = async (): Promise<void> => {
    victims.distance.swallow(random.pick([0.5, 1]))
  }

  const disturbProvider = async (): Promise<void> => {
    victims.provider.addFault(random.pick(faults))
  }

  const choices: [name: string, weight: number, deed: () => Promise<void>][] = [
    ['SIGKILL', 4, kill],
    ['SIGSTOP', 4, standStill],
    ['server restart', victims.server ? 2 : 0, restartServer],
    ['connections cut', 2, cutConnections],
    ['connections gone silent', 2, swallowConnections],
    ['provider fault', 8, disturbProvider],
  ]
  const wheel = choices.flatMap((choice) => Array.from({ length: choice[1] }, () => choice))
  let restarting: Promise<void> = Promise.resolve()

  const run = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await sleep(random.between(pauseMs.least, pauseMs.most))
      if (ended.signal.aborted) return
      const [name, , deed] = random.pick(wheel)
      deeds[name] = (deeds[name] ?? 0) + 1
      const notes = (): void => void (name === 'provider fault' || interruptionsMs.push(Date.now()))
      notes()
      say(name)
      // Restarts of the server follow one another. Everything else may happen at the same time.
      const done = (name === 'server restart' ? restarting.then(deed) : deed())
        .catch((error: unknown) => say(`${name}: ${String(error)}`))
        .finally(notes)
      if (name === 'server restart') restarting = done
      underWay.add(done)
      void done.then(() => underWay.delete(done))
    }
  }
  const running = run()

  return {
    deeds,
    interruptionsMs,
    stop: async () => {
      ended.abort()
      await running
      await Promise.all(underWay)
      victims.provider.clearFaults()
      for (const instance of victims.instances) {
        instance.resume()
        if (!instance.isRunning()) await instance.start()
      }
    },
  }
}
