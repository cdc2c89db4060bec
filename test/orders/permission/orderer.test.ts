import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nothingShown, select } from '../../../src/domain/list-draft.ts'
import type { Denial, Step } from '../../../src/domain/may-order.ts'
import { readList } from '../../../src/lists/read-list.ts'
import type { Prices } from '../../../src/orders/buying/prices.ts'
import { createPurchases, type Person } from '../../../src/orders/buying/purchases.ts'
import { spendableOf } from '../../../src/orders/buying/spendable.ts'
import { createLists } from '../../../src/orders/listing/list-orders.ts'
import { insertListDraft } from '../../../src/orders/listing/new-list.ts'
import { denialFor } from '../../../src/orders/permission/orderer.ts'
import { beginMaintenance, endMaintenance, markNetwork } from '../../../src/orders/permission/switches.ts'
import { pesewas } from '../../../src/provider/money.ts'
import type { Phone } from '../../../src/provider/phone.ts'
import type { Store } from '../../../src/store/store.ts'
import { networksFor } from '../../../src/telegram/cards/agent-permissions.ts'
import type { BotContext } from '../../../src/telegram/chat/context.ts'
import type { Services } from '../../../src/telegram/chat/services.ts'
import { admit, admitForRoom } from '../../../src/telegram/features/guards/order-denial.ts'
import type { Wallets } from '../../../src/wallets/wallets.ts'
import { newStore } from '../../support/database.ts'
import { runs } from '../../support/runs.ts'
import { addAccount } from '../placed-orders.ts'

const noon = new Date('2026-11-21T12:00:00Z')
const bundle = {
  id: 2,
  network: 'MTN',
  volume: '2GB',
  offerSlug: null,
  status: null,
  pricePesewas: pesewas(1_000),
} as const
const offer = { bundleId: 2, network: 'MTN', volume: '2GB', offerSlug: null, pricePesewas: pesewas(1_000) }

/** Everything on which it depends whether a person may order: their own settings, and those for everybody. */
interface Settled {
  role: 'owner' | 'agent'
  isMember: boolean
  isPaused: boolean
  networks: string[] | null
  limit: number | null
  isClosing: boolean
  isMaintenance: boolean
  isDown: boolean
  isShortOfRoom: boolean
}

const rarely = fc.constantFrom(false, false, false, true)
const settledArbitrary: fc.Arbitrary<Settled> = fc.record({
  role: fc.constantFrom('owner', 'agent', 'agent'),
  isMember: fc.constantFrom(true, true, true, false),
  isPaused: rarely,
  networks: fc.constantFrom(null, null, ['MTN'], ['Telecel'], []),
  limit: fc.constantFrom(null, 0, 999, 1_000, 2_500),
  isClosing: rarely,
  isMaintenance: rarely,
  isDown: rarely,
  isShortOfRoom: rarely,
})

/** Creates a person with a single draft, a draft of a list, a list that is held up, and an order that waits. */
const somebody = async (store: Store, name: string, userId: number, { role }: Settled) => {
  let ids = 0
  const newId = () => `${name}-${++ids}`.padStart(22, 'i')
  const phone = (digit: number) => `024${String(userId * 10 + digit).padStart(7, '0')}` as Phone
  const person: Person = { userId, chatId: userId, accountId: name, role }
  const others = { prices: {} as Prices, wallets: {} as Wallets, read: readList, log: { error: () => {} } }
  const state = { isShortOfRoom: false }
  const common = {
    store,
    now: () => noon,
    newId,
    isShortOfRoom: () => state.isShortOfRoom,
    onQueued: () => {},
    onNotice: () => {},
  }
  const purchases = createPurchases(common)
  const lists = createLists({ ...common, ...others })
  await addAccount(store, name, noon)
  await store.accounts.attach({ ...person, invitedBy: 1 }, noon)
  await store.preferences.change(userId, { freeRepeatPesewas: pesewas(5_000) })
  await store.shops.agentPrices(name, 'cost')
  const press = { cardMessageId: null, after: null }
  const single = await purchases.draft(person, `${name}:single`, [{ ...offer, phone: phone(1) }])
  const waiting = await purchases.draft(person, `${name}:waiting`, [{ ...offer, phone: phone(2) }])
  await purchases.confirm(waiting.id, person, press)
  const [order] = await store.orders.ofPurchase(waiting.id)
  const list = (digit: number) =>
    store.transaction((tx) =>
      insertListDraft(
        tx,
        person,
        {
          cause: `${name}:${digit}`,
          text: `${phone(digit)} 2GB MTN`,
          fixedBundleId: null,
          remark: null,
          shown: { ...nothingShown, bundles: [bundle] },
        },
        { newId, at: noon },
      ),
    )
  const digestOf = async (id: string) => (await lists.preview(id))?.digest ?? ''
  const held = await list(3)
  expect(await lists.confirm(held.id, person, await digestOf(held.id), null)).toMatchObject({
    kind: 'confirmed',
  })
  await store.purchases.hold(held.id, order?.id ?? '')
  const draft = await list(4)
  // The orders become two days old, so that they do not count towards an agent's limit of today.
  await store.orders.patch(order?.id ?? '', { createdAt: new Date(noon.getTime() - 48 * 3_600_000) }, noon)
  const [first] = await store.orders.ofPurchase(held.id)
  await store.orders.patch(first?.id ?? '', { createdAt: new Date(noon.getTime() - 48 * 3_600_000) }, noon)

  const ask = (step: Step) =>
    store.transaction((tx) => denialFor(tx, person, step, { at: noon, isShortOfRoom: state.isShortOfRoom }))
  const services = { store, now: () => noon, isShortOfRoom: common.isShortOfRoom } as unknown as Services
  const said: unknown[] = []
  const talk = { say: (words: unknown) => said.push(words), toast: (words: unknown) => said.push(words) }
  const ctx = { talk, services } as unknown as BotContext
  return {
    ask,
    state,
    person,
    said,
    /** The code behind each press or message for which the bot checks whether the person may order. */
    callers: {
      begin: () => admit(ctx, person),
      takeFurther: () => admitForRoom(ctx),
      confirm: () => purchases.confirm(single.id, person, press),
      confirmList: async () => lists.confirm(draft.id, person, await digestOf(draft.id), null),
      repeat: () => purchases.repeat(person, `${name}:again`, { ...offer, phone: phone(5) }),
      sendAnyway: () => purchases.sendAnyway(order?.id ?? '', person),
      goOn: () => lists.goOn(held.id, person),
    },
  }
}

