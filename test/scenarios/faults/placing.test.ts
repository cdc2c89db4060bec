import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fault } from '../../../src/sandbox/index.ts'
import { nowConnected } from '../../../src/telegram/cards/words/account-key.ts'
import { createWorld, type World } from '../../support/world.ts'
import { changeDatabase, inDatabase, newPhone, postsFor } from '../shop.ts'
import { expectCleanLog } from './judge.ts'
import { person, provider, providersOrders, type Row, run, type Scene, type Step, shown } from './row.ts'
import { minutesLater } from './time.ts'

const { sees, hears, confirms, presses, ordersAgain } = person

const isPlaced = sees(/processing[\s\S]*BUD-API-/)
const isUnconfirmed = hears(/unconfirmed[\s\S]*on’t order again/)
const isPlacedAfterAll = sees(/: one charge of GHS 9\.60 matches this order\./)
const isMostLikely = sees(/[Mm]ost likely (?:placed|this one), as one charge of GHS 9\.60 matches this order/)
const isContested = hears(/unconfirmed[\s\S]*this one, or one made elsewhere/)
const isNotPlaced = hears(/not placed[\s\S]*Checked: nothing was charged/)

/** The outcome is unknown until the wallet's first read shows the debit. */
const foundByItsDebit = {
  play: [isUnconfirmed, minutesLater(0.1), isPlacedAfterAll],
  posts: 1,
  debits: 1,
  ends: ['placed'],
} as const
/** The outcome is unknown until the wallet is read after ten minutes. */
const neverCharged = {
  play: [isUnconfirmed, minutesLater(11), isNotPlaced],
  posts: 1,
  debits: 0,
  ends: ['not_placed'],
} as const

const lost: Fault = { kind: 'answer_lost' }
const unread: Fault = { kind: 'reset_before' }
const debitHidden: Fault = { kind: 'debit_late', delayMs: 86_400_000 }
const proxyPage = { status: 502, body: '<html><h1>502 Bad Gateway</h1></html>' }
const always = (fault: Omit<Fault, 'times' | 'path'>): Fault => ({
  ...fault,
  path: '/transactions',
  times: null,
})

const answers: Row[] = [
  { fault: 'an answer lost after the debit', provider: [lost], ...foundByItsDebit },
  { fault: 'a connection reset before the provider reads', provider: [unread], ...neverCharged },
  {
    fault: 'a hang beyond the deadline after the debit',
    provider: [{ kind: 'hang', processed: true }],
    ...foundByItsDebit,
  },
  { fault: 'a hang beyond the deadline without a debit', provider: [{ kind: 'hang' }], ...neverCharged },
  { fault: 'a 500 after the debit', provider: [{ kind: 'error_after' }], ...foundByItsDebit },
  { fault: 'a 500 without a debit', provider: [{ kind: 'error_before' }], ...neverCharged },
  {
    fault: 'a proxy’s 502 page after the debit',
    provider: [{ kind: 'error_after', ...proxyPage }],
    ...foundByItsDebit,
  },
  {
    fault: 'a proxy’s 502 page without a debit',
    provider: [{ kind: 'error_before', ...proxyPage }],
    ...neverCharged,
  },
  { fault: 'a truncated JSON answer', provider: [{ kind: 'bad_json' }], ...foundByItsDebit },
  { fault: 'a 201 without a reference', provider: [{ kind: 'no_reference' }], ...foundByItsDebit },
  { fault: 'a redirect of the POST', provider: [{ kind: 'redirect' }], ...neverCharged },
  {
    fault: 'a 403',
    provider: [{ kind: 'refuse', status: 403 }],
    ...neverCharged,
    play: [
      isUnconfirmed,
      sees(/gave an unexpected answer \(403\)\. You may have been charged/),
      minutesLater(11),
      isNotPlaced,
    ],
  },
  {
    fault: 'a 400 that does not mean a refusal',
    provider: [{ kind: 'bad_json', status: 400, body: 'no' }],
    ...foundByItsDebit,
  },
]

