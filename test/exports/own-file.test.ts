import { expect, test } from 'vitest'
import { readOwnFile } from '../../src/exports/own-file.ts'
import { ownHeadings } from '../../src/telegram/words/column-headings.ts'

const orders = [
  'Ordered (Accra time)\tReference\tNetwork\tSize\tOffer\tNumber\tCustomer\tPrice GHS\tCharged GHS\tStatus',
  '2026-11-21 10:32:07\tBUD-API-A-1\tMTN\t5GB\tExpress\t0241234567\tKofi\t23.50\t23.50\tdelivered',
  '2026-11-21 10:31:07\tBUD-API-A-2\tTelecel\t2GB\t\tremoved\t\t9.15\t9.15\tdelivered',
].join('\n')

test('an export of orders that is sent back is recognized, and its numbers can be ordered again', () => {
  expect(readOwnFile(orders, ownHeadings)).toEqual({ again: { text: '0241234567\t5GB\tMTN', count: 1 } })
  expect(readOwnFile(`\ufeff\n${orders.replaceAll('\t', ',')}`, ownHeadings)?.again?.count).toBe(1)
})

test('an export of transactions that is sent back is recognized, and offers nothing to order again', () => {
  const head =
    'Time (Accra time)\tType\tAmount GHS\tBalance after GHS\tReference\tDescription\tNetwork\tSize\tNumber'
  expect(readOwnFile(`${head}\n2026-11-21\tdebit\t9.60\t90.40\tBUD-API-A-1\tData`, ownHeadings)).toEqual({
    again: null,
  })
})

test.each([
  ['a list', '0241234567 5GB\n0551234567 2GB'],
  ['a table', 'Number,Size\n0241234567,5GB'],
  ['the file of a list', 'No.,Customer,Number,Network,Size,Remark\n1,Kofi,0241234567,MTN,5GB,\n'],
  ['a list of contacts', 'Customer\tNumber\nKofi\t0241234567'],
  ['an empty text', ''],
  ['a line of very many cells', `${'a,'.repeat(2_000)}\n0241234567 5GB`],
])('%s is read as a list, not as an export that is sent back', (_, text) => {
  expect(readOwnFile(text, ownHeadings)).toBeNull()
})
