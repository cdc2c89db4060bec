import { describe, expect, test } from 'vitest'
import type { Evidence, HistoryEntry, OrderRow, PurchaseRow } from './evidence.ts'
import {
  agent,
  booked,
  debit,
  edited,
  goodRun,
  order,
  owner,
  post,
  purchase,
  said,
  stranger,
  wrote,
} from './good-run.ts'
import { judge, type PromiseName, table } from './judge.ts'

/** What the judge finds in the good run after a change. */
const breaches = (change: (run: Evidence) => unknown): Record<string, string[]> => {
  const run = goodRun()
  change(run)
  run.telegram.entries.sort((a, b) => a.at - b.at)
  run.ledger.requests.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
  const broken = judge(run).filter((verdict) => verdict.breaches.length > 0)
  return Object.fromEntries(broken.map(({ promise, breaches }) => [promise, breaches]))
}

const only = (promise: PromiseName, breach: RegExp) => ({ [promise]: [expect.stringMatching(breach)] })

const says =
  (...entries: HistoryEntry[]) =>
  ({ telegram }: Evidence) =>
    telegram.entries.push(...entries)

const unsays = (text: string) => (run: Evidence) => {
  run.telegram.entries = run.telegram.entries.filter((entry) => !entry.text?.includes(text))
}

const orderIn = ({ database }: Evidence, id: string): OrderRow => {
  const found = database.orders.find((each) => each.id === id)
  if (!found) throw new Error(id)
  return found
}

/** Charges an order again, under the same reference. */
const chargesAgain = ({ ledger }: Evidence) => ledger.entries.push(debit('BUD-API-AAAA-1', 300_000))

test('the judge finds no broken promise in a good run, and something to check for each promise', () => {
  const verdicts = judge(goodRun())
  expect(table(verdicts)).not.toMatch(/BROKEN| 0 checked/)
  expect(breaches(() => {})).toEqual({})
})

test('the judge’s table masks phone numbers, and shows only the first of many breaches', () => {
  const many = Array.from({ length: 7 }, (_, index) =>
    said(owner, 50 + index, 10_000 + index, `0241000006 ${index}`),
  )
  const run = goodRun()
  says(...many)(run)
  const printed = table(judge(run))
  expect(printed).toMatch(/orders and costs are private +BROKEN/)
  expect(printed).toContain('024•••0006')
  expect(printed).not.toContain('0241000006')
  expect(printed).toContain('and 2 more')
})

test('the judge recognizes a phone number that is written in groups', () => {
  const grouped = '024\u00a0100\u00a00006 got GHS\u00a09.60'
  expect(breaches(says(said(owner, 50, 10_000, grouped)))).toEqual(
    only('orders and costs are private', /024•••0006/),
  )
})

describe('the judge of the promise “every debit is matched or reported”', () => {
  const promise = 'every debit is matched or reported'

  test('reports a debit without an order unless a message mentions the debit', () => {
    const isLost = ({ ledger }: Evidence) => {
      ledger.entries.push(debit('BUD-API-LOST-2', 8_000))
      ledger.orders.push(booked('BUD-API-LOST-2', 'lost', '0241000008'))
    }
    expect(breaches(isLost)).toEqual(only(promise, /BUD-API-LOST-2 has no order/))
    const isTold = (run: Evidence) => {
      isLost(run)
      says(said(owner, 60, 9_000, '⚠️ Charged, but not in this bot’s books\n• GHS 9.60 · BUD-API-LOST-2'))(run)
    }
    expect(breaches(isTold)).toEqual({})
  })

  test('reports a debit of an order that is “not placed” and was never announced as unconfirmed', () => {
    const isCharged = ({ ledger }: Evidence) => {
      ledger.entries.push(debit('BUD-API-LATE-3', 699_000))
      ledger.orders.push(booked('BUD-API-LATE-3', 'o3', '0241000003'))
    }
    // The person was told that the outcome is unknown.
    expect(breaches(isCharged)).toEqual({})
    const isUntold = (run: Evidence) => {
      isCharged(run)
      unsays('unconfirmed')(run)
    }
    expect(breaches(isUntold)).toEqual(
      only(promise, /BUD-API-LATE-3 of order o3 \(not_placed\) was not told/),
    )
  })

  test('reports a debit of a purchase that nobody confirmed', () => {
    const broken = breaches(({ database }) =>
      Object.assign(database.purchases[0] ?? {}, { isConfirmed: false }),
    )
    expect(broken[promise]).toEqual([expect.stringContaining('which nobody confirmed')])
  })

  test('reports a debit whose reference is proven to be another order’s, but not if the reference is only inferred', () => {
    const swap = (inferred: boolean) => (run: Evidence) => {
      Object.assign(orderIn(run, 'o1'), { reference: null, placement: 'unconfirmed', status: null })
      Object.assign(orderIn(run, 'o3'), { reference: 'BUD-API-AAAA-1', placement: 'placed', inferred })
    }
    expect(breaches(swap(false))[promise]).toEqual([expect.stringContaining('held as proven by order o3')])
    expect(breaches(swap(true))).not.toHaveProperty([promise])
  })

  test('accepts a debit of another program and a debit that the wallet has not shown yet', () => {
    const hidden = ({ ledger }: Evidence) => {
      ledger.entries.push({ ...debit('BUD-API-HIDDEN-2', 3_000), visibleAtMs: 86_400_000 })
      ledger.orders.push(booked('BUD-API-HIDDEN-2', 'gone', '0241000003'))
    }
    expect(breaches(hidden)).toEqual({})
  })
})

