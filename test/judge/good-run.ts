import type { Evidence, HistoryEntry, OrderRow, PurchaseRow } from './evidence.ts'

/**
 * A small run in which every promise was kept, with two accounts, an agent, a list, and an order for each way to end.
 */
export const goodRun = (): Evidence => ({
  database: {
    purchases: [
      purchase('p1', { lines: '[{"phone":"0241000001"}]', cardMessageId: 1 }),
      purchase('p2', { lines: '[{"phone":"0241000002"}]', cardMessageId: 3 }),
      purchase('p3', { lines: '[{"phone":"0241000003"}]', cardMessageId: 5 }),
      purchase('p4', { lines: '[{"phone":"0241000004"}]', cardMessageId: 20, chatId: agent }),
      purchase('p5', { lines: '[]', cardMessageId: 8, kind: 'list' }),
      purchase('p6', {
        lines: '[{"phone":"0241000006"}]',
        cardMessageId: 30,
        chatId: stranger,
        accountId: 'b',
      }),
    ],
    orders: [
      placed('o1', 'p1', 'BUD-API-AAAA-1', 'delivered'),
      order('o2', 'p2', { placement: 'rejected', reason: 'balance' }),
      order('o3', 'p3', { placement: 'not_placed', reason: 'no_debit' }),
      placed('o4', 'p4', 'BUD-API-AAAA-4', 'delivered', {
        userId: agent,
        chatId: agent,
        ownerChatId: owner,
        agentUnitPesewas: 1_200,
      }),
      placed('o5', 'p5', 'BUD-API-AAAA-5', 'delivered', { listed: true }),
      order('o5b', 'p5', { listed: true, placement: 'rejected', reason: 'invalid' }),
      placed('o6', 'p6', 'BUD-API-BBBB-6', 'failed', {
        accountId: 'b',
        userId: stranger,
        chatId: stranger,
        refundedPesewas: 960,
      }),
    ],
    recipients: ['o1', 'o2', 'o3', 'o4', 'o5', 'o5b', 'o6'].map((orderId, index) => ({
      orderId,
      phone: phones[index] ?? '',
      status: orderId === 'o5' ? 'delivered' : null,
    })),
    notices: [],
    warnings: [{ chatId: owner, orderId: 'o3', says: 'uncertain', isOwed: false }],
    named: [{ orderId: 'o1', reference: 'BUD-API-AAAA-1' }],
    members: [
      {
        userId: owner,
        accountId: 'a',
        chatId: owner,
        role: 'owner',
        dailyLimitPesewas: null,
        createdAtMs: 0,
        resumedAtMs: null,
      },
      {
        userId: agent,
        accountId: 'a',
        chatId: agent,
        role: 'agent',
        dailyLimitPesewas: 2_000,
        createdAtMs: 0,
        resumedAtMs: null,
      },
      {
        userId: stranger,
        accountId: 'b',
        chatId: stranger,
        role: 'owner',
        dailyLimitPesewas: null,
        createdAtMs: 0,
        resumedAtMs: null,
      },
    ],
    invited: [],
    chats: [],
    shops: [],
    follows: [],
  },
  ledger: {
    entries: [
      debit('BUD-API-AAAA-1', 1_000),
      debit('BUD-API-AAAA-4', 4_000),
      debit('BUD-API-AAAA-5', 5_000),
      { ...debit('BUD-API-BBBB-6', 6_000), accountId: 'wallet b' },
      { ...debit('BUD-API-OTHERS-9', 500), accountId: 'wallet b' },
    ],
    orders: [
      { ...booked('BUD-API-AAAA-1', 'o1', '0241000001'), status: 'delivered' },
      booked('BUD-API-AAAA-4', 'o4', '0241000004'),
      booked('BUD-API-AAAA-5', 'o5', '0241000005'),
      { ...booked('BUD-API-BBBB-6', 'o6', '0241000006'), accountId: 'wallet b' },
      {
        reference: 'BUD-API-OTHERS-9',
        accountId: 'wallet b',
        phones: [{ phone: '0241000009' }],
        webhookUrl: null,
      },
    ],
    requests: [
      post(1_000, 'o1', 429),
      post(2_000, 'o1', 201),
      post(2_500, 'o2', 402),
      post(3_000, 'o3', null),
      post(4_000, 'o4', 201),
      post(4_500, 'o5', 429),
      post(4_800, 'o5', 201),
      post(6_000, 'o6', 201),
      { at: iso(700_000), method: 'GET', path: '/transactions?page=1', status: 200, accountId: 'wallet a' },
    ],
  },
  telegram: {
    isPaced: true,
    entries: [
      wrote(owner, 100, '0241000001 2GB'),
      said(
        owner,
        1,
        200,
        'MTN 2GB for 0241000001\nGHS 9.60 · confirm?\nNothing is charged before you confirm.',
      ),
      edited(owner, 1, 1_100, 'MTN 2GB for 0241000001\nGHS 9.60 · waiting\nNot charged yet.'),
      edited(owner, 1, 2_200, 'MTN 2GB for 0241000001\nGHS 9.60 · processing\nReference: BUD-API-AAAA-1'),
      edited(owner, 1, 8_900, 'MTN 2GB for 0241000001\nGHS 9.60 · delivered\nReference: BUD-API-AAAA-1'),
      said(owner, 2, 9_000, '✅ MTN 2GB for 0241000001: delivered\nBUD-API-AAAA-1', 1),
      edited(owner, 3, 9_100, 'MTN 2GB for 0241000002\nGHS 9.60 · rejected\nNothing was charged.'),
      said(
        owner,
        6,
        9_200,
        '❓ MTN 2GB for 0241000003: unconfirmed\nNo clear answer from the provider. Don’t order again: I’m checking.',
        5,
      ),
      said(agent, 21, 9_300, '✅ MTN 2GB for 0241000004: delivered\nBUD-API-AAAA-4\nGHS 12.00', 20),
      edited(
        owner,
        8,
        9_400,
        'List of 2 numbers\n✅ 1 delivered · ⚪️ 1 not ordered\nMTN 2GB × 1: rejected. Nothing was charged.',
      ),
      said(owner, 9, 9_500, '📋 List of 2 numbers: done\n✅ 1 delivered · ⚪️ 1 not ordered', 8),
      said(stranger, 31, 9_600, '❌ MTN 2GB for 0241000006: failed\nBUD-API-BBBB-6', 30),
      said(stranger, 32, 9_700, '↩️ MTN 2GB for 0241000006: GHS 9.60 came back to your wallet.', 30),
      said(agent, 22, 9_800, '⏸ You’re paused, so you can’t order now.'),
      said(owner, 7, 700_500, 'MTN 2GB for 0241000003\nnot placed\nChecked: nothing was charged.', 5),
    ],
  },
})

