import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../src/database/database.ts'
import { newId } from '../../../src/database/id.ts'
import { everyDay } from '../../../src/lists/written-reminder.ts'
import type { Prices } from '../../../src/orders/buying/prices.ts'
import { markNetwork } from '../../../src/orders/permission/switches.ts'
import { latestMs } from '../../../src/orders/reminding/occasions.ts'
import { addReminder, createReminders, planAgain, skipDue } from '../../../src/orders/reminding/reminders.ts'
import { type Bundle, ProviderError } from '../../../src/provider/index.ts'
import { pesewas } from '../../../src/provider/money.ts'
import type { Phone } from '../../../src/provider/phone.ts'
import { maxReminders } from '../../../src/store/orders/reminders.ts'
import { createStore, type Store } from '../../../src/store/store.ts'
import { newDatabaseUrl } from '../../support/database.ts'
import { addAccount } from '../placed-orders.ts'

const minuteMs = 60_000
const weekMs = 7 * 24 * 60 * minuteMs
const made = new Date('2026-11-23T10:00:00Z')
const friday = new Date('2026-11-27T18:00:00Z')
const later = (ms: number) => new Date(friday.getTime() + ms)
const phone = '0241234567' as Phone
const person = { userId: 1, accountId: 'a' }
const wanted = {
  phone,
  name: null,
  bundleId: 5,
  network: 'MTN',
  volume: '5GB',
  offerSlug: null,
  weekday: 5,
  minutes: 18 * 60,
}
const bundle = { id: 5, network: 'MTN', volume: '5GB', offerSlug: null, status: 'active' }
const sold = [{ ...bundle, pricePesewas: pesewas(2350) }] as Bundle[]

/** Two processes on one database. The owner wants to be reminded on Fridays at 18:00. */
const newShop = async () => {
  const url = await newDatabaseUrl()
  const databases = [await openDatabase(url), await openDatabase(url)]
  for (const { close } of databases) onTestFinished(close)
  const stores = databases.map((database) => createStore(database))
  const [store] = stores as [Store]
  const at = { now: friday, list: async (): Promise<{ bundles: Bundle[] }> => ({ bundles: sold }) }
  const errors: unknown[] = []
  const processes = stores.map((each) =>
    createReminders({
      store: each,
      now: () => at.now,
      newId,
      isShortOfRoom: () => false,
      onNotice: () => {},
      prices: { list: () => at.list(), readAt: () => at.now } as unknown as Prices,
      log: { error: (...told: unknown[]) => void errors.push(told) },
    }),
  )
  await addAccount(store, 'a', made)
  await store.accounts.attach({ userId: 1, chatId: 1, accountId: 'a', role: 'owner' }, made)
  const reminder = await add(store)
  const round = async (now = at.now) => {
    at.now = now
    await processes[0]?.round()
    expect(errors).toEqual([])
  }
  const notices = async () => (await store.notices.ofChat(1)).map(({ content }) => content)
  const nextAt = async () => (await store.reminders.all(1))[0]?.nextAt
  return { store, processes, at, round, notices, nextAt, reminder }
}

const add = (store: Store, change: Partial<typeof wanted> = {}) =>
  store.transaction((tx) => addReminder(tx, person, { ...wanted, ...change }, { id: newId(), at: made }))

const drafts = async (store: Store) => store.purchases.draftsOf(1, 'a')

