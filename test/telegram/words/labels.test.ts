import { expect, test } from 'vitest'
import { followerLabels } from '../../../src/telegram/cards/words/follower.ts'
import { orderLabels } from '../../../src/telegram/cards/words/order.ts'
import { operatorLabels } from '../../../src/telegram/features/operating/words.ts'
import { connectLabels } from '../../../src/telegram/words/connect.ts'
import { disconnectLabels } from '../../../src/telegram/words/disconnect.ts'
import { homeLabels } from '../../../src/telegram/words/home.ts'
import { labels } from '../../../src/telegram/words/labels.ts'

test.each(
  Object.entries({
    labels,
    homeLabels,
    orderLabels,
    followerLabels,
    connectLabels,
    disconnectLabels,
    operatorLabels,
  }),
)('%s are short', (_, all) => {
  for (const label of Object.values(all)) {
    expect(label).not.toBe('')
    expect(label.length, label).toBeLessThan(40)
  }
})
