import { afterAll, beforeAll, describe, test } from 'vitest'
import type { Fault } from '../../../src/sandbox/provider/index.ts'
import { createWorld, type World } from '../../support/world.ts'
import { newPhone } from '../shop.ts'
import { expectCleanLog } from './judge.ts'
import { person, provider, type Row, run } from './row.ts'
import { minutesLater } from './time.ts'

const { sees, hears, presses } = person

const isUnconfirmed = hears(/unconfirmed[\s\S]*may have been charged or not\. Do not order again/)
const isPlacedAfterAll = hears(/placed after all: GHS 9\.60 was charged once\. Reference BUD-API-/)
const isMostLikely = hears(/most likely placed after all: the wallet was charged GHS 9\.60 once/)
const isToReview = hears(/to review[\s\S]*may be this order, and nothing proves it/)

const lost: Fault = { kind: 'answer_lost' }
const unread: Fault = { kind: 'reset_before' }
const unreferenced: Fault = { kind: 'entries_unreferenced', path: '/transactions', times: null }
const unknown: Fault = { kind: 'refuse', type: 'NOT_FOUND', path: '/order/status', times: null }

const entries: Row[] = [
  {
    fault: 'a debit without a reference, which it gets later',
    provider: [lost, unreferenced],
    play: [
      ...[isUnconfirmed, minutesLater(11), isToReview],
      sees(/charged for what may be this order[\s\S]*GHS 9\.60 .* no reference, “MTN 2GB for 0\d{9}”/),
      ...[provider.recovers, minutesLater(15), isPlacedAfterAll],
    ],
    posts: 1,
    debits: 1,
    ends: ['placed'],
  },
  {
    fault: 'a debit that the look-up knows only later',
    provider: [lost, unknown],
    play: [
      ...[isUnconfirmed, minutesLater(11), isToReview],
      sees(/charged for what may be this order[\s\S]*GHS 9\.60 .* BUD-API-/),
      ...[provider.recovers, minutesLater(15), isPlacedAfterAll],
    ],
    posts: 1,
    debits: 1,
    ends: ['placed'],
  },
  {
    fault: 'a debit that the look-up never knows',
    provider: [lost, unknown],
    play: [
      ...[isUnconfirmed, minutesLater(11), isToReview, presses('It was charged')],
      ...[sees(/You said that it was charged/), provider.recovers],
    ],
    posts: 1,
    debits: 1,
    ends: ['review'],
  },
]

const elsewhere: Row[] = [
  {
    fault: 'the same ordered by somebody else with the key, which is known to be used elsewhere',
    before: [provider.takesAnother(newPhone())],
    provider: [unread],
    play: [
      ...[isUnconfirmed, provider.takesAnother(), minutesLater(0.1), isMostLikely],
      sees(/Others order with this key too, so it may be theirs/),
      sees(/Most likely this one/),
    ],
    posts: 1,
    debits: 2,
    ends: ['placed'],
    isOnlyLikely: true,
  },
]

describe.concurrent('money is told truly, at', () => {
  let world: World

  beforeAll(async () => {
    world = await createWorld()
  })
  afterAll(async () => {
    await world?.close()
    if (world) expectCleanLog(world)
  })

  test.for([...entries, ...elsewhere])('$fault', (row) => run(world, row))
})
