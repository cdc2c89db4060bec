import { z } from 'zod'
import type {
  Account,
  Customer,
  HalfCredential,
  Member,
  Notice,
  Order,
  Preference,
  Purchase,
  Recipient,
} from '../database/rows.ts'

/** All columns of a table, for a query that joins it with others. */
interface Columns<Row> {
  /** As the query names them. @param table the table's name there. */
  of(table: string): string
  /** The same where rows are objects: each column's name begins with the table's. */
  as(table: string): string
  /**
   * Takes the table's cells, which come next in a row, as `Select` or as the client gives them.
   * @returns null if an outer join found no row.
   */
  read(cells: Iterator<unknown>): Row | null
}

const columnsOf = <Shape extends z.ZodRawShape>(shape: Shape): Columns<z.output<z.ZodObject<Shape>>> => {
  const names = Object.keys(shape)
  const row = z.object(shape)
  return {
    of: (table) => names.map((name) => `${table}."${name}"`).join(', '),
    as: (table) => names.map((name) => `"${table}"."${name}" AS "${table}.${name}"`).join(', '),
    read: (cells) => {
      const read = names.map((name) => [name, cells.next().value])
      return read.every(([, cell]) => cell === null) ? null : row.parse(Object.fromEntries(read))
    },
  }
}

const text = z.string()
const whole = z.int()
const telegramId = z.union([z.int(), z.bigint()]).transform(BigInt)
const time = z.union([z.string(), z.date()]).transform((stored) => new Date(stored))
const flag = z.union([z.boolean(), z.literal([0, 1])]).transform(Boolean)

export const accountColumns: Columns<Account> = columnsOf({
  id: text,
  keyHash: text,
  sealedKey: text,
  sealedSecret: text,
  accountType: text.nullable(),
  balancePesewas: whole.nullable(),
  balanceAt: time.nullable(),
  explainedPesewas: whole.nullable(),
  unauthorizedSince: time.nullable(),
  refusalToldAt: time.nullable(),
  verifyAt: time.nullable(),
  frozenUntil: time.nullable(),
  callbackSeenAt: time.nullable(),
  eraseBy: time.nullable(),
  forgetAt: time.nullable(),
  auditSince: time.nullable(),
  createdAt: time,
})

export const memberColumns: Columns<Member> = columnsOf({
  userId: telegramId,
  accountId: text,
  chatId: telegramId,
  role: text,
  createdAt: time,
  name: text.nullable(),
  invitedBy: telegramId.nullable(),
  dailyLimitPesewas: whole.nullable(),
  networks: text.nullable(),
  pausedAt: time.nullable(),
  resumedAt: time.nullable(),
  told: text,
})

export const halfCredentialColumns: Columns<HalfCredential> = columnsOf({
  chatId: telegramId,
  sealedKey: text,
  sealedSecret: text.nullable(),
  expiresAt: time,
})

export const purchaseColumns: Columns<Purchase> = columnsOf({
  id: text,
  accountId: text,
  userId: telegramId,
  chatId: telegramId,
  cause: text,
  kind: text,
  state: text,
  lines: text,
  remark: text.nullable(),
  cardMessageId: telegramId.nullable(),
  createdAt: time,
  expiresAt: time,
  confirmedAt: time.nullable(),
  successorId: text.nullable(),
  heldById: text.nullable(),
  retryOfId: text.nullable(),
  closedAt: time.nullable(),
})

export const orderColumns: Columns<Order> = columnsOf({
  id: text,
  purchaseId: text,
  accountId: text,
  userId: telegramId,
  chatId: telegramId,
  kind: text,
  listed: flag,
  position: whole,
  afterId: text.nullable(),
  bundleId: whole,
  network: text,
  volume: text,
  offerSlug: text.nullable(),
  unitPricePesewas: whole,
  sellUnitPesewas: whole.nullable(),
  agentUnitPesewas: whole.nullable(),
  quantity: whole,
  acceptedQuantity: whole.nullable(),
  placement: text,
  reason: text.nullable(),
  providerMessage: text.nullable(),
  providerType: text.nullable(),
  reference: text.nullable(),
  inferred: flag,
  otherReference: text.nullable(),
  status: text.nullable(),
  statusReported: flag,
  statusAt: time.nullable(),
  announcedStatus: text.nullable(),
  callbackAt: time.nullable(),
  chargedPesewas: whole.nullable(),
  balancePesewas: whole.nullable(),
  waitsForId: text.nullable(),
  sendAnyway: flag,
  attempts: whole,
  notBefore: time.nullable(),
  leaseToken: text.nullable(),
  leaseUntil: time.nullable(),
  sentAt: time.nullable(),
  placedAt: time.nullable(),
  answeredAt: time.nullable(),
  deliveredAt: time.nullable(),
  deliverySeconds: whole.nullable(),
  reportTo: telegramId.nullable(),
  agentName: text.nullable(),
  polls: whole,
  nextPollAt: time.nullable(),
  settleAt: time.nullable(),
  refundAt: time.nullable(),
  refundedPesewas: whole.nullable(),
  extraPesewas: whole.nullable(),
  extraAt: time.nullable(),
  clockOffsetMs: whole.nullable(),
  reducedAt: time.nullable(),
  createdAt: time,
  updatedAt: time,
})

export const recipientColumns: Columns<Recipient> = columnsOf({
  id: text,
  orderId: text,
  accountId: text,
  phone: text,
  position: whole,
  status: text.nullable(),
  statusAt: time.nullable(),
  reported: flag,
  retryId: text.nullable(),
})

export const preferenceColumns: Columns<Preference> = columnsOf({
  userId: telegramId,
  notify: text,
  quietFrom: whole.nullable(),
  quietTo: whole.nullable(),
  lowBalancePesewas: whole.nullable(),
  lowBalanceToldAt: time.nullable(),
  defaultNetwork: text.nullable(),
  freeRepeatPesewas: whole.nullable(),
  summaryHour: whole.nullable(),
  summaryAt: time.nullable(),
  summaryToldTo: time.nullable(),
  timeZone: text,
})

export const customerColumns: Columns<Customer> = columnsOf({
  id: text,
  accountId: text,
  agentId: telegramId,
  phone: text,
  name: text,
  nameKey: text,
  createdAt: time,
  updatedAt: time,
})

export const noticeColumns: Columns<Notice> = columnsOf({
  id: whole,
  chatId: telegramId,
  subject: text,
  kind: text,
  data: text,
  createdAt: time,
  attempts: whole,
  notBefore: time.nullable(),
  quietUntil: time.nullable(),
  setAsideAt: time.nullable(),
})