const lateDebits: Row[] = [
  {
    fault: 'a debit that shows only 4 minutes later',
    provider: [lost, debitHidden],
    play: [isUnconfirmed, minutesLater(3), provider.showsDebits, minutesLater(1), isPlacedAfterAll],
    posts: 1,
    debits: 1,
    ends: ['placed'],
  },
  {
    fault: 'a debit that shows after the order was declared not placed',
    provider: [lost, debitHidden],
    play: [
      isUnconfirmed,
      minutesLater(11),
      isNotPlaced,
      provider.showsDebits,
      minutesLater(5),
      isPlacedAfterAll,
    ],
    posts: 1,
    debits: 1,
    ends: ['placed'],
  },
  {
    fault: 'a late debit that shows after a second order, with the first one still open',
    provider: [lost, debitHidden],
    play: [
      isUnconfirmed,
      minutesLater(11),
      isNotPlaced,
      provider.goesOn(3),
      presses('Order again'),
      confirms,
      isContested,
      provider.showsDebits,
      presses('Check now'),
      isPlacedAfterAll,
      minutesLater(11),
      isNotPlaced,
    ],
    posts: 2,
    debits: 1,
    ends: ['placed', 'not_placed'],
  },
  {
    fault: 'a late debit that shows after a second order, with the first one delivered',
    provider: [lost, debitHidden],
    play: [
      isUnconfirmed,
      minutesLater(11),
      isNotPlaced,
      provider.setsQuietly('delivered'),
      presses('Order again'),
      confirms,
      isPlaced,
      provider.showsDebits,
      minutesLater(5),
      isPlacedAfterAll,
    ],
    posts: 2,
    debits: 2,
    ends: ['placed', 'placed'],
  },
]

const pending: Row[] = [
  {
    fault: 'a 409 because of our own open order',
    play: [
      isPlaced,
      ordersAgain,
      sees(/waiting[\s\S]*this number has an open order/),
      presses('Send anyway'),
      sees(/rejected[\s\S]*Your order BUD-API-\S+ for this number is still open/),
    ],
    posts: 2,
    debits: 1,
    ends: ['placed', 'rejected'],
  },
  {
    fault: 'a 409 because of another program’s open order',
    before: [provider.takesAnother(), provider.goesOn(3)],
    play: [isContested],
    posts: 1,
    debits: 1,
    ends: ['unconfirmed'],
  },
  {
    fault: 'a 409 to a POST that was sent twice on the way',
    provider: [{ kind: 'repeated' }],
    play: [isMostLikely],
    posts: 1,
    debits: 1,
    ends: ['placed'],
  },
  {
    fault: 'a 409 to a POST that was sent twice on the way, with a callback that names the order',
    provider: [{ kind: 'repeated' }, { kind: 'callback_early' }],
    callbacks: true,
    play: [isPlaced],
    posts: 1,
    debits: 1,
    ends: ['placed'],
  },
]

const inAMinute = {
  seconds: () => '60',
  milliseconds: () => '60000',
  'an HTTP date': () => new Date(Date.now() + 60_000).toUTCString(),
  'seconds since 1970': () => String(Math.floor(Date.now() / 1_000) + 60),
  'milliseconds since 1970': () => String(Date.now() + 60_000),
  missing: () => null,
  junk: () => 'soon 5',
}

const limits: Row[] = [
  ...Object.entries(inAMinute).map(([form, retryAfter]) => ({
    fault: `a 429 (Retry-After: ${form})`,
    provider: [(): Fault => ({ kind: 'rate_limited', retryAfter: retryAfter() })],
    play: [
      sees(
        /waiting[\s\S]*reached the provider’s request limit\. I’ll send this at \d\d:\d\d, in (5\d s|60 s|about 1 min)/,
      ),
      minutesLater(2),
      isPlaced,
    ],
    posts: 2,
    debits: 1,
    ends: ['placed'] as const,
  })),
  {
    fault: 'a 429 with a Retry-After of a day, of which an hour is believed',
    provider: [{ kind: 'rate_limited', retryAfter: '86400' }],
    play: [
      sees(/waiting[\s\S]*I’ll ask you again at \d\d:\d\d/),
      minutesLater(61),
      sees(/waited for more than 15 minutes[\s\S]*wasn’t sent or charged/),
      confirms,
      isPlaced,
    ],
    posts: 2,
    debits: 1,
    ends: ['superseded', 'placed'],
  },
]

