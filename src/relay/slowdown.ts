/** How much slower than usual messages go while Telegram refuses too many of them. */
export interface Slowdown {
  /** What a message costs now, times its usual cost: 1 to 8. */
  factor(): number
  /** Telegram has refused a message, and not because of its chat. */
  note(): void
}

const maxFactor = 8
/** Refusals within this time count once: messages under way when the first one came say nothing new. */
const onceInMs = 1_000
/** In this time without a refusal, half of what was lost of the rate's cost is won back. */
const halfMs = 15_000

/**
 * Telegram does not publish how much it takes, so the rate is found: each refusal doubles the cost of a message, and
 * each quiet time brings it nearer to the usual cost.
 * @param now a clock that nobody sets, ms.
 */
export const createSlowdown = (now: () => number): Slowdown => {
  let slowest = 1
  let notedMs = Number.NEGATIVE_INFINITY

  const factor = (): number => {
    const current = 1 + (slowest - 1) * 0.5 ** ((now() - notedMs) / halfMs)
    return current < 1.05 ? 1 : current
  }

  return {
    factor,
    note: () => {
      if (now() - notedMs < onceInMs) return
      slowest = Math.min(maxFactor, factor() * 2)
      notedMs = now()
    },
  }
}

/** Keeps to the usual rate, whatever Telegram refuses. */
export const noSlowdown: Slowdown = { factor: () => 1, note: () => {} }