export const owner = 11
export const agent = 12
export const stranger = 21

const phones = [
  '0241000001',
  '0241000002',
  '0241000003',
  '0241000004',
  '0241000005',
  '0241000007',
  '0241000006',
]

export const purchase = (id: string, change: Partial<PurchaseRow>): PurchaseRow => ({
  id,
  accountId: 'a',
  chatId: owner,
  kind: 'single',
  lines: '[]',
  cardMessageId: null,
  isConfirmed: true,
  remark: null,
  ...change,
})

export const order = (id: string, purchaseId: string, change: Partial<OrderRow>): OrderRow => ({
  id,
  purchaseId,
  accountId: 'a',
  userId: owner,
  chatId: owner,
  ownerChatId: null,
  listed: false,
  network: 'MTN',
  volume: '2GB',
  quantity: 1,
  unitPricePesewas: 960,
  agentUnitPesewas: null,
  chargedPesewas: null,
  refundedPesewas: null,
  placement: 'unconfirmed',
  reason: null,
  reference: null,
  inferred: false,
  otherReference: null,
  status: null,
  createdAtMs: 0,
  sentAtMs: null,
  isRedacted: false,
  ...change,
})

const placed = (
  id: string,
  purchaseId: string,
  reference: string,
  status: string,
  change: Partial<OrderRow> = {},
): OrderRow =>
  order(id, purchaseId, { placement: 'placed', reference, status, chargedPesewas: 960, ...change })

export const debit = (reference: string, atMs: number): Evidence['ledger']['entries'][number] => ({
  accountId: 'wallet a',
  type: 'debit',
  amountPesewas: 960,
  reference,
  atMs,
  visibleAtMs: atMs,
})

export const booked = (
  reference: string,
  orderId: string,
  phone: string,
): Evidence['ledger']['orders'][number] => ({
  reference,
  accountId: 'wallet a',
  phones: [{ phone }],
  webhookUrl: callbackOf(orderId),
})

const callbackOf = (orderId: string): string => `http://127.0.0.1/webhooks/${orderId}${'c'.repeat(22)}`

const iso = (atMs: number): string => new Date(atMs).toISOString()

export const post = (
  atMs: number,
  orderId: string,
  status: number | null,
): Evidence['ledger']['requests'][number] => ({
  at: iso(atMs),
  method: 'POST',
  path: '/order',
  status,
  accountId: orderId === 'o6' ? 'wallet b' : 'wallet a',
  body: { bundle_id: 2, phone: '0241000001', webhook_url: callbackOf(orderId) },
})

export const said = (
  chat: number,
  messageId: number,
  at: number,
  text: string,
  replyTo?: number,
): HistoryEntry => ({
  at,
  chat,
  messageId,
  by: 'bot',
  kind: 'sent',
  text,
  ...(replyTo !== undefined && { replyTo }),
})

export const edited = (chat: number, messageId: number, at: number, text: string): HistoryEntry => ({
  ...said(chat, messageId, at, text),
  kind: 'edited',
})

export const wrote = (chat: number, at: number, text: string): HistoryEntry => ({
  ...said(chat, 1_000 + at, at, text),
  by: 'person',
})
