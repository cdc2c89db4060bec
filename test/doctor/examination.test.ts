import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { examineConfiguration } from '../../src/doctor/configuration.ts'
import { probeHeader } from '../../src/http/probe.ts'
import { readConfig } from '../../src/start/config.ts'
import { createKeyring } from '../../src/wallets/credentials/keyring.ts'
import { newPort } from '../support/network/port.ts'
import { about, failures, findingsIn, listen, newKey, newPlace, type Place, page } from './environment.ts'

test('with a good configuration the doctor reports no failure, even without a running bot or a database', async () => {
  const place = await newPlace()
  const findings = await findingsIn(place)
  expect(failures(findings)).toEqual([])
  expect(about(findings, 'configuration')).toEqual([expect.stringMatching(/^ok/)])
  expect(about(findings, 'Telegram')).toEqual([expect.stringMatching(/^ok the token belongs to @/)])
  expect(about(findings, 'database')).toEqual([expect.stringMatching(/^ok .*the first start creates it/)])
  expect(about(findings, 'HTTP server')).toEqual([expect.stringMatching(/^ok .*no bot runs there/)])
  expect(about(findings, 'public address')[0]).toMatch(/^ok reaches this bot/)
  expect(about(findings, 'callbacks')).toEqual([expect.stringMatching(/^ok/)])
  expect(about(findings, 'metrics')).toEqual([expect.stringMatching(/^ok/)])
})

test('the doctor’s findings contain no secret, whatever is wrong', async () => {
  const place = await newPlace()
  const token = `123456789:${'x'.repeat(35)}`
  const password = 'tooth-and-nail'
  const nobody = await newPort()
  const findings = await findingsIn(place, {
    TELEGRAM_BOT_TOKEN: token,
    METRICS_TOKEN: 'measure-for-measure',
    DATABASE_URL: `postgresql://bot:${password}@127.0.0.1:${nobody}/bot`,
    PUBLIC_URL: `http://127.0.0.1:${nobody}`,
  })
  const told = JSON.stringify(findings)
  for (const secret of [token, password, 'measure-for-measure', place.key]) expect(told).not.toContain(secret)
  expect(about(findings, 'database')).toEqual([
    expect.stringMatching(/^fail cannot be read: nothing accepts the connection/),
  ])
})

describe('the doctor’s check of the configuration', () => {
  const env = {
    TELEGRAM_BOT_TOKEN: `123456789:${'x'.repeat(35)}`,
    BUNDLE_API_URL: 'https://provider.example/api/v1',
    CREDENTIALS_KEY: newKey(),
    OWNER_IDS: '1',
  }
  const judged = (other: Record<string, string> = {}, secretFiles: { name: string; mode: number }[] = []) =>
    examineConfiguration(readConfig({ ...env, ...other }), { secretFiles }).map(
      ({ grade, finding }) => `${grade} ${finding}`,
    )

  test('reports all faults together, as a start does', async () => {
    const findings = await findingsIn(await newPlace(), { PORT: 'eighty', ACCESS: 'all' })
    expect(about(findings, 'configuration')).toEqual([
      expect.stringMatching(/^fail PORT is not a whole number/),
      expect.stringMatching(/^fail ACCESS is neither/),
    ])
  })

  test('names the command that creates a missing key', async () => {
    const findings = await findingsIn(await newPlace(), { CREDENTIALS_KEY: '' })
    expect(about(findings, 'configuration')).toEqual([
      expect.stringMatching(/^fail CREDENTIALS_KEY is missing/),
    ])
    expect(findings[0]?.remedy).toContain('npm run setup')
  })

  test('reports that a good configuration is complete', () => {
    expect(judged()).toEqual(['ok complete'])
  })

  test.each<[string, Record<string, string>, RegExp]>([
    [
      'an old key that is still listed',
      { CREDENTIALS_KEY: `${newKey()},${newKey()}` },
      /^warn CREDENTIALS_KEY lists 2 keys/,
    ],
    [
      'a public address without TLS',
      { PUBLIC_URL: 'http://bot.example.com' },
      /^warn PUBLIC_URL is not https/,
    ],
    [
      'a provider without TLS',
      { BUNDLE_API_URL: 'http://provider.example/api/v1', ALLOW_PLAIN_HTTP: 'yes' },
      /^warn BUNDLE_API_URL is not https/,
    ],
    [
      'a Bot API server without TLS',
      { TELEGRAM_API_ROOT: 'http://telegram.example' },
      /^warn TELEGRAM_API_ROOT is not https/,
    ],
    ['metrics that anyone can read', { HOST: '0.0.0.0' }, /^warn HOST=0.0.0.0 .*METRICS_TOKEN is not set/],
    [
      'access by invitation without an operator',
      { OWNER_IDS: '', ACCESS: 'invite' },
      /^warn OWNER_IDS is not set.*nobody can invite/,
    ],
    ['a silent log', { LOG_LEVEL: 'silent' }, /^warn LOG_LEVEL=silent/],
  ])('warns of %s', (_, other, words) => {
    expect(judged(other)).toEqual([expect.stringMatching(words)])
  })

  test('warns of a .env that every user of the machine can read', () => {
    expect(judged({}, [{ name: '.env', mode: 0o100644 }])).toEqual([
      expect.stringMatching(/^warn \.env contains secrets and can be read by everybody/),
    ])
    expect(judged({}, [{ name: '.env', mode: 0o100640 }])).toEqual(['ok complete'])
  })
})

