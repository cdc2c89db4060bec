import { expect, test } from 'vitest'
import { namesIn } from '../../../src/lists/names/names-in.ts'

test.each([
  ['1. Yaw 0241234567 1gb', 'Yaw'],
  ['0241234567 5gb Ama Serwaa pls', 'Ama Serwaa'],
  ['Esi - 0241234567 - 2GB mtn', 'Esi'],
  ['auntie Mary 0501234567 telecel 10gb @45', 'auntie Mary'],
  ['Yaa\t0241234567\t5GB\tMTN', 'Yaa'],
])('the line “%s” names %s', (line, name) => {
  expect([...namesIn(line).values()]).toEqual([name])
})

test.each([
  '0241234567 2',
  'send 0241234567 1gb',
  'Big Time 0271234567 15gb',
  '[13:29, 27/11/2026] Kofi Mensah: 0241234567 1gb',
  'Kofi 5gb',
])('the line “%s” names nobody', (line) => {
  expect(namesIn(line).size).toBe(0)
})
