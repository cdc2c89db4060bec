import type { StatusReport } from '../../../src/domain/status.ts'
import type { StatusReportStore } from '../../../src/store/orders/status-reports.ts'
import type { ReportRow, Tables } from './rows.ts'

const reportOf = (row: ReportRow): StatusReport => {
  const { digest: _, body: __, appliedAt: ___, disposition: ____, ...report } = row
  return report
}

const inOrder = (a: ReportRow, b: ReportRow): number => a.id - b.id
const idOf = ({ id }: ReportRow): number => id
const keyOf = ({ orderId, digest }: Pick<ReportRow, 'orderId' | 'digest'>): string => `${orderId} ${digest}`

export const memoryStatusReports = ({ statusReports, orders }: Tables): StatusReportStore => {
  const waiting = statusReports.part(({ appliedAt }) => appliedAt === null)

  return {
    insert: async (news) => {
      const seen = new Set(statusReports.all().map(keyOf))
      let stored = 0
      for (const report of news) {
        // SQLite also gives a number to a row that it then leaves out as a repeat.
        const id = statusReports.nextId()
        if (seen.has(keyOf(report))) continue
        seen.add(keyOf(report))
        statusReports.set(id, { ...report, id, appliedAt: null, disposition: null })
        stored += 1
      }
      return stored
    },

    unapplied: async (after, limit, except = []) =>
      waiting()
        .filter(({ id }) => id > after)
        .sort(inOrder)
        .map((row) => ({ ...reportOf(row), accountId: orders.get(row.orderId)?.accountId ?? null }))
        .filter(({ accountId, orderId }) => !except.includes(accountId ?? orderId))
        .slice(0, limit),

    ofOrder: async (orderId, disposition) =>
      statusReports
        .where((row) => row.orderId === orderId && row.disposition === disposition)
        .sort(inOrder)
        .map(reportOf),

    producedAt: async (orderId, phone, status) =>
      statusReports
        .where((row) => row.orderId === orderId && row.phone === phone && row.status === status)
        .filter(({ source, disposition }) => source === 'callback' && disposition === 'applied')
        .sort(inOrder)
        .at(-1)?.happenedAt ?? null,

    countCallbacks: async (orderId) =>
      statusReports.where((row) => row.orderId === orderId && row.source === 'callback').length,

    reopen: async (orderId, reference) => {
      statusReports.update(
        (row) =>
          row.orderId === orderId &&
          (row.disposition === 'unmatched' ||
            ((row.disposition === 'foreign' || row.disposition === 'dismissed') &&
              row.reference === reference)),
        idOf,
        (row) => ({ ...row, disposition: null, appliedAt: null }),
      )
    },

    record: async (report, disposition = 'applied') => {
      const id = statusReports.nextId()
      const judged = { appliedAt: report.receivedAt, disposition }
      statusReports.set(id, { ...report, ...judged, id, digest: `note ${id}`, phone: null, body: null })
    },

    eraseContent: async (id) => {
      statusReports.update(
        (row) => row.id === id,
        idOf,
        (row) => ({ ...row, phone: null, body: null }),
      )
    },

    setDisposition: async (ids, disposition, appliedAt) => {
      const count = statusReports.update(
        (row) => ids.includes(row.id) && row.appliedAt === null,
        idOf,
        (row) => ({ ...row, disposition, appliedAt }),
      )
      return count === ids.length
    },

    disown: async (ids, appliedAt) => {
      statusReports.update(
        (row) => ids.includes(row.id) && row.disposition === 'unmatched',
        idOf,
        (row) => ({ ...row, disposition: 'foreign', appliedAt }),
      )
    },
  }
}
