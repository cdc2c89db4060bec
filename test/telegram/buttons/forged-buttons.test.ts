import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { decodePress } from '../../../src/telegram/buttons/table.ts'

/** Real buttons with a word added, left out or changed. */
const forged = readFileSync(new URL('./forged-buttons.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')

test('the data of a real button with a word added, left out or changed is refused', () => {
  expect(forged.length).toBeGreaterThan(100)
  expect(forged.filter((data) => decodePress(data) !== null)).toEqual([])
})