describe('the judge of the promise “no order is charged twice”', () => {
  const promise = 'no order is charged twice'

  test('reports a second debit that the bot could see and no message mentions', () => {
    expect(breaches(chargesAgain)).toEqual(only(promise, /o1 .* charged 2 times/))
  })

  test('accepts a second debit that a message mentions, or that no read of the wallet could show', () => {
    const isTold = (run: Evidence) => {
      chargesAgain(run)
      says(said(owner, 60, 701_000, '⚠️ You were charged twice for MTN 2GB to 0241000001. BUD-API-AAAA-1', 1))(
        run,
      )
    }
    expect(breaches(isTold)).toEqual({})
    const isUnread = (run: Evidence) => {
      chargesAgain(run)
      run.ledger.requests = run.ledger.requests.filter(({ method }) => method === 'POST')
    }
    expect(breaches(isUnread)).toEqual({})
  })

  test('reports charges for two orders of one purchase', () => {
    const broken = breaches(({ database, ledger }) => {
      database.orders.push(order('o1b', 'p1', { placement: 'placed', reference: 'BUD-API-AAAA-7' }))
      database.recipients.push({ orderId: 'o1b', phone: '0241000001', status: null })
      ledger.entries.push(debit('BUD-API-AAAA-7', 8_000))
      ledger.orders.push(booked('BUD-API-AAAA-7', 'o1b', '0241000001'))
    })
    expect(broken).toEqual(only(promise, /purchase p1 was charged for 2 orders: o1, o1b/))
  })
})

describe('the judge of the promise “no order is sent twice”', () => {
  const promise = 'no order is sent twice'

  test.each([
    ['no answer', null],
    ['the answer 500', 500],
    ['the answer 201', 201],
  ])('reports a second request after %s', (words, status) => {
    const broken = breaches(({ ledger }) => ledger.requests.splice(3, 0, post(2_800, 'o3', status)))
    expect(broken).toEqual(only(promise, new RegExp(`order o3 was sent 2 times, again after ${words}`)))
  })

  test('reports a request for an order that nobody confirmed', () => {
    const broken = breaches(({ database, ledger }) => {
      database.purchases.push(purchase('p9', { isConfirmed: false }))
      database.orders.push(order('o9', 'p9', {}))
      ledger.requests.push(post(9_000, 'o9', null))
    })
    expect(broken).toEqual(only(promise, /o9 was sent, and nobody confirmed it/))
  })
})

