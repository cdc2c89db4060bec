import type { Person } from '../../../src/orders/buying/purchases.ts'
import { Random } from '../random.ts'
import type { World } from '../world.ts'
import type { Ask } from './people.ts'
import type { Service } from './service.ts'

/** The longest time after which a debit appears. */
const showsWithinMs = 10 * 60_000

/**
 * Owners who type keys: new keys of their own wallet, and keys of another wallet, where the same may have been
 * ordered.
 */
export class TypedKeys {
  readonly #world: World
  readonly #service: Service
  readonly #ask: Ask
  /** A separate random source, so that the other draws do not change. */
  readonly #random: Random

  constructor(options: { world: World; service: Service; ask: Ask; seed: number }) {
    this.#world = options.world
    this.#service = options.service
    this.#ask = options.ask
    this.#random = new Random(options.seed + 8_000_009)
  }

  schedule(persons: readonly Person[], spanMs: number): void {
    const owners = persons.filter(({ role }) => role === 'owner')
    for (let typed = 0; typed < this.#world.weather.typedKeys; typed += 1) {
      const [owner, wallet] = [this.#random.pick(owners), this.#random.pick(owners).accountId]
      this.#world.after(this.#random.between(0, spanMs), () => void this.#type(owner, wallet))
    }
  }

  async #type({ userId, chatId, accountId }: Person, walletId: string): Promise<void> {
    const place = await this.#ask(({ typeKey }) => typeKey({ userId, chatId }, walletId))
    this.#world.say('key', () => `of ${walletId}, typed by ${userId} of ${accountId}: ${place.kind}`)
    if (place.kind === 'regenerated' && walletId !== accountId)
      this.#world.breaks(`a key of wallet ${walletId} was accepted as the new key of account ${accountId}`)
    const isDenied = place.kind === 'other_account' && place.isCertain
    if (isDenied && walletId === accountId && !this.#hidesDebits(walletId))
      this.#world.breaks(`a new key of wallet ${walletId} was taken for another account's key`)
  }

  #hidesDebits(walletId: string): boolean {
    return [...this.#service.charges.values()].some(
      (charge) =>
        charge.accountId === walletId &&
        (charge.visibleAtMs - charge.placedAtMs > showsWithinMs || charge.visibleAtMs > this.#world.nowMs),
    )
  }
}
