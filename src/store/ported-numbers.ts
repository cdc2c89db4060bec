import type { Client } from './database.ts'

/** A number that somebody of an account has kept on a network which its prefix contradicts. */
export interface PortedNumber {
  phone: string
  network: string
  keptAt: Date
}

/** What one query names, or one commit writes. */
const mostTogether = 500

export const portedNumberStore = (client: Client) => ({
  /** By number, the network that those of them were kept on that were. */
  of: async (accountId: string, phones: readonly string[]): Promise<Record<string, string>> => {
    const found: [string, string][] = []
    for (const part of partsOf(phones)) {
      const rows = await client.portedNumber.findMany({ where: { accountId, phone: { in: part } } })
      found.push(...rows.map(({ phone, network }): [string, string] => [phone, network]))
    }
    return Object.fromEntries(found)
  },

  /** Those that were kept before are to be forgotten first. */
  keep: async (
    accountId: string,
    phones: readonly string[],
    network: string,
    keptAt: Date,
  ): Promise<void> => {
    for (const part of partsOf([...new Set(phones)]))
      await client.portedNumber.createMany({
        data: part.map((phone) => ({ accountId, phone, network, keptAt })),
      })
  },

  /** @returns how many of them were there. */
  forget: async (accountId: string, phones: readonly string[]): Promise<number> => {
    let forgotten = 0
    for (const part of partsOf(phones)) {
      const { count } = await client.portedNumber.deleteMany({ where: { accountId, phone: { in: part } } })
      forgotten += count
    }
    return forgotten
  },

  /** All of an account. */
  forgetAll: async (accountId: string): Promise<number> =>
    (await client.portedNumber.deleteMany({ where: { accountId } })).count,

  /** Those that nobody has kept since then. */
  forgetBefore: async (before: Date): Promise<void> => {
    await client.portedNumber.deleteMany({ where: { keptAt: { lt: before } } })
  },

  /** The newest first. */
  list: (accountId: string, take: number): Promise<PortedNumber[]> =>
    client.portedNumber.findMany({
      where: { accountId },
      select: { phone: true, network: true, keptAt: true },
      orderBy: [{ keptAt: 'desc' }, { phone: 'asc' }],
      take,
    }),

  count: (accountId: string): Promise<number> => client.portedNumber.count({ where: { accountId } }),
})

export type PortedNumberStore = ReturnType<typeof portedNumberStore>

const partsOf = (phones: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(phones.length / mostTogether) }, (_, part) =>
    phones.slice(part * mostTogether, (part + 1) * mostTogether),
  )