describe('the judge of the promise “every outcome is reported”', () => {
  const promise = 'every outcome is reported'

  test.each([
    ['a delivery', ': delivered\nBUD-API-AAAA-1', /o1 \(BUD-API-AAAA-1\) is delivered, and chat 11/],
    ['a failure', ': failed', /o6 \(BUD-API-BBBB-6\) is failed, and chat 21/],
    ['a refusal', '· rejected', /o2 \(no reference\) is rejected/],
    ['an order that was not placed', 'not placed', /o3 \(no reference\) is not_placed/],
    ['the end of a list', '1 delivered', /list p5: 1 delivered and 0 failed of 2/],
  ])('reports a chat that never gets the news of %s', (_end, text, breach) => {
    expect(breaches(unsays(text))).toEqual(only(promise, breach))
  })

  test('reports a chat that was told another final status than the order has', () => {
    const broken = breaches((run) => Object.assign(orderIn(run, 'o1'), { status: 'failed' }))
    expect(broken).toMatchObject(only(promise, /o1 .* is failed/))
  })

  test('accepts a missing message about an order that a digest counts', () => {
    const digest = 'While I couldn’t write to you:\n✅ MTN 2GB\n… and 3 more: 3 failed.'
    const isCounted = (run: Evidence) => {
      unsays(': failed')(run)
      says(said(stranger, 60, 10_000, digest))(run)
    }
    expect(breaches(isCounted)).toEqual({})
  })

  test('accepts a missing message if it is still queued, its order is redacted or its chat is muted', () => {
    const untold = unsays(': failed')
    const changes: ((run: Evidence) => unknown)[] = [
      ({ database }) => database.notices.push({ chatId: stranger, subject: 'order:o6' }),
      ({ database }) => database.notices.push({ chatId: stranger, subject: 'digest' }),
      ({ database }) => database.chats.push({ id: stranger, isMuted: true }),
      (run) => Object.assign(orderIn(run, 'o6'), { isRedacted: true }),
    ]
    for (const change of changes) {
      const broken = breaches((run) => {
        untold(run)
        change(run)
      })
      expect(broken).toEqual({})
    }
  })
})

describe('the judge of the promise “orders and costs are private”', () => {
  const promise = 'orders and costs are private'

  test.each([
    ['reference', 'Your order BUD-API-AAAA-1'],
    ['number', 'An order for 0241000001'],
  ])('reports a message with the %s of another account’s order', (_what, text) => {
    expect(breaches(says(said(stranger, 60, 9_000, text)))).toEqual(
      only(promise, /chat 21 read .* of account a in message 60/),
    )
  })

  test('accepts a masked number, the person’s own words and the reference of a followed order', () => {
    expect(breaches(says(said(stranger, 60, 9_000, 'MTN 2GB for 024•••0001')))).toEqual({})
    const asked = says(
      wrote(stranger, 8_000, 'BUD-API-AAAA-1 024 100 0001'),
      said(stranger, 60, 9_000, 'BUD-API-AAAA-1 for 0241000001'),
    )
    expect(breaches(asked)).toEqual({})
    const follows = (run: Evidence) => {
      run.database.follows.push({ orderId: 'o1', chatId: stranger })
      says(said(stranger, 60, 9_000, 'Reference: BUD-API-AAAA-1'))(run)
    }
    expect(breaches(follows)).toEqual({})
    const opens = says(
      wrote(stranger, 8_000, '/start so1cccccccccccccccccccccc'),
      said(stranger, 60, 9_000, 'Reference: BUD-API-AAAA-1'),
    )
    expect(breaches(opens)).toEqual({})
  })

  test('reports a cost in an agent’s chat unless the shop shows costs to agents', () => {
    const cost = says(edited(agent, 20, 9_000, 'MTN 2GB for 0241000004\nGHS 9.60 · delivered'))
    expect(breaches(cost)).toEqual(only(promise, /agent 12 read the cost of order o4 in message 20/))
    const isOpen = (run: Evidence) => {
      cost(run)
      run.database.shops.push({ accountId: 'a', phone: null, agentPrices: 'cost' })
    }
    expect(breaches(isOpen)).toEqual({})
  })
})

