import { bookOf } from '../../../store/shop/contacts.ts'
import { button } from '../../chat/screen.ts'
import { noCard, reminderLabels } from '../words/reminder.ts'
import type { Wordings } from './wording.ts'

export const reminderNotices: Wordings<'reminder'> = {
  /** Not sent if the reminder was deleted. */
  reminder: async ({ reminderId, dueMs, why }, chatId, { store, now }) => {
    const reminder = await store.reminders.of(chatId, reminderId)
    const member = reminder && (await store.accounts.memberIn(chatId, reminder.accountId))
    if (!reminder || !member) return null
    const { network, phone, bundleId } = reminder
    const name = (await store.contacts.byPhone(bookOf(member), phone))?.name ?? null
    const order =
      why.kind === 'not_sold'
        ? button(reminderLabels.otherBundles, { do: 'bundles_for', network, phone, page: 0 })
        : button(reminderLabels.orderNow, { do: 'bundle', bundleId, phone })
    const open = button(reminderLabels.open, { do: 'remind', act: { act: 'open', id: reminderId } })
    return { text: noCard(reminder, name, { why, due: new Date(dueMs), now: now() }), rows: [[order, open]] }
  },
}
