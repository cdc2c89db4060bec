import type { Client } from '../../database/database.ts'
import type {
  SellingPrice as SellingPriceRow,
  Shop as ShopRow,
  PriceTier as TierRow,
} from '../../database/row-types.ts'
import { shopSeenBy } from '../../domain/selling/agent-prices.ts'
import {
  type AgentPrices,
  agentPriceKinds,
  type PriceRule,
  type PriceTier,
  type Shop,
  type TierScope,
} from '../../domain/selling/price-rule.ts'
import { type Accent, accentNames, usualAccent } from '../../pictures/theme.ts'
import { type Pesewas, pesewas } from '../../provider/money.ts'
import { isPhone, type Phone } from '../../provider/phone.ts'
import { ruleColumns, ruleOf } from '../rule-columns.ts'

export const shopStore = (client: Client) => ({
  /** The account's settings for selling, or the defaults. */
  of: (accountId: string): Promise<Shop> => shopOf(client, accountId),

  /** The shop as this agent sees it. For anybody who is not an agent of the account, the shop as it is. */
  asSeenBy: async ({ userId, accountId }: { userId: number; accountId: string }): Promise<Shop> => {
    const [shop, member] = await Promise.all([
      shopOf(client, accountId),
      client.member.findUnique({ where: { userId: BigInt(userId), accountId, role: 'agent' } }),
    ])
    return shopSeenBy(shop, member && ruleOf(member))
  },

  name: async (accountId: string, name: string | null): Promise<void> => {
    await client.shop.upsert({ where: { accountId }, create: { accountId, name }, update: { name } })
  },

  phone: async (accountId: string, phone: Phone | null): Promise<void> => {
    await client.shop.upsert({ where: { accountId }, create: { accountId, phone }, update: { phone } })
  },

  accent: async (accountId: string, accent: Accent): Promise<void> => {
    await client.shop.upsert({ where: { accountId }, create: { accountId, accent }, update: { accent } })
  },

  /** Sets the letter on the shop's pictures. @param letter null for the first letter of the name. */
  letter: async (accountId: string, letter: string | null): Promise<void> => {
    await client.shop.upsert({ where: { accountId }, create: { accountId, letter }, update: { letter } })
  },

  /**
   * Marks that the owner was asked for the shop's name. @returns true if they should be asked, which is only once, and
   * only if the shop has no name.
   */
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

  /** Sets the rule of a tier. @param rule null to remove the rule, so that another rule applies to these bundles. */
  tier: async (
    accountId: string,
    { network, fromMegabytes }: TierScope,
    rule: PriceRule | null,
  ): Promise<void> => {
    const key = { accountId, network: network ?? '', fromMegabytes: fromMegabytes ?? 0 }
    if (rule === null) {
      await client.priceTier.deleteMany({ where: key })
      return
    }
    const data = { ...ruleColumns(rule), ruleKind: rule.kind }
    await client.priceTier.upsert({
      where: { accountId_network_fromMegabytes: key },
      create: { ...key, ...data },
      update: data,
    })
  },

  /**
   * Sets the price of one bundle. @param pricePesewas null to remove it, so that the rule applies to the bundle again.
   */
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

  /** The bundles that price lists leave out. */
  hidden: async (accountId: string): Promise<ReadonlySet<number>> => {
    const rows = await client.hiddenBundle.findMany({ where: { accountId } })
    return new Set(rows.map(({ bundleId }) => bundleId))
  },

  hide: async (accountId: string, bundleId: number, isHidden: boolean): Promise<void> => {
    const key = { accountId, bundleId }
    if (isHidden)
      await client.hiddenBundle.upsert({ where: { accountId_bundleId: key }, create: key, update: {} })
    else await client.hiddenBundle.deleteMany({ where: key })
  },

  agentPrices: async (accountId: string, agentPrices: AgentPrices): Promise<void> => {
    await client.shop.upsert({
      where: { accountId },
      create: { accountId, agentPrices },
      update: { agentPrices },
    })
  },
})

export type ShopStore = ReturnType<typeof shopStore>

/** What to read with an account for `shopIn`. */
export const withShop = {
  shop: true,
  priceTiers: { orderBy: [{ network: 'asc' as const }, { fromMegabytes: 'asc' as const }] },
  sellingPrices: true,
}

export interface ShopRows {
  shop: ShopRow | null
  priceTiers: TierRow[]
  sellingPrices: Pick<SellingPriceRow, 'bundleId' | 'pricePesewas'>[]
}

const shopOf = async (client: Client, accountId: string): Promise<Shop> =>
  shopIn(await client.account.findUnique({ where: { id: accountId }, select: withShop }))

const noRows: ShopRows = { shop: null, priceTiers: [], sellingPrices: [] }

/** The account's settings for selling, or the defaults. @param rows null if there is no account. */
export const shopIn = (rows: ShopRows | null): Shop => {
  const { shop: row, priceTiers, sellingPrices } = rows ?? noRows
  return {
    name: row?.name ?? null,
    phone: row?.phone && isPhone(row.phone) ? row.phone : null,
    accent: accentNames.find((accent) => accent === row?.accent) ?? usualAccent,
    letter: row?.letter ?? null,
    rule: row ? ruleOf(row) : null,
    tiers: priceTiers.flatMap(tierOf),
    own: new Map(sellingPrices.map(({ bundleId, pricePesewas }) => [bundleId, pesewas(pricePesewas)])),
    agentPrices: agentPriceKinds.find((kind) => kind === row?.agentPrices) ?? 'selling',
  }
}

const tierOf = ({ network, fromMegabytes, ...row }: TierRow): PriceTier[] => {
  const rule = ruleOf(row)
  return rule === null ? [] : [{ network: network || null, fromMegabytes: fromMegabytes || null, rule }]
}
