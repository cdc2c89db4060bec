import { describe, expect, test } from 'vitest'
import { createAgency } from '../../../src/accounts/agency.ts'
import type { Allowance } from '../../../src/domain/may-order.ts'
import { placements } from '../../../src/domain/order/placement.ts'
import { costOf } from '../../../src/domain/selling/spending.ts'
import { createPurchases, type Person } from '../../../src/orders/buying/purchases.ts'
import { denialFor } from '../../../src/orders/permission/orderer.ts'
import { type Pesewas, pesewas } from '../../../src/provider/money.ts'
import type { Phone } from '../../../src/provider/phone.ts'
import type { AgentPatch } from '../../../src/store/accounts/accounts.ts'
import type { Store } from '../../../src/store/store.ts'
import { createKeyring } from '../../../src/wallets/credentials/keyring.ts'
import { newStore } from '../../support/database.ts'

const noon = new Date('2026-11-21T12:00:00Z')
const owner = { userId: 1, chatId: 1, accountId: 'a', role: 'owner' } as const
const agent: Person = { userId: 2, chatId: 2, accountId: 'a', role: 'agent' }
const press = { cardMessageId: null, after: null }
const bundle = { bundleId: 2, network: 'MTN', volume: '2GB', offerSlug: null, pricePesewas: pesewas(1_000) }

const stage = async (patch: AgentPatch = {}) => {
  const store = await newStore()
  const sealed = { keyHash: 'k', sealedKey: 'k', sealedSecret: 's' }
  await store.accounts.insert({ id: 'a', ...sealed, accountType: null, now: noon })
  await store.accounts.attach(owner, noon)
  await store.accounts.attach({ ...agent, name: 'Ama', invitedBy: 1 }, noon)
  await store.accounts.patchAgent(2, patch)
  let now = noon
  let ids = 0
  const told = { onQueued: () => {}, onNotice: () => {} }
  const newId = () => String(++ids).padStart(22, 'i')
  const purchases = createPurchases({ store, now: () => now, newId, ...told })
  const draft = (count: number) =>
    purchases.draft(agent, `c${count}`, [{ ...bundle, phone: `02410000${count + 10}` as Phone }])
  const at = (time: Date) => {
    now = time
  }
  return { store, purchases, draft, at }
}

const moment = { at: noon, isShortOfRoom: false }
const denial = (store: Store, wanted: { network: string; pricePesewas: Pesewas }[]) =>
  store.transaction((tx) => denialFor(tx, agent, { kind: 'confirm', wanted }, moment))

describe('an agent’s daily limit', () => {
  test('admits as many of twenty simultaneous confirmations as the limit allows', async () => {
    const { store, purchases, draft } = await stage({ dailyLimitPesewas: pesewas(7_500) })
    const drafts = await Promise.all(Array.from({ length: 20 }, (_, count) => draft(count)))
    const answers = await Promise.all(drafts.map(({ id }) => purchases.confirm(id, agent, press)))
    expect(answers.filter(({ kind }) => kind === 'confirmed')).toHaveLength(7)
    const left: Allowance = { limitPesewas: pesewas(7_500), leftPesewas: pesewas(500), isSeen: false }
    for (const answer of answers.filter(({ kind }) => kind !== 'confirmed')) {
      expect(answer).toEqual({
        kind: 'denied',
        denial: { kind: 'limit', neededPesewas: 1_000, isNeedSeen: false, ...left },
      })
    }
    expect(await store.orders.queuedOfAccount('a')).toHaveLength(7)
    expect(await store.purchases.draftsOf(2, 'a')).toHaveLength(13)
  })

  test('starts again at midnight, and does not count a cancelled order', async () => {
    const { purchases, draft, at } = await stage({ dailyLimitPesewas: pesewas(1_000) })
    const [first, second] = [await draft(1), await draft(2)]
    const confirm = async (id: string) => (await purchases.confirm(id, agent, press)).kind
    expect(await confirm(first.id)).toBe('confirmed')
    expect(await confirm(second.id)).toBe('denied')
    await purchases.cancel(first.id, agent, null)
    expect(await confirm(second.id)).toBe('confirmed')
    at(new Date('2026-11-21T23:59:59Z'))
    const third = await draft(3)
    expect(await confirm(third.id)).toBe('denied')
    at(new Date('2026-11-22T00:00:00Z'))
    expect(await confirm(third.id)).toBe('confirmed')
  })

  test('counts every amount that may have been charged, minus refunds', () => {
    const order = {
      unitPricePesewas: pesewas(1_000),
      agentUnitPesewas: null,
      quantity: 3,
      acceptedQuantity: null,
      chargedPesewas: null,
      refundedPesewas: null,
      reason: null,
      extraPesewas: null,
    }
    const counted = placements.filter((placement) => costOf({ ...order, placement }) === 3_000)
    expect(counted.sort()).toEqual(['placed', 'queued', 'review', 'sending', 'unconfirmed'])
    const placed = { ...order, placement: 'placed' as const, chargedPesewas: pesewas(2_000) }
    expect(costOf(placed)).toBe(2_000)
    expect(costOf({ ...placed, refundedPesewas: pesewas(500) })).toBe(1_500)
    expect(costOf({ ...placed, refundedPesewas: pesewas(2_500) })).toBe(0)
  })

  test('also applies to a repeat that is confirmed without a press', async () => {
    const { store, purchases } = await stage({ dailyLimitPesewas: pesewas(1_500) })
    await store.shops.agentPrices('a', 'cost')
    await store.preferences.change(2, { freeRepeatPesewas: pesewas(5_000) })
    const again = (count: number) =>
      purchases.repeat(agent, `r${count}`, { ...bundle, phone: `02420000${count + 10}` as Phone })
    expect((await again(1)).state).toBe('confirmed')
    expect((await again(2)).state).toBe('draft')
  })
})