const others = [provider.takesAnother(newPhone()), provider.takesAnother(newPhone())]

/** Like `foundByItsDebit`, but the key is also used elsewhere, so the wallet has two other debits. */
const foundBesideOthers = {
  ...foundByItsDebit,
  play: [isUnconfirmed, minutesLater(0.1), isMostLikely],
  debits: 3,
}

const entries: Row[] = [
  {
    fault: 'a failing `/transactions`, with a debit',
    provider: [lost, always({ kind: 'error_before' })],
    play: [
      isUnconfirmed,
      minutesLater(11),
      sees(/unconfirmed[\s\S]*I can’t read the wallet’s transactions now/),
      provider.recovers,
      presses('Check now'),
      isPlacedAfterAll,
    ],
    posts: 1,
    debits: 1,
    ends: ['placed'],
  },
  {
    fault: 'a failing `/transactions`, without a debit',
    provider: [unread, always({ kind: 'bad_json' })],
    play: [
      isUnconfirmed,
      minutesLater(11),
      sees(/unconfirmed[\s\S]*I can’t read the wallet’s transactions now/),
      provider.recovers,
      presses('Check now'),
      isNotPlaced,
    ],
    posts: 1,
    debits: 0,
    ends: ['not_placed'],
  },
  {
    fault: 'a reordered `/transactions`, with a debit',
    before: others,
    provider: [lost, always({ kind: 'entries_reversed' })],
    ...foundBesideOthers,
  },
  {
    fault: 'a reordered `/transactions`, without a debit',
    before: others,
    provider: [unread, always({ kind: 'entries_reversed' })],
    ...neverCharged,
    debits: 2,
  },
  {
    fault: 'a `/transactions` from old to new whose first pages share one time, with a debit',
    before: others,
    provider: [lost, always({ kind: 'entries_reversed' }), always({ kind: 'entries_many' })],
    ...foundBesideOthers,
  },
  {
    fault: 'a `/transactions` from old to new whose first pages share one time, without a debit',
    before: others,
    provider: [unread, always({ kind: 'entries_reversed' }), always({ kind: 'entries_many' })],
    ...neverCharged,
    debits: 2,
  },
  {
    fault: 'unknown descriptions in `/transactions`, with a debit',
    before: others,
    provider: [lost, always({ kind: 'entries_reworded', message: 'Wallet · 0x2F' })],
    ...foundBesideOthers,
  },
  {
    fault: 'unknown descriptions in `/transactions`, without a debit',
    before: others,
    provider: [unread, always({ kind: 'entries_reworded', message: 'Wallet · 0x2F' })],
    ...neverCharged,
    debits: 2,
  },
]

const doubts: Row[] = [
  {
    fault: 'two identical debits',
    provider: [lost],
    play: [
      isUnconfirmed,
      provider.setsQuietly('delivered'),
      provider.takesAnother(),
      minutesLater(11),
      sees(/to review[\s\S]*I can’t tell if you were charged/),
      presses('It was charged'),
      sees(/You said it was charged/),
    ],
    posts: 1,
    debits: 2,
    ends: ['review'],
  },
  {
    fault: 'one debit for two equal orders',
    provider: [unread],
    play: [
      isUnconfirmed,
      minutesLater(11),
      isNotPlaced,
      provider.gets(lost),
      presses('Order again'),
      confirms,
      isUnconfirmed,
      minutesLater(11),
      sees(/to review[\s\S]*I can’t tell if you were charged/),
      presses('It was charged'),
      sees(/You said it was charged/),
    ],
    posts: 2,
    debits: 1,
    ends: ['not_placed', 'review'],
  },
  {
    fault: 'one debit for two equal orders, about which the person is wrong',
    provider: [unread],
    play: [
      isUnconfirmed,
      minutesLater(11),
      isNotPlaced,
      provider.gets(lost),
      presses('Order again'),
      confirms,
      isUnconfirmed,
      minutesLater(11),
      sees(/to review/),
      sees(/charged for this order or one like it[\s\S]*GHS 9\.60 .* BUD-API-/),
      presses('It wasn’t charged'),
      sees(/You said nothing was charged/),
    ],
    posts: 2,
    debits: 1,
    ends: ['not_placed', 'not_placed'],
  },
]

