import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fault, ProviderAccountState } from '../../../src/sandbox/index.ts'
import { nowConnected } from '../../../src/telegram/cards/words/account-key.ts'
import { createWorld, type World } from '../../support/world.ts'
import { inDatabase, newPhone, place } from '../shop.ts'
import { expectCleanLog } from './judge.ts'
import { act, person, provider, type Row, run, type Scene, type Step, shown } from './row.ts'
import { minutesLater } from './time.ts'

/**
 * The bot has to find out which wallet a new key belongs to. This world's provider answers look-ups of any reference
 * with any key, so only the wallet's entries can prove whose key it is.
 */

const { sees, hears, presses, connects } = person

const isUnconfirmed = hears(/unconfirmed[\s\S]*on’t order again/)
const isProven = sees(/placed(?: after all)?, charged GHS 9\.60 once/)
const isPlacedAfterAll = sees(/: one charge of GHS 9\.60 matches this order\./)
const isNotPlaced = hears(/not placed[\s\S]*Checked: nothing was charged/)
const isConnected = hears(new RegExp(nowConnected))
const isAlerted = hears(/The provider no longer accepts your API key/)
const isAskedWhose = hears(
  /New key or another account\?[\s\S]*Same account: this key will replace the old one[\s\S]*I may mistake its charges for yours/,
)
const isUnasked: Step = (scene) => {
  expect(shown(scene).filter(({ text }) => /another account\?/.test(text))).toEqual([])
}

const lost: Fault = { kind: 'answer_lost' }
const unread: Fault = { kind: 'reset_before' }
const debitHidden: Fault = { kind: 'debit_late', delayMs: 86_400_000 }
const unknown: Fault = { kind: 'refuse', type: 'NOT_FOUND', path: '/order/status', times: null }

/** An order from an hour ago, whose reference and debit are known. */
const hasOrderedBefore: Step[] = [
  async (scene) => {
    const { world, reseller } = scene
    scene.confirmations += 1
    const { reference } = await place(world, reseller, newPhone())
    world.provider.setStatus(reference, 'delivered')
  },
  sees(/delivered/),
]

const orderOf = ({ url }: World['provider'], { apiKey, apiSecret }: ProviderAccountState, phone: string) =>
  fetch(`${url}/order`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey, 'x-api-secret': apiSecret },
    body: JSON.stringify({ bundle_id: 2, phone }),
  })

/** The reseller types the key of another wallet of theirs. */
const connectsAnotherWallet = (orders: (scene: Scene) => readonly string[] = () => []): Step =>
  act(async (scene) => {
    const { world, reseller } = scene
    const other = world.provider.addAccount({ accountType: 'agent' })
    for (const phone of orders(scene)) await orderOf(world.provider, other, phone)
    reseller.chat.say(`/connect ${other.apiKey} ${other.apiSecret}`)
  })

const partnerConnectsFirst: Step = async ({ world, reseller: { account } }) => {
  const { chat } = world.newPerson()
  chat.say(`/connect ${account.apiKey} ${account.apiSecret}`)
  await chat.waitForText(nowConnected)
}

const isNamedByCallback: Step = ({ world, accountId }) =>
  world.until(
    () =>
      inDatabase(world, (db) =>
        db
          .prepare(
            `SELECT id FROM StatusReport WHERE disposition = 'unmatched' AND orderId IN (SELECT id FROM "Order" WHERE accountId = ?)`,
          )
          .all(accountId),
      ).length > 0,
    'a callback to be held',
  )

const charged = { posts: 1, debits: 1, ends: ['placed'] } as const
const chargedTwice = { posts: 1, debits: 2, ends: ['placed', 'placed'] } as const

const newKeys: Row[] = [
  {
    fault: 'a partner who is first to connect the regenerated key, while the outcome is unknown',
    before: hasOrderedBefore,
    provider: [lost],
    play: [
      isUnconfirmed,
      provider.regenerates,
      partnerConnectsFirst,
      minutesLater(0.1),
      isAlerted,
      connects,
      isConnected,
      isPlacedAfterAll,
      isUnasked,
    ],
    ...chargedTwice,
  },
  {
    fault: 'a regenerated key while the only order is unknown, after the owner’s word on the wallet',
    provider: [lost],
    play: [
      isUnconfirmed,
      provider.regenerates,
      minutesLater(0.1),
      isAlerted,
      connects,
      isAskedWhose,
      presses('Same account'),
      isConnected,
      isPlacedAfterAll,
    ],
    ...charged,
  },
  {
    fault: 'a regenerated key while the only order is unknown, after a callback named its reference',
    callbacks: true,
    provider: [lost, unknown],
    play: [
      isUnconfirmed,
      isNamedByCallback,
      provider.regenerates,
      provider.recovers,
      connects,
      isConnected,
      isProven,
      isUnasked,
    ],
    ...charged,
  },
]

const otherWallets: Row[] = [
  {
    fault: 'the key of another wallet, typed while the outcome is unknown',
    before: [...hasOrderedBefore, minutesLater(60)],
    provider: [lost, debitHidden],
    play: [
      isUnconfirmed,
      connectsAnotherWallet(),
      hears(/Switch to another account\?\nThis key belongs to another account/),
      presses('Keep'),
      sees(/Nothing changed\. You’re still connected/),
      minutesLater(3),
      provider.showsDebits,
      minutesLater(1),
      isPlacedAfterAll,
    ],
    ...chargedTwice,
  },
  {
    fault: 'the key of a wallet with the same order, typed while the account’s own key is refused',
    provider: [unread],
    play: [
      isUnconfirmed,
      provider.refusesKey(true),
      minutesLater(0.1),
      isAlerted,
      connectsAnotherWallet(({ phone }) => [phone]),
      isAskedWhose,
      presses('Keep'),
      sees(/Nothing changed\. You’re still connected/),
      provider.refusesKey(false),
      minutesLater(4),
      hears(/accepts your API key again/),
      minutesLater(11),
      isNotPlaced,
    ],
    posts: 1,
    debits: 0,
    ends: ['not_placed'],
  },
  {
    fault: 'a switch to a wallet of which nobody can say whose it is',
    provider: [lost, debitHidden],
    play: [
      isUnconfirmed,
      connectsAnotherWallet(),
      hears(
        /may belong to another account[\s\S]*1 order isn’t finished yet\. I’ll tell you what happens to it, then erase the old key/,
      ),
      presses('Switch'),
      isConnected,
      minutesLater(3),
      provider.showsDebits,
      minutesLater(1),
      isPlacedAfterAll,
    ],
    ...charged,
  },
  {
    fault: 'a wallet of which nobody can say whose it is, turned down while the account’s own key is refused',
    provider: [lost],
    play: [
      isUnconfirmed,
      provider.refusesKey(true),
      minutesLater(0.1),
      isAlerted,
      connectsAnotherWallet(),
      hears(
        /may belong to another account[\s\S]*The provider isn’t accepting the old key, so I can’t follow it\. Check the old account’s dashboard before you order it again/,
      ),
      presses('Keep'),
      sees(/Nothing changed\. You’re still connected/),
      provider.refusesKey(false),
      minutesLater(4),
      hears(/accepts your API key again/),
      isPlacedAfterAll,
    ],
    ...charged,
  },
]

describe.concurrent('a person is told an order’s true outcome and each debit', () => {
  let world: World

  beforeAll(async () => {
    world = await createWorld({ judged: true, settings: { lookUp: 'all' } })
  })
  afterAll(async () => {
    await world?.close()
    if (world) expectCleanLog(world)
  })

  test.for([...newKeys, ...otherWallets])('despite $fault', (row) => run(world, row))
})