describe('a reminder', () => {
  test('makes one draft with the present price and one card at its time, and again a week later', async () => {
    const { store, round, notices, nextAt } = await newShop()
    await round(later(-1))
    expect(await drafts(store)).toEqual([])
    await round(friday)
    await round(friday)
    const [draft, ...others] = await drafts(store)
    expect(others).toEqual([])
    expect(draft).toMatchObject({
      state: 'draft',
      remark: 'reminder',
      lines: [{ phone, pricePesewas: 2350 }],
    })
    expect(await notices()).toMatchObject([{ kind: 'card', purchaseId: draft?.id }])
    expect(await nextAt()).toEqual(later(weekMs))
    await round(later(weekMs + minuteMs))
    expect(await drafts(store)).toHaveLength(2)
    expect(await nextAt()).toEqual(later(2 * weekMs))
  })

  test('makes one card even if two processes find the reminder at the same time', async () => {
    const { store, processes, notices } = await newShop()
    await Promise.all(Array.from({ length: 6 }, (_, each) => processes[each % 2]?.round()))
    expect(await drafts(store)).toHaveLength(1)
    expect(await notices()).toHaveLength(1)
  })

  test('that fails before its card is committed stays due, without a card', async () => {
    const { store, at, notices, nextAt } = await newShop()
    const failing = createReminders({
      now: () => at.now,
      newId,
      isShortOfRoom: () => false,
      onNotice: () => {},
      store: {
        ...store,
        transaction: (work, options) =>
          store.transaction(async (tx) => {
            await work(tx)
            throw new Error('killed')
          }, options),
      },
      prices: { list: () => at.list(), readAt: () => at.now } as unknown as Prices,
      log: { error: () => {} },
    })
    await failing.round()
    expect(await notices()).toEqual([])
    expect(await nextAt()).toEqual(friday)
  })

  test('that was due before a restore is skipped, and the person reads that they may have ordered', async () => {
    const { store, round, notices, nextAt } = await newShop()
    await store.transaction((tx) => skipDue(tx, later(minuteMs)))
    await round(later(2 * minuteMs))
    expect(await drafts(store)).toEqual([])
    expect(await notices()).toMatchObject([{ kind: 'reminder', why: { kind: 'restored' } }])
    expect(await nextAt()).toEqual(later(weekMs))
  })

  test('makes no card in a chat that has blocked the bot', async () => {
    const { store, round, notices, nextAt } = await newShop()
    await store.chats.mute(1, made)
    await round(friday)
    expect([await drafts(store), await notices()]).toEqual([[], []])
    expect(await nextAt()).toEqual(later(weekMs))
  })

  test('ends when its person changes to another account', async () => {
    const { store } = await newShop()
    await addAccount(store, 'b', made)
    await store.accounts.attach({ userId: 1, chatId: 1, accountId: 'a', role: 'owner' }, friday)
    expect(await store.reminders.all(1)).toHaveLength(1)
    await store.accounts.attach({ userId: 1, chatId: 1, accountId: 'b', role: 'owner' }, friday)
    expect(await store.reminders.all(1)).toEqual([])
  })

  test('for each day is due again if the clock was several days ahead when it was planned', async () => {
    const { store, round, nextAt } = await newShop()
    await store.reminders.delete(1, (await store.reminders.all(1))[0]?.id ?? '')
    const daily = await add(store, { weekday: everyDay })
    await store.reminders.plan(1, daily?.id ?? '', later(5 * 24 * 60 * minuteMs))
    await round(friday)
    expect(await nextAt()).toEqual(later(24 * 60 * minuteMs))
  })

  test('makes no second card if its time comes again because the clock was set back', async () => {
    const { store, round, reminder } = await newShop()
    await round(friday)
    await store.reminders.plan(1, reminder?.id ?? '', friday)
    await round(later(minuteMs))
    expect(await drafts(store)).toHaveLength(1)
  })

  test('comes up to six hours late, and after that the person reads that the bot was down', async () => {
    const late = await newShop()
    await late.round(later(latestMs - 1))
    expect(await drafts(late.store)).toHaveLength(1)
    expect(await late.nextAt()).toEqual(later(weekMs))
    const missed = await newShop()
    await missed.round(later(latestMs))
    expect(await drafts(missed.store)).toEqual([])
    expect(await missed.notices()).toMatchObject([{ kind: 'reminder', why: { kind: 'away' } }])
    expect(await missed.nextAt()).toEqual(later(weekMs))
  })

  test('sends one notice for all days missed in weeks of downtime, and comes next on its usual day', async () => {
    const { round, notices, nextAt } = await newShop()
    await round(later(3 * weekMs + latestMs))
    await round()
    expect(await notices()).toHaveLength(1)
    expect(await nextAt()).toEqual(later(4 * weekMs))
  })

  test('comes at its time even in quiet hours, but waits for their end if it is late', async () => {
    const punctual = await newShop()
    await punctual.store.preferences.change(1, { quietFrom: 17 * 60, quietTo: 23 * 60 })
    await punctual.round(later(minuteMs))
    expect(await punctual.store.notices.ofChat(1)).toMatchObject([{ quietUntil: null }])
    const late = await newShop()
    await late.store.preferences.change(1, { quietFrom: 17 * 60, quietTo: 23 * 60 })
    await late.round(later(20 * minuteMs))
    expect(await drafts(late.store)).toEqual([])
    const quietUntil = new Date('2026-11-27T23:00:00Z')
    expect(await late.store.notices.ofChat(1)).toMatchObject([
      { content: { why: { kind: 'away' } }, quietUntil },
    ])
  })

  test('for a bundle that is no longer sold says so', async () => {
    const { store, at, round, notices } = await newShop()
    at.list = async () => ({ bundles: [] })
    await round(friday)
    expect(await drafts(store)).toEqual([])
    expect(await notices()).toMatchObject([{ kind: 'reminder', why: { kind: 'not_sold' } }])
  })

  test('waits some minutes if prices cannot be read, and then says so', async () => {
    const { store, at, round, notices, nextAt } = await newShop()
    at.list = async () => {
      throw new ProviderError('unreachable', 'no network')
    }
    await round(later(4 * minuteMs))
    expect(await notices()).toEqual([])
    expect(await nextAt()).toEqual(friday)
    await round(later(5 * minuteMs))
    expect(await notices()).toMatchObject([{ why: { kind: 'unread', code: 'unreachable' } }])
    expect(await drafts(store)).toEqual([])
    expect(await nextAt()).toEqual(later(weekMs))
  })

  test('for a number whose name was deleted says so on its card', async () => {
    const { store, round, reminder } = await newShop()
    await store.reminders.delete(1, reminder?.id ?? '')
    await add(store, { name: 'Ama' as never })
    await round(friday)
    expect(await drafts(store)).toMatchObject([{ remark: 'reminder_unnamed' }])
  })

  test('of an agent has the price that the agent sees, and no card while the agent is paused', async () => {
    const { store, round } = await newShop()
    await store.accounts.attach({ userId: 2, chatId: 2, accountId: 'a', role: 'agent' } as never, made)
    await store.transaction((tx) =>
      addReminder(tx, { userId: 2, accountId: 'a' }, wanted, { id: newId(), at: made }),
    )
    await round(friday)
    expect((await store.purchases.draftsOf(2, 'a'))[0]?.lines[0]).toHaveProperty('agentPesewas')
    await store.accounts.patchAgent(2, { pausedAt: later(minuteMs) })
    await round(later(weekMs))
    expect(await store.purchases.draftsOf(2, 'a')).toHaveLength(1)
    const [, news] = await store.notices.ofChat(2)
    expect(news?.content).toMatchObject({ kind: 'reminder', why: { kind: 'denied', denial: 'paused' } })
  })

  test('makes a card even while its network is down, and the card says so', async () => {
    const { store, round } = await newShop()
    await store.transaction((tx) => markNetwork(tx, 'MTN', true, made))
    await round(friday)
    expect(await drafts(store)).toHaveLength(1)
  })

  test('is deleted with the person’s membership or data', async () => {
    const { store } = await newShop()
    await store.personalData.forgetPerson(1)
    expect(await store.reminders.all(1)).toEqual([])
    await add(store)
    await store.personalData.forgetBooks('a')
    expect(await store.reminders.all(1)).toEqual([])
    await add(store)
    await store.accounts.detach(1)
    expect(await store.reminders.all(1)).toEqual([])
  })

  test('sends nothing to a chat that an operator has blocked', async () => {
    const { store, round, notices, nextAt } = await newShop()
    await store.operations.block(1, made)
    await round(friday)
    expect(await notices()).toEqual([])
    expect(await nextAt()).toEqual(later(weekMs))
  })

  test('planned while the clock was far ahead is planned again, without a card', async () => {
    const { store, round, reminder, nextAt } = await newShop()
    await store.reminders.plan(1, reminder?.id ?? '', later(20 * weekMs))
    await round(made)
    expect(await drafts(store)).toEqual([])
    expect(await nextAt()).toEqual(friday)
  })

  test('keeps its local time when the person changes time zone', async () => {
    const { store, nextAt } = await newShop()
    await store.transaction((tx) => planAgain(tx, 1, 'America/New_York', made))
    expect(await nextAt()).toEqual(new Date('2026-11-27T23:00:00Z'))
  })
})

