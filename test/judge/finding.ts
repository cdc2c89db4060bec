import type { Facts } from './facts.ts'

/** The result of a check. */
export interface Finding {
  /** How many things were checked. */
  looked: number
  /** A sentence for each breach, with the ids concerned. */
  breaches: string[]
}

export type Check = (facts: Facts) => Finding

/** Checks each thing. @param breachOf returns what is wrong with it; null if nothing is. */
export const lookAt = <T>(things: readonly T[], breachOf: (thing: T) => string | null): Finding => ({
  looked: things.length,
  breaches: things.map(breachOf).filter((breach) => breach !== null),
})

export const together = (...findings: readonly Finding[]): Finding => ({
  looked: findings.reduce((sum, { looked }) => sum + looked, 0),
  breaches: findings.flatMap(({ breaches }) => breaches),
})
