import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createProvider, type ProviderState } from '../../../src/sandbox/index.ts'
import { clientOf, latest, startProvider } from './client.ts'

const page = 'http://localhost:8099'

const start = async () => {
  const provider = await startProvider()
  const call = (method: string, path: string, body?: unknown, origin = page) =>
    fetch(provider.controlUrl + path, {
      method,
      headers: { origin, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  return { provider, client: clientOf(provider), call }
}

describe('the control protocol of the simulated provider', () => {
  it('shows the state, with the newest order first', async () => {
    const { provider, client, call } = await start()
    await client.order()
    await client.order({ phone: '0241234568' })
    const state = (await (await call('GET', '/state')).json()) as ProviderState
    expect(state).toEqual(provider.state())
    expect(state.orders.map(({ phones: [first] }) => first?.phone)).toEqual(['0241234568', '0241234567'])
    expect(state.accounts.map(({ apiKey }) => apiKey)).toContain('demo-agent-key')
  })

  it('changes the status of an order', async () => {
    const { provider, client, call } = await start()
    await client.order()
    const answer = await call('POST', `/orders/${latest(provider)}/status`, { status: 'failed' })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual(provider.orders()[0])
    expect(provider.orders()[0]?.status).toBe('failed')
  })

  it('changes the status of one recipient without a callback', async () => {
    const { provider, client, call } = await start()
    await client.bulk({ phones: ['0241234561', '0241234562'] })
    const move = { status: 'delivered', phone: '0241234562', quiet: true }
    await call('POST', `/orders/${latest(provider)}/status`, move)
    expect(provider.orders()[0]?.phones.map(({ status }) => status)).toEqual(['processing', 'delivered'])
  })

  it('adds a fault, ends one fault, and ends all faults', async () => {
    const { provider, call } = await start()
    const added = await call('POST', '/faults', { kind: 'hang', times: null })
    const { id } = (await added.json()) as { id: string }
    await call('POST', '/faults', { kind: 'slow', delayMs: 5 })
    await call('POST', '/faults', { kind: 'redirect' })
    const kinds = () => provider.state().faults.map(({ kind }) => kind)
    expect((await call('DELETE', `/faults/${id}`)).status).toBe(200)
    expect(kinds()).toEqual(['slow', 'redirect'])
    await call('DELETE', '/faults')
    expect(kinds()).toEqual([])
  })

  it('changes the given settings and keeps the others', async () => {
    const { provider, call } = await start()
    const before = provider.settings()
    const answer = await call('POST', '/settings', { deliverAfterMs: 5_000, bulkCallbacks: 'both' })
    const expected = { ...before, deliverAfterMs: 5_000, bulkCallbacks: 'both' }
    expect(await answer.json()).toEqual(expected)
    expect(provider.settings()).toEqual(expected)
  })

  it('changes an account', async () => {
    const { provider, call } = await start()
    const change = { balancePesewas: 5, disabled: true, prices: { 4: 7 } }
    const answer = await call('POST', '/accounts/dealer', change)
    expect(await answer.json()).toMatchObject({ id: 'dealer', ...change })
    expect(provider.account('dealer')).toMatchObject(change)
  })

  it('places orders as another program would, or says why it cannot', async () => {
    const { provider, call } = await start()
    const one = { bundleId: 2, phones: ['0247000001'] }
    const placed = await call('POST', '/accounts/agent/orders', one)
    expect(await placed.json()).toEqual(provider.orders()[0])
    expect(provider.orders()).toMatchObject([{ type: 'single', accountId: 'agent', webhookUrl: null }])
    expect((await call('POST', '/accounts/agent/orders', one)).status).toBe(409)
    const many = { bundleId: 2, phones: ['0247000002', '0247000003'] }
    expect((await call('POST', '/accounts/agent/orders', many)).status).toBe(200)
    expect(provider.debits('agent').map(({ amountPesewas }) => amountPesewas)).toEqual([960, 1_920])
    expect((await call('POST', '/accounts/agent/orders', { bundleId: 2, phones: ['024'] })).status).toBe(400)
    expect((await call('POST', '/accounts/nobody/orders', one)).status).toBe(404)
  })

  it('lists the bundles of an account, and removes the account’s own price', async () => {
    const { provider, call } = await start()
    const usual = provider.bundles('dealer')
    await call('POST', '/accounts/dealer', { prices: { 4: 7, 5: 8 } })
    expect(await (await call('GET', '/accounts/dealer/bundles')).json()).toEqual(provider.bundles('dealer'))
    await call('POST', '/accounts/dealer', { prices: { 4: null } })
    expect(provider.account('dealer').prices).toEqual({ 5: 8 })
    await call('POST', '/accounts/dealer', { prices: { 5: null } })
    expect(provider.bundles('dealer')).toEqual(usual)
    expect((await call('GET', '/accounts/nobody/bundles')).status).toBe(404)
  })

  it.each([
    ['/faults', { kind: 'unheard_of' }],
    ['/faults', { kind: 'slow', delayMs: -1 }],
    ['/settings', { deliverAfterMs: 'soon' }],
    ['/settings', { unheardOf: 1 }],
    ['/accounts/agent', { balancePesewas: 1.5 }],
    ['/orders/BUD-API-NONE-1/status', {}],
  ])('refuses a POST to %s with the invalid body %j', async (path, body) => {
    const { provider, call } = await start()
    const before = provider.state()
    expect((await call('POST', path, body)).status).toBe(400)
    expect(provider.state()).toEqual(before)
  })

  it.each([
    ['/orders/BUD-API-NONE-1/status', { status: 'failed' }],
    ['/accounts/nobody', { disabled: true }],
  ])('answers 404 to a POST to %s, which does not exist', async (path, body) => {
    const { call } = await start()
    expect((await call('POST', path, body)).status).toBe(404)
  })
})

describe('web pages', () => {
  it('of this machine may use the simulated provider’s controls from any port', async () => {
    const { call } = await start()
    const preflight = await call('OPTIONS', '/faults')
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-methods')).toContain('DELETE')
    expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type')
    for (const origin of [page, 'http://127.0.0.1:1234']) {
      const answer = await call('GET', '/state', undefined, origin)
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    }
  })

  it.each(['https://example.com', 'http://localhost.example.com', 'null'])(
    'of the origin %s may not use the simulated provider’s controls',
    async (origin) => {
      const { provider, call } = await start()
      const answer = await call('POST', '/faults', { kind: 'hang' }, origin)
      expect(answer.status).toBe(403)
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
      expect(provider.state().faults).toEqual([])
    },
  )
})

describe('the simulated provider’s events', () => {
  it('bring the state at first and after each change, even to a page on another port', async () => {
    const { provider, client, call } = await start()
    const answer = await call('GET', '/events')
    expect(answer.headers.get('content-type')).toBe('text/event-stream')
    expect(answer.headers.get('access-control-allow-origin')).toBe(page)
    const states = readStates(answer)
    expect((await states.next()).value?.orders).toEqual([])
    await client.order()
    const placed = await next(states, ({ orders: [order] }) => order?.status === 'processing')
    expect(placed.accounts.find(({ id }) => id === 'agent')?.balancePesewas).toBe(47_650)
    provider.setStatus(latest(provider), 'delivered')
    await next(states, ({ orders: [order] }) => order?.status === 'delivered')
  })

  it('reach listeners in the same process immediately, until they stop listening', async () => {
    const { provider, client } = await start()
    const kinds: string[] = []
    const stop = provider.on(({ kind }) => kinds.push(kind))
    provider.addFault({ kind: 'slow' })
    expect(kinds).toEqual(['faults'])
    provider.clearFaults()
    await client.order()
    expect(kinds).toEqual(['faults', 'faults', 'request', 'order', 'request'])
    stop()
    await client.get('/wallet/balance')
    expect(kinds).toHaveLength(5)
  })
})

it('the simulated provider fails to start with EADDRINUSE if its port is taken', async () => {
  const { provider } = await start()
  const port = Number(new URL(provider.url).port)
  await expect(createProvider({ port })).rejects.toMatchObject({ code: 'EADDRINUSE', port })
})

it('the simulated provider stops despite open connections, and frees its port', async () => {
  const { provider, call } = await start()
  await call('GET', '/events')
  const port = Number(new URL(provider.url).port)
  const idle = connect(port, '127.0.0.1')
  onTestFinished(() => void idle.destroy())
  await once(idle, 'connect')
  const ended = once(idle, 'close')
  await provider.stop()
  await ended
  const again = await createProvider({ port })
  await again.stop()
})

async function* readStates(answer: Response): AsyncGenerator<ProviderState> {
  let text = ''
  for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const events = (text + chunk).split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) yield JSON.parse(event.replace(/^event: state\ndata: /, ''))
  }
}

const next = async (
  states: AsyncGenerator<ProviderState>,
  holds: (state: ProviderState) => boolean,
): Promise<ProviderState> => {
  for (;;) {
    const { value, done } = await states.next()
    if (done) throw new Error('The stream has ended')
    if (holds(value)) return value
  }
}
