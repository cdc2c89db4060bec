import type { Client } from '../../database/database.ts'
import { batchesOf } from '../batches.ts'

/** A number whose network a member confirmed although it contradicts the number's prefix. */
export interface PortedNumber {
  phone: string
  network: string
  keptAt: Date
}

export const portedNumberStore = (client: Client) => ({
  /** The confirmed networks, by number. */
  of: async (accountId: string, phones: readonly string[]): Promise<Record<string, string>> => {
    const found: [string, string][] = []
    for (const part of batchesOf(phones)) {
      const rows = await client.portedNumber.findMany({ where: { accountId, phone: { in: part } } })
      found.push(...rows.map(({ phone, network }): [string, string] => [phone, network]))
    }
    return Object.fromEntries(found)
  },

  /** Stores a network for these numbers. Call `forget` for them first. */
  keep: async (
    accountId: string,
    phones: readonly string[],
    network: string,
    keptAt: Date,
  ): Promise<void> => {
    for (const part of batchesOf([...new Set(phones)]))
      await client.portedNumber.createMany({
        data: part.map((phone) => ({ accountId, phone, network, keptAt })),
      })
  },

  /** Deletes the stored networks of these numbers. @returns how many there were. */
  forget: async (accountId: string, phones: readonly string[]): Promise<number> => {
    let forgotten = 0
    for (const part of batchesOf(phones)) {
      const { count } = await client.portedNumber.deleteMany({ where: { accountId, phone: { in: part } } })
      forgotten += count
    }
    return forgotten
  },

  /** Deletes all stored networks of the account. @returns how many there were. */
  forgetAll: async (accountId: string): Promise<number> =>
    (await client.portedNumber.deleteMany({ where: { accountId } })).count,

  /** Deletes numbers whose network nobody has confirmed since `before`. */
  forgetBefore: async (before: Date): Promise<void> => {
    await client.portedNumber.deleteMany({ where: { keptAt: { lt: before } } })
  },

  /** The account's ported numbers, newest first. */
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
