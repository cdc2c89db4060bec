import { wait } from '../wait.ts'
import { createPools, type PostgresPools } from './postgres-pools.ts'
import { createListener, type Listener } from './postgres-signals.ts'
import type { PostgresAddress } from './postgres-url.ts'
import type { SharedEngine } from './shared-engine.ts'
import type { Signals } from './signals.ts'

/** A PostgreSQL as one process uses it: its bots are schemas there, and share the connections and the client's engine. */
export interface PostgresServer {
  readonly pools: PostgresPools
  readonly engine: SharedEngine
  signalsOf(schema: string): Signals
  /**
   * Begins a use.
   * @param onTrouble called for connections that broke; new ones replace them.
   * @returns ends it, and with the last use all connections.
   */
  enter(onTrouble: (error: Error) => void): () => Promise<void>
  /** Whether all uses have ended. */
  isOver(): boolean
}

/** A connection whose network swallows what is sent never hears that it has ended. */
const endMs = 2_000

/** Nothing is connected before it is needed. */
export const createServer = (address: PostgresAddress, engine: SharedEngine): PostgresServer => {
  const uses = new Set<{ onTrouble: (error: Error) => void }>()
  const onTrouble = (error: Error): void => {
    for (const each of uses) each.onTrouble(error)
  }
  const pools = createPools(address, onTrouble)
  let listener: Listener | null = null
  let isOver = false
  const end = async (): Promise<void> => {
    await listener?.close()
    await pools.end()
  }
  return {
    pools,
    engine,
    signalsOf: (schema) => {
      listener ??= createListener(address, pools.any, onTrouble)
      return listener.ofSchema(schema)
    },
    enter: (onTrouble) => {
      const use = { onTrouble }
      uses.add(use)
      return async () => {
        uses.delete(use)
        if (uses.size > 0) return
        isOver = true
        await Promise.race([end(), wait(endMs, undefined, { ref: false })])
      }
    },
    isOver: () => isOver,
  }
}
