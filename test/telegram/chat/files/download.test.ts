import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Api } from 'grammy'
import type { File } from 'grammy/types'
import { describe, expect, onTestFinished, test } from 'vitest'
import { chatOf, createTelegram } from '../../../../src/sandbox/index.ts'
import { createDownload, type DownloadOptions } from '../../../../src/telegram/chat/files/download.ts'

const limitBytes = 100_000
const token = '123456789:AAE-a_secret_token_of_a_bot_x'

/** A simulated Telegram, and a person in it who sends documents. */
const simulated = async () => {
  const sim = await createTelegram()
  onTestFinished(() => sim.stop())
  const chat = chatOf(sim, sim.addPerson().id)
  chat.say('/start')
  const api = new Api(sim.token, { apiRoot: sim.url })
  const download = createDownload({ api, token: sim.token, apiRoot: sim.url, limitBytes })
  const send = (bytes: Uint8Array) => {
    const { document } = chat.sendFile('list.csv', bytes)
    if (!document) throw new Error('no document')
    return document
  }
  return { sim, send, download }
}

/** A file server with the given answer, and the requests that it received. */
const fileServer = async (answer: RequestListener) => {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(close)
  return { apiRoot: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, close }
}

/** Downloads `file` as Telegram describes it. */
const load = (apiRoot: string, file: Partial<File>, options: Partial<DownloadOptions> = {}) => {
  const api = { getFile: async (file_id: string) => ({ file_id, file_unique_id: 'u', ...file }) }
  return createDownload({ api, token, apiRoot, limitBytes, ...options })({ file_id: 'f' })
}

const tooLarge = { kind: 'too_large', limitBytes }

test('a file is downloaded from Telegram byte for byte up to the limit', async () => {
  const { send, download } = await simulated()
  for (const bytes of [Buffer.from('0241234567,5'), Buffer.alloc(limitBytes, 'é')]) {
    expect(await download(send(bytes))).toEqual({ kind: 'loaded', bytes })
  }
})

describe('a file above the limit is not downloaded', () => {
  test('if the message states a size above the limit, and nothing is requested', async () => {
    const { sim, send, download } = await simulated()
    expect(await download(send(Buffer.alloc(limitBytes + 1)))).toEqual(tooLarge)
    expect(sim.calls('getFile')).toHaveLength(0)
  })

  test('if only getFile states the size', async () => {
    const { sim, send, download } = await simulated()
    const { file_id } = send(Buffer.alloc(limitBytes + 1))
    expect(await download({ file_id })).toEqual(tooLarge)
    expect(sim.calls('getFile')).toHaveLength(1)
  })

  test('if Telegram does not give files of that size to bots', async () => {
    const { send, download } = await simulated()
    const { file_id } = send(Buffer.alloc(20 * 1024 * 1024 + 1))
    expect(await download({ file_id })).toEqual(tooLarge)
  })

  test('if the file server’s answer announces a length above the limit', async () => {
    const { apiRoot } = await fileServer((_, response) => response.end(Buffer.alloc(limitBytes + 1)))
    expect(await load(apiRoot, { file_path: 'documents/a.csv', file_size: 10 })).toEqual(tooLarge)
  })

  test('if the answer states no length and grows past the limit', async () => {
    const brokenOff = Promise.withResolvers<void>()
    const { apiRoot } = await fileServer((_, response) => {
      response.on('close', () => brokenOff.resolve())
      const pour = () => {
        while (response.write(Buffer.alloc(10_000)));
        response.once('drain', pour)
      }
      pour()
    })
    expect(await load(apiRoot, { file_path: 'documents/a.csv', file_size: 10 })).toEqual(tooLarge)
    await brokenOff.promise
  })
})

