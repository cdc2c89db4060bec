import type { NoticeContent } from '../../../src/domain/notice.ts'
import type { Delivery } from '../../../src/messaging/chat-delivery.ts'
import type { OrderRow } from '../bot/tables.ts'
import type { World } from '../world.ts'
import type { SaidWarning } from './warnings.ts'

/** What a card said about its orders when it was last drawn; `null` if it had none. */
export type Shown = Pick<OrderRow, 'id' | 'placement' | 'status' | 'statusReported'>[] | null

export interface Told {
  chatId: number
  atMs: number
  content: NoticeContent
  /** For the judge. */
  words: string
  /** The bot does not learn that it was taken. */
  isLost: boolean
}

/** A warning as its message reads. */
interface StandingWarning extends Pick<SaidWarning, 'state'> {
  chatId: number
  orderId: string
  purchaseId: string
  isNoted: boolean
}

/** Telegram: takes messages, refuses them, floods, and loses answers. */
export class Telegram {
  readonly told: Told[] = []
  readonly cards = new Map<string, Shown>()
  /** Cards last drawn by one of two processes. If that one had stood still, it may have drawn older words. */
  readonly drawnInTurns = new Set<string>()
  /** By message, the warning in it. */
  readonly warnings = new Map<number, StandingWarning>()
  readonly #world: World
  readonly #blocked = new Set<number>()

  constructor(world: World) {
    this.#world = world
  }

  take(
    chatId: number,
    { content, words }: Pick<Told, 'content' | 'words'>,
    shown: Shown,
    isUndisturbed: boolean,
  ): Delivery {
    const { random, weather } = this.#world
    if (random.chance(weather.telegram.blocked)) this.#blocked.add(chatId)
    if (this.#blocked.has(chatId)) return { kind: 'muted' }
    if (random.chance(weather.telegram.flood)) {
      return { kind: 'later', waitMs: random.pick([1_000, 5_000, 40_000]), reason: 'flood' }
    }
    if (random.chance(weather.telegram.refused)) return { kind: 'refused', reason: 'markup' }
    if (content.kind === 'card') this.#draw(content.purchaseId, shown, isUndisturbed)
    this.#world.say('telegram', () => `${chatId} ${JSON.stringify(content)} ${JSON.stringify(shown)}`)
    const isLost = random.chance(weather.telegram.lost)
    // Of two processes that know no lease, each may say it.
    this.told.push({ chatId, atMs: this.#world.nowMs, content, words, isLost: isLost || !isUndisturbed })
    return isLost ? { kind: 'later', waitMs: null, reason: 'no answer' } : { kind: 'sent' }
  }

  #draw(purchaseId: string, shown: Shown, isUndisturbed: boolean): void {
    this.cards.set(purchaseId, shown)
    if (isUndisturbed) this.drawnInTurns.delete(purchaseId)
    else this.drawnInTurns.add(purchaseId)
  }

  /** A message that warns, or the edit of one, is in the chat. @returns its id; null if there is none. */
  warn(said: SaidWarning | null): number | null {
    if (said === null) return null
    const messageId = said.messageId ?? this.warnings.size + 1
    const isNoted = this.warnings.get(messageId)?.isNoted ?? false
    this.warnings.set(messageId, { ...said.warning, state: said.state, isNoted })
    return messageId
  }

  /** The bot has noted where the message stands. */
  noted(messageId: number): void {
    const warning = this.warnings.get(messageId)
    if (warning) this.warnings.set(messageId, { ...warning, isNoted: true })
  }

  /** The person lets the bot write again. @returns whether it was blocked. */
  unblock(chatId: number): boolean {
    return this.#blocked.delete(chatId)
  }
}
