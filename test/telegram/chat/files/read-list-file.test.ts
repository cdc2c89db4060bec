import type { Document } from 'grammy/types'
import { expect, test, vi } from 'vitest'
import type { Download } from '../../../../src/telegram/chat/files/download.ts'
import { createListFiles, smallBytes } from '../../../../src/telegram/chat/files/read-list-file.ts'

/** Allows for a slow machine. */
const soon = { timeout: 30_000 }

const document = (name: string): Document => ({ file_id: name, file_unique_id: name, file_name: name })
const harmless = async () => false
const loaded = (text: string): Download => ({ kind: 'loaded', bytes: Buffer.from(text) })

test('a document sent to the bot is read by its content and the ending of its name', async () => {
  const read = createListFiles(async () => loaded('0241234567;5'))
  expect(await read(document('list.csv'), harmless)).toMatchObject({ kind: 'text', text: '0241234567\t5' })
  expect(await read(document('list.txt'), harmless)).toMatchObject({ kind: 'text', text: '0241234567;5' })
  expect(await read(document('list.pdf'), harmless)).toMatchObject({ kind: 'refused', code: 'unknown_kind' })
})

test('the refusal of a document says whether the document is too large or could not be downloaded', async () => {
  const tooLarge = createListFiles(async () => ({ kind: 'too_large', limitBytes: 1 }))
  expect(await tooLarge(document('list.csv'), harmless)).toMatchObject({ kind: 'refused', code: 'too_large' })
  const unavailable = createListFiles(async () => ({ kind: 'unavailable', reason: 'HTTP 404' }))
  expect(await unavailable(document('list.csv'), harmless)).toEqual({
    kind: 'unavailable',
    reason: 'HTTP 404',
  })
})

test('two documents are downloaded at a time, and others wait, even if a download fails', async () => {
  const started: string[] = []
  const ends = new Map<string, PromiseWithResolvers<Download>>()
  const read = createListFiles(({ file_id }) => {
    started.push(file_id)
    const end = Promise.withResolvers<Download>()
    ends.set(file_id, end)
    return end.promise
  })
  const [first, second, third, fourth] = ['1', '2', '3', '4'].map((name) => read(document(name), harmless))
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

test('a list file that contains a secret is not read, whatever its name and even in UTF-16', async () => {
  const holds = async (text: string) => text.includes('my-secret')
  for (const bytes of [
    Buffer.from('0241234567 5\nmy-secret'),
    Buffer.from('my-secret', 'utf16le'),
    Buffer.from(`${'0241234567 5\n'.repeat(smallBytes / 10)}my-secret`),
  ]) {
    const read = createListFiles(async () => ({ kind: 'loaded', bytes }))
    expect(await read(document('list.txt'), holds)).toEqual({ kind: 'secret' })
  }
  const image = createListFiles(async () => loaded('\0my-secret'))
  expect(await image(document('keys.png'), holds)).toEqual({ kind: 'secret' })
})
