import type { Client } from '../../database/database.ts'
import { newId } from '../../database/id.ts'
import { join, sql } from '../../database/sql.ts'
import type { Placement } from '../../domain/order/placement.ts'
import type { StatusReport } from '../../domain/order/status.ts'
import { type Note, noNote } from '../changes.ts'

export interface NewStatusReport extends Omit<StatusReport, 'id'> {
  digest: string
  body: string | null
}

export interface ArrivedReport extends StatusReport {
  /** Null if the order does not exist. */
  accountId: string | null
}

/**
 * How a reported status was processed. `stale`: it changed nothing. `unmatched`: it waits until it is known whether its
 * reference is the order's. `foreign`: it is not about the order, or it is about the order's second reference.
 * `dismissed`: it was `foreign` or could not be applied, and an operator hid it. `doubted`: not a status, but a debit
 * that may be the order's, or a credit for its second reference; the person was told of it. `extra`: not a status, but
 * a debit beyond the order's price; the `status` column holds the key of the wallet's entry.
 */
export type Disposition = 'applied' | 'stale' | 'foreign' | 'unmatched' | 'dismissed' | 'doubted' | 'extra'

export const statusReportStore = (client: Client, note: Note = noNote) => ({
  /** Stores reports in one commit, without those whose digest is known. @returns how many were new. */
  insert: async (reports: readonly NewStatusReport[]): Promise<number> => {
    if (reports.length === 0) return 0
    const rows = reports.map(
      ({ orderId, source, digest, reference, status, phone, happenedAt, receivedAt, body }) => sql`
        (${orderId}, ${source}, ${digest}, ${reference}, ${status}, ${phone}, ${happenedAt}, ${receivedAt}, ${body})`,
    )
    // Plain SQL, because Prisma cannot skip existing rows on SQLite.
    const inserted = await client.$executeRaw`
      INSERT INTO "StatusReport"
        ("orderId", "source", "digest", "reference", "status", "phone", "happenedAt", "receivedAt", "body")
      VALUES ${join(rows)} ON CONFLICT ("orderId", "digest") DO NOTHING`
    // Each callback is read again before it is applied, so its account is not looked up here.
    for (const { orderId, status, receivedAt: at } of reports)
      note({ kind: 'callback', orderId, accountId: null, at, status })
    return inserted
  },

  /**
   * Callbacks that are not processed yet, in the order of arrival, with the accounts of their orders. Those about an
   * order that is being sent are left out: the answer to its POST, or its loss, comes first.
   * @param after only reports with a higher id; 0 for all.
   */
  unapplied: async (after: number, limit: number): Promise<ArrivedReport[]> => {
    const rows = await client.$queryRaw<(ReportRow & Pick<ArrivedReport, 'accountId'>)[]>`
      SELECT "StatusReport"."id", "orderId", "source", "StatusReport"."reference", "StatusReport"."status", "phone", "happenedAt",
        "receivedAt", "accountId"
      FROM "StatusReport" LEFT JOIN "Order" ON "Order"."id" = "orderId"
      WHERE "appliedAt" IS NULL AND "StatusReport"."id" > ${after}
        AND ("placement" IS NULL OR "placement" <> ${'sending' satisfies Placement}) ORDER BY "StatusReport"."id" LIMIT ${limit}`
    return rows.map((row) => ({ ...reportOf(row), accountId: row.accountId }))
  },

  ofOrder: async (orderId: string, disposition: Disposition): Promise<StatusReport[]> =>
    (await client.statusReport.findMany({ where: { orderId, disposition }, orderBy: { id: 'asc' } })).map(
      reportOf,
    ),

  /** When the provider produced the newest applied callback that reports this status for the order's recipient. */
  producedAt: async (orderId: string, phone: string, status: string): Promise<Date | null> => {
    const where = { orderId, phone, status, source: 'callback', disposition: 'applied' satisfies Disposition }
    return (await client.statusReport.findFirst({ where, orderBy: { id: 'desc' } }))?.happenedAt ?? null
  },

  countCallbacks: (orderId: string): Promise<number> =>
    client.statusReport.count({ where: { orderId, source: 'callback' } }),

  /**
   * Makes the order's callbacks due to be processed again, because its reference is known now: callbacks that waited
   * for it, and callbacks with this reference that were mistaken for another order's.
   */
  reopen: async (orderId: string, reference: string): Promise<void> => {
    const named = { disposition: { in: ['foreign', 'dismissed'] satisfies Disposition[] }, reference }
    const where = { orderId, OR: [{ disposition: 'unmatched' satisfies Disposition }, named] }
    await client.statusReport.updateMany({ where, data: { disposition: null, appliedAt: null } })
  },

  /** Stores a status that did not come by callback. */
  record: async (
    report: Omit<StatusReport, 'id' | 'phone'>,
    disposition: Disposition = 'applied',
  ): Promise<void> => {
    const { orderId, source, reference, status, happenedAt, receivedAt } = report
    const noted = { orderId, source, reference, status, happenedAt, receivedAt }
    await client.statusReport.create({
      data: { ...noted, digest: newId(), appliedAt: receivedAt, disposition },
    })
  },

  /** Erases the phone number and the body of a callback; its reference, status and times stay. */
  eraseContent: async (id: number): Promise<void> => {
    await client.statusReport.updateMany({ where: { id }, data: { phone: null, body: null } })
  },

  /** Stores how callbacks were processed. @returns false if one of them had a disposition already. */
  setDisposition: async (ids: number[], disposition: Disposition, appliedAt: Date): Promise<boolean> => {
    const { count } = await client.statusReport.updateMany({
      where: { id: { in: ids }, appliedAt: null },
      data: { disposition, appliedAt },
    })
    return count === ids.length
  },

  /** Marks callbacks that waited for the order's reference as another order's. */
  disown: async (ids: number[], appliedAt: Date): Promise<void> => {
    const where = { id: { in: ids }, disposition: 'unmatched' satisfies Disposition }
    const data = { disposition: 'foreign' satisfies Disposition, appliedAt }
    await client.statusReport.updateMany({ where, data })
  },
})

export type StatusReportStore = ReturnType<typeof statusReportStore>

type ReportRow = Omit<StatusReport, 'source'> & { source: string }

const reportOf = (row: ReportRow): StatusReport => ({
  id: row.id,
  orderId: row.orderId,
  source: row.source as StatusReport['source'],
  reference: row.reference,
  status: row.status,
  phone: row.phone,
  happenedAt: row.happenedAt,
  receivedAt: row.receivedAt,
})
