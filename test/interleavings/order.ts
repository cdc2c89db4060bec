import type { Order } from '../../src/domain/order/order.ts'
import type { Pesewas } from '../../src/provider/index.ts'
import type { Phone } from '../../src/provider/phone.ts'
import type { State } from './state.ts'

/** Both orders buy the same bundle for the same number, so they are the hardest to tell apart. */
export const phone = '0241234567' as Phone
export const pricePesewas = 2_350 as Pesewas
const startMs = Date.UTC(2026, 0, 5, 8)

export const dateOf = (ms: number): Date => new Date(startMs + ms)
export const msOf = (date: Date): number => date.getTime() - startMs
export const referenceOf = (charge: number): string => `BUD-API-${charge}`
export const indexOf = (reference: string): number => Number(reference.split('-').at(-1))

/** The order's name in messages. */
export const nameOf = (index: number): string => `order ${'ABCDEF'[index]}`

/** The bot's wall clock. */
export const clockOf = ({ nowMs, aheadMs }: State): Date => dateOf(nowMs + aheadMs)

/** The order in the form that the bot's rules read. */
export const orderAt = ({ orders }: State, index: number): Order => {
  const row = orders[index]
  if (!row) throw new Error(`There is no order ${index}.`)
  const { placement, inferred, status, isRefused409 } = row
  const date = (ms: number | null): Date | null => (ms === null ? null : dateOf(ms))
  const id = String(index)
  return {
    id,
    purchaseId: String(row.purchase),
    accountId: 'a',
    userId: 1,
    chatId: 1,
    kind: 'single',
    listed: false,
    position: 0,
    afterId: null,
    bundleId: 1,
    network: 'MTN',
    volume: '5GB',
    offerSlug: null,
    unitPricePesewas: pricePesewas,
    sellUnitPesewas: null,
    agentUnitPesewas: null,
    quantity: 1,
    acceptedQuantity: null,
    placement,
    reason: row.reason as Order['reason'],
    providerMessage: null,
    providerType: isRefused409 ? 'PENDING_ORDER' : null,
    answerStatus: null,
    reference: row.reference === null ? null : referenceOf(row.reference),
    inferred,
    otherReference: null,
    status,
    statusReported: row.reported,
    statusAt: date(row.statusAtMs),
    announcedStatus: null,
    callbackAt: date(row.callbackAtMs),
    chargedPesewas: null,
    balancePesewas: null,
    waitsForId: null,
    sendAnyway: false,
    attempts: row.attempts,
    notBefore: dateOf(row.notBeforeMs),
    leaseToken: null,
    leaseUntil: date(row.leaseUntilMs),
    sentAt: date(row.sentAtMs),
    createdAt: dateOf(row.createdAtMs),
    clockOffsetMs: 0,
    recipients: [{ phone, position: 0, status: null, statusAt: null, reported: false, retryId: null }],
  } as unknown as Order
}
