import { describe, expect, test } from 'vitest'
import {
  type Announcement,
  announcementOf,
  answeringCard,
  cardOf,
  digestSubject,
  type MissedOrderNews,
  type Notice,
  type NoticeContent,
} from '../../../src/domain/notice.ts'
import type { AgentPrices } from '../../../src/domain/selling/price-rule.ts'
import { withConfirmedTerms } from '../../../src/orders/buying/queueing.ts'
import { enqueueNews } from '../../../src/orders/following/order-news.ts'
import type { Lists } from '../../../src/orders/listing/list-orders.ts'
import { pesewas } from '../../../src/provider/money.ts'
import type { Phone } from '../../../src/provider/phone.ts'
import type { Queries, Store } from '../../../src/store/store.ts'
import { createDeliver } from '../../../src/telegram/cards/notices.ts'
import type { Screen } from '../../../src/telegram/chat/screen.ts'
import type { Sender } from '../../../src/telegram/chat/sender.ts'
import { spaced } from '../../../src/telegram/words/numbers.ts'
import { accept, refuse, suspect } from '../../../src/wallets/refused-credentials.ts'
import { addAccount, addOrder, orderOf } from '../../orders/placed-orders.ts'
import { newStore } from '../../support/database.ts'

const now = new Date('2026-11-21T10:32:00Z')

const newShop = async (): Promise<Store> => {
  const store = await newStore()
  await addAccount(store, 'a', now)
  await addOrder(store, { id: '1', accountId: 'a', now })
  return store
}

/** Makes a function that delivers notices, and lists the texts that it sent and at which rate. */
const deliveryOf = (store: Store, onSend: () => Promise<unknown> = async () => {}) => {
  const texts: string[] = []
  const ways: string[] = []
  const senderOf = (way: string) =>
    ({
      send: async (_: number, { text }: Screen) => {
        texts.push(text)
        ways.push(way)
        await onSend()
        return { kind: 'sent', messageId: 7 }
      },
    }) as unknown as Sender
  const deliver = createDeliver({
    store,
    lists: {} as Lists,
    senders: { member: senderOf('reply'), notice: senderOf('notice') },
    now: () => now,
    readBalance: async () => {},
    freshenBalance: async () => false,
  })
  return { deliver, texts, ways }
}

const noticeOf = (chatId: number, content: NoticeContent): Notice => ({
  id: 1,
  chatId,
  content,
  attempts: 0,
  notBefore: null,
  quietUntil: null,
  createdAt: now,
})

test('a card is sent at the rate of replies if a person waits for it, otherwise at the rate of notices', async () => {
  for (const [card, way] of [
    [answeringCard('p1'), 'reply'],
    [cardOf('p1'), 'notice'],
  ] as const) {
    const { deliver, ways } = deliveryOf(await newShop())
    await deliver(noticeOf(1, card))
    expect(ways).toEqual([way])
  }
})

test('a card counts as sent even if the database cannot store its message', async () => {
  const store = await newShop()
  const showOn: Store['purchases']['showOn'] = () => Promise.reject(new Error('the database is full'))
  const full = { ...store, purchases: { ...store.purchases, showOn } }
  const { deliver } = deliveryOf(full)
  expect(await deliver(noticeOf(1, cardOf('p1')))).toEqual({ kind: 'sent' })
})

test('the notice of an order’s lost answer is short if the order’s card is in the chat', async () => {
  const store = await newStore()
  await addAccount(store, 'a', now)
  const lost = [
    ['sending', { sentAt: now }],
    ['unconfirmed', { reason: 'timeout' }],
  ] as const
  await addOrder(store, { id: '1', accountId: 'a', now }, lost)
  const { deliver, texts } = deliveryOf(store)
  const notice = noticeOf(1, announcementOf('1', { about: 'placement' }))
  await deliver(notice)
  await store.purchases.showOn('p1', 5)
  await deliver(notice)
  const [whole = '', short = ''] = texts
  expect(whole).toContain('No answer from the provider')
  expect(short).toMatch(/unconfirmed[\s\S]*Don’t order again: I’m checking/)
  expect(short).not.toContain('No answer from the provider')
})

describe('a digest after quiet hours', () => {
  const missed: MissedOrderNews = {
    orderId: '1',
    status: 'delivered',
    about: [],
    isMoney: false,
    followed: false,
  }
  const digest = (named: MissedOrderNews[]): NoticeContent => ({
    kind: 'digest',
    subject: digestSubject,
    named,
    counted: [],
    quiet: true,
  })

  test('names an agent’s orders to an owner of the account, and not to a former owner', async () => {
    const store = await newShop()
    const { deliver, texts } = deliveryOf(store)
    await store.accounts.attach({ userId: 9, chatId: 9, accountId: 'a', role: 'owner' }, now)
    await deliver(noticeOf(9, digest([missed])))
    expect(texts.splice(0)).toEqual([expect.stringContaining(spaced('0241234567'))])
    await store.accounts.detach(9)
    expect(await deliver(noticeOf(9, digest([missed])))).toEqual({ kind: 'sent' })
    expect(texts).toEqual([])
  })

  test('names an order to the person who made it even after they left the account, but not to a former follower', async () => {
    const store = await newShop()
    const { deliver, texts } = deliveryOf(store)
    await deliver(noticeOf(1, digest([missed])))
    expect(texts.splice(0)).toEqual([expect.stringContaining(spaced('0241234567'))])
    await deliver(noticeOf(5, digest([{ ...missed, followed: true }])))
    expect(texts).toEqual([])
  })
})

