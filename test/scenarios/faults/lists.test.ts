import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fault } from '../../../src/sandbox/index.ts'
import { createWorld, type World } from '../../support/world.ts'
import { expectCleanLog } from './judge.ts'
import { person, provider, type Row, run, type Step, shown } from './row.ts'
import { minutesLater } from './time.ts'

const { sees, hears, presses } = person

const isUnconfirmed = sees(/unconfirmed/)
const isNotPlaced = hears(/not placed[\s\S]*Checked: nothing was charged/)
const isPlaced = sees(/🟡 3 processing[\s\S]*Charged/)
const isDone = hears(/List of 3 numbers: done[\s\S]*✅ 2 delivered · ❌ 1 failed/)

/** Expects words about the failed number, the last of three. */
const ofTheFailed =
  (read: (text: RegExp) => Step, words: (phone: string) => string): Step =>
  (scene) =>
    read(new RegExp(words(scene.numbers.at(-1) ?? '')))(scene)

const isPaidBack = ofTheFailed(
  hears,
  (phone) => `Refunded GHS 9\\.60: 1 of 3 numbers failed[\\s\\S]*${phone}`,
)
const isUnpaidOnCard = ofTheFailed(sees, (phone) => `❌ ${phone} · 2GB · failed`)

const endsAll = provider.endsEach('delivered', 'delivered', 'failed')
const endsAllQuietly = provider.endsEachQuietly('delivered', 'delivered', 'failed')

const charged = { numbers: 3, posts: 1, debits: 1, ends: ['placed'] } as const

const parts: Row[] = [
  {
    fault: 'one failed number of three whose part comes back, reported by callbacks',
    callbacks: true,
    play: [
      isPlaced,
      endsAll,
      isDone,
      isUnpaidOnCard,
      minutesLater(0.1),
      provider.credits(960),
      minutesLater(2),
      isPaidBack,
      minutesLater(24 * 60),
    ],
    ...charged,
  },
  {
    fault: 'one failed number of three whose part comes back, reported only by the provider’s record',
    play: [
      isPlaced,
      endsAllQuietly,
      minutesLater(5),
      isDone,
      minutesLater(0.1),
      provider.credits(960),
      minutesLater(2),
      isPaidBack,
      minutesLater(24 * 60),
    ],
    ...charged,
  },
]

const dayIsOver: Step[] = [
  isPlaced,
  endsAllQuietly,
  minutesLater(5),
  isDone,
  minutesLater(24 * 60),
  hears(/refund not seen yet, and it’s been a day/i),
  provider.credits(960),
]

const lateParts: Row[] = [
  {
    fault: 'a part that comes back after the day of watching, found by Refresh',
    play: [...dayIsOver, presses('Refresh'), isPaidBack],
    ...charged,
  },
  {
    fault: 'a part that comes back after the day of watching, found by /transactions',
    play: [...dayIsOver, person.says('/transactions'), isPaidBack],
    ...charged,
  },
  {
    fault: 'a part that comes back after the day of watching, found by a read for another order',
    play: [
      ...dayIsOver,
      provider.gets({ kind: 'reset_before' }),
      person.ordersAgain,
      isUnconfirmed,
      presses('Check now'),
      isPaidBack,
      minutesLater(11),
      isNotPlaced,
    ],
    ...charged,
    posts: 2,
    ends: ['placed', 'not_placed'],
  },
]

const statusLags: Fault = { kind: 'status_open', path: '/order/status', times: null }
const statusUnknown: Fault = { kind: 'refuse', type: 'NOT_FOUND', path: '/order/status', times: null }
const isDoneAsReported = [isDone, ofTheFailed(sees, (phone) => `❌ ${phone} · 2GB · failed \\(reported\\)`)]
const isNotStale: Step = (scene) => {
  expect(shown(scene).filter(({ text }) => /stale/.test(text))).toEqual([])
}

const neverClosed: Row[] = [
  {
    fault: 'a number that fails by callback and is refunded while the others are open',
    callbacks: true,
    provider: [statusLags],
    play: [
      isPlaced,
      provider.endsEach('failed'),
      sees(/❌ 1 failed/),
      minutesLater(0.1),
      provider.credits(960),
      minutesLater(1.5),
      hears(/Refunded GHS 9\.60: 1 of 3 numbers failed/),
      provider.endsEach('failed', 'delivered', 'delivered'),
      isDone,
    ],
    ...charged,
  },
  {
    fault: 'a look-up that says “processing” for ever, after callbacks reported each end',
    callbacks: true,
    provider: [statusLags],
    play: [
      isPlaced,
      endsAll,
      ...isDoneAsReported,
      minutesLater(0.1),
      provider.credits(960),
      minutesLater(2),
      isPaidBack,
      minutesLater(24 * 60),
      minutesLater(7 * 24 * 60),
      isNotStale,
    ],
    ...charged,
  },
  {
    fault: 'a look-up that does not find the list, after callbacks reported each end',
    callbacks: true,
    provider: [statusUnknown],
    play: [
      isPlaced,
      endsAll,
      ...isDoneAsReported,
      minutesLater(0.1),
      provider.credits(960),
      minutesLater(2),
      isPaidBack,
      minutesLater(24 * 60),
    ],
    ...charged,
  },
  {
    fault: 'a look-up that later contradicts the callbacks',
    callbacks: true,
    provider: [statusLags],
    play: [
      isPlaced,
      endsAll,
      ...isDoneAsReported,
      provider.endsEachQuietly('delivered', 'delivered', 'delivered'),
      provider.recovers,
      minutesLater(4),
      hears(/Correction[\s\S]*✅ 3 delivered/),
    ],
    ...charged,
  },
  {
    fault: 'callbacks for only two of three numbers, with a look-up that shows the third later',
    callbacks: true,
    provider: [statusLags],
    play: [
      isPlaced,
      provider.endsEach('delivered', 'delivered'),
      sees(/🟡 1 processing · ✅ 2 delivered/),
      provider.endsEachQuietly('delivered', 'delivered', 'failed'),
      provider.recovers,
      minutesLater(5),
      isDone,
      minutesLater(0.1),
      provider.credits(960),
      minutesLater(2),
      isPaidBack,
    ],
    ...charged,
  },
]

const lost: Fault = { kind: 'answer_lost' }

const debits: Row[] = [
  {
    fault: 'two debits under the reference of a list whose answer is lost',
    provider: [lost, { kind: 'debit_twice' }],
    play: [
      isUnconfirmed,
      minutesLater(0.1),
      hears(/GHS 57\.60 in the wallet matches this order/),
      hears(/You were charged twice for MTN 2GB to 3 numbers: GHS 57\.60 instead of GHS 28\.80/),
      provider.endsEachQuietly('delivered', 'delivered', 'delivered'),
      minutesLater(5),
      hears(/List of 3 numbers: done[\s\S]*✅ 3 delivered/),
    ],
    ...charged,
    debits: 2,
  },
]

describe.concurrent('a person is told a list’s true outcome, charge and refunds', () => {
  let world: World

  beforeAll(async () => {
    world = await createWorld({ judged: true, settings: { refundAfterMs: null, bulkRecipients: true } })
  })
  afterAll(async () => {
    await world?.close()
    if (world) expectCleanLog(world)
  })

  test.for([...parts, ...lateParts, ...neverClosed, ...debits])('despite $fault', (row) => run(world, row))
})
