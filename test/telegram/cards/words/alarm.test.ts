import type { AlarmName } from '../../../../src/domain/notice.ts'
import * as words from '../../../../src/telegram/cards/words/alarm.ts'
import { testTexts, type Wording } from '../../words/wording.ts'

const names: AlarmName[] = ['key', 'balance', 'disk', 'database', 'updates', 'rival', 'renamed', 'lookups']

const html: Wording<typeof words> = {
  alarmOver: ({ count }) => words.alarmOver(names[count % names.length] ?? 'key', count * 61_000),
}

testTexts(words, html)
