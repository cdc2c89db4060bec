import { expect, test } from 'vitest'
import { connectLabels } from '../../../src/telegram/cards/words/account-key.ts'
import { followerLabels } from '../../../src/telegram/cards/words/follower.ts'
import { disconnectLabels } from '../../../src/telegram/cards/words/leaving.ts'
import { orderLabels } from '../../../src/telegram/cards/words/order.ts'
import { operatorLabels } from '../../../src/telegram/features/operating/words.ts'
import { homeLabels, labels } from '../../../src/telegram/words/labels.ts'

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
)('every button label in “%s” is shorter than 40 characters', (_, all) => {
  for (const label of Object.values(all)) {
    expect(label).not.toBe('')
    expect(label.length, label).toBeLessThan(40)
  }
})
