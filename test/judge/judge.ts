import { agentsAllowed } from './checks/agents-allowed.ts'
import { announcedTwice } from './checks/announced-twice.ts'
import { cardsTrue } from './checks/cards-true.ts'
import { chargesTold } from './checks/charges-told.ts'
import { debitsKnown } from './checks/debits-known.ts'
import { denials } from './checks/denials.ts'
import { doubleCharges } from './checks/double-charges.ts'
import { endingsReached } from './checks/endings-reached.ts'
import { endingsTold } from './checks/endings-told.ts'
import { limits } from './checks/limits.ts'
import { listTurns } from './checks/list-turns.ts'
import { ownCallbacks } from './checks/own-callbacks.ts'
import { privacy } from './checks/privacy.ts'
import { rates } from './checks/rates.ts'
import { refundsTold } from './checks/refunds-told.ts'
import { repeatedPosts } from './checks/repeated-posts.ts'
import { sameAgain } from './checks/same-again.ts'
import { statusesLearned } from './checks/statuses-learned.ts'
import { warningsOver } from './checks/warnings-over.ts'
import type { Evidence } from './evidence.ts'
import { factsOf } from './facts.ts'
import type { Check, Finding } from './finding.ts'
import { masked } from './words.ts'

const checks = {
  'every debit is matched or reported': debitsKnown,
  'no order is charged twice': doubleCharges,
  'no order is sent twice': repeatedPosts,
  'the orders of a list are sent one at a time': listTurns,
  'every order reaches an outcome': endingsReached,
  'every outcome is reported': endingsTold,
  'every charge other than the price is reported': chargesTold,
  'every refund is reported': refundsTold,
  'every card is true': cardsTrue,
  'every order keeps its reference': ownCallbacks,
  'every final status becomes known': statusesLearned,
  'no warning outlives its cause': warningsOver,
  'no agent exceeds a limit': limits,
  'agents order only while they may': agentsAllowed,
  'nothing is ordered again without asking': sameAgain,
  'orders and costs are private': privacy,
  'nothing is announced twice': announcedTwice,
  'no rate is exceeded': rates,
  'no charge is denied': denials,
} satisfies Record<string, Check>

/** A promise, as the judge's table names it. */
export type PromiseName = keyof typeof checks

export interface Verdict extends Finding {
  promise: PromiseName
}

/** Decides for each promise whether it was kept. Phone numbers are masked. */
export const judge = (evidence: Evidence): Verdict[] => {
  const facts = factsOf(evidence)
  return Object.entries(checks).map(([promise, check]) => {
    const { looked, breaches } = check(facts)
    return { promise: promise as PromiseName, looked, breaches: breaches.map(masked) }
  })
}

/** The most breaches of one promise that are printed. */
const maxShown = 5

export const table = (verdicts: readonly Verdict[]): string =>
  verdicts.flatMap((verdict) => [row(verdict), ...breachLines(verdict)]).join('\n')

const row = ({ promise, looked, breaches }: Verdict): string =>
  `${promise.padEnd(45)} ${(breaches.length === 0 ? 'held' : 'BROKEN').padEnd(7)} ${looked} checked${breaches.length === 0 ? '' : `, ${breaches.length} broken`}`

const breachLines = ({ breaches }: Verdict): string[] => {
  const shown = breaches.slice(0, maxShown).map((breach) => `  ${breach}`)
  return breaches.length > maxShown ? [...shown, `  and ${breaches.length - maxShown} more`] : shown
}
