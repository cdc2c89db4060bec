import type { Order } from '../journal/order.ts'
import { findDue, type Ground } from './duties.ts'
import { placing, polling, settling } from './duty-kinds.ts'
import { ordersWithIds } from './order-rows.ts'

/** Orders on which work is due, found by the duties of their accounts. */
export const searchQueries = (ground: Ground, { client } = ground) => ({
  /**
   * Orders that are due to be sent, oldest first: a few of each account, and no others of frozen accounts.
   * @param limit how many accounts at most, the longest waiting ones.
   * @param except accounts that are left out.
   * @param known orders that are left out, because nobody needs to read them.
   */
  dueToSend: async (
    now: Date,
    limit: number,
    except: readonly string[] = [],
    known: readonly string[] = [],
  ): Promise<Order[]> => {
    const due = await findDue(ground, placing(now), { now, limit, except })
    const ids = due.flatMap(({ work }) => work.split(','))
    return ordersWithIds(
      client,
      ids.filter((id) => !known.includes(id)),
    )
  },

  /**
   * Of each account that can be asked, the order whose poll is longest overdue.
   * @param limit how many accounts at most, the longest overdue ones.
   * @param except accounts that are left out.
   */
  dueToPoll: async (now: Date, limit: number, except: readonly string[] = []): Promise<Order[]> => {
    const due = await findDue(ground, polling(now), { now, limit, except })
    const orders = new Map(
      (
        await ordersWithIds(
          client,
          due.map(({ work }) => work),
        )
      ).map((order) => [order.id, order]),
    )
    return due.flatMap(({ work }) => orders.get(work) ?? [])
  },

  /**
   * Accounts whose wallet is due to be read, for orders with an unknown outcome or a missing refund.
   * @param except accounts that are left out.
   */
  dueToSettle: async (now: Date, limit: number, except: readonly string[] = []): Promise<string[]> => {
    const due = await findDue(ground, settling(now), { now, limit, except })
    return due.map(({ key }) => key)
  },
})
