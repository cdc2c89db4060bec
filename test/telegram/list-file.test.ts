import type { Document } from 'grammy/types'
import { expect, test, vi } from 'vitest'
import type { Download } from '../../src/telegram/download.ts'
import { createListFiles } from '../../src/telegram/list-file.ts'

/** A slow machine is no fault. */
const soon = { timeout: 30_000 }

const document = (name: string): Document => ({ file_id: name, file_unique_id: name, file_name: name })
const loaded = (text: string): Download => ({ kind: 'loaded', bytes: Buffer.from(text) })

test('a document is read by its content and name', async () => {
  const read = createListFiles(async () => loaded('0241234567;5'))
  expect(await read(document('list.csv'))).toMatchObject({ kind: 'text', text: '0241234567\t5' })
  expect(await read(document('list.txt'))).toMatchObject({ kind: 'text', text: '0241234567;5' })
  expect(await read(document('list.pdf'))).toMatchObject({ kind: 'refused', code: 'unknown_kind' })
})

test('one that is too large or cannot be loaded is told so', async () => {
  const tooLarge = createListFiles(async () => ({ kind: 'too_large', limitBytes: 1 }))
  expect(await tooLarge(document('list.csv'))).toMatchObject({ kind: 'refused', code: 'too_large' })
  const unavailable = createListFiles(async () => ({ kind: 'unavailable', reason: 'HTTP 404' }))
  expect(await unavailable(document('list.csv'))).toEqual({ kind: 'unavailable', reason: 'HTTP 404' })
})

test('two are loaded at once, the others in their turn, also after one that fails', async () => {
  const started: string[] = []
  const ends = new Map<string, PromiseWithResolvers<Download>>()
  const read = createListFiles(({ file_id }) => {
    started.push(file_id)
    const end = Promise.withResolvers<Download>()
    ends.set(file_id, end)
    return end.promise
  })
  const [first, second, third, fourth] = ['1', '2', '3', '4'].map((name) => read(document(name)))
  await vi.waitFor(() => expect(started).toEqual(['1', '2']), soon)
  ends.get('2')?.reject(new Error('a fault'))
  await expect(second).rejects.toThrow('a fault')
  await vi.waitFor(() => expect(started).toEqual(['1', '2', '3']), soon)
  ends.get('3')?.resolve(loaded('0241234567 5'))
  expect(await third).toMatchObject({ kind: 'text' })
  await vi.waitFor(() => expect(started).toEqual(['1', '2', '3', '4']), soon)
  ends.get('1')?.resolve(loaded('x'))
  ends.get('4')?.resolve(loaded('x'))
  expect(await Promise.all([first, fourth])).toMatchObject([{ kind: 'text' }, { kind: 'text' }])
})
