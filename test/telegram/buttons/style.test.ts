import { expect, test } from 'vitest'
import { styleOf } from '../../../src/telegram/buttons/style.ts'
import type { ButtonPress } from '../../../src/telegram/buttons/table.ts'

const purchaseId = 'p1'

test('a button that confirms is green, one that cancels or removes is red, and any other has no colour', () => {
  const styles = (...buttons: ButtonPress[]) => buttons.map(styleOf)
  expect(
    styles(
      { do: 'confirm', purchaseId, after: null },
      { do: 'list', purchaseId, act: { act: 'confirm', digest: 'abcdefgh' } },
    ),
  ).toEqual(['success', 'success'])
  expect(
    styles(
      { do: 'cancel', purchaseId },
      { do: 'agents', act: { act: 'remove_sure', id: 1 } },
      { do: 'settings', act: { act: 'forget_sure', accountId: null, when: 'now' } },
    ),
  ).toEqual(['danger', 'danger', 'danger'])
  expect(
    styles(
      { do: 'home' },
      { do: 'leave' },
      { do: 'refresh', orderId: 'o1' },
      { do: 'agents', act: { act: 'remove', id: 1 } },
      { do: 'orders', page: 0, filter: { state: 'all', period: 'all', network: null, search: null } },
    ),
  ).toEqual(Array(5).fill(undefined))
})

test('the button that keeps an account connected is not red', () => {
  const leave = { do: 'disconnect', accountId: 'a1' } as const
  expect(styleOf({ ...leave, when: 'confirmed' })).toBe('danger')
  expect(styleOf({ ...leave, when: 'never' })).toBeUndefined()
})
