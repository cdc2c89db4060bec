import { expect, test } from 'vitest'
import { readReason, reasonIn } from '../../../src/domain/order/reason.ts'

test('a reason for an order’s state that only another version knows is kept, but counts with no placement', () => {
  const read = readReason('no_longer_a_word')
  expect(read).toBe('no_longer_a_word')
  expect(reasonIn('queued', read)).toBeNull()
  expect(reasonIn('review', readReason('constructor'))).toBeNull()
})

test('a reason for an order’s state counts only with the placements that it can explain', () => {
  expect(reasonIn('rejected', readReason('pending'))).toBe('pending')
  expect(reasonIn('unconfirmed', readReason('pending'))).toBe('pending')
  expect(reasonIn('queued', readReason('pending'))).toBeNull()
  expect(reasonIn('queued', readReason(null))).toBeNull()
})