/** One matching charge is no proof, so the person is asked whose wallet it is. */
const isAskedWhose = hears(
  /New key or another account\?[\s\S]*a charge that matches your unconfirmed order, but this may still be another account/,
)

const departures: Row[] = [
  {
    fault: 'a `/disconnect` “when orders are done” while the order is unconfirmed',
    provider: [lost],
    play: [
      isUnconfirmed,
      person.says('/disconnect'),
      presses('When orders are done'),
      sees(/Your account is being removed/),
      minutesLater(0.1),
      isPlacedAfterAll,
    ],
    posts: 1,
    debits: 1,
    ends: ['placed'],
  },
  {
    fault: 'a `/disconnect` “now” while the order is unconfirmed',
    provider: [lost],
    play: [
      isUnconfirmed,
      person.says('/disconnect'),
      presses('Now'),
      sees(/I’m no longer following[\s\S]*: unconfirmed, sent \d\d:\d\d[\s\S]*may have been charged/),
    ],
    posts: 1,
    debits: 1,
    ends: ['unconfirmed'],
  },
  {
    fault: 'a regenerated key while the order is unconfirmed',
    provider: [lost],
    play: [
      isUnconfirmed,
      provider.regenerates,
      minutesLater(0.1),
      hears(/The provider no longer accepts your API key/),
      sees(/unconfirmed[\s\S]*The provider isn’t accepting your API key: \/connect/),
      person.connects,
      isAskedWhose,
      presses('Same account'),
      hears(new RegExp(nowConnected)),
      isPlacedAfterAll,
    ],
    posts: 1,
    debits: 1,
    ends: ['placed'],
  },
]

const refusedOnce: Fault = { kind: 'refuse', type: 'UNAUTHORIZED' }
const isAlert = /The provider no longer accepts your API key/
const alert = hears(isAlert)
const noAlert: Step = (scene) => {
  expect(shown(scene).filter(({ text }) => isAlert.test(text))).toEqual([])
}
/** Waits until the bot has read the balance after the refusal. */
const keyIsVerified: Step = async ({ world, accountId }) => {
  const open = 'SELECT id FROM Account WHERE id = ? AND unauthorizedSince IS NOT NULL'
  await world.until(
    () => inDatabase(world, (db) => db.prepare(open).all(accountId).length === 0),
    'the credentials to be accepted',
  )
}

const refusedKeys: Row[] = [
  {
    fault: 'a single 401 to the order',
    provider: [refusedOnce],
    play: [
      sees(/rejected[\s\S]*The provider refused the API key for this order\. Nothing was charged/),
      keyIsVerified,
      noAlert,
      ordersAgain,
      isPlaced,
      noAlert,
    ],
    posts: 2,
    debits: 1,
    ends: ['rejected', 'placed'],
  },
  {
    fault: 'a single 401 while the order is unconfirmed',
    provider: [lost, { ...refusedOnce, path: '/transactions' }],
    play: [isUnconfirmed, minutesLater(0.1), keyIsVerified, minutesLater(1), isPlacedAfterAll, noAlert],
    posts: 1,
    debits: 1,
    ends: ['placed'],
  },
  {
    fault: 'a single 401 while the balance cannot be read',
    provider: [
      { ...refusedOnce, path: '/order/status' },
      { kind: 'error_before', path: '/wallet/balance', times: 2 },
    ],
    play: [isPlaced, minutesLater(1), minutesLater(1), minutesLater(2), keyIsVerified, noAlert],
    posts: 1,
    debits: 1,
    ends: ['placed'],
  },
  {
    fault: 'a key that is refused for minutes and then accepted again',
    provider: [lost],
    play: [
      isUnconfirmed,
      provider.refusesKey(true),
      minutesLater(0.1),
      alert,
      minutesLater(1),
      minutesLater(2),
      provider.refusesKey(false),
      minutesLater(4),
      hears(/The provider accepts your API key again/),
      isPlacedAfterAll,
    ],
    posts: 1,
    debits: 1,
    ends: ['placed'],
  },
  {
    fault: 'orders while the key is refused',
    beforeConfirm: [provider.refusesKey(true)],
    play: [
      alert,
      ordersAgain,
      sees(/The provider isn’t accepting your API key, so nothing was sent or charged/),
      provider.refusesKey(false),
      confirms,
      hears(/The provider accepts your API key again/),
      isPlaced,
    ],
    posts: 2,
    debits: 1,
    ends: ['rejected', 'superseded', 'placed'],
  },
]

