import { expect, test } from 'vitest'
import { cardOf } from '../../src/domain/notice.ts'
import { createRedraws } from '../../src/messaging/redraws.ts'

const hourMs = 60 * 60_000

const newRedraws = () => {
  const clock = { ms: 0 }
  const redraws = createRedraws({
    redrawMs: 250,
    now: () => new Date(clock.ms),
    monotonicMs: () => clock.ms,
  })
  return { clock, redraws }
}

test.for([1, 12, 200])(
  'two processes that redraw %i of a chat’s cards because of each other soon stop',
  (cards) => {
    const { clock, redraws } = newRedraws()
    let owed = Array.from({ length: cards }, (_, index) => cardOf(`purchase ${index}`))
    let rounds = 0
    while (owed.length > 0 && rounds < 100) {
      rounds += 1
      owed = owed.filter((card) => {
        // A chat gets one message a second, so each card's turn comes after all others had theirs.
        clock.ms += 1000
        return redraws.drawsAgain(card)
      })
    }
    expect(rounds).toBeLessThan(10)
  },
)

test('a card that two processes draw in turn is redrawn after longer and longer waits, until it rests for an hour', () => {
  const { clock, redraws } = newRedraws()
  /** When the card is drawn in the next minute, in seconds after its beginning. */
  const drawnInAMinute = (): number[] =>
    Array.from({ length: 60 }, (_, second) => second).filter(() => {
      clock.ms += 1000
      return redraws.drawsAgain(cardOf('purchase'))
    })
  expect(drawnInAMinute()).toEqual([0, 11, 32])
  clock.ms += hourMs
  expect(drawnInAMinute()).toEqual([0, 11, 32])
})
