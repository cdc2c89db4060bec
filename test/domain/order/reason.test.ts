import { expect, test } from 'vitest'
import { readReason, reasonIn } from '../../../src/domain/order/reason.ts'

test('a reason that another version wrote is kept as it is, and belongs to no placement', () => {
  const read = readReason('no_longer_a_word')
  expect(read).toBe('no_longer_a_word')
  expect(reasonIn('queued', read)).toBeNull()
  expect(reasonIn('review', readReason('constructor'))).toBeNull()
})

test('a reason counts only for the placements that have it', () => {
  expect(reasonIn('rejected', readReason('pending'))).toBe('pending')
  expect(reasonIn('unconfirmed', readReason('pending'))).toBe('pending')
  expect(reasonIn('queued', readReason('pending'))).toBeNull()
  expect(reasonIn('queued', readReason(null))).toBeNull()
})
