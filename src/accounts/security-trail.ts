import type { Logger } from 'pino'
import { accountHash } from '../base/log.ts'
import type { SecurityEventStore, SecurityRow } from '../store/accounts/security-events.ts'
import type { Queries } from '../store/store.ts'
import type { Keyring } from '../wallets/credentials/keyring.ts'

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
  'agent_price',
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
  'balance_code_changed',
  'complaint_rule_changed',
  'chat_blocked',
  'chat_unblocked',
  'operator_invited',
  'orders_paused',
  'orders_resumed',
  'network_down',
  'network_back',
  'prefix_changed',
  'bot_named',
  'forged_press',
  'token_misused',
] as const

export type SecurityKind = (typeof securityKinds)[number]

/** `accountId` and `userId` are null if the event concerns no account or no person. */
export interface SecurityEvent {
  kind: SecurityKind
  accountId: string | null
  userId: number | null
  /** Written by the bot, never text that somebody typed. */
  detail?: string
}

/**
 * Stores the events that matter for security. Each row has an authentication code made with a key that is not in the
 * database, so a forged or changed row is detected. A deleted row is detected by comparison with the log.
 */
export interface SecurityJournal {
  /** Stores an event that has already happened. Never throws. */
  note(event: SecurityEvent): Promise<void>
  /** Stores an event in the transaction of its cause. @throws the database's errors. */
  noteIn(tx: Queries, event: SecurityEvent): Promise<void>
  /** Logs an event that `noteIn` has stored. Call it after the commit. */
  say(event: SecurityEvent): void
  /** A page of events, newest first. @param accountId null for events of all accounts. */
  page(accountId: string | null, skip: number, take: number): Promise<SecurityRow[]>
  /** Checks the newest rows. @returns the id of the newest row that somebody has altered; null if there is none. */
  alteredRow(): Promise<number | null>
  /** Whether the tag in a row identifies that person. */
  isActor(tag: string, userId: number): boolean
}

/**
 * Events that people can easily repeat are stored at most once in this time for each person, so that nobody can fill
 * the table.
 */
const restMs = 60_000
const maxRemembered = 1_000
const oftenRepeated: ReadonlySet<SecurityKind> = new Set([
  'wrong_credentials',
  'secret_typed',
  'forged_press',
])
const maxChecked = 2_000

/**
 * Ids are stored as tags made with a key, which identify nobody without it. So when a person's data is deleted, this
 * journal need not change.
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
    at,
    kind,
    detail,
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

/** The authentication code of a row under each key, prefixed with the id of the key. */
const codesOf = (keyring: Keyring, { at, kind, account, actor, detail }: NewRow): string[] =>
  keyring
    .eventCodes(JSON.stringify([at.toISOString(), kind, account, actor, detail]))
    .map((code, index) => `${keyring.keyIds[index]}.${code}`)

/**
 * The id of the newest altered row; null if there is none. A row under a key that is no longer listed cannot be
 * checked. Such rows are skipped if they are older than all rows that can be checked; anywhere else they count as
 * altered.
 * @param rows newest first.
 */
const alteredIn = (keyring: Keyring, rows: readonly SecurityRow[]): number | null => {
  const isOfListedKey = ({ code }: SecurityRow) => keyring.keyIds.includes(code.split('.')[0] ?? '')
  const checked = rows.slice(0, rows.findLastIndex(isOfListedKey) + 1)
  return checked.find((row) => !codesOf(keyring, row).includes(row.code))?.id ?? null
}