describe('the judge of the promise “nothing is announced twice”', () => {
  const promise = 'nothing is announced twice'
  const delivered = (messageId: number, word = 'delivered') =>
    said(owner, messageId, 10_000, `✅ MTN 2GB for 0241000001: ${word}\nBUD-API-AAAA-1`, 1)

  test.each([
    ['a status', delivered(60)],
    ['a status that was reported before it was confirmed', delivered(60, 'delivered (reported)')],
    [
      'the end of a list',
      said(owner, 60, 10_000, '📋 List of 2 numbers: done\n✅ 1 delivered · ⚪️ 1 not ordered', 8),
    ],
  ])('reports that %s is announced again', (_what, again) => {
    expect(breaches(says(again))).toEqual(only(promise, /chat 11 was told twice, by messages \d and 60/))
  })

  test('accepts a repeat after a lost or interrupted answer, or after a correction', () => {
    const isLost = (run: Evidence) => {
      Object.assign(run.telegram.entries.find(({ messageId }) => messageId === 2) ?? {}, { lost: true })
      says(delivered(60))(run)
    }
    expect(breaches(isLost)).toEqual({})
    const dies = (run: Evidence) => {
      run.telegram.interruptionsMs = [9_500]
      says(delivered(60))(run)
    }
    expect(breaches(dies)).toEqual({})
    const correction = said(
      owner,
      60,
      9_900,
      '⚠️ Correction: the provider now says otherwise.\n❌ MTN 2GB for 0241000001: failed\nBUD-API-AAAA-1',
      1,
    )
    expect(breaches(says(correction, delivered(61)))).toEqual({})
  })
})

describe('the judge of the promise “no rate is exceeded”', () => {
  const promise = 'no rate is exceeded'
  const gets = (count: number, everyMs: number) => (run: Evidence) => {
    for (let made = 0; made < count; made += 1)
      run.ledger.requests.push({
        at: new Date(1_000_000 + made * everyMs).toISOString(),
        method: 'GET',
        path: '/bundles',
        status: 200,
        accountId: 'wallet a',
      })
  }
  const sends = (chat: (index: number) => number, count: number, everyMs: number) => (run: Evidence) => {
    for (let sent = 0; sent < count; sent += 1)
      run.telegram.entries.push(said(chat(sent), 100 + sent, 2_000_000 + sent * everyMs, `Hello ${sent}`))
  }

  test.each([
    ['requests in a minute', gets(61, 900), /more than 60 requests in a minute/],
    ['requests in an hour', gets(501, 7_000), /more than 500 requests in a hour/],
    ['requests in a day', gets(5_001, 17_000), /more than 5000 requests in a day/],
    ['messages to a chat', sends(() => owner, 40, 400), /chat 11 got more than one message a second/],
    ['messages to a group', sends(() => -5, 21, 2_500), /group -5 got more than 20 messages in a minute/],
    ['announcements', sends((index) => 5_000 + index, 31, 30), /more than 30 announcements/],
  ])('reports too many %s', (_what, change, breach) => {
    expect(breaches(change)).toEqual(only(promise, breach))
  })

  test.each([
    ['requests', gets(60, 1_000)],
    ['messages in a burst to a chat', sends(() => owner, 20, 10)],
    ['messages to a chat', sends(() => owner, 60, 1_000)],
    ['messages to a group', sends(() => -5, 40, 3_100)],
    ['announcements', sends((index) => 5_000 + index, 90, 34)],
  ])('accepts the allowed number of %s', (_what, change) => {
    expect(breaches(change)).toEqual({})
  })

  test('accepts answers to people who have just written, and any rate if Telegram has no limits', () => {
    const answers = (run: Evidence) => {
      for (let asked = 0; asked < 60; asked += 1)
        says(
          wrote(5_000 + asked, 2_000_000, '/help'),
          said(5_000 + asked, 100, 2_000_001 + asked, 'Help'),
        )(run)
    }
    expect(breaches(answers)).toEqual({})
    const unlimited = (run: Evidence) => {
      run.telegram.isPaced = false
      sends(() => owner, 100, 1)(run)
    }
    expect(breaches(unlimited)).toEqual({})
  })
})

