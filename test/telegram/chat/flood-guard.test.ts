import type { Update } from 'grammy/types'
import { expect, test } from 'vitest'
import { createAdmission, floodLimits } from '../../../src/messaging/admission.ts'
import { createRates } from '../../../src/messaging/buckets.ts'
import { createFloodGuard } from '../../../src/telegram/chat/flood-guard.ts'
import { secretSkipped } from '../../../src/telegram/chat/secrets/secret-words.ts'
import type { Sender, Sent } from '../../../src/telegram/chat/sender.ts'
import { createTasks } from '../../../src/telegram/chat/tasks.ts'
import { crowd, flood } from '../../../src/telegram/words/unusable.ts'

const [member, stranger] = [1, 1_000]

/** A guard with a Telegram that can be made to fail. In every chat, as many replies wait as the guard allows. */
const newGuard = () => {
  const tasks = createTasks(() => {})
  const said: string[] = []
  const telegram = { failures: 0, keepsMessages: false }
  const deleted: number[] = []
  const senderOf = (line: string) => {
    const send = async (chatId: number, { text }: { text: string }): Promise<Sent> => {
      telegram.failures -= 1
      if (telegram.failures >= 0) return { kind: 'failed', refusal: { kind: 'flood', retryAfterMs: 1 } }
      said.push(`${line} ${chatId} ${text}`)
      return { kind: 'sent', messageId: 1 }
    }
    return { send } as unknown as Sender
  }
  const guard = createFloodGuard({
    admission: createAdmission({
      belongs: async (userId) => userId < stranger,
      waitingFor: () => floodLimits.maxWaiting,
      strangersWaiting: () => floodLimits.maxStrangersWaiting,
      rates: createRates(() => 0),
      now: () => 0,
    }),
    api: {
      answerCallbackQuery: async () => true,
      deleteMessage: async (_chatId, messageId) => {
        if (telegram.keepsMessages) throw new Error('no answer')
        deleted.push(messageId)
        return true
      },
    },
    senders: { member: senderOf('member'), stranger: senderOf('stranger') },
    tasks,
    rates: createRates(() => 0),
    onLeftOut: () => {},
  })
  return { guard, tasks, said, telegram, deleted }
}

let updates = 0
const message = (from: number, text = '/help') => {
  updates += 1
  const chat = { id: from, type: 'private' }
  return { update_id: updates, message: { message_id: updates, from: { id: from }, chat, text } } as Update
}

test('the notice about a flood is sent ahead of waiting answers, and sent again until Telegram accepts it', async () => {
  const { guard, tasks, said, telegram } = newGuard()
  telegram.failures = 2
  const answered = Promise.withResolvers<void>()
  tasks.inOrder(member, () => answered.promise)
  const update = message(member)
  expect([await guard.enters(update), guard.begins(update)]).toEqual([true, false])
  await expect.poll(() => said).toEqual([`member ${member} ${flood('member')}`])
  expect(await guard.enters(message(stranger))).toBe(false)
  await expect.poll(() => said.slice(1)).toEqual([`stranger ${stranger} ${crowd}`])
  answered.resolve()
})

test('an update that was kept in an outage is admitted only once when Telegram sends it again', async () => {
  const { guard, tasks, said } = newGuard()
  const [first, ...others] = Array.from({ length: floodLimits.maxWaiting + 1 }, () => message(member))
  for (const update of [first, ...others]) if (update) guard.keep(update)
  const copy = structuredClone(first) as Update
  expect([await guard.enters(copy), guard.begins(copy), guard.begins(copy)]).toEqual([true, true, true])
  expect(guard.isMember(member)).toBe(true)
  expect(said).toEqual([])
  expect(guard.begins(structuredClone(others.at(-1)) as Update)).toBe(false)
  expect(guard.begins(structuredClone(first) as Update)).toBe(false)
  await tasks.settled(1_000)
})

test('a credential in a message that is skipped during a flood is deleted', async () => {
  const { guard, tasks, said, telegram, deleted } = newGuard()
  const key = 'c3ab8ff13720e8ad9047dd39466b3c89'
  const inFlood = message(member, key)
  const inCrowd = message(stranger, '/connect kumasi ashanti')
  expect([await guard.enters(inFlood), guard.begins(inFlood)]).toEqual([true, false])
  expect(await guard.enters(inCrowd)).toBe(false)
  await tasks.settled(1_000)
  expect(deleted).toEqual([inFlood.message?.message_id, inCrowd.message?.message_id])
  expect(said.toSorted()).toEqual([
    `member ${member} ${secretSkipped(true)}`,
    `member ${member} ${flood('member')}`,
    `stranger ${stranger} ${secretSkipped(true)}`,
  ])
  telegram.keepsMessages = true
  await guard.enters(message(stranger, key))
  await tasks.settled(1_000)
  expect(said.at(-1)).toBe(`stranger ${stranger} ${secretSkipped(false)}`)
})
