import type { Logger } from 'pino'
import { ofSecurityEvents } from '../database/scope.ts'
import { accountHash } from '../log.ts'
import type { SecurityRow } from '../store/security-events.ts'
import type { AllQueries, WholeStore } from '../store/store.ts'
import type { Keyring } from '../wallets/keyring.ts'

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
 * Keeps the events that matter for security, as a chain: each row's code covers the row before it, by a key that is not
 * in the database. A row that was changed, added or taken out is found, unless the oldest rows were taken out.
 */
export interface SecurityJournal {
  /** Keeps an event that has happened already, so it never throws. */
  note(event: SecurityEvent): Promise<void>
  /** Keeps an event in the transaction of the act itself: with it, or not at all. @throws the database's errors. */
  noteIn(tx: AllQueries, event: SecurityEvent): Promise<void>
  /** Logs an event that was kept, once it is committed. */
  say(event: SecurityEvent): void
  /** Newest first. @param accountId null: events of all accounts. */
  page(accountId: string | null, skip: number, take: number): Promise<SecurityRow[]>
  /**
   * Checks the newest rows. @returns the id of a row that is not as it was written, or follows a gap; null: all is
   * well.
   */
  brokenAt(): Promise<number | null>
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
/** How many rows are checked for a gap. */
const maxChecked = 2_000

/**
 * The journal of this database. Ids go into it as keyed tags, so it holds nothing that deleting a person would erase.
 */
export const createSecurityJournal = (options: {
  store: Pick<WholeStore, 'within' | 'security'>
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
        await store.within(ofSecurityEvents, (tx) => append(tx, keyring, rowOf(event, at)))
      } catch (error) {
        log.error({ kind: event.kind, err: error }, 'a security event could not be stored')
      }
    },
    noteIn: (tx, event) => append(tx, keyring, rowOf(event, now())),
    say,
    page: (accountId, skip, take) =>
      store.security.page(accountId === null ? null : keyring.tags(accountId), skip, take),
    brokenAt: async () => brokenIn(keyring, await store.security.page(null, 0, maxChecked)),
    isActor: (tag, userId) => tag !== '' && keyring.tags(String(userId)).includes(tag),
  }
}

type NewRow = Omit<SecurityRow, 'id' | 'previous' | 'hash'>

const append = async (tx: AllQueries, keyring: Keyring, row: NewRow): Promise<void> => {
  const previous = (await tx.security.last())?.hash ?? ''
  const [hash = ''] = hashesOf(keyring, { ...row, previous })
  await tx.security.append({ ...row, previous, hash })
}

/** One code for each key, with the name of its key. */
const hashesOf = (keyring: Keyring, row: NewRow & { previous: string }): string[] =>
  keyring.chainCodes(written(row)).map((code, index) => `${keyring.keyIds[index]}.${code}`)

const written = ({ previous, at, kind, account, actor, detail }: NewRow & { previous: string }): string =>
  JSON.stringify([previous, at.toISOString(), kind, account, actor, detail])

/**
 * The first broken row. Rows from before a key that is no longer listed cannot be checked, but a newer row may not
 * claim to be one of these.
 * @param rows newest first.
 * @returns its id; null if all is well.
 */
export const brokenIn = (keyring: Keyring, rows: readonly SecurityRow[]): number | null => {
  const isKnown = ({ hash }: SecurityRow) => keyring.keyIds.includes(hash.split('.')[0] ?? '')
  const lastKnown = rows.findLastIndex(isKnown)
  const broken = rows.find(
    (row, index) =>
      (index <= lastKnown && !hashesOf(keyring, row).includes(row.hash)) ||
      (index + 1 < rows.length && rows[index + 1]?.hash !== row.previous),
  )
  return broken?.id ?? null
}