describe('a file is requested only below the configured root', () => {
  test.each([
    '',
    '/etc/passwd',
    '../bot1/getMe',
    'a/../../x',
    'a/./b',
    'a//b',
    'a\\..\\b',
    'https://x.example/y',
  ])('so the path %j is not requested', async (file_path) => {
    const { apiRoot, requests } = await fileServer((_, response) => response.end('x'))
    expect(await load(apiRoot, { file_path })).toEqual({ kind: 'unavailable', reason: 'no path' })
    expect(requests).toHaveLength(0)
  })

  test.each([
    ['documents/file_1.csv', 'documents/file_1.csv'],
    ['documents/a b?c#d.csv', 'documents/a%20b%3Fc%23d.csv'],
    ['%2e%2e/x', '%252e%252e/x'],
    ['@x.example', '%40x.example'],
  ])('so the path %j is requested as %s', async (file_path, asked) => {
    const { apiRoot, requests } = await fileServer((_, response) => response.end('x'))
    expect(await load(apiRoot, { file_path })).toEqual({ kind: 'loaded', bytes: Buffer.from('x') })
    expect(requests.map(({ url }) => url)).toEqual([`/file/bot${token}/${asked}`])
  })

  test('so a path in the root stays in front of the file’s path', async () => {
    const { apiRoot, requests } = await fileServer((_, response) => response.end('x'))
    await load(`${apiRoot}/telegram`, { file_path: 'documents/a' })
    expect(requests.map(({ url }) => url)).toEqual([`/telegram/file/bot${token}/documents/a`])
  })

  test('so a redirect of the file server is not followed', async () => {
    const elsewhere = await fileServer((_, response) => response.end('x'))
    const { apiRoot } = await fileServer((_, response) =>
      response.writeHead(302, { location: elsewhere.apiRoot }).end(),
    )
    expect(await load(apiRoot, { file_path: 'a' })).toMatchObject({ kind: 'unavailable' })
    expect(elsewhere.requests).toHaveLength(0)
  })
})

describe('the reason for a failed download never contains the bot’s token', () => {
  const unavailable = async (answer: RequestListener, options: Partial<DownloadOptions> = {}) => {
    const { apiRoot } = await fileServer(answer)
    const download = await load(apiRoot, { file_path: 'documents/a.csv' }, options)
    expect(JSON.stringify(download)).not.toContain('secret')
    if (download.kind !== 'unavailable') throw new Error(download.kind)
    return download.reason
  }

  test('and is “HTTP 404” if the file is gone', async () => {
    expect(await unavailable((_, response) => response.writeHead(404).end('x'))).toBe('HTTP 404')
  })

  test('and is “UND_ERR_SOCKET” if the answer breaks off', async () => {
    const reason = await unavailable((_, response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('x', () => response.destroy())
    })
    expect(reason).toBe('UND_ERR_SOCKET')
  })

  test('and is “deadline” if no answer comes', async () => {
    expect(await unavailable(() => {}, { deadlineMs: 50 })).toBe('deadline')
  })

  test('and is “deadline” if the answer never ends', async () => {
    expect(await unavailable((_, response) => response.write('x'), { deadlineMs: 50 })).toBe('deadline')
  })

  test('and is “ECONNREFUSED” if the server is down', async () => {
    const { apiRoot, close } = await fileServer(() => {})
    await close()
    expect(await load(apiRoot, { file_path: 'a' })).toEqual({ kind: 'unavailable', reason: 'ECONNREFUSED' })
  })

  test('and is “no path” if the root is not an address', async () => {
    const download = await load('nonsense', { file_path: 'a' })
    expect(download).toEqual({ kind: 'unavailable', reason: 'no path' })
  })

  test('and is “Telegram answers 400” if Telegram does not know the file', async () => {
    const { download } = await simulated()
    expect(await download({ file_id: 'nonsense' })).toEqual({
      kind: 'unavailable',
      reason: 'Telegram answers 400',
    })
  })

  test('and is “no answer” if Telegram does not answer', async () => {
    const api = new Api(token, { apiRoot: 'http://127.0.0.1:1' })
    const download = createDownload({ api, token, apiRoot: 'http://127.0.0.1:1', limitBytes })
    expect(await download({ file_id: 'f' })).toEqual({ kind: 'unavailable', reason: 'no answer' })
  })
})
