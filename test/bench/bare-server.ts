import fastify from 'fastify'

/** What any Fastify server costs: one route that reads a body and keeps nothing of it. */
const { PORT: port } = process.env
const server = fastify()
server.post('/webhooks/:token', async () => ({ ok: true }))
await server.listen({ host: '127.0.0.1', port: Number(port) })
