import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { type HandledRequest, observeRequests } from '../../src/http/handled-requests.ts'

test('HTTP requests are reported for the metrics by route and status, and never by their path', async () => {
  const told: HandledRequest[] = []
  const server = Fastify()
  server.post('/webhooks/:token', (_request, reply) => reply.code(404).send())
  server.get('/readyz', () => ({ ready: true }))
  observeRequests(server, (request) => told.push(request))
  await server.inject({ method: 'POST', url: '/webhooks/a-secret-token', payload: {} })
  await server.inject('/readyz')
  await server.inject('/.env')
  await server.inject({ method: 'DELETE', url: '/readyz' })
  expect(told.map(({ route, status }) => [route, status])).toEqual([
    ['/webhooks/:token', 404],
    ['/readyz', 200],
    ['other', 404],
    ['other', 404],
  ])
  for (const { seconds } of told) expect(seconds).toBeGreaterThan(0)
})
