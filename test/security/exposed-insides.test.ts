import { expect, test } from 'vitest'
import { createMetricsServer, hasMetricsOnPort } from '../../src/http/metrics.ts'
import { newServerAlone } from '../support/bot/http-server.ts'
import { exchange } from '../support/network/wire.ts'

/** Answers and logs must not reveal internals, and only authorized readers may see metrics. */

const headersOf = (answer: string): Map<string, string> =>
  new Map(
    (answer.split('\r\n\r\n')[0] ?? '')
      .split('\r\n')
      .slice(1)
      .map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
  )

test('no answer of the server may be cached, shown as a page or reveal the software', async () => {
  const { url, newCallbackPath } = await newServerAlone()
  const callback = '{"reference":"BUD-API-A-1","status":"delivered"}'
  const post = (path: string, body: string) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
  for (const request of [
    post(newCallbackPath(), callback),
    post(newCallbackPath(), '{'),
    post(newCallbackPath(), 'x'.repeat(64 * 1024 + 1)),
    post('/webhooks/forged', callback),
    post('/telegram', '{}'),
    get('/healthz'),
    get('/readyz'),
    get('/metrics'),
    get('/none'),
    get('/%zz'),
  ]) {
    const headers = headersOf(await exchange(url, request))
    expect([request.slice(0, 30), headers.get('x-content-type-options')]).toEqual([
      request.slice(0, 30),
      'nosniff',
    ])
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect([...headers.keys()]).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(server|x-powered-by)$/)]),
    )
    expect(headers.has('access-control-allow-origin')).toBe(false)
  }
})

test('the address, token, headers and body of a malformed request are neither repeated nor logged', async () => {
  const { url, logged, newCallbackPath, keyring } = await newServerAlone({
    onUpdate: async (update) => {
      throw new Error(`This cannot be handled: ${JSON.stringify(update)}`)
    },
  })
  const canary = 'Canary0241234567Canary'
  const path = newCallbackPath()
  const token = path.slice('/webhooks/'.length)
  const post = (to: string, headers: string, body: string) =>
    `POST ${to} HTTP/1.1\r\nHost: ${canary}\r\nConnection: close\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`
  const secret = `x-telegram-bot-api-secret-token: ${keyring.telegramSecret()}\r\n`
  const answers = await Promise.all(
    [
      post(path, '', `{"reference":"${canary}"`),
      post(path, `${canary}: ${canary}\r\n`, canary.repeat(4_000)),
      post(`${path}/${canary}`, '', canary),
      post(`${path}${canary}`, '', canary),
      post(`/${canary}?${token}`, '', canary),
      post(`/%zz${canary}${token}`, '', canary),
      post('/telegram', `x-telegram-bot-api-secret-token: ${canary}\r\n`, canary),
      post('/telegram', secret, `{"update_id":7,"message":{"text":"${canary}"`),
      post('/metrics', `authorization: Bearer ${canary}\r\n`, canary),
      `GET /${canary} ${token} HTTP/1.1\r\n\r\n`,
      `GET /${canary} HTTP/1.1\r\n${canary} : ${token}\r\n\r\n`,
      `${canary}\r\n\r\n`,
    ].map((request) => exchange(url, request)),
  )
  for (const answer of answers) {
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(answer).not.toMatch(/Canary|\.ts|node_modules/)
    expect(answer).not.toContain(token)
  }
  expect(logged.join('\n')).not.toContain('Canary')
  expect(logged.join('\n')).not.toContain(token)
})

const metricsToken = 'a-token-for-the-metrics'
const metrics = (headers: string) => `GET /metrics HTTP/1.1\r\nConnection: close\r\n${headers}\r\n`

test.each([
  ['at the machine’s address', 'Host: 127.0.0.1:8080\r\n'],
  ['at the machine’s name', 'Host: localhost\r\n'],
  ['over IPv6', 'Host: [::1]:8080\r\n'],
  ['with credentials of another kind', 'Host: localhost\r\nauthorization: Basic eDp4\r\n'],
])('a program on this machine can read the metrics %s', async (_, headers) => {
  const { url } = await newServerAlone()
  expect(await exchange(url, metrics(headers))).toMatch(/^HTTP\/1\.1 200 [\s\S]*a_metric 1/)
})

const here = 'Host: 127.0.0.1:8080\r\n'

