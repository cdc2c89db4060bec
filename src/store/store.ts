import type { Client, Database } from '../database/database.ts'
import type { TransactionOptions } from '../database/transactions.ts'
import { type AccountStore, accountStore } from './accounts/accounts.ts'
import { type CredentialStore, credentialStore } from './accounts/credentials.ts'
import { type InvitationStore, invitationStore } from './accounts/invitations.ts'
import { type PersonalDataStore, personalDataStore } from './accounts/personal-data.ts'
import { type RedactionStore, redactionStore } from './accounts/redaction.ts'
import { type RequestStore, requestStore } from './accounts/requests.ts'
import { type SecurityEventStore, securityEventStore } from './accounts/security-events.ts'
import { type WalletStore, walletStore } from './accounts/wallet-orders.ts'
import type { Change, Note } from './changes.ts'
import { type AlertStore, alertStore } from './chats/alerts.ts'
import { type ChatSnapshotStore, chatSnapshotStore } from './chats/chat-snapshot.ts'
import { type ChatStore, chatStore } from './chats/chats.ts'
import { type ComplaintStore, complaintStore } from './chats/complaints.ts'
import { type CopyStore, copyStore } from './chats/copies.ts'
import { type EnquiryStore, enquiryStore } from './chats/enquiries.ts'
import { type FollowStore, followStore } from './chats/follows.ts'
import { type KeptUpdateStore, keptUpdateStore } from './chats/kept-updates.ts'
import { type MenuStore, menuStore } from './chats/menus.ts'
import { type NoticeStore, noticeStore } from './chats/notices.ts'
import { type PreferenceStore, preferenceStore } from './chats/preferences.ts'
import { type UnansweredStore, unansweredStore } from './chats/unanswered.ts'
import { type BacklogStore, backlogStore } from './operators/backlog.ts'
import { type FactStore, factStore } from './operators/facts.ts'
import { type LeaseStore, leaseStore } from './operators/leases.ts'
import { type OverviewStore, overviewStore } from './operators/overview.ts'
import { type CardStore, cardStore } from './orders/cards.ts'
import { type ExportStore, exportStore } from './orders/exports.ts'
import { type HistoryStore, historyStore } from './orders/history.ts'
import { type ListStore, listStore } from './orders/lists.ts'
import { type OrderStore, orderStore } from './orders/orders.ts'
import { type PurchaseStore, purchaseStore } from './orders/purchases.ts'
import { type ReminderStore, reminderStore } from './orders/reminders.ts'
import { type StatusReportStore, statusReportStore } from './orders/status-reports.ts'
import { type WarningStore, warningStore } from './orders/warnings.ts'
import { type ContactStore, contactStore } from './shop/contacts.ts'
import { type KnownNumberStore, knownNumberStore } from './shop/known-numbers.ts'
import { type PortedNumberStore, portedNumberStore } from './shop/ported-numbers.ts'
import { type ShopStore, shopStore } from './shop/shops.ts'
import { type TallyStore, tallyStore } from './shop/tallies.ts'

/** All queries, by subject, either on the database itself or in one transaction. */
export interface Queries {
  accounts: AccountStore
  alerts: AlertStore
  backlog: BacklogStore
  cards: CardStore
  chats: ChatStore
  complaints: ComplaintStore
  copies: CopyStore
  credentials: CredentialStore
  contacts: ContactStore
  enquiries: EnquiryStore
  statusReports: StatusReportStore
  exports: ExportStore
  follows: FollowStore
  history: HistoryStore
  invitations: InvitationStore
  knownNumbers: KnownNumberStore
  facts: FactStore
  leases: LeaseStore
  lists: ListStore
  menus: MenuStore
  notices: NoticeStore
  operations: OverviewStore
  orders: OrderStore
  personalData: PersonalDataStore
  ported: PortedNumberStore
  preferences: PreferenceStore
  purchases: PurchaseStore
  redaction: RedactionStore
  reminders: ReminderStore
  requests: RequestStore
  security: SecurityEventStore
  shops: ShopStore
  tallies: TallyStore
  unanswered: UnansweredStore
  updates: KeptUpdateStore
  chatSnapshots: ChatSnapshotStore
  walletOrders: WalletStore
  warnings: WarningStore
}

export interface Store extends Queries {
  /** The database's clock, which all processes on the database share. Leases use it. */
  clock(): Promise<Date>
  /**
   * Runs the work in one transaction: all of it is committed, or nothing. After a conflict with another transaction the
   * work runs again, so it must change nothing but the database.
   */
  transaction<T>(work: (tx: Queries) => Promise<T>, options?: TransactionOptions): Promise<T>
}

const queriesOn = (client: Client, note: Note): Queries => ({
  accounts: accountStore(client, note),
  alerts: alertStore(client),
  backlog: backlogStore(client),
  cards: cardStore(client),
  chats: chatStore(client),
  complaints: complaintStore(client),
  copies: copyStore(client),
  credentials: credentialStore(client),
  contacts: contactStore(client),
  enquiries: enquiryStore(client),
  statusReports: statusReportStore(client, note),
  exports: exportStore(client),
  follows: followStore(client),
  history: historyStore(client),
  invitations: invitationStore(client),
  knownNumbers: knownNumberStore(client),
  facts: factStore(client),
  leases: leaseStore(client),
  lists: listStore(client),
  menus: menuStore(client),
  notices: noticeStore(client),
  operations: overviewStore(client),
  orders: orderStore(client, note),
  personalData: personalDataStore(client),
  ported: portedNumberStore(client),
  preferences: preferenceStore(client),
  purchases: purchaseStore(client),
  redaction: redactionStore(client),
  reminders: reminderStore(client),
  requests: requestStore(client),
  security: securityEventStore(client),
  shops: shopStore(client),
  tallies: tallyStore(client),
  unanswered: unansweredStore(client),
  updates: keptUpdateStore(client),
  chatSnapshots: chatSnapshotStore(client),
  walletOrders: walletStore(client),
  warnings: warningStore(client),
})

interface ChangeHooks {
  /** Writes the consequences that a crash after the commit must not lose. Runs in the same transaction. */
  beforeCommit?: (tx: Queries, changes: readonly Change[]) => Promise<void>
  /** Called once with the changes of each commit, and never with changes that were rolled back. */
  onCommitted?: (changes: readonly Change[]) => void
}

export const createStore = (
  { client, transaction, clock }: Pick<Database, 'client' | 'transaction' | 'clock'>,
  { beforeCommit = async () => {}, onCommitted = () => {} }: ChangeHooks = {},
): Store => ({
  ...queriesOn(client, (change) => onCommitted([change])),
  clock,
  transaction: async (work, options) => {
    const { result, changes } = await transaction(async (client) => {
      const changes: Change[] = []
      const tx = queriesOn(client, (change) => changes.push(change))
      const result = await work(tx)
      await beforeCommit(tx, changes)
      return { result, changes }
    }, options)
    if (changes.length > 0) onCommitted(changes)
    return result
  },
})
