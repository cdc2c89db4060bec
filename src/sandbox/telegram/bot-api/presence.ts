import type { Webhook } from './webhook.ts'

/**
 * The bot counts as connected for this long after its last request, ms: between two requests it handles its updates.
 */
const goneAfterMs = 5_000
/** How often the bot's presence is checked, ms. */
const lookEveryMs = 1_000

/** Whether a bot is connected. It is if it polls for updates, or accepts what the webhook delivers. */
export class BotPresence {
  #webhook: Pick<Webhook, 'isTaken'>
  #tell: (isHere: boolean) => void
  #polls = 0
  #lastPollEnd = Number.NEGATIVE_INFINITY
  #isHere = false
  #timer: NodeJS.Timeout

  /** @param tell called when the bot connects or disconnects */
  constructor(webhook: Pick<Webhook, 'isTaken'>, tell: (isHere: boolean) => void) {
    this.#webhook = webhook
    this.#tell = tell
    this.#timer = setInterval(() => this.#look(), lookEveryMs).unref()
  }

  get isHere(): boolean {
    return this.#isHere
  }

  /** The bot counts as connected while it waits for updates. */
  async duringPoll<Result>(poll: () => Promise<Result>): Promise<Result> {
    this.#polls += 1
    this.#look()
    try {
      return await poll()
    } finally {
      this.#polls -= 1
      this.#lastPollEnd = performance.now()
    }
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const polled = this.#polls > 0 || performance.now() - this.#lastPollEnd < goneAfterMs
    const isHere = this.#webhook.isTaken || polled
    if (isHere === this.#isHere) return
    this.#isHere = isHere
    this.#tell(isHere)
  }
}
