import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { InlineKeyboard } from 'grammy'
import { expect, it, onTestFinished } from 'vitest'
import { createTelegram, type TelegramSimulator } from '../../../src/sandbox/index.ts'
import { startedChat, startSimulator } from './simulation.ts'

const asker = (sim: TelegramSimulator) => async (method: string, path: string, body?: object) => {
  const response = await fetch(`${sim.controlUrl}${path}`, {
    method,
    ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
  })
  const answer: { id?: number } = JSON.parse(await response.text())
  return { status: response.status, body: answer }
}

it('a script can do over HTTP everything that simulated people can do', async () => {
  const { sim, person, first, api } = await startedChat()
  const ask = asker(sim)
  const from = person.id
  expect(await ask('POST', '/messages', { from, text: 'hi' })).toMatchObject({
    status: 200,
    body: { text: 'hi' },
  })
  const sent = await api.sendMessage(from, 'x', { reply_markup: new InlineKeyboard().text('a', 'x') })
  const press = { from, messageId: sent.message_id, data: 'x' }
  expect(await ask('POST', '/presses', press)).toMatchObject({ body: { id: expect.stringMatching(/^\d+$/) } })
  expect(
    await ask('POST', '/files', { from, name: 'a.txt', mime: 'text/plain', dataBase64: 'eA==' }),
  ).toMatchObject({ body: { document: { file_name: 'a.txt' } } })
  const url = `https://t.me/${sim.state().bot.username}?start=p`
  expect(await ask('POST', '/links', { from, url })).toMatchObject({ body: { text: '/start p' } })
  await ask('POST', '/deletions', { from, messageId: first.message_id })
  const group = await ask('POST', '/groups', { title: 'G', members: [from] })
  await ask('POST', `/groups/${group.body.id}/migrate`)
  await ask('POST', `/people/${from}`, { blocked: true })
  await ask('POST', '/faults', { method: 'getMe', kind: 'bad_request' })
  await expect(api.getMe()).rejects.toMatchObject({ error_code: 400 })
  await ask('POST', '/faults', { method: 'getMe', kind: 'bad_request' })
  await ask('DELETE', '/faults')
  await api.getMe()
  await ask('POST', '/redeliver', { asNew: true })
  expect((await ask('GET', '/calls?method=getMe')).body).toMatchObject([{ ok: false }, { ok: true }])
  const state = await ask('GET', '/state')
  expect(state.body).toEqual(JSON.parse(JSON.stringify(sim.state())))
  expect(await ask('GET', `/chats/${from}`)).toMatchObject({
    body: { deleted: [{ messageId: first.message_id, by: 'person' }] },
  })
  expect((await api.getUpdates()).map(({ message }) => message?.text)).toContain('/start p')
})

it('the simulated Telegram says why it refuses a control request', async () => {
  const { sim, person } = await startedChat()
  const ask = asker(sim)
  const refused = (status: number, part: string) => ({
    status,
    body: { message: expect.stringContaining(part) },
  })
  expect(await ask('POST', '/messages', { from: 1, text: 'x' })).toMatchObject(refused(404, 'no person 1'))
  expect(await ask('POST', '/messages', { from: person.id })).toMatchObject(refused(400, 'text'))
  expect(await ask('POST', '/presses', { from: person.id, messageId: 1, data: 'x' })).toMatchObject(
    refused(409, 'no button'),
  )
  expect(await ask('GET', '/chats/5')).toMatchObject(refused(404, 'no chat 5'))
  expect(await ask('GET', '/files/none')).toMatchObject(refused(404, 'no such file'))
})

it('the simulated Telegram’s event stream brings each new message to the page', async () => {
  const { sim, person } = await startedChat()
  const hangUp = new AbortController()
  const response = await fetch(`${sim.controlUrl}/events`, { signal: hangUp.signal })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader?.read())?.value).toBe(': connected\n\n')
  const message = sim.say({ from: person.id, text: 'live' })
  expect((await reader?.read())?.value).toBe(
    `event: message\ndata: ${JSON.stringify({ type: 'message', chat: person.id, message })}\n\n`,
  )
  hangUp.abort()
})

it('web pages of this machine may use the simulated Telegram’s controls, and other pages may not', async () => {
  const sim = await startSimulator({ provider: { controlUrl: 'here' } })
  const ask = (origin: string, method = 'GET') =>
    fetch(`${sim.controlUrl}/sandbox`, { method, headers: { origin } })
  const own = await ask('http://127.0.0.1:9999')
  expect(own.headers.get('access-control-allow-origin')).toBe('http://127.0.0.1:9999')
  expect(await own.json()).toEqual({ provider: 'here' })
  expect((await ask('http://localhost:1', 'OPTIONS')).status).toBe(204)
  const foreign = await ask('https://127.0.0.1.example.org')
  expect(foreign.status).toBe(403)
  expect(foreign.headers.get('access-control-allow-origin')).toBeNull()
})

it('the simulated Telegram serves the page’s files and no other file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'page-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const pageDir = join(folder, 'page')
  await mkdir(pageDir)
  await writeFile(join(folder, 'secret.js'), 'secret')
  await writeFile(join(pageDir, 'index.html'), '<!doctype html>')
  await writeFile(join(pageDir, '.hidden.js'), 'hidden')
  await writeFile(join(pageDir, 'notes.txt'), 'notes')
  await symlink(join(folder, 'secret.js'), join(pageDir, 'link.js'))
  const sim = await startSimulator({ pageDir })
  const index = await fetch(sim.pageUrl)
  expect(await index.text()).toBe('<!doctype html>')
  expect(index.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(index.headers.get('content-security-policy')).toBe(
    "default-src 'self'; connect-src 'self' http://127.0.0.1:*; img-src 'self' data: blob:",
  )
  for (const path of [
    '..%2Fsecret.js',
    '%2e%2e/secret.js',
    'link.js',
    '.hidden.js',
    'notes.txt',
    'none.js',
    '%00.js',
  ]) {
    expect((await fetch(`${sim.pageUrl}${path}`)).status, path).toBe(404)
  }
})

it('the simulated Telegram fails to start with EADDRINUSE if its port is taken', async () => {
  const sim = await startSimulator()
  const port = Number(new URL(sim.url).port)
  await expect(createTelegram({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})
