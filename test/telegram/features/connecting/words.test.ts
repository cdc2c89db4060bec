import * as connectionWords from '../../../../src/telegram/cards/words/account-key.ts'
import * as secretWords from '../../../../src/telegram/chat/secrets/secret-words.ts'
import * as connectingWords from '../../../../src/telegram/features/connecting/words.ts'
import { now } from '../../words/any-order.ts'
import { failureOf, testTexts, type Wording } from '../../words/wording.ts'

const words = { ...connectionWords, ...secretWords, ...connectingWords }

const leftOf = (count: number, erased: boolean) =>
  count === 0 ? null : { cancelled: count % 3, open: count, eraseByMs: erased ? null : now.getTime() }

const html: Wording<typeof words> = {
  askKey: ({ flag }) => words.askKey(flag, 'bundlegram_bot'),
  askSecret: ({ flag }) => words.askSecret(flag),
  notACredential: ({ flag }) => words.notACredential(flag ? 'key' : 'secret'),
  credentialsAsText: ({ flag }) => words.credentialsAsText(flag),
  secretInGroup: ({ flag }) => words.secretInGroup(flag),
  forwardedSecret: ({ flag }) => words.forwardedSecret(flag),
  secretFound: ({ flag, count }) => words.secretFound(flag, count % 2 === 0),
  secretSkipped: ({ flag }) => words.secretSkipped(flag),
  secretHeld: ({ flag }) => words.secretHeld(flag),
  credentialsUnchecked: (values) => words.credentialsUnchecked(failureOf(values)),
  askSwitch: ({ text, money, count, flag }) =>
    words.askSwitch({
      isCertain: flag,
      mayBeSame: !flag && count % 2 === 1,
      isAgent: count % 2 === 0,
      refused: count % 3 === 0,
      accountType: text,
      balance: money,
      shared: flag,
      waiting: count % 3,
      open: count % 4,
      untilMs: now.getTime(),
    }),
  connected: ({ text, money, count, flag }) => words.connected(text, money, leftOf(count, flag), now),
}

testTexts(words, html)
