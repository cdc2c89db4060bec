import type { Client, Database } from '../database/database.ts'
import type { TransactionOptions } from '../database/transactions.ts'
import { type AccountStore, accountStore } from './accounts.ts'
import { type AlarmStore, alarmStore } from './alarms.ts'
import { type BacklogStore, backlogStore } from './backlog.ts'
import { type CardStore, cardStore } from './cards.ts'
import type { Change, Note } from './changes.ts'
import { type ChatStore, chatStore } from './chats.ts'
import { type CopyStore, copyStore } from './copies.ts'
import { type CredentialStore, credentialStore } from './credentials.ts'
import { type CustomerStore, customerStore } from './customers.ts'
import { type EnquiryStore, enquiryStore } from './enquiries.ts'
import { type EventStore, eventStore } from './events.ts'
import { type ExportStore, exportStore } from './exports.ts'
import { type FollowStore, followStore } from './follows.ts'
import { type HistoryStore, historyStore } from './history.ts'
import { type InvitationStore, invitationStore } from './invitations.ts'
import { type KnownNumberStore, knownNumberStore } from './known-numbers.ts'
import { type LeaseStore, leaseStore } from './leases.ts'
import { type ListStore, listStore } from './lists.ts'
import { type MenuStore, menuStore } from './menus.ts'
import { type NoticeStore, noticeStore } from './notices.ts'
import { type OperationStore, operationStore } from './operations.ts'
import { type OrderStore, orderStore } from './orders.ts'
import { type PersonalDataStore, personalDataStore } from './personal-data.ts'
import { type PortedNumberStore, portedNumberStore } from './ported-numbers.ts'
import { type PreferenceStore, preferenceStore } from './preferences.ts'
import { type PurchaseStore, purchaseStore } from './purchases.ts'
import { type ReductionStore, reductionStore } from './reduction.ts'
import { type RequestStore, requestStore } from './requests.ts'
import { type SecurityEventStore, securityEventStore } from './security-events.ts'
import { type ShopStore, shopStore } from './shops.ts'
import { type TallyStore, tallyStore } from './tallies.ts'
import { type UnansweredStore, unansweredStore } from './unanswered.ts'
import { type UpdateStore, updateStore } from './updates.ts'
import { type VisitStore, visitStore } from './visits.ts'
import { type WalletStore, walletStore } from './wallets.ts'
import { type WarningStore, warningStore } from './warnings.ts'

/** All queries, by subject: on the database itself, or in one transaction of it. */
export interface Queries {
  accounts: AccountStore
  alarms: AlarmStore
  backlog: BacklogStore
  cards: CardStore
  chats: ChatStore
  copies: CopyStore
  credentials: CredentialStore
  customers: CustomerStore
  enquiries: EnquiryStore
  events: EventStore
  exports: ExportStore
  follows: FollowStore
  history: HistoryStore
  invitations: InvitationStore
  knownNumbers: KnownNumberStore
  leases: LeaseStore
  lists: ListStore
  menus: MenuStore
  notices: NoticeStore
  operations: OperationStore
  orders: OrderStore
  personalData: PersonalDataStore
  ported: PortedNumberStore
  preferences: PreferenceStore
  purchases: PurchaseStore
  reduction: ReductionStore
  requests: RequestStore
  security: SecurityEventStore
  shops: ShopStore
  tallies: TallyStore
  unanswered: UnansweredStore
  updates: UpdateStore
  visits: VisitStore
  wallets: WalletStore
  warnings: WarningStore
}

/** All queries, transactions of them, and the database's clock. */
export interface Store extends Queries {
  /** The clock that all processes on the database share: leases use it. */
  clock(): Promise<Date>
  /**
   * Runs the work in one transaction: all of it is committed, or nothing. If it conflicts with another transaction it
   * runs again, so it must change nothing but the database.
   */
  transaction<T>(work: (tx: Queries) => Promise<T>, options?: TransactionOptions): Promise<T>
}

const queriesOn = (client: Client, note: Note): Queries => ({
  accounts: accountStore(client, note),
  alarms: alarmStore(client),
  backlog: backlogStore(client),
  cards: cardStore(client),
  chats: chatStore(client),
  copies: copyStore(client),
  credentials: credentialStore(client),
  customers: customerStore(client),
  enquiries: enquiryStore(client),
  events: eventStore(client, note),
  exports: exportStore(client),
  follows: followStore(client),
  history: historyStore(client),
  invitations: invitationStore(client),
  knownNumbers: knownNumberStore(client),
  leases: leaseStore(client),
  lists: listStore(client),
  menus: menuStore(client),
  notices: noticeStore(client),
  operations: operationStore(client),
  orders: orderStore(client, note),
  personalData: personalDataStore(client),
  ported: portedNumberStore(client),
  preferences: preferenceStore(client),
  purchases: purchaseStore(client),
  reduction: reductionStore(client),
  requests: requestStore(client),
  security: securityEventStore(client),
  shops: shopStore(client),
  tallies: tallyStore(client),
  unanswered: unansweredStore(client),
  updates: updateStore(client),
  visits: visitStore(client),
  wallets: walletStore(client),
  warnings: warningStore(client),
})

/** What else is done with the changes of orders and accounts. */
interface ChangeHooks {
  /** Writes, in their transaction, what a crash after its commit must not lose. */
  beforeCommit?: (tx: Queries, changes: readonly Change[]) => Promise<void>
  /** Called with the changes of each commit, once: never with what was rolled back, or is run again. */
  onCommitted?: (changes: readonly Change[]) => void
}

/** Builds all queries on an open database. */
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
