import { describe, expect, test } from 'vitest'
import type { ComplaintNews } from '../../../../src/domain/notice.ts'
import { type ComplaintEnd, complaintKinds } from '../../../../src/domain/order/complaint.ts'
import { orderStatuses } from '../../../../src/provider/index.ts'
import type { Complaint } from '../../../../src/store/chats/complaints.ts'
import * as words from '../../../../src/telegram/cards/words/complaint.ts'
import { plainText } from '../../../../src/telegram/chat/screen.ts'
import { reportText } from '../../../../src/telegram/features/orders/report-words.ts'
import { now, orderWith } from '../../words/any-order.ts'
import { testTexts, type Values, type Wording } from '../../words/wording.ts'

const ends: (ComplaintEnd | null)[] = [null, 'solved', 'arrived', 'taken_back', 'expired']
const hourMs = 60 * 60_000
const later = (hours: number): Date => new Date(now.getTime() + hours * hourMs)

const complaint: Complaint = {
  id: 'c',
  orderId: 'o',
  accountId: 'a',
  position: null,
  raisedBy: 9,
  kind: 'nothing',
  photoId: null,
  createdAt: now,
  deadlineAt: null,
  expiresAt: later(72),
  remindAt: null,
  end: null,
  endedAt: null,
}

const each = (make: (complaint: Complaint) => string): string[] =>
  ends.flatMap((end) => complaintKinds.map((kind) => make({ ...complaint, end, kind })))

const ofShop = ({ order, flag }: Values, news: ComplaintNews, deadlineAt: Date | null) =>
  each((about) =>
    words.shopComplaint(
      order,
      { ...about, deadlineAt },
      {
        whom: '024 123 4567',
        by: flag ? words.raisedByYou : words.raisedByCustomer,
        events: orderStatuses.map((status) => ({ status, phone: null, happenedAt: now, receivedAt: now })),
        news,
        now,
      },
    ),
  )

const wording: Wording<typeof words> = {
  askNumber: ({ order }) => words.askNumber(order),
  askKind: ({ order }) => words.askKind(order, '024•••4567'),
  askPicture: ({ flag }) => words.askPicture(flag ? '*124#' : undefined),
  refused: () =>
    (['nobody', 'blocked', 'not_delivered', 'too_many'] as const).map((kind) => words.refused({ kind })),
  shopComplaint: (values) => [
    ...ofShop(values, 'raised', null),
    ...ofShop(values, 'remind', later(2)),
    ...ofShop(values, 'ended', later(-2)),
  ],
  customerComplaint: ({ order, flag }) =>
    each((about) => words.customerComplaint(order, about, { maskedWhom: '024•••4567', isTheirs: flag, now })),
}

testTexts(words, wording, { plain: ['refused'] })

const order = orderWith({
  placement: 'placed',
  status: 'delivered',
  reference: 'BUD-API-A-1',
  sentAt: now,
  deliveredAt: now,
})
const shop = (about: Partial<Complaint>, news: ComplaintNews = 'raised'): string =>
  plainText(
    words.shopComplaint(
      order,
      { ...complaint, ...about },
      { whom: '024', by: words.raisedByCustomer, events: [], news, now },
    ),
  )

describe('the shop’s card of a complaint', () => {
  test('says what is wrong, who says so, the order’s steps and the provider’s deadline', () => {
    expect(shop({ deadlineAt: new Date('2026-11-21T23:59:00Z') })).toBe(
      [
        '📭 It hasn’t arrived',
        'Complaint from a customer, 10:32: nothing arrived',
        '✅ MTN 5GB for 024: delivered',
        'BUD-API-A-1',
        '',
        '✓ ordered 10:32',
        '✓ sent to the network 10:32',
        '✓ processing',
        '✓ delivered 10:32',
        '',
        '⏳ The provider’s deadline is 23:59 today: press 🛟 Report for a message to send.',
      ].join('\n'),
    )
  })

  test.each([
    ['a deadline tomorrow', { deadlineAt: later(24) }, 'deadline is 22 Nov, 10:32: press 🛟 Report'],
    [
      'a deadline that is over',
      { deadlineAt: later(-24) },
      'deadline was 20 Nov, 10:32. To try anyway, press 🛟 Report',
    ],
    [
      'no deadline',
      {},
      'This complaint stays open until 24 Nov, 10:32. To pass it on to the provider, press 🛟 Report',
    ],
  ])('says until which date it is open or can be reported, if the provider has %s', (_, about, said) => {
    expect(shop(about)).toContain(said)
  })

  test('says after a reminder that the complaint is not solved yet', () => {
    expect(shop({}, 'remind')).toContain('⏰ Not solved yet')
  })
})

test('a complaint’s messages to the customer name no price, no wallet and no whole number', () => {
  for (const end of ends) {
    const about = { maskedWhom: '024•••4567', isTheirs: true, now }
    const text = words.customerComplaint(order, { ...complaint, end }, about)
    expect(text).not.toMatch(/GHS|wallet|charged|0241234567/)
    expect(text).toContain('024•••4567')
  }
})

test('the report of a complaint to the provider’s support says what is wrong, since when, and if there is a picture', () => {
  const text = reportText(order, [], false, now, [{ ...complaint, kind: 'less', photoId: 'photo' }])
  expect(text).toContain(
    'Complaint made 2026-11-21 10:32:00 UTC: less than ordered. A picture of the data balance is attached.',
  )
  expect(text).toContain('It is shown as delivered. Please check the delivery.')
})
