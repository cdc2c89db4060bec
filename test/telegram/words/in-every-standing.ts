import { orderStatuses } from '../../../src/provider/index.ts'
import { pesewas } from '../../../src/provider/money.ts'
import type { SeenOrder } from '../../../src/telegram/cards/viewer.ts'
import { now, orderWith, recipientsOf } from './any-order.ts'

const said = 'Recipient 0241234567 has a pending order for this network, please wait until it is completed.'

/** An order in each state, and a placed order with each status. */
export const inEveryStanding: readonly SeenOrder[] = [
  ...(
    [
      ['queued', [null, 'waits', 'network_down', 'verifying', 'rate_limited', 'unreachable', 'interrupted']],
      ['sending', [null]],
      ['placed', [null, 'stale', 'likely']],
      ['rejected', [null, 'invalid', 'unauthorized', 'balance', 'not_found', 'pending', 'unprocessable']],
      [
        'unconfirmed',
        [
          null,
          'timeout',
          'connection_lost',
          'server_error',
          'bad_answer',
          'interrupted',
          'restored',
          'pending',
          'reference_taken',
          'mistaken',
          'history_unreadable',
        ],
      ],
      ['not_placed', [null, 'unreachable', 'not_made', 'no_debit', 'by_person', 'late_doubt']],
      ['review', [null, 'ambiguous', 'hinted', 'unexplained', 'charged_by_person']],
      ['cancelled', [null, 'by_person', 'bundle_gone', 'disconnected', 'agent_left']],
      ['superseded', [null, 'price_changed', 'restored', 'waited_long']],
    ] as const
  ).flatMap(([placement, reasons]) =>
    reasons.map((reason) =>
      orderWith({
        placement,
        reason: reason as SeenOrder['reason'],
        inferred: reason === 'likely',
        providerMessage: placement === 'rejected' ? said : null,
        notBefore: now,
        reconcileAt: now,
      }),
    ),
  ),
  ...orderStatuses.flatMap((status) =>
    [false, true].map((statusReported) =>
      orderWith({
        placement: 'placed',
        reference: 'BUD-API-AB12CD-123456',
        status,
        statusReported,
        chargedPesewas: pesewas(2350),
        balancePesewas: pesewas(123_456),
        placedAt: now,
        deliveredAt: status === 'delivered' ? now : null,
      }),
    ),
  ),
  orderWith({
    kind: 'bulk',
    placement: 'placed',
    reference: 'BUD-BULK-AB12CD-123456',
    status: 'processing',
    quantity: 100,
    recipients: recipientsOf(100),
    chargedPesewas: pesewas(235_000),
  }),
]
