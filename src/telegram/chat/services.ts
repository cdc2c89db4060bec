import type { Document } from 'grammy/types'
import type { Logger } from 'pino'
import type { Agency } from '../../accounts/agency.ts'
import type { Membership } from '../../accounts/membership.ts'
import type { SecurityJournal } from '../../accounts/security-trail.ts'
import type { Prices } from '../../orders/buying/prices.ts'
import type { Purchases } from '../../orders/buying/purchases.ts'
import type { Enquiries } from '../../orders/following/enquiries.ts'
import type { Tracker } from '../../orders/following/tracker.ts'
import type { Lists } from '../../orders/listing/list-orders.ts'
import type { Reconciler } from '../../orders/reconciling/reconciler.ts'
import type { Store } from '../../store/store.ts'
import type { StoredBalance } from '../../wallets/balance-reading.ts'
import type { Keyring } from '../../wallets/credentials/keyring.ts'
import type { Wallets } from '../../wallets/wallets.ts'
import type { Exporter } from '../features/exporting/exporter.ts'
import type { AskedOrders } from './asked-orders.ts'
import type { ListFileReading } from './list-file.ts'

/** The collaborators of the bot's features. */
export interface Services {
  store: Store
  keyring: Keyring
  membership: Membership
  agency: Agency
  wallets: Wallets
  prices: Prices
  /**
   * Reads the balance for a card that asks for a payment of so much, if the known balance is too old.
   * @param known the stored balance, if it was read just now.
   */
  freshenBalance: (accountId: string, neededPesewas: number, known?: StoredBalance | null) => Promise<void>
  purchases: Purchases
  lists: Lists
  enquiries: Enquiries
  askedOrders: AskedOrders
  /** Reads the list in a document that somebody sent, unless something in it is a secret. */
  readFile: (document: Document, isSecret: (text: string) => Promise<boolean>) => Promise<ListFileReading>
  /** Makes the files that people ask for. */
  exporter: Exporter
  tracker: Tracker
  reconciler: Reconciler
  security: SecurityJournal
  access: 'open' | 'invite'
  ownerIds: readonly number[]
  /**
   * Counts a look-up of a stranger's order for each chat and person that asks. Returns how long to wait, 0 for none.
   */
  mayLookUp: (askerIds: readonly number[]) => Promise<number>
  /** Whether the disk is nearly full: then nothing new is taken in. */
  isShortOfRoom: () => boolean
  /** Called when something is to be erased. */
  onForgotten: () => void
  /** Called when something is owed to a chat. */
  onNotice: () => void
  /** Called when waiting orders may go. */
  onQueued: () => void
  now: () => Date
  log: Logger
}
