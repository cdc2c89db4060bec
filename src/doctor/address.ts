import { randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { createServer, type Server } from 'node:http'
import { BlockList } from 'node:net'
import { commandLine } from '../base/installation.ts'
import { isNonce, probeHeader } from '../http/probe.ts'
import type { Config } from '../start/config.ts'
import type { Keyring } from '../wallets/credentials/keyring.ts'
import { type Finding, fail, ok, warn } from './finding.ts'
import { jsonIn, ms, type Reached, reach, unreachedWords } from './reach.ts'

export type Listener =
  | { kind: 'bot'; ready: unknown }
  /** A bot whose credentials keys are not ours. */
  | { kind: 'other_key' }
  | { kind: 'other_program' }
  | { kind: 'nobody' }
  /** With PORT=0 each start uses another port, so there is no port to ask. */
  | { kind: 'unknown' }

type Signature = 'ours' | 'others' | 'none'

interface Probe {
  reached: Reached
  signature: Signature
}

const probe = async (origin: string, keyring: Keyring): Promise<Probe> => {
  const nonce = randomBytes(18).toString('base64url')
  const reached = await reach(`${origin}/healthz`, { headers: { [probeHeader]: nonce } })
  if (reached.kind === 'unreached') return { reached, signature: 'none' }
  const answer = reached.headers.get(probeHeader)
  if (answer === null || answer === nonce) return { reached, signature: 'none' }
  return { reached, signature: keyring.verify('probe', answer) === nonce ? 'ours' : 'others' }
}

/** The origin by which this machine reaches a server that listens on that host and port. */
const localOrigin = ({ host, port }: Pick<Config, 'host' | 'port'>): string => {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`
  if (host === '::') return `http://[::1]:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Finds out what answers on the configured port, and whether it is a bot with our keys. */
export const findListener = async (config: Config, keyring: Keyring): Promise<Listener> => {
  if (config.port === 0) return { kind: 'unknown' }
  const origin = localOrigin(config)
  const { reached, signature } = await probe(origin, keyring)
  if (signature === 'others') return { kind: 'other_key' }
  if (signature === 'ours') {
    const ready = await reach(`${origin}/readyz`)
    return { kind: 'bot', ready: ready.kind === 'answered' ? jsonIn(ready) : null }
  }
  return { kind: reached.kind === 'unreached' && reached.why === 'refused' ? 'nobody' : 'other_program' }
}

const server = 'HTTP server'

export const examineListener = ({ host, port }: Config, listener: Listener): Finding => {
  const place = `${host}:${port}`
  switch (listener.kind) {
    case 'bot':
      return examineReadiness(place, listener.ready)
    case 'nobody':
      return ok(server, `${place} is free: no bot runs there`)
    case 'unknown':
      return ok(server, 'PORT=0: any free port is used')
    case 'other_key':
      return fail(
        server,
        `the bot on ${place} has a different CREDENTIALS_KEY`,
        'Run this with that bot’s environment, or give the two bots different ports',
      )
    case 'other_program':
      return fail(
        server,
        `another program listens on ${place}, so ${commandLine('start')} cannot`,
        `Stop it, or choose another port, for example PORT=${port + 1}, here and in the proxy that forwards to it`,
      )
  }
}

interface Readiness {
  ready: boolean
  missing: string[]
  telegram: string
}

const examineReadiness = (place: string, ready: unknown): Finding => {
  const { missing = [], telegram = 'unknown' } = (ready ?? {}) as Partial<Readiness>
  if (missing.length > 0) {
    return fail(
      server,
      `the bot on ${place} is not ready: ${missing.join(', ')}`,
      'See below, and the bot’s log',
    )
  }
  return telegram === 'ok' || telegram.startsWith('standing by')
    ? ok(server, `the bot on ${place} is ready`)
    : warn(
        server,
        `the bot on ${place} is ready, but reports about Telegram: ${telegram}`,
        'See the findings about Telegram above',
      )
}

const address = 'public address'

/**
 * Sends a request to `PUBLIC_URL` to see whether it arrives at this machine. If no bot is running, the doctor itself
 * listens on the port during the test.
 */
export const examinePublicAddress = async (
  config: Config,
  keyring: Keyring,
  listener: Listener,
): Promise<Finding[]> => {
  const { publicUrl } = config
  if (publicUrl === null) {
    return [ok(address, 'none is set, so statuses come only by polling')]
  }
  const first = await probe(publicUrl, keyring)
  if (first.signature === 'ours') return [arrived(first.reached), ...(await examineWay(publicUrl))]
  if (listener.kind !== 'nobody') return [lost(publicUrl, first)]
  const standIn = await listenInstead(config, keyring)
  if (standIn === null) {
    return [
      fail(
        address,
        `nothing can listen on ${config.host}:${config.port}`,
        'Set HOST to an address of this machine, for example HOST=127.0.0.1, and PORT above 1023',
      ),
    ]
  }
  try {
    const second = await probe(publicUrl, keyring)
    return second.signature === 'ours'
      ? [arrived(second.reached), ...(await examineWay(publicUrl))]
      : [lost(publicUrl, second)]
  } finally {
    standIn.closeAllConnections()
    standIn.close()
  }
}

const arrived = (reached: Reached): Finding =>
  ok(address, `reaches this bot${reached.kind === 'answered' ? ` in ${ms(reached.tookMs)}` : ''}`)

const lost = (publicUrl: string, { reached, signature }: Probe): Finding => {
  const { host = '', pathname = '/' } = URL.parse(publicUrl) ?? {}
  if (signature === 'others') {
    return fail(
      address,
      `${host} leads to a bot with a different CREDENTIALS_KEY`,
      'Point it to this bot, or set this bot’s own PUBLIC_URL',
    )
  }
  if (reached.kind === 'unreached') {
    const remedies = {
      name: 'Create a DNS record that points it to this machine or its proxy',
      refused: 'Start the proxy or tunnel, and open its port in the firewall',
      silent:
        'Open the port in the firewall. Some routers do not route their own network back in: try from elsewhere',
      tls: 'Renew the certificate and serve the whole chain: the provider and Telegram refuse this one too',
      broken:
        'See the proxy’s log. Another possible cause: PUBLIC_URL says https:// but the proxy speaks http://',
    }
    return fail(address, `${host} ${unreachedWords(reached)}`, remedies[reached.why])
  }
  const { status } = reached
  if (status >= 300 && status < 400) {
    return fail(
      address,
      `${host} redirects (${status}), and callbacks do not follow redirects`,
      'Set PUBLIC_URL to the address it redirects to, with https://',
    )
  }
  if (status === 502 || status === 503 || status === 504) {
    return fail(
      address,
      `${host} answers ${status}: its proxy cannot reach the bot`,
      'Make the proxy forward to the bot’s HOST and PORT. In a container, set HOST=0.0.0.0',
    )
  }
  return fail(
    address,
    `${host} answers ${status}, but is not this bot`,
    `Forward everything below ${pathname}, also /healthz, to the bot’s HOST and PORT, without that path and with all headers`,
  )
}

const examineWay = async (publicUrl: string): Promise<Finding[]> => [
  await examinePosts(publicUrl),
  await examineMetrics(publicUrl),
  ...(await examineReach(publicUrl)),
]

/** Warns if all IP addresses of `PUBLIC_URL` are private, because the provider may not be able to reach them. */
const examineReach = async (publicUrl: string): Promise<Finding[]> => {
  const name = (URL.parse(publicUrl)?.hostname ?? '').replace(/^\[(.*)\]$/, '$1')
  const addresses = await lookup(name, { all: true }).catch(() => [])
  const isPrivate = addresses.every(({ address, family }) =>
    inside.check(address, family === 6 ? 'ipv6' : 'ipv4'),
  )
  return isPrivate
    ? [
        warn(
          address,
          `from here, ${name} has only private addresses`,
          'Unless the provider is in the same network, use a public address or a tunnel',
        ),
      ]
    : []
}

const inside = new BlockList()
for (const [net, bits] of [
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
] as const) {
  inside.addSubnet(net, bits, 'ipv4')
}
for (const [net, bits] of [
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  inside.addSubnet(net, bits, 'ipv6')
inside.addAddress('::1', 'ipv6')

/**
 * Sends a callback with an invalid token, because a proxy may pass GET but not POST. The bot refuses it and stores
 * nothing.
 */
const examinePosts = async (publicUrl: string): Promise<Finding> => {
  const reached = await reach(`${publicUrl}/webhooks/none`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"reference":"none","status":"none"}',
  })
  const isRefused = reached.kind === 'answered' && reached.status === 404 && isOwnRefusal(jsonIn(reached))
  if (isRefused) return ok('callbacks', 'POST /webhooks gets through')
  const finding =
    reached.kind === 'unreached'
      ? unreachedWords(reached)
      : `is answered with ${reached.status} before it reaches the bot`
  return fail(
    'callbacks',
    `POST /webhooks ${finding}`,
    'Make the proxy forward POST requests to /webhooks/ and /telegram, with bodies up to 1 MB',
  )
}

/** Reports whether `/metrics` is open to the internet, which it must not be. */
const examineMetrics = async (publicUrl: string): Promise<Finding> => {
  const reached = await reach(`${publicUrl}/metrics`)
  const isOpen =
    reached.kind === 'answered' && reached.status === 200 && /^# (HELP|TYPE) /m.test(reached.text)
  return isOpen
    ? fail(
        'metrics',
        'PUBLIC_URL/metrics is open to everybody',
        'Update the bot and set METRICS_TOKEN or METRICS_PORT. Make the proxy forward only /webhooks/, /telegram and /healthz',
      )
    : ok('metrics', 'PUBLIC_URL/metrics is not public')
}

const isOwnRefusal = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'error' in body && body.error === 'not found'

/** A server that answers the doctor's requests as the bot would; null if it cannot listen. */
const listenInstead = ({ host, port }: Config, keyring: Keyring): Promise<Server | null> =>
  new Promise((resolve) => {
    const standIn = createServer((request, answer) => {
      request.resume()
      const isHealth = request.method === 'GET' && request.url === '/healthz'
      const nonce = request.headers[probeHeader]
      answer.writeHead(isHealth ? 200 : 404, {
        'content-type': 'application/json; charset=utf-8',
        ...(isHealth && isNonce(nonce) && { [probeHeader]: keyring.sign('probe', nonce) }),
      })
      answer.end(isHealth ? '{"status":"ok"}' : '{"error":"not found"}')
    })
    standIn.once('error', () => resolve(null))
    standIn.listen({ host, port }, () => resolve(standIn))
  })
