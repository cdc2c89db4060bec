import { describe, expect, test } from 'vitest'
import { createLog } from '../../../src/base/log.ts'
import { createTracker } from '../../../src/orders/following/tracker.ts'
import { type Provider, ProviderError } from '../../../src/provider/index.ts'
import type { Store } from '../../../src/store/store.ts'
import type { Wallets } from '../../../src/wallets/wallets.ts'
import { newStore } from '../../support/database.ts'
import { addAccount, addOrder, announced, orderOf } from '../placed-orders.ts'

const start = new Date('2026-11-21T10:32:00Z')
const minute = 60_000
const ago = (ms: number): Date => new Date(start.getTime() - ms)

const [own, second] = ['BUD-API-OWN-1', 'BUD-API-OTHER-2']
const sentAt = ago(minute)

type Records = Record<string, { placedAt?: Date; phone?: string; status?: string }>

/** A bot whose provider has only these records. */
const botOf = (store: Store, records: Records) => {
  let now = start
  let meanwhile = async () => {}
  const asked: string[] = []
  const orderStatus = async (reference: string) => {
    asked.push(reference)
    const happens = meanwhile
    meanwhile = async () => {}
    await happens()
    await tracker.applyCallbacks()
    const known = records[reference]
    if (!known) throw new ProviderError('not_found', 'The provider knows no such order.')
    const bundle = { network: 'MTN', volume: '5GB', phone: '0241234567', totalQuantity: null }
    const price = { pricePesewas: null, totalPricePesewas: null, recipients: null, deliveredAt: null }
    return { reference, ...bundle, ...price, placedAt: sentAt, status: 'processing', ...known }
  }
  const provider = { orderStatus } as unknown as Provider
  const wallets = { ask: (_account, _purpose, question) => question(provider) } as Wallets
  const nothing = () => {}
  const heard = { onNotice: nothing, onEnded: nothing, onPlaced: nothing, onPollDue: nothing }
  const log = createLog('silent', [])
  const tracker = createTracker({ store, wallets, mayWork: () => true, now: () => now, log, ...heard })
  let callbacks = 0
  return {
    asked,
    records,
    /** Something that happens during the next look-up. */
    meanwhile: (happens: () => Promise<void>): void => {
      meanwhile = happens
    },
    later: (ms: number): void => {
      now = new Date(now.getTime() + ms)
    },
    callBack: async (reference: string, status = 'processing', orderId = 'o'): Promise<void> => {
      const named = { orderId, source: 'callback', digest: `${++callbacks}`, reference, status } as const
      const said = { phone: '0241234567', happenedAt: null, receivedAt: now, body: null }
      await store.statusReports.insert([{ ...named, ...said }])
    },
    work: async (): Promise<void> => {
      for (let rounds = 0; rounds < 4; rounds += 1) {
        await tracker.applyCallbacks()
        await tracker.poll()
      }
    },
  }
}

const lost = [
  ['sending', { sentAt, clockOffsetMs: 0 }],
  ['unconfirmed', { reason: 'timeout', nextPollAt: start, reconcileAt: start }],
] as const

const placed = [
  ['sending', { sentAt, clockOffsetMs: 0 }],
  [
    'placed',
    { reference: own, status: 'processing', statusAt: sentAt, placedAt: sentAt, answeredAt: sentAt },
  ],
] as const

const withOrder = async (arrows: typeof lost | typeof placed): Promise<Store> => {
  const store = await newStore()
  await addAccount(store, 'a', start)
  await addOrder(store, { id: 'o', accountId: 'a', now: start }, arrows)
  return store
}

describe('if callbacks to the address of an unproven order name two references,', () => {
  test.each([
    [own, second],
    [second, own],
  ])(
    'the one placed after the send proves the order, and the person is told of both (%s, %s)',
    async (...named) => {
      const store = await withOrder(lost)
      const bot = botOf(store, { [own]: {}, [second]: { placedAt: ago(45 * minute), status: 'delivered' } })
      for (const reference of named) await bot.callBack(reference)
      await bot.work()
      expect(await orderOf(store, 'o')).toMatchObject({ reference: own, otherReference: second })
      expect(await announced(store)).toEqual(['o proof', 'o two_references'])
    },
  )

  test('one that is about another number is dismissed', async () => {
    const store = await withOrder(lost)
    const bot = botOf(store, { [own]: {}, [second]: { phone: '0551234567' } })
    for (const reference of [own, second]) await bot.callBack(reference)
    await bot.work()
    expect(await orderOf(store, 'o')).toMatchObject({ reference: own, otherReference: null })
    expect(await announced(store)).toEqual(['o proof'])
    expect(await store.statusReports.ofOrder('o', 'foreign')).toMatchObject([{ reference: second }])
  })
})

