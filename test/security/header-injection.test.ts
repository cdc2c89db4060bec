import { expect, test } from 'vitest'
import { copyKey, sendSecret } from '../../src/telegram/features/connecting/words.ts'
import { startRecordingServer } from '../support/network/recording-server.ts'
import { createWorld } from '../support/world.ts'

/** A pasted key or secret goes into a request's headers and must not become further headers. */

const key = 'a-key-that-is-good-enough'

/** Texts that must not become part of a header. */
const unfit: [what: string, text: string][] = [
  ['a header below it', `${key}\r\nX-Admin: 1\r\nX-More: 2`],
  ['a request below it', `${key}\r\n\r\nPOST /order/place HTTP/1.1`],
  ['a NUL', `${key}\u0000rest`],
  ['an escape', `${key}\u001b[2J`],
  ['a letter of Latin 1', `${key}é`],
  ['a letter outside of it', `${key}\u0141`],
  ['what becomes a line break in one byte', `${key}\u010d\u010aX-Admin:1`],
  ['a mark that nobody sees', `${key}\u200b`],
  ['half a character', `${key}\ud800`],
  ['a DEL', `${key}\u007f`],
  ['as many characters as a message holds', 'k'.repeat(4_096)],
  ['three characters', 'abc'],
]

test('a pasted key or secret that is unfit for a header is refused with an explanation, and nothing is sent', async ({
  onTestFinished,
}) => {
  const provider = await startRecordingServer()
  const world = await createWorld({ env: { BUNDLE_API_URL: `${provider.url}/api/v1` } })
  onTestFinished(() => world.close())
  const { chat, id } = world.newPerson()
  const says = async (text: string, answer: string): Promise<void> => {
    const { message_id: after } = chat.say(text)
    await chat.waitForText(answer, { after })
  }
  for (const asked of ['key', 'secret'] as const) {
    await says('/connect', copyKey)
    if (asked === 'secret') await says(key, sendSecret)
    for (const [what, text] of unfit) {
      const { message_id: after } = chat.say(text)
      const { text: answer = '' } = await chat.waitForText('doesn’t look like', { after })
      expect(answer, what).not.toContain(text.slice(0, 10))
      expect(
        world.telegram.deleted(id).map(({ messageId }) => messageId),
        what,
      ).toContain(after)
    }
  }
  expect(provider.requests).toEqual([])
})

test('two pasted words are sent as exactly one key and one secret, whatever is between them', async ({
  onTestFinished,
}) => {
  const provider = await startRecordingServer()
  const world = await createWorld({ env: { BUNDLE_API_URL: `${provider.url}/api/v1` } })
  onTestFinished(() => world.close())
  const { chat } = world.newPerson()
  const secret = 'Host:evil.example'
  const { message_id: after } = chat.say(`/connect ${key}\r\n${secret}`)
  await chat.waitForText(/provider|could not/i, { after })
  expect(provider.requests.length).toBeGreaterThan(0)
  for (const { method, path, rawHeaders, body } of provider.requests) {
    expect({ method, path, body }).toEqual({ method: 'GET', path: '/api/v1/wallet/balance', body: '' })
    const named = (name: string) =>
      rawHeaders.filter((_value, at) => rawHeaders[at - 1]?.toLowerCase() === name)
    expect(named('x-api-key')).toEqual([key])
    expect(named('x-api-secret')).toEqual([secret])
    expect(named('host')).toEqual([new URL(provider.url).host])
  }
})
