import { suspectedBeforeMs } from '../../src/domain/debits/evidence.ts'
import type { Claimant, Debit } from '../../src/domain/debits/matching.ts'
import { pesewas } from '../../src/provider/money.ts'

export const sentAtMs = Date.UTC(2026, 0, 5, 10, 0)

/** An order of 5GB for one number, with an unknown outcome. */
export const claimant = (part: Partial<Claimant> = {}): Claimant => ({
  orderId: 'a',
  sending: false,
  kind: 'single',
  network: 'MTN',
  volume: '5GB',
  phones: ['0241234567'],
  unitPricePesewas: pesewas(2350),
  notBeforeMs: sentAtMs,
  suspectFromMs: (part.notBeforeMs ?? sentAtMs) - suspectedBeforeMs,
  ...part,
})

/** The debit of that order. */
export const debit = (part: Partial<Debit> = {}): Debit => ({
  reference: 'BUD-API-AAAA-1',
  amountPesewas: pesewas(2350),
  description: 'MTN 5GB for 0241234567',
  createdAtMs: sentAtMs + 3_000,
  ...part,
})