const arrange = async (store: Store, { accountId, userId }: Person, settled: Settled): Promise<void> => {
  const { isPaused, limit, networks } = settled
  if (settled.role === 'agent') {
    const dailyLimitPesewas = limit === null ? null : pesewas(limit)
    await store.accounts.patchAgent(userId, { pausedAt: isPaused ? noon : null, networks, dailyLimitPesewas })
  }
  if (settled.isClosing) await store.accounts.closeBy(accountId, new Date(noon.getTime() + 3_600_000))
  if (!settled.isMember) await store.accounts.detach(userId)
  if (settled.isMaintenance) await beginMaintenance(store, {}, noon)
  await markNetwork(store, 'MTN', settled.isDown, noon)
}

const refused = (denial: Denial) => ({ kind: 'denied', denial })

test('every step of ordering follows the same rule about who may order', async () => {
  const store = await newStore()
  let persons = 0
  const property = fc.asyncProperty(settledArbitrary, async (settled) => {
    persons += 1
    await endMaintenance(store)
    await markNetwork(store, 'MTN', false, noon)
    const { ask, state, person, said, callers } = await somebody(store, `a${persons}`, persons, settled)
    await arrange(store, person, settled)
    state.isShortOfRoom = settled.isShortOfRoom
    const one = { kind: 'confirm', wanted: [offer] } as const

    const toBegin = await ask({ kind: 'begin' })
    expect(await callers.begin()).toBe(toBegin === null)
    expect(said).toHaveLength(toBegin === null ? 0 : 1)
    expect(callers.takeFurther()).toBe(!settled.isShortOfRoom)

    const toRelease = await ask({ kind: 'release' })
    expect(await callers.sendAnyway()).toEqual(toRelease ? refused(toRelease) : { kind: 'sent' })
    expect(await callers.goOn()).toEqual(toRelease ? refused(toRelease) : { kind: 'going' })

    const offered = (await networksFor(store, person)).includes('MTN')
    const recipients = [{ line: 1, notes: [], phone: '0241234567' as Phone, ...offer }]
    const { networks } = await spendableOf(
      store,
      person,
      async () => ({ balancePesewas: null, at: null }),
      noon,
    )
    const { barred } = select(
      { recipients },
      { questions: {}, recent: 'skip', fits: false },
      { ...nothingShown, ...(networks && { networks }) },
    )
    const free = await ask({ kind: 'confirm', wanted: [{ ...offer, pricePesewas: pesewas(0) }] })
    const isBarred = free?.kind === 'network'
    if (free === null || isBarred) expect([offered, barred.length]).toEqual(isBarred ? [false, 1] : [true, 0])

    for (const caller of ['confirm', 'confirmList'] as const) {
      const toConfirm = await ask(one)
      expect(await callers[caller]()).toMatchObject(toConfirm ? refused(toConfirm) : { kind: 'confirmed' })
    }
    const toRepeat = await ask(one)
    expect((await callers.repeat()).state).toBe(toRepeat ? 'draft' : 'confirmed')

    // Nobody may confirm what they may not begin, except a draft that is kept until maintenance ends.
    if (toBegin !== null) expect(await ask(one)).not.toBeNull()
  })
  await fc.assert(property, { numRuns: runs(40) })
})
