import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import type { Phone } from '../../src/provider/phone.ts'
import { createBot } from '../../src/telegram/bot.ts'
import { clientOf } from '../provider/client.ts'
import { newPhone, place } from '../scenarios/shop.ts'
import { startRecordingServer } from '../support/network/recording-server.ts'
import { createWorld } from '../support/world.ts'

/** The bot asks only the addresses of its configuration, never one named in a text or an answer. */

const redirectTo =
  (location: string, status: number) => (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(status, { location }).end()
  }

test.each([301, 302, 303, 307, 308])(
  'no credentials or orders are sent to the address that a provider’s %i redirect names',
  async (status) => {
    const elsewhere = await startRecordingServer()
    const provider = await startRecordingServer(redirectTo(`${elsewhere.url}/inside`, status))
    const client = clientOf({ port: Number(new URL(provider.url).port) })
    await expect(client.balance()).rejects.toMatchObject({ name: 'ProviderError' })
    const placed = await client.placeOrder({ bundleId: 7, phone: '0241234567' as Phone })
    expect(placed).toMatchObject({ kind: 'unconfirmed' })
    expect(provider.requests).toHaveLength(2)
    expect(elsewhere.connections()).toBe(0)
  },
)

test.each([302, 307, 308])(
  'no message is sent to the address that a Bot API server’s %i redirect names',
  async (status) => {
    const elsewhere = await startRecordingServer()
    const server = await startRecordingServer(redirectTo(`${elsewhere.url}/inside`, status))
    const { api } = createBot('123456789:canary-bot-token-abcdefghij', server.url)
    await expect(api.sendMessage(1, 'words')).rejects.toThrow()
    expect(server.requests.length).toBeGreaterThan(0)
    expect(elsewhere.connections()).toBe(0)
  },
)

test('an address in a chat, file, name, answer or callback is never requested, nor used as the bot’s own', async ({
  onTestFinished,
}) => {
  const elsewhere = await startRecordingServer()
  const world = await createWorld()
  onTestFinished(() => world.close())
  const url = `${elsewhere.url}/latest/meta-data`
  const reseller = await world.newReseller()
  const { chat } = reseller
  const says = async (text: string, answer: string | RegExp): Promise<void> => {
    const { message_id: after } = chat.say(text)
    await chat.waitForText(answer, { after })
  }

  for (const headers of [
    { host: new URL(url).host },
    { 'x-forwarded-host': new URL(url).host, forwarded: `host=${url}` },
  ])
    await (await fetch(`${world.botUrl}/healthz`, { headers })).arrayBuffer()
  for (const text of [
    url,
    `/status ${url}`,
    `/bundles ${url}`,
    `/buy ${url}`,
    `0241234567 ${url}`,
    `<a href="${url}">x</a>`,
  ])
    await says(text, /./)
  chat.sendFile(`${url.replaceAll('/', '_')}.csv`, `0241234567,${url},=WEBSERVICE("${url}")\n`)
  await chat.waitForText(/line|size/i)
  await says(`${newPhone()} Kofi ${url}`, /./)

  const links = `"webhook_url":"${url}","url":"${url}","next_page_url":"${url}","callback_url":"${url}"`
  world.provider.addFault({
    kind: 'bad_json',
    path: '/transactions',
    body: `{"success":true,"transactions":[{"id":1,"type":"debit","amount":5,"description":"${url}","reference":"${url}"}],"pagination":{"current_page":1,"last_page":2,"next_page_url":"${url}"},${links}}`,
  })
  await says('/transactions', /GHS 5/)
  const { reference, webhookUrl = '' } = await place(world, reseller, newPhone())
  expect(webhookUrl).toMatch(new RegExp(`^${world.botUrl}/webhooks/`))
  const body = `{"reference":"${reference}","status":"${url}","message":"${url}",${links}}`
  expect((await fetch(webhookUrl ?? '', { method: 'POST', body })).status).toBe(200)
  await chat.waitForText(/latest/)
  await says('/start', 'Bundlegram')
  await world.bot.stop()
  expect(elsewhere.connections()).toBe(0)
})
