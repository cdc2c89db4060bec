import type { DatabaseKind } from '../../../src/database/schema.ts'
import type { List } from '../../../src/domain/list-draft.ts'
import type { AlertName } from '../../../src/domain/notice.ts'
import type { Order, Purchase } from '../../../src/domain/order.ts'
import type { Shop } from '../../../src/domain/selling.ts'
import type { Account, Member } from '../../../src/store/accounts/accounts.ts'
import type { Alert } from '../../../src/store/chats/alerts.ts'
import type { Follow, PendingCredential } from '../../../src/store/chats/chats.ts'
import type { Preferences } from '../../../src/store/chats/preferences.ts'
import type { Disposition, NewStatusReport } from '../../../src/store/orders/status-reports.ts'
import type { Warning } from '../../../src/store/orders/warnings.ts'
import type { PortedNumber } from '../../../src/store/shop/ported-numbers.ts'
import { Journal, Table } from './table.ts'

export type AccountRow = Account & { createdAt: Date }
export type MemberRow = Member
export type PurchaseRow = Purchase & { cause: string }
export type RecipientRow = Order['recipients'][number]
export type OrderRow = Omit<Order, 'recipients'> & { updatedAt: Date; recipients: RecipientRow[] }
export type ReportRow = NewStatusReport & {
  id: number
  appliedAt: Date | null
  disposition: Disposition | null
}

export interface NoticeRow {
  id: number
  chatId: number
  subject: string
  kind: string
  data: string
  createdAt: Date
  attempts: number
  notBefore: Date | null
  mutedAt: Date | null
  quietUntil: Date | null
  setAsideAt: Date | null
}

export interface ChatRow {
  id: number
  mutedAt: Date | null
  invitedAt: Date | null
}

export interface LeaseRow {
  name: string
  token: string
  until: Date
}

export interface InvitationRow {
  tokenHash: string
  expiresAt: Date
  usedAt: Date | null
}

export type ShopRow = Shop & { nameAskedAt: Date | null; hidden: ReadonlySet<number> }

export type WarningRow = Warning & { isOwed: boolean }

/** The tables of the database as they are in memory, of the kind that they stand for. */
export const createTables = (kind: DatabaseKind) => {
  const journal = new Journal(kind === 'sqlite')
  // Leases are counted apart, because nobody has to look at a renewal every few seconds.
  const leaseJournal = new Journal(true)
  return {
    journal,
    leaseJournal,
    accounts: new Table<string, AccountRow>(journal),
    members: new Table<number, MemberRow>(journal),
    purchases: new Table<string, PurchaseRow>(journal),
    orders: new Table<string, OrderRow>(journal),
    statusReports: new Table<number, ReportRow>(journal),
    notices: new Table<number, NoticeRow>(journal),
    chats: new Table<number, ChatRow>(journal),
    leases: new Table<string, LeaseRow>(leaseJournal),
    lists: new Table<string, List>(journal),
    follows: new Table<string, Follow & { createdAt: Date }>(journal),
    halfCredentials: new Table<number, PendingCredential>(journal),
    invitations: new Table<string, InvitationRow>(journal),
    ported: new Table<string, PortedNumber & { accountId: string }>(journal),
    preferences: new Table<number, Preferences>(journal),
    shops: new Table<string, ShopRow>(journal),
    alerts: new Table<string, Alert & { name: AlertName | 'prompt' }>(journal),
    warnings: new Table<string, WarningRow>(journal),
    facts: new Table<string, { name: string; value: string }>(journal),
    /** Times of an account's requests (epoch ms), in order. */
    requests: new Table<string, { accountId: string; times: readonly number[] }>(journal),
  }
}

export type Tables = ReturnType<typeof createTables>
