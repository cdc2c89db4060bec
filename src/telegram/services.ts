import type { Document } from 'grammy/types'
import type { Logger } from 'pino'
import type { Agency } from '../accounts/agency.ts'
import type { Keyring } from '../accounts/keyring.ts'
import type { Membership } from '../accounts/membership.ts'
import type { SecurityJournal } from '../accounts/security-journal.ts'
import type { Wallets } from '../accounts/wallets.ts'
import type { Enquiries } from '../orders/enquiries.ts'
import type { Lists } from '../orders/lists.ts'
import type { Prices } from '../orders/prices.ts'
import type { Purchases } from '../orders/purchases.ts'
import type { Settler } from '../orders/settler.ts'
import type { Tracker } from '../orders/tracker.ts'
import type { WholeStore } from '../store/store.ts'
import type { Exporter } from './exporter.ts'
import type { ListFileReading } from './list-file.ts'

/** What the bot's features work with. */
export interface Services {
  store: WholeStore
  keyring: Keyring
  membership: Membership
  agency: Agency
  wallets: Wallets
  prices: Prices
  /** Reads the balance for a card on which so much is to be paid from it, if the known one is too old. */
  freshenBalance: (accountId: string, neededPesewas: number) => Promise<void>
  purchases: Purchases
  lists: Lists
  enquiries: Enquiries
  /** The list in a document that somebody sent, unless something in it is a secret. */
  readFile: (document: Document, isSecret: (text: string) => Promise<boolean>) => Promise<ListFileReading>
  /** Makes files of what a person asks for. */
  exporter: Exporter
  tracker: Tracker
  settler: Settler
  security: SecurityJournal
  access: 'open' | 'invite'
  ownerIds: readonly number[]
  /** Counts a look-up of a stranger's order for each chat and person that asks; returns how long to wait, 0 for none. */
  mayLookUp: (askerIds: readonly number[]) => Promise<number>
  /** The disk is nearly full: nothing new is taken in. */
  isShortOfRoom: () => boolean
  /** Something is to be erased. */
  onForgotten: () => void
  /** Something is owed to a chat. */
  onNotice: () => void
  now: () => Date
  log: Logger
}
