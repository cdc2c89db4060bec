import { expect, test } from 'vitest'
import { nowConnected } from '../../../src/telegram/cards/words/account-key.ts'
import { orderNowPhrase } from '../../../src/telegram/cards/words/agent-permissions.ts'
import { asksToConfirm } from '../../../src/telegram/cards/words/draft.ts'
import { sendQuestion } from '../../../src/telegram/cards/words/enquiry.ts'
import { followsOpen } from '../../../src/telegram/cards/words/follower.ts'
import { kept } from '../../../src/telegram/chat/updates/outage-words.ts'
import { invitationTitle } from '../../../src/telegram/features/agents/invitation-words.ts'
import { askPhone, sendNumber } from '../../../src/telegram/features/buying/words.ts'
import { copyKey, sendSecret } from '../../../src/telegram/features/connecting/words.ts'
import { helpTitle } from '../../../src/telegram/features/home/help-words.ts'
import { historyTitle } from '../../../src/telegram/features/orders/history-words.ts'
import { keepsTrying } from '../../../src/telegram/features/wallet/unanswered-words.ts'
import { needAccount } from '../../../src/telegram/words/unusable.ts'

/** Scenarios import these phrases and wait for them, so only this test notices if a phrase changes. */
test.each([
  [asksToConfirm, 'Confirm this order'],
  [sendNumber, 'Which number?'],
  [copyKey, 'Copy the API key'],
  [sendSecret, 'Now send the API secret'],
  [nowConnected, '✅ Connected.'],
  [orderNowPhrase, 'You can order now'],
  [invitationTitle, 'An invitation for one person'],
  [helpTitle, 'How it works'],
  [historyTitle, 'Your orders'],
  [sendQuestion, 'Send your question in one message'],
  [followsOpen, 'I’ll tell you here when it arrives. This message shows each change.'],
  [keepsTrying, 'I’ll keep trying'],
  [
    needAccount,
    'That needs an account: /connect if you sell data. If somebody ordered for you, send the order’s reference.',
  ],
  [kept, 'I can’t save anything just now. Don’t send your message again: I’ll answer here when I can.'],
])('the phrase that the scenarios wait for is in the bot’s texts: “%s”', (phrase, words) => {
  expect(phrase).toBe(words)
})

test('the question for a number gives an example of the bundle’s network', () => {
  expect(askPhone('Telecel 5GB', null, 'Telecel')).toBe(
    '<b>Telecel 5GB</b>\nWhich number? For example <code>0201234567</code>.',
  )
})
