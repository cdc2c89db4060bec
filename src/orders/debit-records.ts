import type { Purpose } from '../accounts/budget.ts'
import type { Wallets } from '../accounts/wallets.ts'
import { type OrderStatus, ProviderError } from '../provider/index.ts'
import type { Debit } from './matching.ts'

/** The provider's status records of debits whose order nobody knows. */
export interface DebitRecords {
  /**
   * Those that the provider knows. A record that says all that tells orders apart is not read again: its status may
   * be old, which whoever adopts it knows. One that the look-up does not know is asked for again each time.
   * @throws {ProviderError | NoWallet}
   */
  read(accountId: string, purpose: Purpose, debits: readonly Debit[]): Promise<Map<Debit, OrderStatus>>
}

/** A record takes some 300 bytes: enough for every debit in question of hundreds of accounts. */
const mostKnownRecords = 2_000

export const createDebitRecords = (wallets: Wallets): DebitRecords => {
  const known = new Map<string, OrderStatus>()

  /** The one that was read first goes when there are too many: it is read again when it is asked for. */
  const remember = (place: string, record: OrderStatus): void => {
    known.set(place, record)
    const [oldest] = known.keys()
    if (known.size > mostKnownRecords && oldest !== undefined) known.delete(oldest)
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
