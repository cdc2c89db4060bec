import type { NoticeContent } from '../../../src/domain/notice.ts'
import type { Delivery } from '../../../src/messaging/chat-delivery.ts'
import type { OrderRow } from '../bot/tables.ts'
import type { World } from '../world.ts'
import type { SaidWarning } from './warnings.ts'

/** The states of orders that a card showed when it was last drawn; null if it showed no order. */
export type Shown = Pick<OrderRow, 'id' | 'placement' | 'status' | 'statusReported'>[] | null

export interface Told {
  chatId: number
  atMs: number
  content: NoticeContent
  /** The text for the judge. */
  words: string
  /** Whether the bot does not learn that the message was accepted. */
  isLost: boolean
}

/** What the message of a warning says now. */
interface StandingWarning extends Pick<SaidWarning, 'state'> {
  chatId: number
  orderId: string
  purchaseId: string
  isNoted: boolean
}

/** Telegram: accepts messages, refuses them, asks to wait, and loses answers. */
export class Telegram {
  readonly told: Told[] = []
  /** Texts that people read elsewhere than in notices, for the judge. */
  readonly screens: { chatId: number; atMs: number; words: string }[] = []
  readonly cards = new Map<string, Shown>()
  /**
   * Cards that were last drawn by one of two concurrent processes. If that process was suspended, the card may show
   * an older state.
   */
  readonly drawnInTurns = new Set<string>()
  /** The warnings, by message. */
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
    // If the process was disturbed, another one may also send the message, and the judge must allow that.
    this.told.push({ chatId, atMs: this.#world.nowMs, content, words, isLost: isLost || !isUndisturbed })
    return isLost ? { kind: 'later', waitMs: null, reason: 'no answer' } : { kind: 'sent' }
  }

  #draw(purchaseId: string, shown: Shown, isUndisturbed: boolean): void {
    this.cards.set(purchaseId, shown)
    if (isUndisturbed) this.drawnInTurns.delete(purchaseId)
    else this.drawnInTurns.add(purchaseId)
  }

  shows(chatId: number, words: string): void {
    this.screens.push({ chatId, atMs: this.#world.nowMs, words })
  }

  /** Puts a warning or its edit into the chat. @returns the message's id; null if there is nothing to send. */
  warn(said: SaidWarning | null): number | null {
    if (said === null) return null
    const messageId = said.messageId ?? this.warnings.size + 1
    const isNoted = this.warnings.get(messageId)?.isNoted ?? false
    this.warnings.set(messageId, { ...said.warning, state: said.state, isNoted })
    return messageId
  }

  /** Records that the bot has stored which message shows the warning. */
  noted(messageId: number): void {
    const warning = this.warnings.get(messageId)
    if (warning) this.warnings.set(messageId, { ...warning, isNoted: true })
  }

  /** The person unblocks the bot. @returns whether it was blocked. */
  unblock(chatId: number): boolean {
    return this.#blocked.delete(chatId)
  }
}
