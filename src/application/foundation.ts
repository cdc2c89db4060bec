import type { Logger } from 'pino'
import { securityOf } from '../accounts/kept-changes.ts'
import { createSecurityJournal, type SecurityJournal } from '../accounts/security-trail.ts'
import { type Clock, createClock } from '../base/clock.ts'
import { crashPoint } from '../base/crash-point.ts'
import { type Database, openDatabase } from '../database/database.ts'
import type { FreeSpace } from '../database/free-space.ts'
import { newId } from '../database/id.ts'
import { createRates, type Rates } from '../messaging/buckets.ts'
import { processToken } from '../messaging/leader-lease.ts'
import type { Observations } from '../metrics/counters.ts'
import { takeOverCopy } from '../orders/reconciling/restoring.ts'
import type { Connections } from '../provider/index.ts'
import type { Config } from '../start/config.ts'
import type { Change } from '../store/changes.ts'
import { createStore, type Queries, type Store } from '../store/store.ts'
import { invalidatingSnapshots } from '../telegram/chat/request-context.ts'
import { checkKeys } from '../wallets/credentials/key-check.ts'
import { createKeyring, type Keyring } from '../wallets/credentials/keyring.ts'
import { lineOf } from './change-line.ts'

/** What every part of the running bot uses: its configuration, log, database and clocks. */
export interface Foundation {
  readonly config: Config
  readonly log: Logger
  readonly keyring: Keyring
  readonly database: Database
  /** The store, whose commits are reported to the log, the metrics and the security journal. */
  readonly store: Store
  readonly security: SecurityJournal
  readonly observations: Observations
  readonly freeSpace: FreeSpace
  readonly connections: Connections
  /** Rate limits of messages and attempts. They are in memory, because only one process works. */
  readonly rates: Rates
  /** The time that all processes on the database share. */
  readonly clock: Clock
  /** Identifies this process as the holder of leases. */
  readonly token: string
  now(): Date
  /** This machine's clock, ms since 1970. */
  wallMs(): number
}

export const leaseName = 'worker'

/** In ms. This clock only moves forward, because nobody can set it. */
export const monotonicMs = (): number => performance.now()

interface FoundationOptions extends Pick<Foundation, 'observations' | 'freeSpace' | 'connections'> {
  wallMs: () => number
  onQueryFailure: (error: unknown) => void
  /**
   * Called after a commit that erased an account. The erased data may still be in the database's files, and must be
   * removed there.
   */
  onErased: () => void
}

/**
 * Opens the database, migrates it, checks the keys, and takes over a restored copy.
 * @throws CannotOpen if no key opens any credentials, and errors of the database that `operatorsWords` explains.
 */
export const layFoundation = async (
  config: Config,
  log: Logger,
  { observations, freeSpace, connections, wallMs, onQueryFailure, onErased }: FoundationOptions,
): Promise<Foundation> => {
  const keyring = createKeyring(config.credentialsKeys)
  const database = await openDatabase(config.databaseUrl, {
    observer: { ...observations, onFailure: onQueryFailure },
    onTrouble: (error) => log.warn({ err: error }, 'a connection to the database broke'),
  })
  /** Writes the security events of the changes in the transaction that makes them. */
  const beforeCommit = async (tx: Queries, changes: readonly Change[]): Promise<void> => {
    for (const change of changes) {
      const kept = securityOf(change)
      if (kept) await security.noteIn(tx, kept)
    }
  }
  const onCommitted = (changes: readonly Change[]): void => {
    for (const change of changes) {
      observations.onChange(change)
      if (change.kind === 'erased') onErased()
      const kept = securityOf(change)
      if (kept) security.say(kept)
      const { fields, words } = lineOf(change)
      log.info(fields, words)
    }
  }
  const token = processToken(newId())
  const store = invalidatingSnapshots(createStore(withClock(database, wallMs), { beforeCommit, onCommitted }))
  const clock = createClock(database.kind === 'postgresql' ? database.clock : null, wallMs)
  const { now } = clock
  const security = createSecurityJournal({ store, keyring, now, log })
  const foundation: Foundation = {
    config,
    log,
    keyring,
    database,
    store,
    security,
    observations,
    freeSpace,
    connections,
    clock,
    now,
    wallMs,
    token,
    rates: createRates(monotonicMs),
  }
  try {
    await takeStock(foundation)
  } catch (error) {
    await database.close()
    throw error
  }
  return foundation
}

/** Checks the keys, measures the clock and the disk, and takes over a restored copy. Logs what it finds. */
const takeStock = async ({ log, keyring, database, store, freeSpace, clock }: Foundation): Promise<void> => {
  const unreadable = await checkKeys(store.credentials, keyring)
  if (unreadable > 0)
    log.error({ accounts: unreadable }, 'no key in CREDENTIALS_KEY opens some of the accounts')
  await clock.measure()
  if (database.migrated.length > 0) log.info({ migrations: database.migrated }, 'the database was migrated')

  crashPoint('migrated')

  const restored = await takeOverCopy(store, clock.now())
  if (restored) log.warn(restored, 'started on a restored copy: none of the orders in it will be sent')
  await freeSpace.look()
}

/** SQLite has no clock, so it gets this machine's. */
const withClock = (database: Database, wallMs: () => number): Database =>
  database.kind === 'postgresql' ? database : { ...database, clock: async () => new Date(wallMs()) }
