import type { Logger } from 'pino'
import { accountHash } from '../log.ts'
import type { SecurityEventStore, SecurityRow } from '../store/accounts/security-events.ts'
import type { Queries } from '../store/store.ts'
import type { Keyring } from '../wallets/credentials/keyring.ts'

/** The kinds of events that are kept. */
export const securityKinds = [
  'connected',
  'left',
  'wrong_credentials',
  'credentials_replaced',
  'credentials_refused',
  'account_erased',
  'secret_typed',
  'invited',
  'invitation_revoked',
  'agent_limit',
  'agent_networks',
  'agent_prices',
  'agent_paused',
  'agent_resumed',
  'agent_removed',
  'owner_removed',
  'exported',
  'data_deleted',
  'customer_blocked',
  'customer_unblocked',
  'chat_blocked',
  'chat_unblocked',
  'operator_invited',
  'orders_paused',
  'orders_resumed',
  'network_down',
  'network_up',
  'prefix_changed',
  'bot_named',
  'forged_press',
  'token_misused',
] as const

/** The kind of a security event. */
export type SecurityKind = (typeof securityKinds)[number]

/** One security event. `accountId` and `userId` are null if it is not about an account or a person. */
export interface SecurityEvent {
  kind: SecurityKind
  accountId: string | null
  userId: number | null
  /** A word of ours, never what somebody wrote. */
  detail?: string
}

/**
 * Keeps the events that matter for security. Each row carries an authentication code by a key that is not in the
 * database, so a row that was changed or made up is found. A row that was deleted is found by comparing with the log.
 */
export interface SecurityJournal {
  /** Keeps an event that has happened already, so it never throws. */
  note(event: SecurityEvent): Promise<void>
  /** Keeps an event in the transaction of the act itself: with it, or not at all. @throws the database's errors. */
  noteIn(tx: Queries, event: SecurityEvent): Promise<void>
  /** Logs an event that was kept, once it is committed. */
  say(event: SecurityEvent): void
  /** Newest first. @param accountId null: events of all accounts. */
  page(accountId: string | null, skip: number, take: number): Promise<SecurityRow[]>
  /** Checks the newest rows. @returns the id of the newest that is not as it was written; null: all are. */
  alteredRow(): Promise<number | null>
  /** Whether the tag is that person's. */
  isActor(tag: string, userId: number): boolean
}

/** One event of a kind by one person is enough for a minute, so that nobody fills the table. */
const restMs = 60_000
const maxRemembered = 1_000
const oftenRepeated: ReadonlySet<SecurityKind> = new Set([
  'wrong_credentials',
  'secret_typed',
  'forged_press',
])
/** How many rows are checked. */
const maxChecked = 2_000

/**
 * The journal of this database. Ids go into it as keyed tags, so it holds nothing that deleting a person would erase.
 */
export const createSecurityJournal = (options: {
  store: { security: SecurityEventStore }
  keyring: Keyring
  now: () => Date
  log: Logger
}): SecurityJournal => {
  const { store, keyring, now, log } = options
  const lately = new Map<string, number>()

  const isRepeated = ({ kind, userId }: SecurityEvent, atMs: number): boolean => {
    if (!oftenRepeated.has(kind)) return false
    const name = `${kind} ${userId}`
    if (atMs - (lately.get(name) ?? Number.NEGATIVE_INFINITY) < restMs) return true
    if (lately.size >= maxRemembered) lately.clear()
    lately.set(name, atMs)
    return false
  }

  const tagOf = (id: string | number | null): string =>
    id === null ? '' : (keyring.tags(String(id))[0] ?? '')

  const rowOf = ({ kind, accountId, userId, detail = '' }: SecurityEvent, at: Date): NewRow => ({
    ...{ at, kind, detail },
    account: tagOf(accountId),
    actor: tagOf(userId),
  })

  const append = async ({ security }: { security: SecurityEventStore }, row: NewRow): Promise<void> => {
    const [code = ''] = codesOf(keyring, row)
    await security.append({ ...row, code })
  }

  const say = ({ kind, accountId, detail }: SecurityEvent): void =>
    log.info(
      { kind, ...(accountId !== null && { account: accountHash(accountId) }), ...(detail && { detail }) },
      'a security event',
    )

  return {
    note: async (event) => {
      const at = now()
      if (isRepeated(event, at.getTime())) return
      say(event)
      try {
        await append(store, rowOf(event, at))
      } catch (error) {
        log.error({ kind: event.kind, err: error }, 'a security event could not be stored')
      }
    },
    noteIn: (tx, event) => append(tx, rowOf(event, now())),
    say,
    page: (accountId, skip, take) =>
      store.security.page(accountId === null ? null : keyring.tags(accountId), skip, take),
    alteredRow: async () => alteredIn(keyring, await store.security.page(null, 0, maxChecked)),
    isActor: (tag, userId) => tag !== '' && keyring.tags(String(userId)).includes(tag),
  }
}

type NewRow = Omit<SecurityRow, 'id' | 'code'>

/** One code for each key, with the name of its key. */
const codesOf = (keyring: Keyring, { at, kind, account, actor, detail }: NewRow): string[] =>
  keyring
    .eventCodes(JSON.stringify([at.toISOString(), kind, account, actor, detail]))
    .map((code, index) => `${keyring.keyIds[index]}.${code}`)

/**
 * The newest row that is not as it was written. Rows from before a key that is no longer listed cannot be checked, but a
 * newer row may not claim to be one of these.
 * @param rows newest first.
 */
const alteredIn = (keyring: Keyring, rows: readonly SecurityRow[]): number | null => {
  const isOfListedKey = ({ code }: SecurityRow) => keyring.keyIds.includes(code.split('.')[0] ?? '')
  const checked = rows.slice(0, rows.findLastIndex(isOfListedKey) + 1)
  return checked.find((row) => !codesOf(keyring, row).includes(row.code))?.id ?? null
}