test('a reminder that is set again exists once, and is no longer paused', async () => {
  const { store, reminder } = await newShop()
  await store.reminders.plan(1, reminder?.id ?? '', null)
  expect(await add(store)).toEqual(reminder)
  expect(await store.reminders.all(1)).toEqual([reminder])
})

test('a paused reminder makes no card', async () => {
  const { store, round, reminder } = await newShop()
  await store.reminders.plan(1, reminder?.id ?? '', null)
  await round(friday)
  expect(await drafts(store)).toEqual([])
})

test('nobody else can find, pause or delete a person’s reminder', async () => {
  const { store, reminder } = await newShop()
  const id = reminder?.id ?? ''
  expect(await store.reminders.of(2, id)).toBeNull()
  expect(await store.reminders.plan(2, id, null)).toBe(false)
  expect(await store.reminders.delete(2, id)).toBe(false)
  expect(await store.reminders.all(1)).toEqual([reminder])
})

test('a person can have only a limited number of reminders', async () => {
  const { store } = await newShop()
  for (let minutes = 1; minutes < maxReminders; minutes += 1)
    expect(await add(store, { minutes })).not.toBeNull()
  expect(await add(store, { minutes: 0 })).toBeNull()
  expect(await add(store)).not.toBeNull()
  expect(await store.reminders.all(1)).toHaveLength(maxReminders)
})
