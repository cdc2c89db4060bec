import { expect, test } from 'vitest'
import { askPhone, sendNumber } from '../../../src/telegram/texts/buy.ts'
import { copyKey, nowConnected, sendSecret } from '../../../src/telegram/texts/connect.ts'
import { asksToConfirm } from '../../../src/telegram/texts/draft.ts'
import { mayOrderNow } from '../../../src/telegram/texts/engagement.ts'
import { sendQuestion } from '../../../src/telegram/texts/enquiry.ts'
import { followsOpen } from '../../../src/telegram/texts/follower.ts'
import { helpTitle } from '../../../src/telegram/texts/help.ts'
import { historyTitle } from '../../../src/telegram/texts/history.ts'
import { invitationTitle } from '../../../src/telegram/texts/invitation.ts'
import { kept } from '../../../src/telegram/texts/outage.ts'
import { needAccount } from '../../../src/telegram/texts/refusal.ts'
import { keepsTrying } from '../../../src/telegram/texts/unanswered.ts'

/** The phrases that scenarios wait for, word for word. The scenarios themselves follow any change of them. */
test.each([
  [asksToConfirm, 'Confirm this order'],
  [sendNumber, 'Send the number'],
  [copyKey, 'Copy the API key'],
  [sendSecret, 'Now send the API secret'],
  [nowConnected, '✅ Connected.'],
  [mayOrderNow, 'You can order now'],
  [invitationTitle, 'An invitation for one person'],
  [helpTitle, 'How it works'],
  [historyTitle, 'Your orders'],
  [sendQuestion, 'Send your question in one message'],
  [followsOpen, 'I’ll tell you here how it ends. This message shows each change.'],
  [keepsTrying, 'I’ll keep trying'],
  [needAccount, 'You need an account for that: /connect. To check an order, send its reference.'],
  [kept, 'I can’t save anything just now. Don’t send it again: I’ll answer here when I can.'],
])('%s', (phrase, words) => {
  expect(phrase).toBe(words)
})

test('the number is asked for with an example', () => {
  expect(askPhone('MTN 5GB', null)).toBe(
    '<b>MTN 5GB</b>\nSend the number that gets it, for example <code>0241234567</code>.',
  )
})
