import type { Document } from 'grammy/types'
import type { Logger } from 'pino'
import type { Agency } from '../../accounts/agency.ts'
import type { Membership } from '../../accounts/membership.ts'
import type { SecurityJournal } from '../../accounts/security-trail.ts'
import type { ExportFormat } from '../../exports/export-file.ts'
import type { ExportPeriod } from '../../exports/export-period.ts'
import type { Prices } from '../../orders/buying/prices.ts'
import type { Person, Purchases } from '../../orders/buying/purchases.ts'
import type { Complaints } from '../../orders/following/complaints.ts'
import type { Enquiries } from '../../orders/following/enquiries.ts'
import type { Tracker } from '../../orders/following/tracker.ts'
import type { Lists } from '../../orders/listing/list-orders.ts'
import type { Reconciler } from '../../orders/reconciling/reconciler.ts'
import type { Store } from '../../store/store.ts'
import type { StoredBalance } from '../../wallets/balance-reading.ts'
import type { Keyring } from '../../wallets/credentials/keyring.ts'
import type { Wallets } from '../../wallets/wallets.ts'
import type { ExportSubject } from '../buttons/export-choice.ts'
import type { AskedOrders } from './asked-orders.ts'
import type { ListFileReading } from './files/read-list-file.ts'
import type { RecentPeople } from './recent-people.ts'

/** What the bot's features use. */
export interface Services {
  store: Store
  keyring: Keyring
  membership: Membership
  agency: Agency
  wallets: Wallets
  prices: Prices
  /**
   * Reads the account's balance again if the stored one is too old for a card that asks for a payment.
   * @param neededPesewas the amount that the card asks for.
   * @param known the stored balance, if it was read just now.
   */
  freshenBalance: (accountId: string, neededPesewas: number, known?: StoredBalance | null) => Promise<boolean>
  purchases: Purchases
  lists: Lists
  enquiries: Enquiries
  complaints: Complaints
  askedOrders: AskedOrders
  recentPeople: RecentPeople
  /** Reads the list in a document, unless something in it is a secret. */
  readFile: (document: Document, isSecret: (text: string) => Promise<boolean>) => Promise<ListFileReading>
  exporter: Exporter
  tracker: Tracker
  reconciler: Reconciler
  security: SecurityJournal
  access: 'open' | 'invite'
  ownerIds: readonly number[]
  /**
   * Counts a look-up of a stranger's order for each chat and person that asks. @returns how long the person must wait,
   * ms; 0 if the look-up is allowed now.
   */
  mayLookUp: (askerIds: readonly number[]) => Promise<number>
  /** Whether the disk is nearly full, so that new orders and lists are refused. */
  isShortOfRoom: () => boolean
  /** Called when a person asked to be forgotten, so that their data is erased soon. */
  onForgotten: () => void
  /** Called when a notice was enqueued. */
  onNotice: () => void
  /** Called when orders were queued. */
  onQueued: () => void
  now: () => Date
  log: Logger
}

/**
 * Makes files of a person's orders or of the wallet's entries, and sends them to the chat. One message shows the
 * progress. The progress is not stored: if the process ends, so does the export, and the person starts it again.
 */
export interface Exporter {
  /** Whether the chat has a running export. It can have only one. */
  isBusy(chatId: number): boolean
  /** Starts an export. @param messageId the message to show the progress in; null: a new one. */
  begin(person: Person, wish: ExportWish, messageId: number | null): void
  /**
   * Ends the export that the message shows, or the chat's export in another process. @returns false if there was none.
   */
  cancel(chatId: number, messageId: number | null): Promise<boolean>
  /** Ends all exports, and says so in their chats. */
  stop(): Promise<void>
}

export interface ExportWish {
  subject: ExportSubject
  period: ExportPeriod
  format: ExportFormat
}
