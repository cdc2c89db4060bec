import { DatabaseSync } from 'node:sqlite'
import fastify from 'fastify'
import { Api } from 'grammy'

/** The baseline for callbacks: a Fastify route that makes one commit for each callback and sends one message. */
const {
  TELEGRAM_BOT_TOKEN: token = '',
  TELEGRAM_API_ROOT: apiRoot = '',
  DATABASE_URL = '',
  PORT,
} = process.env
const database = new DatabaseSync(DATABASE_URL.replace(/^file:/, ''))
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE callback (body TEXT)')
const insert = database.prepare('INSERT INTO callback VALUES (?)')
const api = new Api(token, { apiRoot })
const server = fastify()
server.post<{ Params: { chat: string }; Body: { status: string } }>('/webhooks/:chat', async (request) => {
  insert.run(JSON.stringify(request.body))
  const { status } = request.body
  if (status === 'delivered') void api.sendMessage(Number(request.params.chat), status)
  return { ok: true }
})
await server.listen({ port: Number(PORT) })
