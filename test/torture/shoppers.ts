import { setTimeout as wait } from 'node:timers/promises'
import type { ProviderAccountState, ProviderSimulator } from '../../src/sandbox/index.ts'
import { chatOf, type TelegramSimulator, type TestChat } from '../../src/sandbox/index.ts'
import type { Random } from '../simulation/random.ts'

/** One purchase as its person sees it. Each is for a different number. */
export interface Purchase {
  shopper: Shopper
  phone: string
  /** The message with the order, and the card that answered it. */
  askedId: number
  cardId: number | null
  /** When Confirm was first pressed, epoch ms. */
  confirmedAt: number | null
}

export interface Shopper {
  id: number
  chat: TestChat
  account: ProviderAccountState
}

/** How long a person waits for a card before they ask again. A takeover by another instance is always faster. */
const patienceMs = 45_000
const sizes = ['1GB', '2GB', '3GB']

/** Resellers who order one bundle after another at their own pace, until `stop`. */
export interface Crowd {
  purchases: Purchase[]
  /** How many people gave up waiting for a card, and ordered for another number. */
  impatient(): number
  stop(): Promise<void>
}

export const connect = async (telegram: TelegramSimulator, provider: ProviderSimulator): Promise<Shopper> => {
  const { id } = telegram.addPerson()
  const chat = chatOf(telegram, id)
  const account = provider.addAccount({ accountType: 'agent', balancePesewas: 100_000_000 })
  chat.say('/connect')
  await chat.waitForText('API key', { timeoutMs: 60_000 })
  chat.say(`${account.apiKey}\n${account.apiSecret}`)
  await chat.waitForText('Connected', { timeoutMs: 60_000 })
  return { id, chat, account }
}

export const startCrowd = (
  telegram: TelegramSimulator,
  shoppers: readonly Shopper[],
  random: Random,
  pauseMs: { least: number; most: number },
  say: (line: string) => void,
): Crowd => {
  const purchases: Purchase[] = []
  const ended = new AbortController()
  let numbers = 0
  let impatient = 0

  const cardOf = (purchase: Purchase) =>
    telegram
      .messages(purchase.shopper.id)
      .find(
        ({ from, text }) => from?.is_bot && text?.includes(purchase.phone) && text.includes('Confirm this'),
      )

  const ask = async (purchase: Purchase): Promise<boolean> => {
    purchase.askedId = purchase.shopper.chat.say(`${purchase.phone} ${random.pick(sizes)}`).message_id
    const card = await telegram.waitFor(() => cardOf(purchase), { timeoutMs: patienceMs }).catch(() => null)
    if (card) purchase.cardId = card.message_id
    else {
      impatient += 1
      say(
        `no answer to message ${purchase.askedId} of ${purchase.shopper.id}: ${JSON.stringify(purchase.shopper.chat.last()?.text)}`,
      )
    }
    return card !== null
  }

  /** Presses Confirm until the card shows that it was confirmed, because people press again if nothing happens. */
  const confirm = async (purchase: Purchase): Promise<void> => {
    for (let presses = 0; presses < 30; presses += 1) {
      const card = cardOf(purchase)
      const button = card?.reply_markup?.inline_keyboard.flat().find(({ text }) => text.includes('Confirm'))
      if (!card || !button || !('callback_data' in button)) return
      purchase.confirmedAt ??= Date.now()
      telegram.press({ from: purchase.shopper.id, messageId: card.message_id, data: button.callback_data })
      // Some people press twice.
      if (random.chance(0.1))
        telegram.press({ from: purchase.shopper.id, messageId: card.message_id, data: button.callback_data })
      await telegram.waitFor(() => !cardOf(purchase), { timeoutMs: 10_000 }).catch(() => {})
    }
  }

  const shop = async (shopper: Shopper): Promise<void> => {
    while (!ended.signal.aborted) {
      const phone = `024${String(1_000_000 + ++numbers).padStart(7, '0')}`
      const purchase: Purchase = { shopper, phone, askedId: 0, cardId: null, confirmedAt: null }
      purchases.push(purchase)
      // If the card comes too late, the person ignores it and orders for another number.
      if (await ask(purchase)) await confirm(purchase)
      await wait(random.between(pauseMs.least, pauseMs.most), undefined, { signal: ended.signal }).catch(
        () => {},
      )
    }
  }

  const shopping = Promise.all(shoppers.map(shop))
  return {
    purchases,
    impatient: () => impatient,
    stop: async () => {
      ended.abort()
      await shopping
    },
  }
}
