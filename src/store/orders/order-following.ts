import type { Client } from '../../database/database.ts'
import type { Order } from '../../domain/order/order.ts'
import type { Placement } from '../../domain/order/placement.ts'
import { latest } from '../../domain/times/ahead.ts'
import { oldestWhere } from './order-rows.ts'

export const followingQueries = (client: Client) => ({
  /**
   * Moves the account's polls that are planned for a time before `until` to `until`, because the request budget has no
   * room for them earlier.
   */
  putOffPolls: async (accountId: string, until: Date): Promise<void> => {
    await client.order.updateMany({
      where: {
        accountId,
        OR: [{ nextPollAt: { lt: until } }, { nextPollAt: { gt: latest('pollAt', until) } }],
      },
      data: { nextPollAt: until },
    })
  },

  /** Orders whose outcome, status or refund is still being found out. */
  underWatch: (accountId: string): Promise<Order[]> =>
    oldestWhere(client, {
      accountId,
      OR: [
        { placement: { in: ['sending', 'unconfirmed', 'review'] satisfies Placement[] } },
        { nextPollAt: { not: null } },
        { reconcileAt: { not: null } },
        { refundAt: { not: null } },
      ],
    }),
})
