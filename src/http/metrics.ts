import type { Registry } from 'prom-client'
import type { Store } from '../store/store.ts'

/**
 * What `/metrics` tells: the process, the orders by placement, the messages owed. What is counted begins with the first
 * time that somebody asks: a bot that nobody watches so has neither the library in memory nor the counting to do.
 */
export const createMetrics = (store: Store) => {
  let registry: Promise<Registry> | null = null
  return async () => {
    registry ??= registryOf(store)
    const loaded = await registry
    return { contentType: loaded.contentType, text: await loaded.metrics() }
  }
}

const registryOf = async (store: Store): Promise<Registry> => {
  const { collectDefaultMetrics, Gauge, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'bundlegram_orders',
    help: 'Orders by placement.',
    labelNames: ['placement'],
    registers: [registry],
    collect: async function collect() {
      this.reset()
      for (const { placement, count } of await store.orders.countByPlacement()) this.set({ placement }, count)
    },
  })
  new Gauge({
    name: 'bundlegram_notices_owed',
    help: 'Messages owed to chats.',
    registers: [registry],
    collect: async function collect() {
      this.set(await store.notices.count())
    },
  })
  return registry
}