describe('the news of a debit that may be an order’s', () => {
  const doubt: NoticeContent = announcementOf('1', {
    about: 'doubt',
    debits: [{ reference: 'BUD-API-OTHERS-1', amountPesewas: pesewas(2350), atMs: null }],
    more: 0,
  })
  const told = async (store: Store): Promise<string> => {
    const { deliver, texts } = deliveryOf(store)
    await deliver(noticeOf(1, doubt))
    return texts.join()
  }

  test('names the debit to an owner, and to no agent or former agent', async () => {
    const store = await newShop()
    await store.accounts.attach({ userId: 9, chatId: 9, accountId: 'a', role: 'owner' }, now)
    await store.accounts.attach({ userId: 1, chatId: 1, accountId: 'a', role: 'owner' }, now)
    expect(await told(store)).toContain('BUD-API-OTHERS-1')
    await store.accounts.detach(1)
    expect(await told(store)).not.toContain('BUD-API-OTHERS-1')

    await store.accounts.attach({ userId: 1, chatId: 1, accountId: 'a', role: 'agent', name: 'Ama' }, now)
    await addOrder(store, { id: '2', accountId: 'a', now })
    const ofAgent = await orderOf(store, '2')
    const recipients = [{ phone: '0241234568' as Phone, position: 0 }]
    const orders = await withConfirmedTerms(store, [{ ...ofAgent, id: '3', recipients }], { role: 'agent' })
    await store.orders.insertQueued(orders, () => 'r3')
    const about = { ...doubt, orderId: '3' } as NoticeContent
    const ofOrder = async () => {
      const { deliver, texts } = deliveryOf(store)
      await deliver(noticeOf(1, about))
      return texts.join()
    }
    expect(await ofOrder()).toContain('I can’t tell yet if the wallet was charged')
    await store.accounts.detach(1)
    expect(await ofOrder()).toContain('I can’t tell yet if the wallet was charged')
    expect(await ofOrder()).not.toContain('BUD-API-OTHERS-1')
  })

  test('names the debit to the last owner of an account without members', async () => {
    expect(await told(await newShop())).toContain('BUD-API-OTHERS-1')
  })
})

describe('the news of a charge or refund of an agent’s order', () => {
  const [owner, agent] = [9, 1]

  /** An order that costs GHS 20.00. Its agent confirmed GHS 26.00, and the owner wants no news of this agent. */
  const newAgentsOrder = async (sees: AgentPrices): Promise<Store> => {
    const store = await newStore()
    await addAccount(store, 'a', now)
    await store.accounts.attach({ userId: owner, chatId: owner, accountId: 'a', role: 'owner' }, now)
    await store.accounts.attach(
      { userId: agent, chatId: agent, accountId: 'a', role: 'agent', name: 'Ama' },
      now,
    )
    await store.accounts.patchAgent(agent, { notifyLevel: 'nothing' })
    await store.shops.agentPrices('a', sees)
    const prices = { unitPricePesewas: 2000, agentUnitPesewas: sees === 'selling' ? 2600 : null }
    await addOrder(store, { id: '1', accountId: 'a', now }, [
      ['sending', { sentAt: now, ownerChatId: owner, agentName: 'Ama', ...prices }],
      ['placed', { reference: 'BUD-API-A-1', status: 'failed', chargedPesewas: 2000, placedAt: now }],
    ])
    return store
  }

  /** What the owner and the agent read about the order. */
  const readOf = async (
    store: Store,
    ...what: Announcement[]
  ): Promise<{ owner: string[]; agent: string[] }> => {
    const order = await orderOf(store, '1')
    await store.transaction((tx) => enqueueNews(tx, order, now, ...what))
    const { deliver, texts } = deliveryOf(store)
    const readBy = async (chatId: number) => {
      for (const notice of await store.notices.ofChat(chatId))
        if (notice.content.kind === 'announce') await deliver(notice)
      return texts.splice(0)
    }
    return { owner: await readBy(owner), agent: await readBy(agent) }
  }

  test('reaches an owner who wants no other news of the agent', async () => {
    const store = await newAgentsOrder('selling')
    await store.orders.patch('1', { chargedPesewas: 2100 }, now)
    const read = await readOf(
      store,
      { about: 'two_references', reference: 'BUD-API-A-2' },
      { about: 'other_price' },
      { about: 'refund', refundedPesewas: pesewas(0) },
    )
    expect(read.owner).toEqual([
      expect.stringMatching(
        /Ama<\/b> ordered[\s\S]*GHS 21\.00 may have been charged twice\. Look for both in \/transactions/,
      ),
      expect.stringMatching(/charged <b>GHS 21\.00<\/b>\. You confirmed GHS 20\.00/),
    ])
    expect(read.agent).toHaveLength(3)
    expect(read.agent[0]).toContain('The wallet may have been charged twice. I’ve asked the owner')
    expect(read.agent[1]).toContain('charged a different amount')
  })

  const failed = { about: 'status', status: 'failed', reported: false, contradicts: false } as const
  const refunded = { about: 'status', status: 'refunded', reported: false, contradicts: false } as const

  test.each<[AgentPrices, string[]]>([
    ['selling', ['owed a refund.', 'The money is back in the wallet', 'was placed after all.']],
    ['none', ['owed a refund.', 'The money is back in the wallet', 'was placed after all.']],
    [
      'cost',
      [
        'The wallet is owed a refund of GHS 20.00',
        'GHS 20.00 is back in the wallet',
        'charged GHS 20.00 once',
      ],
    ],
  ])('has only amounts that an agent who sees prices of the kind %s may see', async (sees, words) => {
    const store = await newAgentsOrder(sees)
    const other = { about: 'other_reference', reference: 'BUD-API-A-2' } as const
    const { agent: texts } = await readOf(store, failed, refunded, { about: 'proof' }, other)
    expect(texts.slice(0, 3)).toEqual(words.map((each) => expect.stringContaining(each)))
    if (sees !== 'cost') expect(texts.join()).not.toContain('GHS')
  })

  test('tells the owner what the provider has to refund', async () => {
    const store = await newAgentsOrder('selling')
    await store.accounts.patchAgent(agent, { notifyLevel: 'problems' })
    const { owner: texts } = await readOf(store, failed)
    expect(texts.join()).toContain('You’re owed a refund of GHS 20.00.')
  })
})

