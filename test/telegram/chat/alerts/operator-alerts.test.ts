import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createOperatorAlerts } from '../../../../src/telegram/chat/alerts/operator-alerts.ts'
import type { Sent } from '../../../../src/telegram/chat/sender.ts'
import { newStore } from '../../../support/database.ts'

const operator = 7
const now = new Date('2026-11-21T10:32:00Z')

/** Alerts to one operator. Each start of the bot gets a function that stands for sending to Telegram. */
const newAlerts = async () => {
  const store = await newStore()
  const startedWith = (send: () => Promise<Sent>) =>
    createOperatorAlerts({
      store,
      send,
      operatorIds: [operator],
      onNotice: () => {},
      now: () => now,
      log: pino({ level: 'silent' }),
    })
  const owed = async () => (await store.notices.ofChat(operator)).map(({ content }) => content)
  return { startedWith, owed }
}

const sentAs =
  (messageId: number): (() => Promise<Sent>) =>
  async () => ({ kind: 'sent', messageId })
const dies = async (): Promise<Sent> => {
  throw new Error('the process dies')
}
const isRefused = async (): Promise<Sent> => ({ kind: 'failed', refusal: { kind: 'blocked' } })

const over = { kind: 'alert_over', subject: 'alert:rival', name: 'rival', lastedMs: 0 }

test('the end of an alert to operators is written into its message', async () => {
  const { startedWith, owed } = await newAlerts()
  const alerts = startedWith(sentAs(3))
  await alerts.warn('rival', 'Another program reads the updates.')
  await alerts.end('rival')
  expect(await owed()).toEqual([{ ...over, messageId: 3 }])
})

test('an alert to operators whose sending was cut off by a crash is closed once, in a new message', async () => {
  const { startedWith, owed } = await newAlerts()
  await expect(startedWith(dies).warn('rival', 'Another program reads the updates.')).rejects.toThrow()
  const alerts = startedWith(sentAs(3))
  expect(await alerts.standing('rival')).toHaveLength(1)
  await alerts.end('rival')
  await alerts.end('rival')
  expect(await owed()).toEqual([{ ...over, messageId: null }])
})

test('an alert to operators that Telegram refused does not count as sent, and an earlier one can be closed', async () => {
  const { startedWith, owed } = await newAlerts()
  await startedWith(isRefused).warn('rival', 'Another program reads the updates.')
  expect(await startedWith(isRefused).standing('rival')).toEqual([])
  await startedWith(sentAs(3)).warn('rival', 'Another program reads the updates.')
  await startedWith(isRefused).warn('rival', 'Another program reads the updates.')
  await startedWith(isRefused).end('rival')
  expect(await owed()).toEqual([{ ...over, messageId: 3 }])
})
