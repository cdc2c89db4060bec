import { expect, test } from 'vitest'
import { connectLabels } from '../../../src/telegram/texts/connect.ts'
import { disconnectLabels } from '../../../src/telegram/texts/disconnect.ts'
import { followerLabels } from '../../../src/telegram/texts/follower.ts'
import { homeLabels } from '../../../src/telegram/texts/home.ts'
import { labels } from '../../../src/telegram/texts/labels.ts'
import { operatorLabels } from '../../../src/telegram/texts/operator.ts'
import { orderLabels } from '../../../src/telegram/texts/order.ts'

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