describe('a second reference that a callback names for a proven order', () => {
  test('is reported to the person once, with its final status', async () => {
    const store = await withOrder(placed)
    const bot = botOf(store, { [own]: {}, [second]: {} })
    await bot.callBack(second)
    await bot.callBack(second, 'failed')
    await bot.work()
    await bot.callBack(second, 'failed')
    await bot.work()
    expect(await orderOf(store, 'o')).toMatchObject({ reference: own, otherReference: second })
    expect(await announced(store)).toEqual(['o two_references', 'o second_status'])
    expect(bot.asked.filter((reference) => reference === second)).toHaveLength(1)
  })

  test('is looked up even if the order’s own final status is reported again before the look-up', async () => {
    const store = await withOrder(placed)
    const bot = botOf(store, { [own]: { status: 'delivered' }, [second]: {} })
    await bot.callBack(own, 'delivered')
    await bot.work()
    await bot.callBack(second)
    await bot.callBack(own, 'delivered')
    await bot.work()
    expect(await announced(store)).toEqual(['o status', 'o two_references'])
  })

  test('is looked up even if it arrives while the order’s own final status is being read', async () => {
    const store = await withOrder(placed)
    const bot = botOf(store, { [own]: { status: 'delivered' }, [second]: {} })
    bot.meanwhile(() => bot.callBack(second))
    await bot.callBack(own, 'delivered')
    await bot.work()
    expect(await announced(store)).toEqual(['o status', 'o two_references'])
  })

  test('is looked up for a day until the provider knows it', async () => {
    const store = await withOrder(placed)
    const bot = botOf(store, { [own]: { status: 'delivered' } })
    await bot.callBack(second)
    await bot.work()
    expect(await announced(store)).toEqual(['o status'])
    bot.records[second] = {}
    bot.later(15 * minute)
    await bot.work()
    expect(await announced(store)).toEqual(['o status', 'o two_references'])
    expect(await orderOf(store, 'o')).toMatchObject({ status: 'delivered', nextPollAt: null })
  })

  test('is dismissed after a day if the provider does not know it', async () => {
    const store = await withOrder(placed)
    const bot = botOf(store, { [own]: { status: 'delivered' } })
    await bot.callBack(second)
    await bot.work()
    bot.later(24 * 60 * minute + 1)
    await bot.work()
    bot.later(15 * minute)
    await bot.work()
    expect(await orderOf(store, 'o')).toMatchObject({ otherReference: null, nextPollAt: null })
    expect(await store.statusReports.ofOrder('o', 'foreign')).toMatchObject([{ reference: second }])
  })

  test('is not reported to the person, and is looked up only once, if it is about another number', async () => {
    const store = await withOrder(placed)
    const bot = botOf(store, { [own]: {}, [second]: { phone: '0551234567' } })
    for (const status of ['processing', 'failed']) {
      await bot.callBack(second, status)
      await bot.work()
    }
    expect(await orderOf(store, 'o')).toMatchObject({ reference: own, otherReference: null })
    expect(await announced(store)).toEqual([])
    expect(bot.asked.filter((reference) => reference === second)).toHaveLength(1)
  })

  test('is neither reported to the person nor looked up if it is another order’s', async () => {
    const store = await withOrder(placed)
    const theirs = [placed[0], ['placed', { ...placed[1][1], reference: second }]] as const
    await addOrder(store, { id: 'p', accountId: 'a', now: start }, theirs)
    const bot = botOf(store, { [own]: {}, [second]: {} })
    await bot.callBack(second)
    await bot.work()
    expect(await orderOf(store, 'o')).toMatchObject({ otherReference: null })
    expect(bot.asked).not.toContain(second)
  })

  test.each([
    ['is reported as soon as that order proves to have another reference', own.replace('1', '3'), second],
    ['is not reported if it proves to be the reference of that order', second, null],
  ])('waits while it may belong to an order of unknown outcome, and %s', async (_case, theirs, kept) => {
    const store = await withOrder(placed)
    await addOrder(store, { id: 'p', accountId: 'a', now: start }, lost)
    const bot = botOf(store, { [own]: {}, [theirs]: {}, [second]: {} })
    await bot.callBack(second)
    await bot.work()
    expect(await orderOf(store, 'o')).toMatchObject({ otherReference: null })
    await bot.callBack(theirs, 'processing', 'p')
    await bot.work()
    expect(await orderOf(store, 'p')).toMatchObject({ reference: theirs, inferred: false })
    bot.later(15 * minute)
    await bot.work()
    expect(await orderOf(store, 'o')).toMatchObject({ reference: own, otherReference: kept })
  })
})
