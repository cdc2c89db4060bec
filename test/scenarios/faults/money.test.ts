import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fault } from '../../../src/sandbox/index.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import { later, linesOf, orderList, phones, placementsOf } from '../lists/list-shop.ts'
import { cardReads, newPhone, useRequests } from '../shop.ts'
import { expectCleanLog } from './judge.ts'
import { person, provider, type Row, run, type Step } from './row.ts'
import { minutesLater } from './time.ts'

const { sees, hears, presses } = person

const isUnconfirmed = hears(/unconfirmed[\s\S]*on’t order again/)
const isPlacedAfterAll = hears(/one charge of GHS 9\.60 matches this order\. Reference BUD-API-/)
const isTwice = hears(
  /You were charged twice for MTN 2GB to .*: GHS 19\.20 instead of GHS 9\.60\.[\s\S]*Press Report/,
)
const isToReview = hears(/to review[\s\S]*charge that may be for this/)

const lost: Fault = { kind: 'answer_lost' }
const unread: Fault = { kind: 'reset_before' }
const unreferenced: Fault = { kind: 'entries_unreferenced', path: '/transactions', times: null }
const unknown: Fault = { kind: 'refuse', type: 'NOT_FOUND', path: '/order/status', times: null }

/** Half of the minute's requests are used, so the bot uses a price that is some seconds old. Then the price rises. */
const costsMoreThanConfirmed: Step[] = [
  ({ world, reseller }) => useRequests(world, reseller, 29),
  ({ world, reseller }) => void world.provider.setAccount(reseller.account.id, { prices: { 2: 975 } }),
]

const entries: Row[] = [
  {
    fault: 'a charge at another price than the confirmed one and a lost answer',
    beforeConfirm: costsMoreThanConfirmed,
    provider: [lost],
    play: [
      isUnconfirmed,
      minutesLater(0.1),
      hears(/GHS 9\.75 in the wallet matches this order\. You confirmed GHS 9\.60\. Reference BUD-API-/),
    ],
    posts: 1,
    debits: 1,
    ends: ['placed'],
  },
  {
    fault: 'a debit whose reference comes later',
    provider: [lost, unreferenced],
    play: [
      isUnconfirmed,
      minutesLater(11),
      isToReview,
      sees(/charged for this order or one like it[\s\S]*GHS 9\.60 .* no reference, “MTN 2GB for 0\d{9}”/),
      provider.recovers,
      minutesLater(15),
      isPlacedAfterAll,
    ],
    posts: 1,
    debits: 1,
    ends: ['placed'],
  },
  {
    fault: 'a debit that the look-up knows only later',
    provider: [lost, unknown],
    play: [
      isUnconfirmed,
      minutesLater(11),
      isToReview,
      sees(/charged for this order or one like it[\s\S]*GHS 9\.60 .* BUD-API-/),
      provider.recovers,
      minutesLater(15),
      isPlacedAfterAll,
    ],
    posts: 1,
    debits: 1,
    ends: ['placed'],
  },
  {
    fault: 'a debit that the look-up never knows',
    provider: [lost, unknown],
    play: [
      isUnconfirmed,
      minutesLater(11),
      isToReview,
      presses('It was charged'),
      sees(/You said it was charged/),
      provider.recovers,
    ],
    posts: 1,
    debits: 1,
    ends: ['review'],
  },
]

const twice: Row[] = [
  {
    fault: 'two debits under one reference and a lost answer',
    provider: [lost, { kind: 'debit_twice' }],
    play: [isUnconfirmed, minutesLater(0.1), sees(/GHS 19\.20 in the wallet matches this order/), isTwice],
    posts: 1,
    debits: 2,
    ends: ['placed'],
  },
  {
    fault: 'two debits under one reference, which a callback names before the wallet is read',
    callbacks: true,
    provider: [lost, { kind: 'debit_twice' }],
    play: [sees(/processing[\s\S]*BUD-API-/), minutesLater(11), isTwice],
    posts: 1,
    debits: 2,
    ends: ['placed'],
  },
  {
    fault: 'two debits for one order, shown by the balance in its answer',
    provider: [{ kind: 'debit_twice' }],
    play: [
      isTwice,
      sees(/Charged GHS 19\.20 instead of GHS 9\.60\. I’m watching for the refund/),
      person.says('/transactions'),
      sees(/⚠️ GHS 9\.60[\s\S]*Extra charge: this order costs GHS 9\.60/),
      presses('Show: All'),
      presses('Unexplained'),
      sees(/⚠️ GHS 9\.60[\s\S]*Extra charges are the provider’s mistake/),
    ],
    posts: 1,
    debits: 2,
    ends: ['placed'],
  },
  {
    fault: 'a second debit hours later, shown by the balance',
    play: [
      sees(/processing[\s\S]*BUD-API-/),
      provider.setsQuietly('delivered'),
      minutesLater(200),
      provider.debits(960),
      person.says('/balance'),
      isTwice,
    ],
    posts: 1,
    debits: 2,
    ends: ['placed'],
  },
  {
    fault: 'a second and a third debit that only the person’s own look at the wallet finds',
    play: [
      sees(/processing[\s\S]*BUD-API-/),
      provider.debits(960),
      person.says('/transactions'),
      isTwice,
      provider.debits(960),
      person.says('/transactions'),
      hears(/You were charged 3 times for MTN 2GB to .*: GHS 28\.80 instead of GHS 9\.60/),
    ],
    posts: 1,
    debits: 3,
    ends: ['placed'],
  },
  {
    fault: 'a second debit of another amount, shown by the balance',
    play: [
      sees(/processing[\s\S]*BUD-API-/),
      provider.debits(15),
      person.says('/balance'),
      hears(/You were charged twice for MTN 2GB to .*: GHS 9\.75 instead of GHS 9\.60/),
    ],
    posts: 1,
    debits: 2,
    ends: ['placed'],
  },
  {
    fault: 'a second debit that is refunded',
    provider: [{ kind: 'debit_twice' }],
    play: [
      isTwice,
      provider.goesOn(3),
      provider.credits(400),
      minutesLater(1.5),
      hears(/GHS 4\.00 of GHS 9\.60 came back for the extra charge\. I’m watching for the rest/),
      provider.credits(560),
      minutesLater(11),
      hears(/GHS 9\.60 came back to your wallet[\s\S]*That was the extra charge\. It’s settled/),
      person.says('/transactions'),
      sees(/➖ GHS 9\.60/),
      presses('Show: All'),
      presses('Unexplained'),
      sees(/None: every charge belongs to an order here/),
    ],
    posts: 1,
    debits: 2,
    ends: ['placed'],
  },
]