const failedIsTold = sees(/failed[\s\S]*refund not seen yet/)

const refunds: Row[] = [
  {
    fault: 'a late refund of a failed order',
    play: [
      isPlaced,
      provider.setsQuietly('failed'),
      minutesLater(5),
      failedIsTold,
      provider.credits(960),
      minutesLater(2),
      sees(/↩️ .* failed: refunded GHS 9\.60\. BUD-API-/),
    ],
    posts: 1,
    debits: 1,
    ends: ['placed'],
  },
  {
    fault: 'a partial refund of a failed order',
    play: [
      isPlaced,
      provider.setsQuietly('failed'),
      minutesLater(5),
      failedIsTold,
      provider.credits(400),
      minutesLater(2),
      sees(/↩️ .* failed: refunded GHS 4\.00 of GHS 9\.60/),
      provider.credits(560),
      minutesLater(11),
      sees(/↩️ .* failed: refunded GHS 9\.60\. BUD-API-/),
    ],
    posts: 1,
    debits: 1,
    ends: ['placed'],
  },
  {
    fault: 'a failed order that is never refunded',
    play: [
      isPlaced,
      provider.setsQuietly('failed'),
      minutesLater(5),
      failedIsTold,
      minutesLater(24 * 60),
      sees(/↩️ .* failed: refund not seen yet, and it’s been a day/),
      person.presses('Report'),
      sees(/For the provider’s support team[\s\S]*Refund seen in the wallet: GHS 0\.00/),
    ],
    posts: 1,
    debits: 1,
    ends: ['placed'],
  },
]

const comesBack = hears(/GHS 9\.60 came back to your wallet, but the order’s status is still processing/)

const earlyRefunds: Row[] = [
  {
    fault: 'a refund that /transactions shows before the failure',
    play: [
      isPlaced,
      provider.credits(960),
      person.says('/transactions'),
      comesBack,
      provider.setsQuietly('failed'),
      minutesLater(5),
      hears(/failed[\s\S]*GHS 9\.60 is already back in your wallet/),
    ],
    posts: 1,
    debits: 1,
    ends: ['placed'],
  },
]

const dayIsOver = [
  isPlaced,
  provider.setsQuietly('failed'),
  minutesLater(5),
  failedIsTold,
  minutesLater(24 * 60),
  sees(/refund not seen yet, and it’s been a day/),
  provider.credits(960),
]
/** Opens another card of the order. The news of the failure stays as it is. */
const opensCard: Step = async (scene) => {
  const { chat } = scene.reseller
  const { message_id: after } = chat.say(providersOrders(scene).at(-1)?.reference ?? '')
  await chat.waitForText(/failed/, { after })
}
const isPaidBack = hears(/↩️ .* failed: refunded GHS 9\.60\. BUD-API-/)

const lateRefunds: Row[] = [
  {
    fault: 'a refund after the day of watching, found by Refresh',
    play: [...dayIsOver, opensCard, presses('⋯'), presses('Refresh'), isPaidBack],
    posts: 1,
    debits: 1,
    ends: ['placed'],
  },
  {
    fault: 'a refund after the day of watching, found by /transactions',
    play: [...dayIsOver, person.says('/transactions'), isPaidBack],
    posts: 1,
    debits: 1,
    ends: ['placed'],
  },
  {
    fault: 'a refund after the day of watching, found by a read for another order',
    play: [
      ...dayIsOver,
      provider.gets(unread),
      ordersAgain,
      isUnconfirmed,
      presses('Check now'),
      isPaidBack,
      minutesLater(11),
      isNotPlaced,
    ],
    posts: 2,
    debits: 1,
    ends: ['placed', 'not_placed'],
  },
]

