import { expect, test } from 'vitest'
import { createLookUps } from '../../../src/orders/following/look-ups.ts'

const now = new Date('2026-11-21T10:32:00Z')
const orderOf = (reference: string, minutesOld = 10) => {
  const at = new Date(now.getTime() - minutesOld * 60_000)
  return { reference, answeredAt: at, sentAt: at, createdAt: at }
}

const started = () => {
  const lookUps = createLookUps(() => now)
  const note = (isFound: boolean, references: string, minutesOld?: number) => {
    for (const each of references.split(' ')) lookUps.note(orderOf(each, minutesOld), isFound)
    return lookUps.state()
  }
  return { lost: note.bind(null, false), found: note.bind(null, true), state: lookUps.state }
}

test('the provider’s look-up counts as broken as soon as five different orders in a row are not found', () => {
  const { lost, found } = started()
  expect(lost('A B C D')).toBeNull()
  expect(lost('A B C D')).toBeNull()
  expect(lost('E')).toBe('none_found')
  expect(found('F')).toBe('found')
})

test('an order that is not found less than five minutes after its placing does not make the look-up count as broken', () => {
  const { lost } = started()
  expect(lost('A B C D E F', 4)).toBeNull()
})

test('an order that the look-up finds restarts the count of orders not found', () => {
  const { lost, found } = started()
  lost('A B C')
  expect(found('F')).toBe('found')
  expect(lost('G H I J')).toBe('found')
  expect(lost('K')).toBe('none_found')
})

test('orders that already made the look-up count as broken do so again only if they were found in between', () => {
  const { lost, found } = started()
  lost('A B C D E')
  found('F')
  expect(lost('A B C D E')).toBe('found')
  found('A B C D E')
  expect(lost('A B C D E')).toBe('none_found')
})
