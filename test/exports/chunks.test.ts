import { expect, test } from 'vitest'
import { bytesInChunks } from '../../src/exports/chunks.ts'

async function* of(parts: string[]): AsyncGenerator<string> {
  yield* parts
}

test('an exported file is written in few chunks, none of them empty, which contain all its parts in sequence', async () => {
  const parts = [
    '',
    'é€😀'.repeat(9_000),
    'a'.repeat(70_000),
    ...Array.from({ length: 20_000 }, (_, n) => `${n};`),
  ]
  const chunks = await Array.fromAsync(bytesInChunks(of(parts)))
  expect(Buffer.concat(chunks).toString()).toBe(parts.join(''))
  expect(chunks.every(({ length }) => length > 0)).toBe(true)
  expect(chunks.length).toBeLessThan(6)
  expect(await Array.fromAsync(bytesInChunks(of(['', ''])))).toEqual([])
})
