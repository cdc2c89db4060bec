import type { Config } from '../config.ts'
import { createSharing, type Sharing } from '../database/database.ts'
import { createFreeSpace, type FreeSpace, freeBytesOf, type ReadFreeBytes } from '../database/free-space.ts'
import { createObservations, type Observations } from '../metrics/counters.ts'
import { type Connections, createConnections } from '../provider/index.ts'

/** The parts that all bots of the process share. */
export interface ProcessParts {
  readonly observations: Observations
  /** The room on the disk of the main database; those of added bots lie beside it. */
  readonly freeSpace: FreeSpace
  /** Connections to the provider. */
  readonly connections: Connections
  /** What the databases have in common. */
  readonly sharing: Sharing
}

/** @param readFreeBytes reads how many bytes are free for the database. */
export const createProcessParts = (
  { databaseUrl }: Config,
  readFreeBytes: ReadFreeBytes = freeBytesOf(databaseUrl),
): ProcessParts => ({
  observations: createObservations(),
  freeSpace: createFreeSpace(readFreeBytes),
  connections: createConnections(),
  sharing: createSharing(),
})