describe('an agent who sees selling prices', () => {
  const wanted = { network: 'MTN', pricePesewas: pesewas(1_000), agentPesewas: pesewas(1_300) }

  test('has a limit that counts selling prices, and sees how much of it is left', async () => {
    const { store, purchases, draft } = await stage({ dailyLimitPesewas: pesewas(2_700) })
    await store.shops.price('a', bundle.bundleId, pesewas(1_300))
    await purchases.confirm((await draft(1)).id, agent, press)
    expect(await denial(store, [wanted])).toBeNull()
    await purchases.confirm((await draft(2)).id, agent, press)
    expect(await denial(store, [wanted])).toMatchObject({
      leftPesewas: 100,
      isSeen: true,
      isNeedSeen: true,
    })
  })

  test('does not see how much of the limit is left if an order of the day had no selling price', async () => {
    const { store, purchases, draft } = await stage({ dailyLimitPesewas: pesewas(1_500) })
    await purchases.confirm((await draft(1)).id, agent, press)
    expect(await denial(store, [wanted])).toMatchObject({ kind: 'limit', isSeen: false })
  })

  test('pays the price on the card, whatever price the owner sets before Confirm', async () => {
    const { store, purchases, draft } = await stage()
    await store.shops.price('a', bundle.bundleId, pesewas(1_300))
    const { id } = await draft(1)
    await store.shops.price('a', bundle.bundleId, pesewas(1_900))
    await purchases.confirm(id, agent, press)
    expect(await store.orders.ofPurchase(id)).toMatchObject([
      { unitPricePesewas: 1_000, agentUnitPesewas: 1_300, sellUnitPesewas: 1_300 },
    ])
  })

  test('repeats without a press up to an amount in selling prices, if there is a selling price', async () => {
    const { store, purchases } = await stage()
    await store.preferences.change(2, { freeRepeatPesewas: pesewas(1_200) })
    const again = async (count: number) =>
      (await purchases.repeat(agent, `r${count}`, { ...bundle, phone: `02420000${count + 10}` as Phone }))
        .state
    expect(await again(1)).toBe('draft')
    await store.shops.price('a', bundle.bundleId, pesewas(1_300))
    expect(await again(2)).toBe('draft')
    await store.shops.price('a', bundle.bundleId, pesewas(1_200))
    expect(await again(3)).toBe('confirmed')
  })
})

test('an owner may order anything, a limited agent certain networks, and a paused or removed agent nothing', async () => {
  const { store } = await stage({ networks: ['Telecel'] })
  const wanted = [{ network: 'MTN', pricePesewas: pesewas(1) }]
  expect(
    await store.transaction((tx) => denialFor(tx, owner, { kind: 'confirm', wanted }, moment)),
  ).toBeNull()
  expect(await denial(store, wanted)).toEqual({ kind: 'network', network: 'MTN', allowed: ['Telecel'] })
  expect(await denial(store, [{ network: 'Telecel', pricePesewas: pesewas(1) }])).toBeNull()
  await store.accounts.patchAgent(2, { pausedAt: noon, networks: null })
  expect(await denial(store, wanted)).toEqual({ kind: 'paused' })
  expect(await denial(store, [])).toEqual({ kind: 'paused' })
  await store.accounts.detach(2)
  expect(await denial(store, wanted)).toEqual({ kind: 'removed' })
})

describe('an agent’s invitation', () => {
  const agencyOf = (store: Store) => {
    const keyring = createKeyring([new Uint8Array(32).fill(1)])
    return { keyring, agency: createAgency({ store, keyring, now: () => noon, onNotice: () => {} }) }
  }
  const guest = (userId: number) => ({ userId, chatId: userId, name: 'Kojo' })

  test('that ten people accept at the same time makes only one of them an agent', async () => {
    const { store } = await stage()
    const { agency } = agencyOf(store)
    const { secret = '' } = (await agency.invite(owner)) ?? {}
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, count) => agency.accept(guest(10 + count), secret, true)),
    )
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['accepted', ...Array(9).fill('used')])
    expect((await store.accounts.members('a')).filter(({ userId }) => userId >= 10)).toHaveLength(1)
  })

  test('is stored only as a hash, has 192 bits, and does not let anybody connect an account', async () => {
    const { store } = await stage()
    const { agency, keyring } = agencyOf(store)
    const { secret = '' } = (await agency.invite(owner)) ?? {}
    expect(Buffer.from(secret, 'base64url')).toHaveLength(24)
    const [open] = await store.invitations.openOf('a', noon)
    expect(JSON.stringify(open)).not.toContain(secret)
    expect(await store.chats.accept(keyring.invitationHashes(secret), 10, noon)).toBe(false)
    expect(await store.chats.isInvited(10)).toBe(false)
  })

  test('from an owner who has left is no longer valid', async () => {
    const { store } = await stage()
    const { agency } = agencyOf(store)
    const { secret = '' } = (await agency.invite(owner)) ?? {}
    await store.accounts.attach({ ...owner, userId: 3, chatId: 3 }, noon)
    await store.accounts.detach(1)
    expect(await agency.accept(guest(10), secret, false)).toEqual({ kind: 'revoked' })
  })
})