test.each([
  ['Forwarded', `${here}Forwarded: for=192.0.2.1\r\n`],
  ['X-Forwarded-For', `${here}X-Forwarded-For: 127.0.0.1\r\n`],
  ['an empty X-Forwarded-For', `${here}X-Forwarded-For:\r\n`],
  ['X-Forwarded-Proto', `${here}x-forwarded-proto: https\r\n`],
  ['X-Real-IP', `${here}X-Real-IP: 127.0.0.1\r\n`],
  ['Via', `${here}Via: 1.1 proxy\r\n`],
  ['X-Client-IP', `${here}X-Client-IP: 127.0.0.1\r\n`],
  ['True-Client-IP', `${here}True-Client-IP: 127.0.0.1\r\n`],
  ['CF-Connecting-IP', `${here}CF-Connecting-IP: 127.0.0.1\r\n`],
  ['X-Envoy-External-Address', `${here}X-Envoy-External-Address: 127.0.0.1\r\n`],
  [
    'a proxy header that is declared removable',
    `${here}Connection: X-Forwarded-For\r\nX-Real-IP: 1.1.1.1\r\n`,
  ],
  ['another host', 'Host: bundles.example.com\r\n'],
  ['a host that only begins like this machine', 'Host: localhost.example.com\r\n'],
  ['a host that only begins like an address', 'Host: 127.0.0.1.example.com\r\n'],
  ['an empty host', 'Host:\r\n'],
  ['a wrong token', 'Host: x\r\nauthorization: Bearer a-token-for-the-metricz\r\n'],
  ['the token without the word Bearer', `Host: x\r\nauthorization: ${metricsToken}\r\n`],
  ['an empty token', 'Host: x\r\nauthorization: Bearer \r\n'],
])('a request for metrics from elsewhere is refused if it has %s', async (_, headers) => {
  for (const options of [{}, { metricsToken }]) {
    const { url } = await newServerAlone(options)
    const answer = await exchange(url, metrics(headers))
    expect(answer).toMatch(/^HTTP\/1\.1 401 /)
    expect(answer).not.toContain('a_metric')
  }
})

test('a proxy’s header is noticed even after two thousand other headers', async () => {
  const { url } = await newServerAlone()
  for (const count of [100, 199, 1_000, 2_000, 2_500]) {
    const answer = await exchange(
      url,
      metrics(`${here}${'a: b\r\n'.repeat(count)}X-Forwarded-For: 192.0.2.1\r\n`),
    )
    expect([count, answer]).toEqual([count, expect.stringMatching(/^HTTP\/1\.1 4(01|31) /)])
  }
})

test('the metrics token opens the metrics from anywhere', async () => {
  const { url } = await newServerAlone({ metricsToken })
  const headers = `Host: bundles.example.com\r\nX-Forwarded-For: 192.0.2.1\r\nauthorization: Bearer ${metricsToken}\r\n`
  expect(await exchange(url, metrics(headers))).toMatch(/^HTTP\/1\.1 200 /)
})

test('a metrics token is required even on this machine, because a proxy may add no header', async () => {
  const { url } = await newServerAlone({ metricsToken })
  expect(await exchange(url, metrics(here))).toMatch(/^HTTP\/1\.1 401 /)
  expect(await exchange(url, metrics(`${here}authorization: Bearer ${metricsToken}\r\n`))).toMatch(
    /^HTTP\/1\.1 200 /,
  )
})

test.each([
  ['neither a token nor a public address', true, { metricsToken: null, metricsPort: null, publicUrl: null }],
  ['a token', true, { metricsToken, metricsPort: null, publicUrl: null }],
  [
    'a token and a public address',
    true,
    { metricsToken, metricsPort: null, publicUrl: 'https://bot.example.com' },
  ],
  [
    'a public address and no token',
    false,
    { metricsToken: null, metricsPort: null, publicUrl: 'https://bot.example.com' },
  ],
  ['a port of their own', false, { metricsToken: null, metricsPort: 9464, publicUrl: null }],
  [
    'a port of their own, a token and a public address',
    false,
    { metricsToken, metricsPort: 9464, publicUrl: 'https://bot.example.com' },
  ],
])('with %s, the metrics are served on the port of callbacks: %s', async (_, isThere, config) => {
  expect(hasMetricsOnPort(config)).toBe(isThere)
})

test('metrics with a port of their own cannot be read on the port of callbacks', async () => {
  const { url } = await newServerAlone({ metrics: false })
  expect(await exchange(url, metrics(here))).toMatch(/^HTTP\/1\.1 404 /)
})

test('the metrics’ own port serves nothing else, and requires the token if one is set', async ({
  onTestFinished,
}) => {
  const read = async () => ({ contentType: 'text/plain', text: 'a_metric 1\n' })
  for (const token of [null, metricsToken]) {
    const server = createMetricsServer({ read, token })
    onTestFinished(() => server.close())
    await server.listen({ host: '127.0.0.1', port: 0 })
    const url = server.listeningOrigin
    expect(await exchange(url, metrics(here))).toMatch(token ? /^HTTP\/1\.1 401 / : /^HTTP\/1\.1 200 /)
    expect(await exchange(url, metrics('Host: evil.example\r\n'))).toMatch(/^HTTP\/1\.1 401 /)
    expect(await exchange(url, metrics(`${here}authorization: Bearer ${metricsToken}\r\n`))).toMatch(
      /^HTTP\/1\.1 200 /,
    )
    expect(await exchange(url, 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 404 /,
    )
  }
})