describe('the doctor’s check of Telegram', () => {
  test('reports that Telegram refuses the token', async () => {
    const findings = await findingsIn(await newPlace(), { TELEGRAM_BOT_TOKEN: `123456789:${'x'.repeat(35)}` })
    expect(failures(findings)).toEqual([expect.stringMatching(/^Telegram: the token is refused.*BotFather/)])
  })

  test('reports that Telegram cannot be reached', async () => {
    const findings = await findingsIn(await newPlace(), {
      TELEGRAM_API_ROOT: `http://127.0.0.1:${await newPort()}`,
    })
    expect(failures(findings)).toEqual([expect.stringMatching(/^Telegram: .*nothing accepts the connection/)])
  })

  test('names the proxy that requests to Telegram go through', async () => {
    const place = await newPlace()
    const proxy = `127.0.0.1:${await newPort()}`
    const [host = ''] = place.env.BUNDLE_API_URL?.match(/127\.0\.0\.1:\d+/) ?? []
    const findings = await findingsIn(place, { HTTP_PROXY: proxy, NO_PROXY: host })
    expect(about(findings, 'proxy')).toEqual([
      `ok the bot reaches Telegram through ${proxy} and the provider directly (HTTPS_PROXY, HTTP_PROXY, NO_PROXY)`,
    ])
    expect(failures(findings)).toEqual([expect.stringMatching(/^Telegram: .*nothing accepts the connection/)])
  })

  test('reports that the address does not answer like the Bot API', async () => {
    const findings = await findingsIn(await newPlace(), { TELEGRAM_API_ROOT: await listen(page) })
    expect(failures(findings)).toEqual([
      expect.stringMatching(/^Telegram: .*does not answer like the Bot API \(200\)/),
    ])
  })

  const setWebhook = ({ telegram }: Place, url: string) =>
    fetch(`${telegram.url}/bot${telegram.token}/setWebhook?url=${encodeURIComponent(url)}`)

  test('reports that a webhook is set although the bot polls, and shows only the host of the webhook’s address', async () => {
    const place = await newPlace()
    await setWebhook(place, 'http://127.0.0.1:9/secret-path')
    const findings = await findingsIn(place)
    expect(about(findings, 'updates')).toEqual([
      'warn by polling, but Telegram sends them to http://127.0.0.1:9',
    ])
  })

  test('expects no webhook before the first start, and the right one afterwards', async () => {
    const place = await newPlace()
    const before = await findingsIn(place, { TELEGRAM_UPDATES: 'webhook' })
    expect(about(before, 'updates')).toEqual(['warn by webhook, but Telegram sends them nowhere'])
    await setWebhook(place, `${place.env.PUBLIC_URL}/telegram`)
    const after = await findingsIn(place, { TELEGRAM_UPDATES: 'webhook' })
    expect(about(after, 'updates')).toEqual([`ok by webhook, to ${place.env.PUBLIC_URL}`])
  })
})

