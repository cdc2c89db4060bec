import type { Client, Database } from '../database/database.ts'
import type { DatabaseKind } from '../database/schema.ts'
import type { Scope } from '../database/scope.ts'
import { type AccountStore, accountStore } from './accounts.ts'
import { type AlarmStore, alarmStore } from './alarms.ts'
import { type BacklogStore, backlogStore } from './backlog.ts'
import { type CardStore, cardStore } from './cards.ts'
import { type ChatStore, chatStore } from './chats.ts'
import { type CopyStore, copyStore } from './copies.ts'
import { type CredentialStore, credentialStore } from './credentials.ts'
import { type CustomerStore, customerStore } from './customers.ts'
import { type DutyStore, dutyStore } from './duty-mending.ts'
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
import { bounded, widening } from './scoped.ts'
import { type SecurityEventStore, securityEventStore } from './security-events.ts'
import { type SetBack, setBackOn } from './set-back.ts'
import { type ShopStore, shopStore } from './shops.ts'
import { type TallyStore, tallyStore } from './tallies.ts'
import { type UnansweredStore, unansweredStore } from './unanswered.ts'
import { type UpdateStore, updateStore } from './updates.ts'
import { type VisitStore, visitStore } from './visits.ts'
import { type WalletStore, walletStore } from './wallets.ts'
import { type WarningStore, warningStore } from './warnings.ts'

/** The queries for making, sending and following orders, by subject. */
export interface Queries {
  accounts: AccountStore
  purchases: PurchaseStore
  orders: OrderStore
  events: EventStore
  notices: NoticeStore
  chats: ChatStore
  copies: CopyStore
  leases: LeaseStore
  lists: ListStore
  requests: RequestStore
  preferences: PreferenceStore
  ported: PortedNumberStore
  shops: ShopStore
  alarms: AlarmStore
  warnings: WarningStore
}

/** The queries of the order journal, with its transactions and its clock. */
export interface Store extends Queries {
  /** The clock that all processes on the database share: leases use it. */
  clock(): Promise<Date>
  /** Brings times back after the clock was set back, in one transaction. */
  clockSetBack: SetBack
  /**
   * Runs the work in one transaction: all of it is committed, or nothing. If it conflicts with another transaction it
   * runs again, so it must change nothing but the database.
   * @param limitMs longer work is rolled back (default: 10 s).
   */
  transaction<T>(work: (queries: Queries) => Promise<T>, limitMs?: number): Promise<T>
  /**
   * The same, while others work on parts outside the scope. If the work comes upon an order of an account outside, it
   * runs again with that account.
   */
  within<T>(scope: Scope, work: (queries: Queries) => Promise<T>): Promise<T>
}

/** All queries, including those of the chat alone about people's other data. */
export interface AllQueries extends Queries {
  credentials: CredentialStore
  customers: CustomerStore
  enquiries: EnquiryStore
  follows: FollowStore
  invitations: InvitationStore
  menus: MenuStore
  history: HistoryStore
  tallies: TallyStore
  unanswered: UnansweredStore
  wallets: WalletStore
  reduction: ReductionStore
  personalData: PersonalDataStore
  operations: OperationStore
  security: SecurityEventStore
}

/** The store with all queries of the chat. */
export interface WholeStore extends AllQueries, Omit<Store, 'transaction' | 'within' | keyof AllQueries> {
  backlog: BacklogStore
  cards: CardStore
  duties: DutyStore
  exports: ExportStore
  knownNumbers: KnownNumberStore
  updates: UpdateStore
  visits: VisitStore
  transaction<T>(work: (queries: AllQueries) => Promise<T>, limitMs?: number): Promise<T>
  within<T>(scope: Scope, work: (queries: AllQueries) => Promise<T>): Promise<T>
}

const queriesOn = (client: Client, kind: DatabaseKind): AllQueries => ({
  accounts: accountStore(client),
  purchases: purchaseStore(client),
  orders: orderStore({ client, kind }),
  events: eventStore(client),
  notices: noticeStore({ client, kind }),
  chats: chatStore(client),
  copies: copyStore(client),
  leases: leaseStore(client),
  lists: listStore(client),
  requests: requestStore(client),
  preferences: preferenceStore(client),
  ported: portedNumberStore(client),
  shops: shopStore(client),
  alarms: alarmStore(client),
  warnings: warningStore(client),
  credentials: credentialStore(client),
  customers: customerStore(client),
  enquiries: enquiryStore(client),
  follows: followStore(client),
  invitations: invitationStore(client),
  menus: menuStore(client),
  history: historyStore(client),
  tallies: tallyStore(client),
  unanswered: unansweredStore(client),
  wallets: walletStore(client),
  reduction: reductionStore(client),
  personalData: personalDataStore(client),
  operations: operationStore(client),
  security: securityEventStore(client),
})

/** The longest that a transaction may take. */
const transactionMs = 10_000
/** Longer, because it goes through whole tables; no other work could be right meanwhile. */
const bringBackMs = 60_000

/** Builds all queries on an open database. */
export const createStore = ({
  kind,
  client,
  transaction,
  clock,
}: Pick<Database, 'kind' | 'client' | 'transaction' | 'clock'>): WholeStore => {
  const within: WholeStore['within'] = (scope, work) =>
    widening(scope, (current) =>
      transaction((tx) => work(bounded(queriesOn(tx, kind), current)), transactionMs, current),
    )
  return {
    ...queriesOn(client, kind),
    duties: dutyStore(client),
    backlog: backlogStore(client),
    cards: cardStore(client),
    exports: exportStore(client),
    knownNumbers: knownNumberStore(client),
    updates: updateStore(client),
    visits: visitStore(client),
    clock,
    clockSetBack: {
      newest: () => setBackOn(client, kind).newest(),
      bringBack: (...how) => transaction((tx) => setBackOn(tx, kind).bringBack(...how), bringBackMs),
    },
    transaction: (work, limitMs = transactionMs) => transaction((tx) => work(queriesOn(tx, kind)), limitMs),
    within,
  }
}