/** Does what another instance does when this one's lease has expired. */
const isInterrupted: Step = ({ world, accountId }) =>
  changeDatabase(world, (db) =>
    db
      .prepare(
        `UPDATE "Order" SET placement = 'unconfirmed', leaseToken = NULL WHERE placement = 'sending' AND accountId = ?`,
      )
      .run(accountId),
  )

/** A callback to the order's own address names that reference. */
const callBack = async ({ world, phone }: Scene, reference: string | undefined, status: string) => {
  const body = postsFor(world, phone).findLast(({ body }) => JSON.stringify(body).includes('/webhooks/'))
    ?.body as { webhook_url: string }
  const said = { event: 'order.status.updated', reference, status, phone, network: 'MTN' }
  const answer = await fetch(body.webhook_url, { method: 'POST', body: JSON.stringify(said) })
  expect(answer.status).toBe(200)
}

/** A callback names an order that somebody else placed with the key. */
const isCalledBackForAnother: Step = (scene) => callBack(scene, [...scene.elsewhere][0], 'processing')

/** A callback names the order's own reference. */
const isCalledBack =
  (status: string): Step =>
  (scene) => {
    const own = providersOrders(scene).find(({ reference }) => !scene.elsewhere.has(reference))
    return callBack(scene, own?.reference, status)
  }

const isAtTheProvider: Step = (scene) =>
  scene.world.until(() => providersOrders(scene).length === 2, 'the provider to have the order')

const isNamedTwice = hears(
  /MTN 2GB for .*: the provider names two references[\s\S]*GHS 9\.60 may have been charged twice/,
)

const secondReferences: Row[] = [
  {
    fault: 'callbacks that name somebody else’s order before the order’s own reference',
    before: [provider.takesAnother(), provider.setsQuietly('delivered')],
    provider: [lost],
    play: [
      isAtTheProvider,
      isCalledBackForAnother,
      sees(/delivered[\s\S]*BUD-API-/),
      isCalledBack('processing'),
      isNamedTwice,
      sees(/Second reference: BUD-API-/),
      isCalledBack('failed'),
      hears(/its second reference BUD-API-\S+ is failed \(reported\)/),
    ],
    posts: 1,
    debits: 2,
    ends: ['placed'],
    isOnlyLikely: true,
  },
  {
    fault: 'a callback that names another order for the number than the answer did',
    play: [
      sees(/processing[\s\S]*BUD-API-/),
      provider.setsQuietly('delivered'),
      provider.takesAnother(),
      isCalledBackForAnother,
      isNamedTwice,
      sees(/Second reference: BUD-API-/),
    ],
    posts: 1,
    debits: 2,
    ends: ['placed'],
  },
  {
    fault: 'a late answer that names another reference than a callback has proven',
    before: [provider.takesAnother(), provider.setsQuietly('delivered')],
    provider: [{ kind: 'slow', delayMs: 10_000 }],
    play: [
      isAtTheProvider,
      isInterrupted,
      isCalledBackForAnother,
      sees(/delivered[\s\S]*BUD-API-/),
      isNamedTwice,
      sees(/Second reference: BUD-API-/),
    ],
    posts: 1,
    debits: 2,
    ends: ['placed'],
    isOnlyLikely: true,
  },
]

describe.concurrent('a person is told an order’s true outcome and each debit', () => {
  let world: World

  beforeAll(async () => {
    world = await createWorld({ judged: true, settings: { refundAfterMs: null } })
  })
  afterAll(async () => {
    await world?.close()
    if (world) expectCleanLog(world)
  })

  test.for([
    ...answers,
    ...lateDebits,
    ...pending,
    ...limits,
    ...entries,
    ...doubts,
    ...departures,
    ...refusedKeys,
    ...refunds,
    ...lateRefunds,
    ...earlyRefunds,
    ...secondReferences,
  ])('despite $fault', (row) => run(world, row))
})