describe('the judge of the promise “no charge is denied”', () => {
  const promise = 'no charge is denied'

  test.each([
    [
      'on the order’s card',
      edited(owner, 1, 7_000, 'MTN 2GB for 0241000001: expired\nNothing was ordered or charged.'),
    ],
    ['in reply to the order’s card', said(owner, 60, 7_000, 'Checked: nothing was charged.', 1)],
    [
      'with the order’s number',
      said(owner, 60, 7_000, 'MTN 2GB for 0241000001 was not placed. Not charged yet.'),
    ],
    [
      'in a line of the order’s list',
      edited(owner, 8, 11_000, 'MTN 2GB × 1: rejected BUD-API-AAAA-5. Nothing was charged.'),
    ],
  ])('reports a denied debit %s', (_where, denial) => {
    expect(breaches(says(denial))).toEqual(
      only(promise, /chat 11 read “.*(nothing was( ordered or)?|not) charged/i),
    )
  })

  test.each([
    [
      'a denial before the wallet showed the debit',
      said(owner, 60, 5_900, 'Checked: nothing was charged.', 1),
    ],
    ['the person’s own answer', said(owner, 60, 7_000, 'You said nothing was charged.', 1)],
    [
      'a promise before the confirmation',
      said(owner, 60, 7_000, 'Nothing is charged before you confirm.', 1),
    ],
    ['a denial of another purchase', said(owner, 60, 7_000, 'MTN 2GB for 0241000003\nNothing was charged.')],
  ])('accepts %s', (_what, text) => {
    expect(breaches(says(text))).toEqual({})
  })
})

test('the judge finds an order that never ends', () => {
  const waits = (run: Evidence) => {
    run.endedMs = 100 * 60 * 60_000
    Object.assign(orderIn(run, 'o3'), { placement: 'unconfirmed', sentAtMs: 3_000 })
  }
  expect(breaches(waits)).toMatchObject(only('every order reaches an outcome', /o3 is unconfirmed for 100 h/))
})

test('the judge finds an order that lacks the reference named by its own callback', () => {
  const loses = (run: Evidence) => Object.assign(orderIn(run, 'o1'), { reference: 'BUD-API-ELSE-1' })
  expect(breaches(loses)).toMatchObject(
    only('every order keeps its reference', /o1 .* does not hold BUD-API-AAAA-1/),
  )
})

test('the judge finds a status that the provider reported and the bot never learned', () => {
  const forgets = (run: Evidence) => Object.assign(orderIn(run, 'o1'), { status: 'processing' })
  expect(breaches(forgets)).toMatchObject(only('every final status becomes known', /o1 .* is processing/))
})

test('the judge finds a warning of an uncertain outcome that remains although the order is placed', () => {
  const warns = ({ database }: Evidence) =>
    database.warnings.push({ chatId: owner, orderId: 'o1', says: 'uncertain', isOwed: false })
  expect(breaches(warns)).toEqual(only('no warning outlives its cause', /warned of order o1/))
})

test('the judge finds an agent who spent more than their limit', () => {
  const restrict = ({ database }: Evidence) => {
    for (const member of database.members) if (member.userId === agent) member.dailyLimitPesewas = 500
  }
  expect(breaches(restrict)).toEqual(only('no agent exceeds a limit', /spent 960 of 500/))
})

test('the judge finds an order that was sent after its outcome had been announced', () => {
  const late = says(edited(owner, 1, -5_000, 'MTN 2GB for 0241000001 · unconfirmed'))
  expect(breaches(late)).toEqual(only('no order is sent twice', /o1 was sent after its outcome was told/))
})

test('the judge finds a debit without a notice after its order was declared not placed', () => {
  const shows = (run: Evidence) => {
    run.ledger.entries.push({ ...debit('BUD-API-LATE-3', 3_000), visibleAtMs: 800_000 })
    run.ledger.orders.push(booked('BUD-API-LATE-3', 'o3', '0241000003'))
    run.endedMs = 900_000 + 3 * 60 * 60_000
  }
  expect(breaches(shows)).toEqual(
    only('every debit is matched or reported', /BUD-API-LATE-3 of order o3 .* was not told/),
  )
})

test('the judge finds an order that was sent while the previous order of its list was still being carried out', () => {
  const beside = (run: Evidence) => {
    Object.assign(run.ledger.entries.find(({ reference }) => reference === 'BUD-API-AAAA-5') ?? {}, {
      atMs: 5_200,
    })
    run.ledger.requests.push(post(5_100, 'o5b', 422))
  }
  expect(breaches(beside)).toEqual(
    only('the orders of a list are sent one at a time', /o5b was sent beside order o5 of its list/),
  )
  const isRefusedAtFirst = (run: Evidence) => run.ledger.requests.push(post(4_700, 'o5b', 422))
  expect(breaches(isRefusedAtFirst)).toEqual({})
  const isTold = (run: Evidence) => {
    beside(run)
    says(edited(owner, 8, 5_050, 'MTN 2GB × 1: unconfirmed'))(run)
  }
  expect(breaches(isTold)).toEqual({})
})

