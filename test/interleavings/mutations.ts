import { type Rules, rules } from './rules.ts'

/**
 * Each mutation removes one of the bot's rules. The exploration then finds the shortest way to the harm that the rule
 * prevents.
 */
export const mutations: Record<string, Partial<Rules>> = {
  'the compare-and-set on the purchase': { isDraft: () => true },
  'the rule that a POST with an unknown outcome is never repeated': {
    stepAfter: (outcome, attempts) =>
      outcome.kind === 'unconfirmed'
        ? { to: 'queued', reason: 'interrupted', waitMs: 0, freezes: false }
        : rules.stepAfter(outcome, attempts),
  },
  'the check of the lease before the first byte': { leaseReserveMs: Number.NEGATIVE_INFINITY },
  'the ten minutes in which a debit may appear': { debitsShowWithinMs: 0 },
  'the matching of debits with orders': {
    pair: (claimants) => ({
      pairs: [],
      doubtful: [],
      without: claimants.filter(({ sending }) => !sending).map(({ orderId }) => orderId),
    }),
  },
  'the rule that a status cannot fall back': {
    mergeStatus: (known, report) => rules.mergeStatus({ ...known, status: null }, report),
  },
}
