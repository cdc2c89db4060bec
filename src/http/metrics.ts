import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Store } from '../store/store.ts'

/** What `/metrics` tells: the process, the orders by placement, the messages owed. */
export const createMetrics = (store: Store) => {
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
  return async () => ({ contentType: registry.contentType, text: await registry.metrics() })
}