test('the judge finds a refund that no message mentions', () => {
  const card = edited(stranger, 30, 9_700, 'MTN 2GB for 0241000006\nGHS 9.60 · failed\nrefunded GHS 9.60')
  const isUntold = (run: Evidence) => {
    unsays('came back')(run)
    says(card)(run)
  }
  expect(breaches(isUntold)).toEqual(only('every refund is reported', /960 pesewas of order o6 .* chat 21/))
})

test('the judge requires no message about a refund with which an order of a list ended', () => {
  const isOnCard = (run: Evidence) => {
    unsays('came back')(run)
    Object.assign(orderIn(run, 'o6'), { listed: true, status: 'refunded' })
  }
  expect(breaches(isOnCard)['every refund is reported']).toBeUndefined()
})

describe('the judge of the promise “every card is true”', () => {
  const older = 'MTN 2GB for 0241000001\nGHS 9.60 · processing\nReference: BUD-API-AAAA-1'

  test('reports a card that shows an older state in the end', () => {
    expect(breaches(says(edited(owner, 1, 9_900, older)))).toEqual(
      only('every card is true', /o1 says “processing” in the end, and it is delivered/),
    )
  })

  test('accepts a card that was lost, deleted or replaced by something else', () => {
    const last: HistoryEntry[] = [
      { ...edited(owner, 1, 9_900, older), lost: true },
      edited(owner, 1, 9_900, 'Your orders · processing'),
    ]
    for (const entry of last) expect(breaches(says(entry))).toEqual({})
    const { text: _, ...gone } = edited(owner, 1, 9_950, '')
    expect(breaches(says(edited(owner, 1, 9_900, older), { ...gone, kind: 'deleted' }))).toEqual({})
  })
})

describe('the judge of the promise “agents order only while they may”', () => {
  const promise = 'agents order only while they may'
  const removed = says(said(agent, 60, 10_000, 'The owner has removed you, so you can’t order any more.'))
  const sends = (run: Evidence) => {
    run.database.purchases.push(purchase('p9', { chatId: agent }))
    run.database.orders.push(
      order('o9', 'p9', { userId: agent, chatId: agent, sentAtMs: 90_000, createdAtMs: 90_000 }),
    )
    run.ledger.requests.push(post(90_000, 'o9', null))
  }
  const leaves = ({ database }: Evidence) => {
    database.members = database.members.filter(({ userId }) => userId !== agent)
  }
  const members = ({ database }: Evidence, change: object) =>
    Object.assign(database.members.find(({ userId }) => userId === agent) ?? {}, change)

  test('reports an order that is sent for an agent who was told of their removal', () => {
    const isSent = (run: Evidence) => {
      for (const change of [removed, sends, leaves]) change(run)
    }
    expect(breaches(isSent)).toEqual(only(promise, /o9 was sent for the agent in chat 12, who was removed/))
    const hasJoinedAgain = (run: Evidence) => {
      for (const change of [removed, sends]) change(run)
      members(run, { createdAtMs: 50_000 })
    }
    expect(breaches(hasJoinedAgain)).toEqual({})
  })

  test('reports an order that an agent confirms after they were told of a pause', () => {
    expect(breaches(sends)).toEqual(only(promise, /o9 was confirmed by the agent in chat 12, who was paused/))
    const isResumed = (run: Evidence) => {
      sends(run)
      members(run, { resumedAtMs: 80_000 })
    }
    expect(breaches(isResumed)).toEqual({})
  })
})

