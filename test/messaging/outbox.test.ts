import fc from 'fast-check'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createLoop } from '../../src/base/loop.ts'
import {
  announcementOf,
  answeringCard,
  cardOf,
  isAnswer,
  type Notice,
  type NoticeContent,
} from '../../src/domain/notice.ts'
import { type Delivery, doubtedAfter } from '../../src/messaging/chat-delivery.ts'
import { createOutbox } from '../../src/messaging/outbox.ts'
import { collapse } from '../../src/messaging/redraws.ts'
import type { Store } from '../../src/store/store.ts'
import { newStore } from '../support/database.ts'

const said = (name: string): NoticeContent => announcementOf(name, { about: 'placement' })
const nameOf = ({ content }: Notice) => ('orderId' in content ? content.orderId : content.subject)

/** An outbox on a real database, with a simulated clock and a Telegram whose answers the test sets. */
const newOutbox = async (
  answer: (notice: Notice, tries: number) => Delivery | Promise<Delivery> = () => ({ kind: 'sent' }),
  redrawMs = 0,
) => {
  const store = await newStore()
  const delivered: { chatId: number; name: string; at: number }[] = []
  const tries = new Map<number, number>()
  const clock = { ms: 0 }
  const rules = { mayDeliver: true, chatWaitMs: (_chatId: number) => 0, isFull: false }
  const served = { begun: 0, ended: 0 }
  const forTurn: Store['notices']['forTurn'] = (...which) => {
    served.begun += 1
    return store.notices.forTurn(...which)
  }
  const done: Store['notices']['done'] = async (ids) => {
    if (rules.isFull) throw new Error('the database is full')
    return store.notices.done(ids)
  }
  const outbox = createOutbox({
    store: { ...store, notices: { ...store.notices, forTurn, done } },
    mayWork: () => rules.mayDeliver,
    chatWaitMs: (chatId) => rules.chatWaitMs(chatId),
    redrawMs,
    // Never resolves, because the test itself calls the next round.
    sleep: () => new Promise(() => {}),
    now: () => new Date(clock.ms),
    log: pino({ level: 'silent' }),
    again: () => {},
    onServed: () => {
      served.ended += 1
    },
    deliver: async (notice) => {
      const made = (tries.get(notice.id) ?? 0) + 1
      tries.set(notice.id, made)
      const delivery = await answer(notice, made)
      if (delivery.kind === 'sent')
        delivered.push({ chatId: notice.chatId, name: nameOf(notice), at: clock.ms })
      return delivery
    },
  })
  onTestFinished(() => outbox.settled())
  return {
    store,
    clock,
    rules,
    delivered,
    names: (chatId: number) => delivered.filter((each) => each.chatId === chatId).map(({ name }) => name),
    tries: (id: number) => tries.get(id) ?? 0,
    enqueue: (chatId: number, content: NoticeContent) =>
      store.notices.enqueueDirectly(chatId, content, new Date(clock.ms)),
    /**
     * Runs rounds as long as they find work, then again a second later, until nothing is queued or `ms` have passed.
     */
    run: async (ms = 0) => {
      const end = clock.ms + ms
      for (;;) {
        do {
          Object.assign(served, { begun: 0, ended: 0 })
          await outbox.round()
          while (served.ended < served.begun) await new Promise(setImmediate)
        } while (served.begun > 0)
        if ((await store.notices.count()) === 0 || clock.ms >= end) return
        clock.ms += 1000
      }
    },
  }
}