describe('an alert about an account', () => {
  const [owner, key] = [1, { kind: 'reconnect', subject: 'account' } as const]

  const newRefusedShop = async () => {
    const store = await newShop()
    await store.accounts.attach({ userId: owner, chatId: owner, accountId: 'a', role: 'owner' }, now)
    const transaction = <T>(work: (tx: Queries) => Promise<T>) => store.transaction(work)
    await transaction((tx) => suspect(tx, 'a', now))
    await transaction((tx) => refuse(tx, 'a', now))
    for (const { id } of await store.notices.ofChat(owner)) await store.notices.done([id])
    return { store, accept: () => transaction((tx) => accept(tx, 'a', now, now)) }
  }

  const owed = async (store: Store) =>
    (await store.notices.ofChat(owner))
      .map(({ content }) => content)
      .filter(({ kind }) => kind === 'alert_over')

  test('is closed once, by an edit of its message, when the trouble is over', async () => {
    const { store, accept } = await newRefusedShop()
    const { deliver } = deliveryOf(store)
    await deliver(noticeOf(owner, key))
    expect(await store.alerts.named('key')).toEqual([{ chatId: owner, messageId: 7, since: now }])
    await accept()
    expect(await owed(store)).toEqual([
      { kind: 'alert_over', subject: 'alert:key', name: 'key', messageId: 7, lastedMs: 0 },
    ])
    await accept()
    expect(await owed(store)).toHaveLength(1)
    expect(await store.alerts.named('key')).toEqual([])
  })

  test('is closed immediately if the trouble ended while the alert was being sent', async () => {
    const { store, accept } = await newRefusedShop()
    const { deliver } = deliveryOf(store, accept)
    await deliver(noticeOf(owner, key))
    expect(await owed(store)).toMatchObject([{ name: 'key', messageId: 7 }])
  })

  test('is closed by a new message if the process died while sending it', async () => {
    const { store, accept } = await newRefusedShop()
    const dying = deliveryOf(store, () => Promise.reject(new Error('the process dies')))
    await expect(dying.deliver(noticeOf(owner, key))).rejects.toThrow('the process dies')
    await accept()
    expect(await owed(store)).toEqual([])
    const { deliver, texts } = deliveryOf(store)
    await deliver(noticeOf(owner, key))
    await deliver(noticeOf(owner, key))
    expect(texts).toEqual(['✅ Over after 0 s: the provider accepts your API key again.'])
    expect(await store.alerts.named('key')).toEqual([])
  })

  test('is sent again if the process died while sending it and the trouble lasts', async () => {
    const { store } = await newRefusedShop()
    const dying = deliveryOf(store, () => Promise.reject(new Error('the process dies')))
    await expect(dying.deliver(noticeOf(owner, key))).rejects.toThrow('the process dies')
    const { deliver, texts } = deliveryOf(store)
    await deliver(noticeOf(owner, key))
    expect(texts).toHaveLength(1)
    expect(await store.alerts.named('key')).toMatchObject([{ messageId: 7 }])
  })

  test('is not closed for a person who has left the account', async () => {
    const { store, accept } = await newRefusedShop()
    await deliveryOf(store).deliver(noticeOf(owner, key))
    await store.accounts.detach(owner)
    await accept()
    expect([await owed(store), await store.alerts.named('key')]).toEqual([[], []])
  })
})
