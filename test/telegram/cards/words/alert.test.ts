import type { AlertName } from '../../../../src/domain/notice.ts'
import * as words from '../../../../src/telegram/cards/words/alert.ts'
import { testTexts, type Wording } from '../../words/wording.ts'

const names: AlertName[] = ['key', 'balance', 'disk', 'database', 'updates', 'rival', 'renamed', 'lookups']

const html: Wording<typeof words> = {
  alertOver: ({ count }) => words.alertOver(names[count % names.length] ?? 'key', count * 61_000),
}

testTexts(words, html)