const elsewhere: Row[] = [
  {
    fault: 'the same order by another program with the key, which is known to be used elsewhere',
    before: [provider.takesAnother(newPhone())],
    provider: [unread],
    play: [
      isUnconfirmed,
      provider.takesAnother(),
      minutesLater(0.1),
      sees(/Most likely placed, as [\s\S]*Others use the same key, so it may be theirs/),
    ],
    posts: 1,
    debits: 2,
    ends: ['placed'],
    isOnlyLikely: true,
  },
]

const dearer = { 2: 1_010 }
const isAskedAnew = sees(/price has gone up[\s\S]*10\.10/)

const prices: Row[] = [
  {
    fault: 'a price that rose between the card and Confirm',
    beforeConfirm: [provider.asks(dearer), provider.goesOn(6)],
    play: [isAskedAnew, person.confirms, sees(/GHS 10\.10 · processing[\s\S]*BUD-API-/)],
    posts: 1,
    debits: 1,
    ends: ['superseded', 'placed'],
  },
  {
    fault: 'an unseen rise of the price just before the send',
    beforeConfirm: [provider.asks(dearer)],
    play: [hears(/the provider charged GHS 10\.10\. You confirmed GHS 9\.60/)],
    posts: 1,
    debits: 1,
    ends: ['placed'],
  },
  {
    fault: 'a price that rose while a confirmed order waited',
    provider: [{ kind: 'rate_limited', retryAfter: '60' }],
    play: [
      sees(/waiting[\s\S]*Not charged yet/),
      provider.asks(dearer),
      provider.goesOn(6),
      minutesLater(2),
      isAskedAnew,
      person.confirms,
      sees(/GHS 10\.10 · processing[\s\S]*BUD-API-/),
    ],
    posts: 2,
    debits: 1,
    ends: ['superseded', 'placed'],
  },
]

describe.concurrent('reports about money', () => {
  let world: World

  beforeAll(async () => {
    world = await createWorld({ judged: true })
  })
  afterAll(async () => {
    await world?.close()
    if (world) expectCleanLog(world)
  })

  test.for([...entries, ...twice, ...elsewhere, ...prices])('stay true despite $fault', (row) =>
    run(world, row),
  )

  /** Orders a list for two numbers, and gets neither an answer nor a callback. */
  const lostList = async (reseller: Reseller): Promise<void> => {
    for (const each of [lost, { kind: 'callback_never' } as const]) {
      world.provider.addFault({ ...each, account: reseller.account.id })
    }
    const card = await orderList(reseller, linesOf(phones(2), '2GB'))
    await cardReads(world, reseller, card, /MTN 2GB × 2: unconfirmed/)
  }
  const doubts = ({ chat }: Reseller) =>
    chat.texts().filter((text) => /charged for this order or one like it[\s\S]*BUD-BULK-/.test(text))
  const facts = ({ chat }: Reseller) =>
    chat.texts().filter((text) => /: placed(?: after all)?, charged/.test(text))

  test('let the person judge two bulk orders of equal cost and unknown outcome', async () => {
    const reseller = await world.newReseller()
    await lostList(reseller)
    await lostList(reseller)
    await later(world, reseller, 11)
    await world.until(() => doubts(reseller).length === 2, 'both to be told of the debits')
    for (const text of doubts(reseller)) expect(text).toMatch(/They may also be for MTN 2GB for 2 numbers/)
    expect(facts(reseller)).toEqual([])
    expect(placementsOf(world, reseller)).toEqual(['review', 'review'])
  })

  test('let the person judge a bulk order of unknown outcome if another program ordered at that cost', async () => {
    const reseller = await world.newReseller()
    await lostList(reseller)
    const { apiKey, apiSecret } = reseller.account
    await fetch(`${world.provider.url}/order/bulk`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey, 'x-api-secret': apiSecret },
      body: JSON.stringify({ bundle_id: 2, phones: phones(2) }),
    })
    await later(world, reseller, 11)
    await world.until(() => doubts(reseller).length > 0, 'the debits to be told of')
    expect(facts(reseller)).toEqual([])
    expect(placementsOf(world, reseller)).toEqual(['review'])
  })
})