describe('joining the waiting notices of a chat', () => {
  const content = fc.oneof(
    fc.constantFrom('a', 'b').map(cardOf),
    fc.constantFrom('a', 'b').map(said),
    fc.constantFrom<NoticeContent>(
      { kind: 'follow_card', subject: 'follow:a', orderId: 'a' },
      { kind: 'delete', subject: 'message:1', messageId: 1 },
    ),
  )
  const notices = fc.array(content, { maxLength: 20 }).map((all) =>
    all.map(
      (each, index): Notice => ({
        id: index,
        chatId: 1,
        content: each,
        attempts: 0,
        notBefore: null,
        quietUntil: null,
        createdAt: new Date(0),
      }),
    ),
  )

  test('loses no notice and keeps the sequence of the others', () => {
    fc.assert(
      fc.property(notices, (all) => {
        const kept = collapse(all)
        expect(kept.flatMap(({ ids }) => ids).sort((a, b) => a - b)).toEqual(all.map(({ id }) => id))
        const first = kept.map(({ ids }) => Math.min(...ids))
        expect(first).toEqual(first.toSorted((a, b) => a - b))
      }),
    )
  })

  test('joins only redraws of the same card', () => {
    fc.assert(
      fc.property(notices, (all) => {
        const kept = collapse(all)
        const redraws = kept.filter(({ notice }) => notice.content.kind.endsWith('card'))
        expect(new Set(redraws.map(({ notice }) => notice.content.subject)).size).toBe(redraws.length)
        for (const { notice, ids } of kept) {
          if (!notice.content.kind.endsWith('card')) expect(ids).toEqual([notice.id])
        }
      }),
    )
  })

  test('lets a card’s redraws count as the answer to a person if the person waits for one of them', () => {
    const [news, answer] = [cardOf('p'), answeringCard('p')].map((each, id): Notice => {
      const notice = { id, chatId: 1, content: each, attempts: 0, notBefore: null, quietUntil: null }
      return { ...notice, createdAt: new Date(0) }
    }) as [Notice, Notice]
    for (const all of [
      [news, answer],
      [answer, news],
    ])
      expect(collapse(all).map((entry) => isAnswer(entry.notice.content))).toEqual([true])
  })
})

test('each notice is sent once and in sequence, and several redraws of a card are sent as one', async () => {
  const { enqueue, run, names, store } = await newOutbox()
  for (const content of [cardOf('p'), said('1'), cardOf('p'), said('2'), cardOf('q')])
    await enqueue(7, content)
  await run()
  expect(names(7)).toEqual(['purchase:p', '1', '2', 'purchase:q'])
  expect(await store.notices.count()).toBe(0)
})

test('notices to a chat wait in sequence when Telegram demands a wait, and other chats’ notices are sent immediately', async () => {
  const { enqueue, run, names, delivered } = await newOutbox((notice, tries) =>
    notice.chatId === 7 && tries === 1
      ? { kind: 'later', waitMs: 30_000, reason: 'flood' }
      : { kind: 'sent' },
  )
  await enqueue(7, said('1'))
  await enqueue(7, said('2'))
  await enqueue(8, said('3'))
  await run(200_000)
  expect(names(7)).toEqual(['1', '2'])
  expect(delivered.find(({ name }) => name === '1')?.at).toBe(30_000)
  expect(delivered.find(({ name }) => name === '3')?.at).toBe(0)
})

test('a notice to a chat is not delayed by 400 notices to another chat for which Telegram demands a wait', async () => {
  const { enqueue, run, names } = await newOutbox(({ chatId }) =>
    chatId === 8 ? { kind: 'sent' } : { kind: 'later', waitMs: 3_600_000, reason: 'flood' },
  )
  for (let count = 0; count < 400; count += 1) await enqueue(7, said(`${count}`))
  await enqueue(8, said('mine'))
  await run(3000)
  expect(names(8)).toEqual(['mine'])
})

test('a notice that is enqueued behind thousands for a chat that has to wait is sent within a second', async () => {
  const { enqueue, run, names, clock } = await newOutbox(({ chatId }) =>
    chatId === 8 ? { kind: 'sent' } : { kind: 'later', waitMs: 3_600_000, reason: 'flood' },
  )
  for (let count = 0; count < 2_100; count += 1) await enqueue(7, said(`${count}`))
  await run(1_000)
  const owedAt = clock.ms
  await enqueue(8, said('mine'))
  await run(1_000)
  expect(names(8)).toEqual(['mine'])
  expect(clock.ms - owedAt).toBeLessThanOrEqual(1_000)
})

test('a chat that blocked the bot is muted, and gets its notices as soon as it is unmuted', async () => {
  let blocked = true
  const { enqueue, run, names, store } = await newOutbox(() =>
    blocked ? { kind: 'muted' } : { kind: 'sent' },
  )
  await enqueue(7, said('1'))
  await run(5000)
  expect(await store.notices.count()).toBe(1)
  blocked = false
  await enqueue(7, said('2'))
  await run(5000)
  expect(names(7)).toEqual([])
  expect(await store.chats.unmute(7)).toBe(true)
  await run(5000)
  expect(names(7)).toEqual(['1', '2'])
})