describe('the doctor’s check of the provider', () => {
  test('sends no credentials of an account', async () => {
    const place = await newPlace()
    const findings = await findingsIn(place)
    expect(about(findings, 'provider')).toEqual([expect.stringMatching(/^ok .*answers like the API/)])
    expect(place.provider.requests().map(({ accountId }) => accountId ?? null)).toEqual([null])
  })

  test('reports that the API is not at the configured address', async () => {
    const place = await newPlace()
    const findings = await findingsIn(place, {
      BUNDLE_API_URL: place.provider.url.replace('/api/v1', '/api'),
    })
    expect(failures(findings)).toEqual([expect.stringMatching(/^provider: .*\(404.*whole base address/)])
  })

  test.each<[string, Parameters<typeof listen>[0], RegExp]>([
    ['a page', page, /does not answer like the API \(200, no JSON\)/],
    ['an error', (_, answer) => answer.writeHead(503).end(), /answers 503: it is out of service/],
    [
      'a redirect',
      (_, answer) => answer.writeHead(301, { location: '/' }).end(),
      /does not answer like the API \(301/,
    ],
    ['a broken connection', (request) => request.socket.destroy(), /the connection breaks/],
  ])('reports that the API’s address answers with %s', async (_, handler, words) => {
    const findings = await findingsIn(await newPlace(), { BUNDLE_API_URL: `${await listen(handler)}/api/v1` })
    expect(failures(findings)).toEqual([expect.stringMatching(words)])
  })

  test('reports that the address does not speak TLS', async () => {
    const url = (await listen(page)).replace('http:', 'https:')
    const findings = await findingsIn(await newPlace(), { BUNDLE_API_URL: `${url}/api/v1` })
    expect(failures(findings)).toEqual([expect.stringMatching(/TLS fails/)])
  })
})

describe('the doctor’s check of the clocks', () => {
  test.each([
    [0, 'ok'],
    [10_000, 'warn'],
    [-10_000, 'warn'],
    [60_000, 'fail'],
  ] as const)('grades a provider’s clock that is off by %i ms as “%s”', async (clockSkewMs, grade) => {
    const place = await newPlace()
    place.provider.settings({ clockSkewMs })
    const [finding] = about(await findingsIn(place), 'clock')
    expect(finding).toMatch(new RegExp(`^${grade} Telegram agrees, the provider`))
    if (grade === 'fail') expect(finding).toMatch(/the provider is (59|60|61) s ahead/)
  })
})

describe('the doctor’s check of the port', () => {
  test('reports that another program uses the port', async () => {
    const place = await newPlace()
    await listen(page, Number(place.env.PORT))
    const failed = failures(await findingsIn(place))
    expect(failed[0]).toMatch(/^HTTP server: another program listens on 127\.0\.0\.1:\d+.*PORT=/)
  })

  test('reports that a bot with another key uses the port', async () => {
    const place = await newPlace()
    await listen(answeringWith(newKey()), Number(place.env.PORT))
    expect(failures(await findingsIn(place))[0]).toMatch(
      /^HTTP server: the bot on .* has a different CREDENTIALS_KEY/,
    )
  })
})

/** Answers a health check like a bot with this key. */
const answeringWith =
  (key: string, toPosts = 404): Parameters<typeof listen>[0] =>
  (request, answer) => {
    const keyring = createKeyring([Buffer.from(key, 'base64')])
    const signed = keyring.sign('probe', String(request.headers[probeHeader]))
    request.resume()
    if (request.method === 'POST') answer.writeHead(toPosts).end('{"error":"not found"}')
    else answer.writeHead(200, { [probeHeader]: signed }).end('{}')
  }

describe('the doctor’s check of the public address', () => {
  const lost = async (place: Place, handler: Parameters<typeof listen>[0]) =>
    failures(await findingsIn(place, { PUBLIC_URL: await listen(handler) }))

  test('accepts a proxy in front of a bot on another machine', async () => {
    const place = await newPlace()
    const findings = await findingsIn(place, { PUBLIC_URL: await listen(answeringWith(place.key)) })
    expect(failures(findings)).toEqual([])
    expect(about(findings, 'public address')[0]).toMatch(/^ok reaches this bot/)
  })

  test.each<[string, Parameters<typeof listen>[0], RegExp]>([
    ['to another site', page, /answers 200, but is not this bot/],
    ['to nothing (404)', (_, answer) => answer.writeHead(404).end(), /answers 404, but is not this bot/],
    [
      'to a proxy without a bot',
      (_, answer) => answer.writeHead(502).end(),
      /answers 502: its proxy cannot reach/,
    ],
    [
      'to a redirect',
      (_, answer) => answer.writeHead(308, { location: 'https://x.example' }).end(),
      /redirects \(308\)/,
    ],
    ['to a bot with another key', answeringWith(newKey()), /leads to a bot with a different CREDENTIALS_KEY/],
    [
      'to a server that repeats the question',
      (request, answer) => answer.writeHead(200, { [probeHeader]: request.headers[probeHeader] }).end(),
      /is not this bot/,
    ],
  ])('reports a public address that leads %s', async (_, handler, words) => {
    expect(await lost(await newPlace(), handler)).toEqual([expect.stringMatching(words)])
  })

  test('reports a public address where nothing answers', async () => {
    const findings = await findingsIn(await newPlace(), {
      PUBLIC_URL: `http://127.0.0.1:${await newPort()}`,
    })
    expect(failures(findings)).toEqual([
      expect.stringMatching(/^public address: .*nothing accepts the connection.*proxy/),
    ])
  })

  test('reports metrics that anyone can read at that address', async () => {
    const place = await newPlace()
    const open: Parameters<typeof listen>[0] = (request, answer) =>
      request.url === '/metrics'
        ? answer.writeHead(200).end('# HELP bundlegram_ready x\nbundlegram_ready 1\n')
        : answeringWith(place.key)(request, answer)
    expect(await lost(place, open)).toEqual([
      expect.stringMatching(/^metrics: PUBLIC_URL\/metrics is open to everybody/),
    ])
  })

  test('reports a proxy that passes GET requests and refuses POST requests', async () => {
    const place = await newPlace()
    expect(await lost(place, answeringWith(place.key, 403))).toEqual([
      expect.stringMatching(/^callbacks: POST \/webhooks is answered with 403 before/),
    ])
  })

  test('accepts that no public address is set', async () => {
    const findings = await findingsIn(await newPlace(), { PUBLIC_URL: '' })
    expect(about(findings, 'public address')).toEqual(['ok none is set, so statuses come only by polling'])
    expect(failures(findings)).toEqual([])
  })
})

test('the doctor reports a database path that is a folder', async () => {
  const place = await newPlace()
  mkdirSync(`${place.databasePath}.d`)
  const findings = await findingsIn(place, { DATABASE_URL: `file:${join(`${place.databasePath}.d`)}` })
  expect(about(findings, 'database')).toEqual([expect.stringMatching(/^fail cannot be read/)])
})
