import { expect, test } from 'vitest'
import type { LookUps } from '../../../../src/orders/following/look-ups.ts'
import type { Alert } from '../../../../src/store/chats/alerts.ts'
import { createLookUpAlert } from '../../../../src/telegram/chat/alerts/look-up-alert.ts'

test('operators are warned once while look-ups find no order, even across a restart, and again if look-ups fail after a recovery', async () => {
  const done: string[] = []
  let standing: Alert[] = []
  const alerts = {
    standing: async () => standing,
    warn: async () => {
      done.push('warn')
      standing = [{ chatId: 7, messageId: 3, since: new Date(0) }]
    },
    end: async () => {
      done.push('end')
      standing = []
    },
  }
  let state: ReturnType<LookUps['state']> = null
  let look = createLookUpAlert(alerts, { state: () => state })
  const sees = async (seen: typeof state) => {
    state = seen
    await look()
    await look()
    return done.splice(0)
  }
  expect(await sees(null)).toEqual([])
  expect(await sees('found')).toEqual([])
  expect(await sees('none_found')).toEqual(['warn'])
  look = createLookUpAlert(alerts, { state: () => state })
  expect(await sees(null)).toEqual([])
  expect(await sees('none_found')).toEqual([])
  expect(await sees('found')).toEqual(['end'])
  expect(await sees('none_found')).toEqual(['warn'])
})