test.each<[string, (notice: Notice) => Delivery, number]>([
  ['that Telegram will never accept', () => ({ kind: 'refused', reason: 'markup' }), 1],
  // The notice is tried once more after Telegram has accepted the chat's next message.
  ['that fails every time', () => ({ kind: 'later', waitMs: null, reason: '500' }), doubtedAfter + 1],
  [
    'that cannot be worded',
    () => {
      throw new Error('no words')
    },
    doubtedAfter,
  ],
])('a notice %s is set aside, and the next one is sent', async (_, answer, most) => {
  const bad: { id?: number } = {}
  const { enqueue, run, names, tries } = await newOutbox((notice) =>
    notice.id === bad.id ? answer(notice) : { kind: 'sent' },
  )
  bad.id = await enqueue(7, said('bad'))
  await enqueue(7, said('good'))
  await enqueue(7, said('better'))
  await run(1_000_000)
  expect(tries(bad.id)).toBe(most)
  expect(names(7)).toEqual(['good', 'better'])
})

test('while Telegram accepts nothing, no notice is set aside and all keep their sequence', async () => {
  let down = true
  const { enqueue, run, names, clock } = await newOutbox(() =>
    down ? { kind: 'later', waitMs: null, reason: 'no answer' } : { kind: 'sent' },
  )
  for (const name of ['1', '2', '3']) await enqueue(7, said(name))
  await enqueue(8, said('4'))
  await run(600_000)
  down = false
  const backAt = clock.ms
  await run(600_000)
  expect([names(7), names(8)]).toEqual([['1', '2', '3'], ['4']])
  expect(clock.ms - backAt).toBeLessThanOrEqual(30_000)
})

test('a notice that Telegram did not accept for a while is sent later, and not set aside', async () => {
  const bad: { id?: number } = {}
  const { enqueue, run, names } = await newOutbox((notice, tries) =>
    notice.id === bad.id && tries <= doubtedAfter
      ? { kind: 'later', waitMs: null, reason: 'no answer' }
      : { kind: 'sent' },
  )
  bad.id = await enqueue(7, said('1'))
  await enqueue(7, said('2'))
  await run(1_000_000)
  expect(names(7)).toHaveLength(2)
  expect(names(7)).toContain('1')
})

test('notices to a chat that waits for its rate limit delay no other chat', async () => {
  const { enqueue, run, names, rules, clock } = await newOutbox()
  rules.chatWaitMs = (chatId) => (chatId < 100 ? Math.max(0, 60_000 - clock.ms) : 0)
  for (let chatId = 1; chatId <= 60; chatId += 1) await enqueue(chatId, said('slow'))
  await enqueue(100, said('quick'))
  await run(3_000)
  expect([names(100), names(1)]).toEqual([['quick'], []])
  await run(100_000)
  expect([names(1), names(60)]).toEqual([['slow'], ['slow']])
})

test('many notices to some chats do not keep another chat waiting', async () => {
  const { enqueue, run, delivered, rules, clock } = await newOutbox()
  const last = new Map<number, number>()
  rules.chatWaitMs = (chatId) => {
    const at = last.get(chatId)
    if (at !== undefined && clock.ms < at + 1_000) return at + 1_000 - clock.ms
    last.set(chatId, clock.ms)
    return 0
  }
  for (let chatId = 1; chatId <= 60; chatId += 1) {
    for (let count = 0; count < 20; count += 1) await enqueue(chatId, said(`${count}`))
  }
  await enqueue(100, said('mine'))
  await run(100_000)
  expect(delivered.find(({ chatId }) => chatId === 100)?.at).toBeLessThanOrEqual(3_000)
  expect(delivered).toHaveLength(60 * 20 + 1)
})

test('only a process that may deliver notices sends them', async () => {
  const { enqueue, run, names, rules } = await newOutbox()
  rules.mayDeliver = false
  await enqueue(7, said('1'))
  await run(3_000)
  expect(names(7)).toEqual([])
  rules.mayDeliver = true
  await run(3_000)
  expect(names(7)).toEqual(['1'])
})

test.each<Delivery>([{ kind: 'sent' }, { kind: 'later', waitMs: null, reason: 'no answer' }])(
  'a card that another process draws while it is being sent is drawn once more (end of sending: $kind)',
  async (late) => {
    let isDrawn = false
    const { enqueue, run, delivered, tries, store } = await newOutbox(async ({ id }) => {
      if (isDrawn) return { kind: 'sent' }
      isDrawn = true
      await store.notices.done([id])
      return late
    })
    const card = await enqueue(7, cardOf('p'))
    await run(3_000)
    expect(tries(card)).toBe(1)
    expect(delivered.at(-1)?.name).toBe('purchase:p')
    expect(delivered).toHaveLength(late.kind === 'sent' ? 2 : 1)
    expect(await store.notices.count()).toBe(0)
  },
)

