import type { Config } from '../start/config.ts'
import { proxyFor } from '../start/proxies.ts'
import { type Finding, fail, ok, warn } from './finding.ts'
import { jsonIn, ms, type Reached, reach, unreachedWords } from './reach.ts'

const what = 'provider'
const slowMs = 3_000

/** Asks for a balance without credentials. The API must answer with 401 and `success: false` (API §7). */
export const askProvider = ({
  provider: { baseUrl },
  proxies,
}: Pick<Config, 'provider' | 'proxies'>): Promise<Reached> =>
  reach(`${baseUrl}/wallet/balance`, {
    headers: { accept: 'application/json' },
    proxy: proxyFor(proxies, baseUrl),
  })

/**
 * Reports whether the provider answers at its address. Here, a refusal because the key is missing is the right
 * answer.
 */
export const examineProvider = ({ baseUrl }: Config['provider'], reached: Reached): Finding => {
  const host = URL.parse(baseUrl)?.host ?? ''
  if (reached.kind === 'unreached') {
    return fail(
      what,
      `${host} ${unreachedWords(reached)}`,
      reached.why === 'tls'
        ? 'Check BUNDLE_API_URL and this machine’s date; a proxy in between may present its own certificate'
        : 'Check BUNDLE_API_URL against the provider’s dashboard, and this machine’s connection and firewall',
    )
  }
  const { status, tookMs } = reached
  if (status >= 500) {
    return fail(
      what,
      `${host} answers ${status}: it is out of service`,
      'Orders wait or are settled later. If this lasts, ask the provider',
    )
  }
  if (status === 401 && saysNo(jsonIn(reached))) {
    const finding = `${host} answers like the API, in ${ms(tookMs)}`
    return tookMs > slowMs
      ? warn(what, finding, 'Slow answers leave more orders unconfirmed for a while')
      : ok(what, finding)
  }
  if (status === 429) {
    return warn(
      what,
      `${host} accepts no more requests from this address for now (429)`,
      'Run this again in a minute',
    )
  }
  return fail(
    what,
    `${host} does not answer like the API (${status}${jsonIn(reached) === null ? ', no JSON' : ''})`,
    'BUNDLE_API_URL must be the whole base address, usually ending in /api/v1: copy it from the provider’s dashboard',
  )
}

const saysNo = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'success' in body && body.success === false
