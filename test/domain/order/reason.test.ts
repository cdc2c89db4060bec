import { expect, test } from 'vitest'
import { readReason, reasonIn } from '../../../src/domain/order/reason.ts'

test('a word of another version is kept as it was written, and no placement has it', () => {
  const read = readReason('no_longer_a_word')
  expect(read).toBe('no_longer_a_word')
  expect(reasonIn('queued', read)).toBeNull()
  expect(reasonIn('review', readReason('constructor'))).toBeNull()
})

test('a word belongs to the placements that have it', () => {
  expect(reasonIn('rejected', readReason('pending'))).toBe('pending')
  expect(reasonIn('unconfirmed', readReason('pending'))).toBe('pending')
  expect(reasonIn('queued', readReason('pending'))).toBeNull()
  expect(reasonIn('queued', readReason(null))).toBeNull()
})
