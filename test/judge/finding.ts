import type { Facts } from './facts.ts'

/** What a check found. */
export interface Finding {
  /** How many things it could look at. */
  looked: number
  /** A sentence for each breach, with the ids of what it is about. */
  breaches: string[]
}

export type Check = (facts: Facts) => Finding

/** Looks at each thing. @param breachOf says what is wrong with it; null if nothing is. */
export const lookAt = <T>(things: readonly T[], breachOf: (thing: T) => string | null): Finding => ({
  looked: things.length,
  breaches: things.map(breachOf).filter((breach) => breach !== null),
})

export const together = (...findings: readonly Finding[]): Finding => ({
  looked: findings.reduce((sum, { looked }) => sum + looked, 0),
  breaches: findings.flatMap(({ breaches }) => breaches),
})
