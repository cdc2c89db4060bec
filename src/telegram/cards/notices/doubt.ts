import type { PricelessOrder } from '../../../domain/order/order.ts'

/**
 * Whether the news says “(reported)”, because only a callback gave the status. False if the provider confirmed the
 * status while the news waited.
 */
export const isOnlyReported = (order: PricelessOrder, told: { status: string; reported: boolean }): boolean =>
  told.reported && (order.statusReported || order.status !== told.status)