test('the judge finds a failure, or the end of a list, that a card shows and no message mentions', () => {
  const isSilent = (run: Evidence) => {
    unsays(': failed')(run)
    says(edited(stranger, 30, 9_600, 'MTN 2GB for 0241000006\nGHS 9.60 · failed\nBUD-API-BBBB-6'))(run)
  }
  expect(breaches(isSilent)).toEqual(
    only('every outcome is reported', /o6 .* is failed, and chat 21 was not told/),
  )
  expect(breaches(unsays(': done'))).toEqual(
    only('every outcome is reported', /list p5: chat 11 got no message/),
  )
  const isWanted = (run: Evidence) => {
    unsays(': done')(run)
    says(edited(owner, 70, 100, '✅ Saved. Messages: Problems only'))(run)
  }
  expect(breaches(isWanted)).toEqual({})
})

describe('the judge of the promise “nothing is ordered again without asking”', () => {
  const promise = 'nothing is ordered again without asking'
  const earlier = (run: Evidence) => {
    run.database.purchases.push(purchase('p9', {}))
    run.database.orders.push(order('o9', 'p9', { placement: 'placed', status: 'delivered', reference: 'R9' }))
    run.database.recipients.push({ orderId: 'o9', phone: '0241000008', status: null })
    says(said(owner, 70, 1_000, 'MTN 2GB for 0241000008: delivered\nR9'))(run)
  }
  const again = (change: Partial<PurchaseRow>) => (run: Evidence) => {
    run.database.purchases.push(purchase('p10', change))
    run.database.orders.push(order('o10', 'p10', { createdAtMs: 300_000 }))
    run.database.recipients.push({ orderId: 'o10', phone: '0241000008', status: null })
  }
  const asked = says(said(owner, 71, 290_000, '⚠️ MTN 2GB went to this number 4 min ago. Send again?'))
  const broken = only(promise, /o10 was ordered without a word of o9/)

  test('reports a second order of the same bundle for the same number if the person was not asked first', () => {
    expect(breaches((run) => [earlier, again({})].map((change) => change(run)))).toEqual(broken)
    const bySetting = again({ remark: 'by_setting' })
    expect(breaches((run) => [earlier, asked, bySetting].map((change) => change(run)))).toEqual(broken)
  })

  test('accepts a second order that the person was asked about, and a second order after a failure', () => {
    expect(breaches((run) => [earlier, asked, again({})].map((change) => change(run)))).toEqual({})
    const fails = (run: Evidence) => {
      earlier(run)
      orderIn(run, 'o9').status = 'failed'
      says(said(owner, 72, 1_100, 'MTN 2GB for 0241000008: failed\nR9'))(run)
      again({})(run)
    }
    expect(breaches(fails)).toEqual({})
    const wronglyReported = says(said(owner, 72, 500, 'MTN 2GB for 0241000008: refunded (reported)\nR9'))
    expect(breaches((run) => [earlier, wronglyReported, again({})].map((change) => change(run)))).toEqual({})
  })
})

test('the judge finds a debit that was assigned to an order for other numbers', () => {
  const guesses = (run: Evidence) => {
    Object.assign(orderIn(run, 'o5'), { reference: null, placement: 'unconfirmed', status: null })
    Object.assign(orderIn(run, 'o5b'), {
      reference: 'BUD-API-AAAA-5',
      placement: 'placed',
      quantity: 2,
      inferred: true,
    })
  }
  expect(breaches(guesses)).toMatchObject(
    only('every debit is matched or reported', /BUD-API-AAAA-5 of order o5 was taken for that of order o5b/),
  )
})

test('the judge finds a list that nobody was told is done, although callbacks reported the end of each number', () => {
  const lags = (run: Evidence) => {
    orderIn(run, 'o5').status = 'processing'
    unsays('1 delivered')(run)
  }
  expect(breaches(lags)).toEqual(only('every outcome is reported', /list p5: 1 delivered and 0 failed of 2/))
})

test('the judge finds a charge above the confirmed price that no message mentions', () => {
  const charges = (run: Evidence) => Object.assign(orderIn(run, 'o1'), { chargedPesewas: 1_060 })
  expect(breaches(charges)).toEqual(
    only(
      'every charge other than the price is reported',
      /o1 .* was charged 1060 instead of 960 pesewas, and chat 11 was not told/,
    ),
  )
  const isTold = (run: Evidence) => {
    charges(run)
    says(said(owner, 60, 9_000, '⚠️ MTN 2GB: the provider charged GHS 10.60. You confirmed GHS 9.60.', 1))(run)
  }
  expect(breaches(isTold)).toEqual({})
})
