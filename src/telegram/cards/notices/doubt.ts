import type { PricelessOrder } from '../../../domain/order/order.ts'

/** Whether the news says “(reported)”. It does not if the status was confirmed while the news waited. */
export const isOnlyReported = (order: PricelessOrder, told: { status: string; reported: boolean }): boolean =>
  told.reported && (order.statusReported || order.status !== told.status)
