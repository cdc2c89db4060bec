import { describe, expect, test } from 'vitest'
import { explore } from './explorer.ts'
import { mutations } from './mutations.ts'
import { rules } from './rules.ts'

const soon = () => performance.now() + 60_000

test('the promises about one order hold in every sequence of events with one fault', () => {
  const seen = explore({ orders: 1, faults: 1, untilMs: soon() })
  expect(seen.fault).toBe(null)
  expect(seen.isComplete).toBe(true)
  expect(seen.states).toBeGreaterThan(1_000)
}, 90_000)

describe('the explorer of event sequences, with one rule of the bot taken out,', () => {
  const wayWithout = (name: string, faults: number) => {
    const seen = explore({ orders: 1, faults, untilMs: soon(), rules: { ...rules, ...mutations[name] } })
    return seen.fault?.way
  }

  test('finds the shortest way to a second POST after an unknown outcome', () => {
    expect(wayWithout('the rule that a POST with an unknown outcome is never repeated', 1)).toEqual([
      'Confirm of purchase 1 is pressed',
      'purchase 1 is confirmed',
      'order A is committed as sending',
      'the POST of order A leaves',
      'the answer to order A is lost',
      'the outcome of order A is written: unconfirmed',
      'order A is committed as sending',
      'the POST of order A leaves',
    ])
  }, 90_000)

  test('finds the shortest way to a late callback that lowers a status', () => {
    expect(wayWithout('the rule that a status cannot fall back', 0)?.at(-1)).toBe(
      'a callback is applied: order A is processing',
    )
  }, 90_000)
})
