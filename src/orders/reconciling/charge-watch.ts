import {
  mayBeSecond,
  type NamedDebit,
  type Overcharge,
  overchargeIn,
} from '../../domain/debits/overcharge.ts'
import type { Transaction } from '../../provider/index.ts'
import { minus, zero } from '../../provider/money.ts'
import type { ChargedOrder } from '../../store/orders/order-reconciling.ts'
import type { Queries, Store } from '../../store/store.ts'
import { noteCharge } from '../../wallets/low-balance.ts'
import { namedDebitOf } from '../../wallets/wallet-reading.ts'
import { enqueueNews } from '../following/order-news.ts'
import { lookEndsMs, watchRefund } from './refunds.ts'

/**
 * Compares the charge for each order with the order's price, in every read of a wallet, whatever its purpose. A charge
 * beyond the price is announced once, and the wallet is then watched for its refund.
 */
export interface ChargeWatch {
  /**
   * Adds these entries of the account's wallet to those seen before, and compares them with the orders' prices. A
   * repeated entry counts once.
   * @returns true if a charge beyond a price was found that was not known before.
   */
  learn(accountId: string, entries: Iterable<Transaction>): Promise<boolean>
}

/**
 * All debits with one reference that this process has seen. They are kept in memory, because two of them may be on
 * different pages of the wallet.
 */
interface Met {
  accountId: string
  reference: string
  debits: Map<string, NamedDebit>
  /** All these debits were compared with the order. */
  isCompared: boolean
  /** A read that goes back to the order is planned, because the order's first debit may be on an older page. */
  isLookedFor: boolean
}

/** The most references that are kept. Each takes about 200 bytes. */
const maxMet = 20_000

export const createChargeWatch = ({
  store,
  now,
  onNotice,
}: {
  store: Store
  now: () => Date
  onNotice: () => void
}): ChargeWatch => {
  const met = new Map<string, Met>()

  const meet = (accountId: string, reference: string): Met => {
    const name = `${accountId} ${reference}`
    const known = met.get(name) ?? {
      accountId,
      reference,
      debits: new Map(),
      isCompared: false,
      isLookedFor: false,
    }
    met.delete(name)
    met.set(name, known)
    const [oldest] = met.keys()
    if (met.size > maxMet && oldest !== undefined) met.delete(oldest)
    return known
  }

  const compare = async (order: ChargedOrder, known: Met): Promise<boolean> => {
    const debits = [...known.debits.values()]
    if (overchargeIn(order, debits)) {
      await store.transaction((tx) => writeOvercharge(tx, order.id, debits, now()), {
        accounts: [known.accountId],
      })
      return true
    }
    if (known.isLookedFor || !debits.some((debit) => mayBeSecond(order, debit))) return false
    known.isLookedFor = true
    const at = now()
    // With this `extraAt`, the search ends after one read, which goes back to the order.
    const patch = { refundAt: at, extraAt: new Date(at.getTime() - lookEndsMs) }
    await store.transaction((tx) => tx.orders.patch(order.id, patch, at), { accounts: [known.accountId] })
    return false
  }

  return {
    learn: async (accountId, entries) => {
      const changed = new Set<Met>()
      for (const entry of entries) {
        if (entry.type !== 'debit' || entry.reference === null) continue
        const known = meet(accountId, entry.reference)
        const debit = namedDebitOf(entry)
        if (!known.debits.has(debit.key)) known.isCompared = false
        known.debits.set(debit.key, debit)
        if (!known.isCompared) changed.add(known)
      }
      if (changed.size === 0) return false
      const byReference = new Map([...changed].map((known) => [known.reference, known]))
      let isNew = false
      for (const order of await store.orders.chargesOf(accountId, [...byReference.keys()])) {
        const known = byReference.get(order.reference ?? '')
        if (!known) continue
        isNew = (await compare(order, known)) || isNew
        known.isCompared = true
      }
      if (isNew) onNotice()
      return isNew
    },
  }
}

/** Stores and announces a charge beyond the order's price, unless another process has done so already. */
export const writeOvercharge = async (
  tx: Queries,
  orderId: string,
  debits: readonly NamedDebit[],
  at: Date,
): Promise<void> => {
  const order = await tx.orders.byId(orderId)
  const found = order?.placement === 'placed' ? overchargeIn(order, debits) : null
  if (!order || !found || found.extraPesewas <= (order.extraPesewas ?? 0)) return
  const { chargedPesewas, extraPesewas } = found
  const patch = { chargedPesewas, extraPesewas, extraAt: at }
  await tx.orders.patch(orderId, patch, at)
  await noteExtraDebits(tx, order, found, at)
  await noteCharge(tx, order.accountId, minus(extraPesewas, order.extraPesewas ?? zero), at)
  await watchRefund(tx, { ...order, ...patch, refundAt: null }, at)
  await enqueueNews(tx, order, at, overchargeNews(found))
}

const overchargeNews = ({ debits, chargedPesewas, extraPesewas }: Overcharge) =>
  ({
    about: 'overcharged',
    debits,
    chargedPesewas,
    pricePesewas: minus(chargedPesewas, extraPesewas),
  }) as const

/** Stores which entries exceed the price, for the list of the wallet's unexplained entries. */
const noteExtraDebits = async (
  tx: Queries,
  { id, reference }: { id: string; reference: string | null },
  { extraKeys }: Overcharge,
  at: Date,
): Promise<void> => {
  const known = new Set((await tx.statusReports.ofOrder(id, 'extra')).map(({ status }) => status))
  for (const key of extraKeys) {
    if (known.has(key)) continue
    const seen = { reference: reference ?? '', status: key, happenedAt: null, receivedAt: at }
    await tx.statusReports.record({ orderId: id, source: 'poll', ...seen }, 'extra')
  }
}
