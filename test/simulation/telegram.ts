import type { NoticeContent } from '../../src/journal/notice.ts'
import type { Delivery } from '../../src/relay/chat-delivery.ts'
import type { OrderRow } from './memory/rows.ts'
import type { World } from './world.ts'

/** What a card said about its orders when it was last drawn; `null` if it had none. */
export type Shown = Pick<OrderRow, 'id' | 'placement' | 'status' | 'statusReported'>[] | null

export interface Told {
  chatId: number
  atMs: number
  content: NoticeContent
}

/** Telegram: takes messages, refuses them, floods, and loses answers. */
export class Telegram {
  readonly told: Told[] = []
  readonly cards = new Map<string, Shown>()
  /** Cards last drawn by one of two processes. If that one had stood still, it may have drawn older words. */
  readonly drawnInTurns = new Set<string>()
  readonly #world: World
  readonly #blocked = new Set<number>()

  constructor(world: World) {
    this.#world = world
  }

  take(chatId: number, content: NoticeContent, shown: Shown, isUndisturbed: boolean): Delivery {
    const { random, weather } = this.#world
    if (random.chance(weather.telegram.blocked)) this.#blocked.add(chatId)
    if (this.#blocked.has(chatId)) return { kind: 'muted' }
    if (random.chance(weather.telegram.flood)) {
      return { kind: 'later', waitMs: random.pick([1_000, 5_000, 40_000]), reason: 'flood' }
    }
    if (random.chance(weather.telegram.refused)) return { kind: 'refused', reason: 'markup' }
    this.told.push({ chatId, atMs: this.#world.nowMs, content })
    if (content.kind === 'card') this.#draw(content.purchaseId, shown, isUndisturbed)
    this.#world.say('telegram', () => `${chatId} ${JSON.stringify(content)} ${JSON.stringify(shown)}`)
    return random.chance(weather.telegram.lost)
      ? { kind: 'later', waitMs: null, reason: 'no answer' }
      : { kind: 'sent' }
  }

  #draw(purchaseId: string, shown: Shown, isUndisturbed: boolean): void {
    this.cards.set(purchaseId, shown)
    if (isUndisturbed) this.drawnInTurns.delete(purchaseId)
    else this.drawnInTurns.add(purchaseId)
  }

  /** The person lets the bot write again. @returns whether it was blocked. */
  unblock(chatId: number): boolean {
    return this.#blocked.delete(chatId)
  }
}
