import type { Pesewas } from '../provider/money.ts'
import { type AgentPrices, agentPriceKinds } from '../shop/agent-prices.ts'
import type { PriceRule, Shop } from '../shop/selling.ts'
import type { Shop as ShopRow } from './client/client.ts'
import type { Client } from './database.ts'

export const shopStore = (client: Client) => ({
  /** What is settled for selling on the account; what holds where nothing is. */
  of: async (accountId: string): Promise<Shop> => {
    const row = await client.shop.findUnique({ where: { accountId } })
    const own = await client.sellingPrice.findMany({ where: { accountId } })
    return {
      name: row?.name ?? null,
      rule: row && ruleOf(row),
      own: new Map(own.map(({ bundleId, pricePesewas }) => [bundleId, pricePesewas as Pesewas])),
      agentPrices: agentPriceKinds.find((kind) => kind === row?.agentPrices) ?? 'selling',
    }
  },

  name: async (accountId: string, name: string | null): Promise<void> => {
    await client.shop.upsert({ where: { accountId }, create: { accountId, name }, update: { name } })
  },

  /** Whether the owner is to be asked for the name now: but once, and not where there is one. */
  askName: async (accountId: string, now: Date): Promise<boolean> => {
    await client.shop.upsert({ where: { accountId }, create: { accountId }, update: { accountId } })
    const { count } = await client.shop.updateMany({
      where: { accountId, name: null, nameAskedAt: null },
      data: { nameAskedAt: now },
    })
    return count > 0
  },

  rule: async (accountId: string, rule: PriceRule | null): Promise<void> => {
    const data = ruleColumns(rule)
    await client.shop.upsert({ where: { accountId }, create: { accountId, ...data }, update: data })
  },

  /** @param pricePesewas null: the rule holds for the bundle again. */
  price: async (accountId: string, bundleId: number, pricePesewas: Pesewas | null): Promise<void> => {
    const key = { accountId, bundleId }
    if (pricePesewas === null) {
      await client.sellingPrice.deleteMany({ where: key })
      return
    }
    await client.sellingPrice.upsert({
      where: { accountId_bundleId: key },
      create: { ...key, pricePesewas },
      update: { pricePesewas },
    })
  },

  agentPrices: async (accountId: string, agentPrices: AgentPrices): Promise<void> => {
    await client.shop.upsert({
      where: { accountId },
      create: { accountId, agentPrices },
      update: { agentPrices },
    })
  },

  forget: async (accountId: string): Promise<void> => {
    await client.sellingPrice.deleteMany({ where: { accountId } })
    await client.shop.deleteMany({ where: { accountId } })
  },
})

export type ShopStore = ReturnType<typeof shopStore>

const ruleOf = ({ ruleKind, ruleValue, roundPesewas }: ShopRow): PriceRule | null => {
  const round = roundPesewas as Pesewas
  if (ruleKind === 'plus') return { kind: 'plus', pesewas: ruleValue as Pesewas, roundPesewas: round }
  return ruleKind === 'percent' ? { kind: 'percent', tenths: ruleValue, roundPesewas: round } : null
}

const ruleColumns = (rule: PriceRule | null) => {
  if (rule === null) return { ruleKind: null, ruleValue: 0, roundPesewas: 1 }
  const ruleValue = rule.kind === 'plus' ? rule.pesewas : rule.tenths
  return { ruleKind: rule.kind, ruleValue, roundPesewas: rule.roundPesewas }
}
