import type { TierScope } from '../../../src/domain/selling.ts'
import type { ShopStore } from '../../../src/store/shop/shops.ts'
import { aShop } from '../../domain/a-shop.ts'
import type { ShopRow, Tables } from './rows.ts'

const empty: ShopRow = { ...aShop, nameAskedAt: null, hidden: new Set() }

const byScope = (a: TierScope, b: TierScope): number =>
  Buffer.compare(Buffer.from(a.network ?? ''), Buffer.from(b.network ?? '')) ||
  (a.fromMegabytes ?? 0) - (b.fromMegabytes ?? 0)

export const memoryShops = ({ shops }: Tables): ShopStore => {
  const rowOf = (accountId: string): ShopRow => shops.get(accountId) ?? empty

  return {
    of: async (accountId) => {
      const { nameAskedAt: _, hidden: __, ...shop } = rowOf(accountId)
      return shop
    },

    name: async (accountId, name) => shops.set(accountId, { ...rowOf(accountId), name }),

    phone: async (accountId, phone) => shops.set(accountId, { ...rowOf(accountId), phone }),

    accent: async (accountId, accent) => shops.set(accountId, { ...rowOf(accountId), accent }),

    letter: async (accountId, letter) => shops.set(accountId, { ...rowOf(accountId), letter }),

    askName: async (accountId, now) => {
      const row = rowOf(accountId)
      const isToAsk = row.name === null && row.nameAskedAt === null
      shops.set(accountId, isToAsk ? { ...row, nameAskedAt: now } : row)
      return isToAsk
    },

    hidden: async (accountId) => rowOf(accountId).hidden,

    hide: async (accountId, bundleId, isHidden) => {
      const hidden = new Set(rowOf(accountId).hidden)
      if (isHidden) hidden.add(bundleId)
      else hidden.delete(bundleId)
      shops.set(accountId, { ...rowOf(accountId), hidden })
    },

    agentPrices: async (accountId, agentPrices) => shops.set(accountId, { ...rowOf(accountId), agentPrices }),

    rule: async (accountId, rule) => shops.set(accountId, { ...rowOf(accountId), rule }),

    tier: async (accountId, scope, rule) => {
      const others = rowOf(accountId).tiers.filter(
        ({ network, fromMegabytes }) => network !== scope.network || fromMegabytes !== scope.fromMegabytes,
      )
      const tiers = rule === null ? others : [...others, { ...scope, rule }]
      shops.set(accountId, { ...rowOf(accountId), tiers: tiers.toSorted(byScope) })
    },

    price: async (accountId, bundleId, pricePesewas) => {
      const own = new Map(rowOf(accountId).own)
      if (pricePesewas === null) own.delete(bundleId)
      else own.set(bundleId, pricePesewas)
      shops.set(accountId, { ...rowOf(accountId), own })
    },
  }
}
