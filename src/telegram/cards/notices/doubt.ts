import type { PricelessOrder } from '../../../domain/order/order.ts'

/** Whether a status is told with doubt: not if it was confirmed while its announcement waited. */
export const isOnlyReported = (order: PricelessOrder, told: { status: string; reported: boolean }): boolean =>
  told.reported && (order.statusReported || order.status !== told.status)
