import { setTimeout as wait } from 'node:timers/promises'
import type { Message } from 'grammy/types'
import type { ProviderOrderState } from '../../src/sandbox/provider/index.ts'
import { asksToConfirm } from '../../src/telegram/texts/draft.ts'
import { type Customer, connect } from './journey.ts'
import type { Stage } from './stage.ts'

/** One purchase of one bundle for a number of its own; times in ms of this process, 0 until then. */
export interface Purchase {
  buyer: Customer
  phone: string
  askedMs: number
  pressedMs: number
  /** When the card named the provider's order. */
  shownMs: number
  /** When the chat first said that it was delivered. */
  deliveredMs: number
}

/** People who buy through the simulated Telegram, each on an account of their own. */
export interface Buyers {
  /** One more purchase so many times a second, whoever's turn it is, whether the last ones are done or not. */
  steadily(perSecond: number, seconds: number): Promise<Purchase[]>
  /** All of them at once, each the next one as soon as the card names the order of the last. */
  asFastAsTheyCan(seconds: number): Promise<Purchase[]>
  close(): void
}

/** How long a purchase may take from its message to its delivery. */
const patienceMs = 120_000
/** How many connect at the same time. */
const atOnce = 6
const named = /BUD-API-/

export const createBuyers = async (stage: Stage, count: number): Promise<Buyers> => {
  const buyers: Customer[] = []
  // A few at a time: each asks the provider for much.
  while (buyers.length < count) {
    const few = Math.min(atOnce, count - buyers.length)
    buyers.push(...(await Promise.all(Array.from({ length: few }, () => connect(stage)))))
  }
  /** By phone; what has been delivered is no longer here. */
  const open = new Map<string, Purchase & { settle: (step: 'shown' | 'delivered') => void }>()
  let phones = 0

  const see = (chatId: number, message: Message): void => {
    const text = message.text ?? ''
    const phone = /0\d{9}/.exec(text)?.[0]
    const purchase = phone === undefined ? undefined : open.get(phone)
    if (!purchase || purchase.buyer.chat.id !== chatId) return
    if (purchase.pressedMs === 0 && text.includes(asksToConfirm)) press(purchase, message)
    if (purchase.shownMs === 0 && named.test(text)) {
      purchase.shownMs = performance.now()
      purchase.settle('shown')
    }
    if (!/delivered/.test(text)) return
    purchase.deliveredMs = performance.now()
    open.delete(purchase.phone)
    purchase.settle('delivered')
  }

  const press = (purchase: Purchase, { message_id: messageId, reply_markup }: Message): void => {
    const button = reply_markup?.inline_keyboard.flat().find(({ text }) => text.includes('Confirm'))
    if (!button || !('callback_data' in button)) return
    purchase.pressedMs = performance.now()
    stage.telegram.press({ from: purchase.buyer.chat.id, messageId, data: button.callback_data })
  }

  const unlisten = stage.telegram.on((event) => {
    if (event.type === 'message' || event.type === 'edit') see(event.chat, event.message)
  })

  const buy = (buyer: Customer) => {
    const phone = `024${String(++phones).padStart(7, '0')}`
    const shown = Promise.withResolvers<void>()
    const delivered = Promise.withResolvers<void>()
    const steps = { shown, delivered }
    const times = { askedMs: performance.now(), pressedMs: 0, shownMs: 0, deliveredMs: 0 }
    const purchase = { buyer, phone, ...times }
    const tracked = Object.assign(purchase, {
      settle: (step: keyof typeof steps) => steps[step].resolve(),
    })
    open.set(phone, tracked)
    buyer.chat.say(`${phone} 1GB`)
    return { purchase, shown: shown.promise, delivered: delivered.promise }
  }

  const allOf = async (bought: ReturnType<typeof buy>[]): Promise<Purchase[]> => {
    const all = Promise.all(bought.map(({ delivered }) => delivered))
    const ended = new AbortController()
    const late = wait(patienceMs, 'late', { signal: ended.signal }).catch(() => 'in time')
    if ((await Promise.race([all, late])) === 'late')
      throw new Error(`${open.size} of ${bought.length} purchases came to no delivery: ${exampleOf()}`)
    ended.abort()
    return bought.map(({ purchase }) => purchase)
  }

  const exampleOf = (): string => {
    const [purchase] = open.values()
    return JSON.stringify(purchase?.buyer.chat.texts().slice(-3))
  }

  return {
    steadily: async (perSecond, seconds) => {
      const bought: ReturnType<typeof buy>[] = []
      const startedMs = performance.now()
      for (let index = 0; index < perSecond * seconds; index += 1) {
        const early = startedMs + (index * 1_000) / perSecond - performance.now()
        if (early > 0) await wait(early)
        const buyer = buyers[index % buyers.length]
        if (buyer) bought.push(buy(buyer))
      }
      return allOf(bought)
    },
    asFastAsTheyCan: async (seconds) => {
      const bought: ReturnType<typeof buy>[] = []
      const endMs = performance.now() + seconds * 1_000
      const shop = async (buyer: Customer): Promise<void> => {
        while (performance.now() < endMs) {
          const next = buy(buyer)
          bought.push(next)
          if ((await Promise.race([next.shown, wait(patienceMs, 'late', { ref: false })])) === 'late') return
        }
      }
      await Promise.all(buyers.map(shop))
      return allOf(bought)
    },
    close: unlisten,
  }
}

/** Refuses books in which any of these purchases was not charged exactly once, or anything else was. */
export const audit = ({ provider }: Stage, purchases: readonly Purchase[]): void => {
  const orders = Map.groupBy(provider.orders(), ({ phones }: ProviderOrderState) => phones[0]?.phone)
  const debits = Map.groupBy(provider.debits(), ({ reference }) => reference)
  for (const { phone } of purchases) {
    const charged = (orders.get(phone) ?? []).flatMap(({ reference }) => debits.get(reference) ?? [])
    if (orders.get(phone)?.length !== 1 || charged.length !== 1)
      throw new Error(`A purchase was ordered ${orders.get(phone)?.length} times: ${charged.length} debits.`)
  }
  if (provider.debits().length !== purchases.length)
    throw new Error(`${provider.debits().length} debits for ${purchases.length} purchases.`)
}
