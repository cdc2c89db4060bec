import type { Debit } from '../domain/debits/matching.ts'
import { type OrderStatus, ProviderError } from '../provider/index.ts'
import type { Purpose } from './budget.ts'
import type { Wallets } from './wallets.ts'

/** The provider's status records of debits whose order is not known here. */
export interface DebitRecords {
  /**
   * Reads the status records of these debits from the provider. A complete record is kept in memory, so the status in
   * it may be outdated when it is used. If the provider finds no record, it is asked again the next time.
   * @throws {WalletError}
   */
  read(accountId: string, purpose: Purpose, debits: readonly Debit[]): Promise<Map<Debit, OrderStatus>>
}

/** About 300 bytes each. This is enough for all open debits of hundreds of accounts. */
const maxKnownRecords = 2_000

export const createDebitRecords = (wallets: Wallets): DebitRecords => {
  const known = new Map<string, OrderStatus>()

  /** If there are too many records, the oldest is dropped, and read again when it is needed. */
  const remember = (place: string, record: OrderStatus): void => {
    known.set(place, record)
    const [oldest] = known.keys()
    if (known.size > maxKnownRecords && oldest !== undefined) known.delete(oldest)
  }

  const ask = async (accountId: string, purpose: Purpose, reference: string): Promise<OrderStatus | null> => {
    try {
      return await wallets.ask(accountId, purpose, (provider) => provider.orderStatus(reference))
    } catch (error) {
      if (error instanceof ProviderError && error.code === 'not_found') return null
      throw error
    }
  }

  return {
    read: async (accountId, purpose, debits) => {
      const records = new Map<Debit, OrderStatus>()
      for (const debit of debits) {
        if (debit.reference === null) continue
        const place = `${accountId} ${debit.reference}`
        const record = known.get(place) ?? (await ask(accountId, purpose, debit.reference))
        if (record === null) continue
        records.set(debit, record)
        if (isWhole(record)) remember(place, record)
      }
      return records
    },
  }
}

const isWhole = ({ network, volume, phone, recipients, placedAt }: OrderStatus): boolean =>
  network !== null &&
  volume !== null &&
  (phone !== null || (recipients ?? []).length > 0) &&
  placedAt !== null
