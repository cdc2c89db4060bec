import { describe, expect, it } from 'vitest'
import { Limits } from '../../../src/sandbox/provider/limits.ts'
import { clientOf, json, startProvider } from './client.ts'

const minuteMs = 60_000
const limits = { perMinute: 60, perHour: 500, perDay: 5_000 }

const startClock = async (perMinute: number) => {
  const clock = { ms: Date.UTC(2025, 0, 1) }
  const provider = await startProvider({
    now: () => clock.ms,
    settings: { limits: { ...limits, perMinute } },
  })
  return { clock, provider, client: clientOf(provider) }
}

/** Makes as many requests as the limits allow until `untilMs`, each as early as possible. */
const greedy = (untilMs: number): number[] => {
  const limiter = new Limits()
  const taken: number[] = []
  let nowMs = 0
  while (nowMs < untilMs) {
    const waitMs = limiter.take('key', limits, nowMs)
    if (waitMs === 0) taken.push(nowMs)
    nowMs += waitMs
  }
  return taken
}

const busiest = (taken: readonly number[], windowMs: number): number =>
  Math.max(...taken.map((from) => taken.filter((at) => at >= from && at < from + windowMs).length))

describe('the simulated provider’s request limits', () => {
  it('allow exactly the documented number of requests a minute, hour and day', {
    tags: 'exhaustive',
  }, () => {
    const taken = greedy(26 * 60 * minuteMs)
    expect(busiest(taken, minuteMs)).toBe(60)
    expect(busiest(taken, 60 * minuteMs)).toBe(500)
    expect(busiest(taken, 24 * 60 * minuteMs)).toBe(5_000)
  })

  it('answer 429 with the seconds until a request is accepted', async () => {
    const { clock, client } = await startClock(2)
    await client.get('/wallet/balance')
    clock.ms += 20_500
    await client.get('/wallet/balance')
    const refused = await client.get('/wallet/balance')
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('40')
    expect(json(refused)).toStrictEqual({
      success: false,
      error: expect.any(String),
      type: 'RATE_LIMIT',
      message: expect.any(String),
    })
    clock.ms += 39_000
    expect((await client.get('/wallet/balance')).status).toBe(429)
    clock.ms += 1_000
    expect((await client.get('/wallet/balance')).status).toBe(200)
  })

  it('place no order by a refused request', async () => {
    const { provider, client } = await startClock(1)
    await client.get('/wallet/balance')
    expect((await client.order()).status).toBe(429)
    expect(provider.debits()).toEqual([])
  })

  it('apply to each API key, and count no requests without valid credentials', async () => {
    const { provider, client } = await startClock(1)
    const { apiKey } = provider.account('agent')
    await clientOf(provider, { apiKey, apiSecret: 'wrong' }).get('/wallet/balance')
    expect((await client.get('/wallet/balance')).status).toBe(200)
    expect((await client.get('/wallet/balance')).status).toBe(429)
    expect((await clientOf(provider, provider.account('user')).get('/wallet/balance')).status).toBe(200)
  })

  it('count a bulk order as one request', async () => {
    const { client } = await startClock(2)
    await client.bulk({ phones: ['0241234561', '0241234562', '0241234563'] })
    expect((await client.get('/wallet/balance')).status).toBe(200)
    expect((await client.get('/wallet/balance')).status).toBe(429)
  })

  it('are not affected by a wrong clock of the provider', async () => {
    const { provider, client } = await startClock(1)
    await client.get('/wallet/balance')
    provider.settings({ clockSkewMs: 24 * 60 * minuteMs })
    expect((await client.get('/wallet/balance')).status).toBe(429)
  })
})