test('a notice is tried until it is sent, however often Telegram demands a wait', async () => {
  const { enqueue, run, names } = await newOutbox((_, tries) =>
    tries > 40 ? { kind: 'sent' } : { kind: 'later', waitMs: 1000, reason: 'flood' },
  )
  await enqueue(7, said('1'))
  await run(1_000_000)
  expect(names(7)).toEqual(['1'])
})

test('a notice is sent only once even if the database cannot store that it was sent', async () => {
  const { enqueue, run, names, rules, store } = await newOutbox()
  for (const name of ['1', '2']) await enqueue(7, said(name))
  rules.isFull = true
  await run(20_000)
  expect(names(7)).toEqual(['1'])
  rules.isFull = false
  await run(20_000)
  expect(names(7)).toEqual(['1', '2'])
  expect(await store.notices.count()).toBe(0)
})

test('redraws of a card within a quarter of a second are sent as one edit, and later notices keep their place', async () => {
  const { clock, delivered, enqueue, run } = await newOutbox(undefined, 250)
  await enqueue(7, cardOf('p'))
  await run()
  clock.ms = 240
  await enqueue(7, cardOf('p'))
  await enqueue(7, said('1'))
  await run()
  expect(delivered).toEqual([])
  clock.ms = 250
  await run()
  expect(delivered.map(({ name, at }) => [name, at])).toEqual([
    ['purchase:p', 250],
    ['1', 250],
  ])
  await enqueue(7, said('2'))
  await run()
  expect(delivered.at(-1)).toMatchObject({ name: '2', at: 250 })
})

test('a card waits up to three quarters of a second for the order’s outcome', async () => {
  const sent = async (outcomeMs: number | null) => {
    const { clock, delivered, enqueue, run } = await newOutbox(undefined, 250)
    await enqueue(7, answeringCard('p', true))
    for (clock.ms = 0; clock.ms <= 1_500; clock.ms += 10) {
      if (clock.ms === outcomeMs) await enqueue(7, answeringCard('p'))
      if (clock.ms % 50 === 0) await run()
    }
    return delivered.map(({ at }) => at)
  }
  expect(await sent(null)).toEqual([750])
  expect(await sent(40)).toEqual([250])
  expect(await sent(510)).toEqual([750])
  expect(await sent(760)).toEqual([750, 1_050])
})

test('a card’s redraw that was queued before the clock was set back waits no longer than any other', async () => {
  const { clock, enqueue, run, names } = await newOutbox(undefined, 250)
  clock.ms = 600_000
  await enqueue(7, cardOf('p'))
  clock.ms = 0
  await run(250)
  expect(names(7)).toEqual(['purchase:p'])
})

test('a card that changes often is redrawn at most every second and a half, and any other card immediately', async () => {
  const { clock, delivered, enqueue, run } = await newOutbox()
  clock.ms = 1_000_000
  const card = cardOf('a', true)
  await enqueue(1, card)
  await run()
  await enqueue(1, card)
  await run(5_000)
  expect(delivered.map(({ at }) => at - 1_000_000)).toEqual([0, 2_000])
  await enqueue(1, cardOf('a'))
  await run(5_000)
  expect(delivered.map(({ at }) => at - 1_000_000)).toEqual([0, 2_000, 2_000])
})

test('a card’s redraw is sent when it is due, without waiting for the next round', async () => {
  const store = await newStore()
  const delivered = new Set<number>()
  // The loop has no interval, so if a round came too early, before the redraw is due, no other would follow.
  const loop = createLoop({
    everyMs: 2 ** 31 - 1,
    work: () => outbox.round(),
    onError: (error) => expect.unreachable(String(error)),
  })
  const outbox = createOutbox({
    store,
    mayWork: () => true,
    chatWaitMs: () => 0,
    redrawMs: 20,
    now: () => new Date(),
    monotonicMs: () => performance.now(),
    log: pino({ level: 'silent' }),
    again: loop.wake,
    deliver: async ({ chatId }) => {
      delivered.add(chatId)
      return { kind: 'sent' }
    },
  })
  onTestFinished(() => outbox.settled())
  loop.start()
  for (let chatId = 1; chatId <= 60; chatId += 1) {
    await store.notices.enqueueDirectly(chatId, cardOf('p'), new Date())
    loop.wake()
    await vi.waitFor(() => expect(delivered).toContain(chatId), { interval: 1, timeout: 10_000 })
  }
  await loop.stop()
})
