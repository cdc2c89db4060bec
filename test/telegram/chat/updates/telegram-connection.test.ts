import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import type { Config } from '../../../../src/start/config.ts'
import { createBot } from '../../../../src/telegram/bot.ts'
import { createDownload } from '../../../../src/telegram/chat/files/download.ts'
import { connectToTelegram } from '../../../../src/telegram/chat/updates/telegram-connection.ts'
import { createKeyring } from '../../../../src/wallets/credentials/keyring.ts'

const token = `123456789:${'a'.repeat(35)}`

const telegramThat = async (answer: RequestListener): Promise<string> => {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const me = { id: 1, is_bot: true, first_name: 'Shop', username: 'shop_bot' }
const ok: RequestListener = (request, response) =>
  void response.end(JSON.stringify({ ok: true, result: request.url?.endsWith('/getMe') ? me : true }))
const refusal =
  (code: number, more = {}): RequestListener =>
  (_request, response) =>
    void response
      .writeHead(code)
      .end(JSON.stringify({ ok: false, error_code: code, description: 'No', ...more }))
const silence: RequestListener = () => {}

/** Connects on a clock that advances only between tries. @param until ends the tries */
const connecting = async (apiRoot: string, until: (tries: number) => boolean | Promise<boolean>) => {
  const lines: { level: number; msg: string }[] = []
  const troubles: (string | null)[] = []
  const rests: number[] = []
  const stopped = new AbortController()
  let ms = 0
  const config = { telegram: { token, apiRoot, updates: 'polling' }, publicUrl: null } as Config
  await connectToTelegram(
    {
      bot: createBot(token, apiRoot),
      config,
      keyring: createKeyring([new Uint8Array(32)]),
      signal: stopped.signal,
      log: pino({}, { write: (line: string) => lines.push(JSON.parse(line)) }),
      limitsMs: { first: 200, later: 200 },
      monotonicMs: () => ms,
      sleep: async (restMs) => {
        rests.push(restMs)
        ms += restMs
        if (await until(rests.length)) stopped.abort()
      },
    },
    (trouble) => troubles.push(trouble),
  )
  return { lines, troubles, rests }
}

test.each<[string, RequestListener | null, string]>([
  ['nobody answers', null, 'Telegram cannot be reached (ECONNREFUSED)'],
  ['the server stays silent', silence, 'Telegram cannot be reached (timeout)'],
  ['the connection breaks', ({ socket }) => void socket.destroy(), 'Telegram cannot be reached (ECONNRESET)'],
  [
    'a login page answers',
    (_, response) => void response.end('<p>Log in'),
    'Telegram cannot be reached (invalid-json)',
  ],
  ['the token is refused', refusal(401), 'Telegram refuses TELEGRAM_BOT_TOKEN (401)'],
  ['the token is unknown', refusal(404), 'Telegram refuses TELEGRAM_BOT_TOKEN (404)'],
  ['Telegram answers 502', refusal(502), 'Telegram answers 502'],
])('a bot that starts while %s logs one warning with the cause', async (_, answer, trouble) => {
  const apiRoot = answer ? await telegramThat(answer) : 'http://127.0.0.1:9'
  const { lines, troubles } = await connecting(apiRoot, (tries) => tries === 2)
  expect(lines).toMatchObject([
    { level: 40, msg: `${trouble}. I keep trying; npm run doctor says more`, tries: 1 },
  ])
  expect(troubles).toEqual([trouble, trouble])
  expect(JSON.stringify(lines)).not.toContain(token)
})

test('a bot that cannot resolve Telegram’s name says so in the log', async () => {
  const { lines } = await connecting('http://telegram.invalid', () => true)
  expect(lines[0]?.msg).toMatch(/^Telegram cannot be reached \((ENOTFOUND|EAI_AGAIN|timeout)\)/)
})

test('a bot without a connection to Telegram tries every few seconds, and warns each minute', async () => {
  let answer: RequestListener = refusal(502)
  const apiRoot = await telegramThat((request, response) => answer(request, response))
  const { lines, troubles, rests } = await connecting(apiRoot, (tries) => {
    if (tries === 30) answer = ok
    return false
  })
  expect(Math.max(...rests)).toBeLessThan(10_000)
  const lasted = rests.reduce((sum, each) => sum + each, 0)
  const warnings = lines.filter(({ level }) => level === 40)
  expect(warnings.length).toBe(Math.ceil(lasted / 64_000))
  expect(lines.at(-1)).toMatchObject({ level: 30, msg: 'connected as @shop_bot', tries: 31 })
  expect(troubles.at(-1)).toBeNull()
})

test('a new cause of a failed connection to Telegram is logged immediately', async () => {
  const answers = [refusal(502), refusal(429, { parameters: { retry_after: 30 } }), silence]
  const apiRoot = await telegramThat((request, response) => (answers.shift() ?? ok)(request, response))
  const { lines, rests } = await connecting(apiRoot, () => false)
  expect(lines.map(({ msg }) => msg.replace(/\. I keep.*/, ''))).toEqual([
    'Telegram answers 502',
    'Telegram answers 429',
    'Telegram cannot be reached (timeout)',
    'connected as @shop_bot',
  ])
  expect(rests[1]).toBe(30_000)
})

test('calls and files reach Telegram through a proxy, which does not see the token', async () => {
  const seen: string[] = []
  const proxy = createServer((request, response) => {
    seen.push(request.url ?? '')
    response.end(
      JSON.stringify({ ok: true, result: request.url?.endsWith('/getMe') ? me : { file_path: 'a/b' } }),
    )
  })
  proxy.on('connect', (request, socket) => {
    seen.push(`CONNECT ${request.url}`)
    socket.end('HTTP/1.1 503 No\r\n\r\n')
  })
  proxy.listen(0, '127.0.0.1')
  await new Promise((resolve) => proxy.once('listening', resolve))
  onTestFinished(() => void proxy.close().closeAllConnections())
  const uri = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const plain = createBot(token, 'http://telegram.example', { proxy: uri })
  expect(await plain.api.getMe()).toMatchObject({ username: 'shop_bot' })
  const download = createDownload({
    api: plain.api,
    token,
    apiRoot: 'http://telegram.example',
    limitBytes: 1_000,
    proxy: uri,
  })
  expect(await download({ file_id: 'x' })).toMatchObject({ kind: 'loaded' })
  const secure = createBot(token, 'https://telegram.example', { proxy: uri })
  await expect(secure.api.getMe()).rejects.toThrow()
  expect(seen.map((url) => url.replace(token, '…'))).toEqual([
    'http://telegram.example/bot…/getMe',
    'http://telegram.example/bot…/getFile',
    'http://telegram.example/file/bot…/a/b',
    'CONNECT telegram.example:443',
  ])
})
