import { expect, test } from 'vitest'
import {
  doneKey,
  type ListAnswers,
  noAnswers,
  nothingShown,
  select,
  takenKey,
} from '../../src/domain/list-draft.ts'
import type { ReadRecipient } from '../../src/lists/reading-result.ts'
import { pesewas } from '../../src/provider/money.ts'
import type { Phone } from '../../src/provider/phone.ts'

const phone = '0241234567' as Phone

const onLine = (line: number): ReadRecipient => ({
  line,
  phone,
  bundleId: 5,
  network: 'MTN',
  volume: '2GB',
  offerSlug: null,
  pricePesewas: pesewas(960),
  notes: [],
})

/** The rest of a list that names a number twice: line 1 was just ordered, line 2 was not. */
const restOf = (answers: Partial<ListAnswers>) =>
  select(
    { recipients: [onLine(1), onLine(2)] },
    { ...noAnswers, done: [doneKey(onLine(1))], ...answers },
    { ...nothingShown, recent: [{ phone, bundleId: 5, orderId: 'a', reference: null }] },
  )

test('the second bundle for a number is skipped if the first was just ordered', () => {
  const { send, repeats } = restOf({})
  expect(send).toEqual([])
  expect(repeats).toHaveLength(1)
})

test('the second bundle for a number is ordered without another question if the person has said that it gets both', () => {
  const { send, repeats } = restOf({ questions: { duplicates: 'both' } })
  expect(send).toEqual([onLine(2)])
  expect(repeats).toEqual([])
})

test('a number that was taken in a file is left out in that size alone', () => {
  const bundles = { recipients: [onLine(1), { ...onLine(2), bundleId: 6, volume: '3GB' }] }
  const taken = [takenKey(phone, { amount: 2, unit: 'GB' })]
  const { send, done } = select(bundles, { ...noAnswers, taken }, nothingShown)
  expect(send.map(({ line }) => line)).toEqual([2])
  expect(done).toEqual([{ recipient: onLine(1), fate: 'taken' }])
})
