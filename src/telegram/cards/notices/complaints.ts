import { complaintCard } from '../complaint-card.ts'
import type { Wordings } from './wording.ts'

/** Complaints that a delivered order has not arrived, and how they end. */
export const complaintNotices: Wordings<'complaint'> = {
  complaint: async ({ complaintId, news }, chatId, { store, now }) => {
    const complaint = await store.complaints.byId(complaintId)
    const order = complaint && (await store.orders.byId(complaint.orderId))
    if (!complaint || !order || (complaint.end !== null && news !== 'ended')) return null
    return complaintCard(store, { complaint, order }, chatId, now(), news)
  },
}
