import fastify from 'fastify'
import { Api } from 'grammy'

/** What any relay of callbacks costs: a route that sends a message of what is delivered and keeps nothing. */
const { TELEGRAM_BOT_TOKEN: token = '', TELEGRAM_API_ROOT: apiRoot = '', PORT: port } = process.env
const api = new Api(token, { apiRoot })
const server = fastify()
server.post<{ Params: { chat: string }; Body: { status: string } }>('/webhooks/:chat', async (request) => {
  const { status } = request.body
  if (status === 'delivered') void api.sendMessage(Number(request.params.chat), status)
  return { ok: true }
})
await server.listen({ host: '127.0.0.1', port: Number(port) })
