import { unansweredKinds } from '../../../../src/domain/times/unanswered.ts'
import * as words from '../../../../src/telegram/features/wallet/unanswered-words.ts'
import { now } from '../../words/any-order.ts'
import { testTexts, type Wording } from '../../words/wording.ts'

const kindOf = (count: number) => unansweredKinds[count % unansweredKinds.length] ?? 'order'

const html: Wording<typeof words> = {
  waiting: ({ text, count, flag }) =>
    words.waiting({
      kind: kindOf(count),
      written: flag ? text : null,
      until: now,
      now,
      why: { code: 'timeout' },
      limitEnds: flag ? null : now,
    }),
  stopped: ({ text, count, flag }) =>
    words.stopped({ kind: kindOf(count), written: flag ? text : null, until: now, now }),
}

testTexts(words, html)
