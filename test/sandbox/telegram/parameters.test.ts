import { expect, it } from 'vitest'
import { parseMultipart } from '../../../src/sandbox/telegram/bot-api/multipart.ts'
import { startedChat } from './simulation.ts'

it('a call to the simulated Telegram means the same in every encoding', async () => {
  const { sim, person } = await startedChat()
  const url = `${sim.url}/bot${sim.token}/sendMessage`
  const fields = { chat_id: `${person.id}`, text: 'same & more', protect_content: 'true' }
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  await fetch(`${url}?${new URLSearchParams(fields)}`)
  await fetch(url, { method: 'POST', body: new URLSearchParams(fields) })
  await fetch(url, { method: 'POST', body: form })
  await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ ...fields, chat_id: person.id, protect_content: true, unknown: [1] }),
  })
  const sent = sim.messages(person.id).slice(1)
  expect(sent).toHaveLength(4)
  for (const message of sent)
    expect(message).toMatchObject({ text: 'same & more', has_protected_content: true })
  const payload = { chat_id: person.id, text: 'same & more', protect_content: true }
  for (const call of sim.calls('sendMessage')) expect(call.payload).toMatchObject(payload)
})

it('the simulated Telegram refuses invalid bodies', async () => {
  const { sim } = await startedChat()
  const post = async (type: string, body: string) => {
    const response = await fetch(`${sim.url}/bot${sim.token}/getMe`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    })
    return response.status
  }
  expect(await post('application/json', '{')).toBe(400)
  expect(await post('application/json', '[]')).toBe(400)
  expect(await post('multipart/form-data', 'x')).toBe(400)
})

it('the simulated Telegram reads a form’s names and files with and without quotes', () => {
  const body = [
    '--b',
    'content-disposition:form-data;name="a"',
    '',
    'line 1\r\nline 2',
    '--b',
    'Content-Disposition: form-data; name=f; filename=list (1).csv',
    'Content-Type: text/csv',
    '',
    'x--b',
    '--b--',
    '',
  ].join('\r\n')
  const form = parseMultipart(Buffer.from(body), 'multipart/form-data; boundary=b')
  expect(form?.fields).toEqual(new Map([['a', 'line 1\r\nline 2']]))
  expect(form?.uploads.get('f')).toEqual({
    name: 'list (1).csv',
    mime: 'text/csv',
    bytes: Buffer.from('x--b'),
  })
})
