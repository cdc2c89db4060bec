import { describe, expect, test } from 'vitest'
import { ProviderError, pesewas } from '../../src/provider/index.ts'
import { balanceFor, balanceFreshMs, freshenBalance } from '../../src/wallets/balance-reading.ts'
import { noteBalance } from '../../src/wallets/low-balance.ts'
import type { Wallets } from '../../src/wallets/wallets.ts'
import { addAccount } from '../orders/placed-orders.ts'
import { newStore } from '../support/database.ts'

const start = new Date('2026-11-21T10:32:00Z')

/** An account whose balance was GHS 5.00 when it was read at the start, and is GHS 50.00 now. */
const stage = async (isReadable = true) => {
  const store = await newStore()
  await addAccount(store, 'a', start)
  const heard = { balancePesewas: pesewas(500), askedAt: start, at: start }
  await store.transaction((tx) => noteBalance(tx, 'a', heard))
  const asked: string[] = []
  const ask = async (_accountId: string, purpose: string) => {
    asked.push(purpose)
    if (!isReadable) throw new ProviderError('rate_limited', 'The limit is reached.')
    return { balancePesewas: pesewas(5_000), accountType: 'agent' }
  }
  const readerAfter = (ms: number) => {
    const now = () => new Date(start.getTime() + ms)
    return { store, wallets: { ask } as unknown as Wallets, now }
  }
  return { store, readerAfter, asked }
}

describe('the balance that a card shows', () => {
  test.each([
    {
      why: 'is the stored balance for a minute if that covers the price',
      ms: balanceFreshMs - 1,
      needed: 500,
      reads: 0,
    },
    { why: 'is read again after a minute', ms: balanceFreshMs, needed: 500, reads: 1 },
    { why: 'is read again if the stored balance does not cover the price', ms: 5_000, needed: 501, reads: 1 },
    {
      why: 'is not read again within five seconds, even if it does not cover the price',
      ms: 4_999,
      needed: 501,
      reads: 0,
    },
    { why: 'is read again after the clock was set back', ms: -1, needed: 500, reads: 1 },
  ])('$why', async ({ ms, needed, reads }) => {
    const { readerAfter, asked } = await stage()
    const { balancePesewas } = await balanceFor(readerAfter(ms), 'a', needed)
    expect(asked).toHaveLength(reads)
    expect(balancePesewas).toBe(reads === 0 ? 500 : 5_000)
  })

  test('stays the stored balance with its time if the balance cannot be read again', async () => {
    const { store, readerAfter, asked } = await stage(false)
    await freshenBalance(readerAfter(3_600_000), 'a', 960)
    expect(asked).toEqual(['person'])
    expect(await store.accounts.byId('a')).toMatchObject({ balancePesewas: 500, balanceAt: start })
  })
})
