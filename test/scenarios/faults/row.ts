import { setTimeout as wait } from 'node:timers/promises'
import type { Message } from 'grammy/types'
import type { Placement } from '../../../src/domain/order/placement.ts'
import type { Fault, ProviderOrderState, TelegramFault } from '../../../src/sandbox/index.ts'
import { readOut } from '../../support/as-read.ts'
import type { Reseller, World } from '../../support/world.ts'
import { askFor, inDatabase, newPhone } from '../shop.ts'
import { judge } from './judge.ts'

/**
 * One row of the fault matrix: a reseller orders 2GB for a number, or for several in a list, and confirms. A fault
 * happens, and the row says how it must end. Each row has its own reseller, account and faults, so that the rows of one
 * world can run concurrently.
 */
export interface Row {
  fault: string
  /** How many numbers the list has. If absent, one number is ordered without a list. */
  numbers?: number
  /** Steps before the order is typed. */
  before?: readonly Step[]
  /** Steps between the card and its confirmation. */
  beforeConfirm?: readonly Step[]
  /** Faults of the provider for this account from Confirm on. A function if the fault contains a time. */
  provider?: readonly (Fault | (() => Fault))[]
  /** Faults of Telegram for this chat from Confirm on. */
  telegram?: readonly TelegramFault[]
  /** Whether callbacks arrive. By default they do not, so that no callback proves an order. */
  callbacks?: boolean
  /** The steps after Confirm, with the words that the person reads. */
  play: readonly Step[]
  /** How many of the bot's requests to place an order for the number reach the provider. */
  posts: number
  /** How many debits the ledger has for this account. */
  debits: number
  /** The orders' placements, oldest first. */
  ends: readonly Placement[]
  /**
   * The bot may take somebody else's order, made with the same key, for this one. It then tells the person that the
   * match is only likely.
   */
  isOnlyLikely?: boolean
  /** How often an end may be announced: more than once only if a message may have been lost. */
  announcements?: number
}

export interface Scene {
  world: World
  reseller: Reseller
  /** The account's id in the bot's database, read early because the reseller may leave the account. */
  accountId: string
  phone: string
  /** All numbers that are ordered for; `phone` is the first of them. */
  numbers: readonly string[]
  card: Message
  /** Purchases that the person has confirmed. */
  confirmations: number
  /** References of orders that somebody else made with the same key. */
  elsewhere: Set<string>
  /** Ids of the faults that last until the provider recovers. */
  faults: string[]
  /** The chat as it was before the last step. */
  before: ReadonlySet<string>
}

export type Step = (scene: Scene) => unknown

const neverCallsBack: Fault = { kind: 'callback_never', times: null }

export const run = async (world: World, row: Row): Promise<void> => {
  const reseller = await world.newReseller()
  const phone = newPhone()
  const numbers = [phone, ...Array.from({ length: (row.numbers ?? 1) - 1 }, () => newPhone())]
  const scene: Scene = {
    world,
    reseller,
    accountId: accountIdOf(world, reseller),
    phone,
    numbers,
    confirmations: 0,
    card: { message_id: 0 } as Message,
    elsewhere: new Set(),
    faults: [],
    before: new Set(),
  }
  for (const step of row.before ?? []) await step(scene)
  scene.card = await (row.numbers ? askForList(reseller, numbers) : askFor(reseller, phone))
  if (!row.callbacks) world.provider.addFault({ ...neverCallsBack, account: reseller.account.id })
  for (const fault of row.provider ?? []) addFault(scene, typeof fault === 'function' ? fault() : fault)
  for (const fault of row.telegram ?? []) world.telegram.addFault({ ...fault, chat: reseller.id })
  for (const step of row.beforeConfirm ?? []) await step(scene)
  await confirms(scene)
  for (const step of row.play) await step(scene)
  await judge(scene, row)
}

const askForList = ({ chat }: Reseller, numbers: readonly string[]): Promise<Message> => {
  const { message_id: after } = chat.say(numbers.map((phone) => `${phone} 2GB`).join('\n'))
  return chat.waitForText('Nothing is charged before you confirm', { after })
}

const accountIdOf = (world: World, { id }: Reseller): string =>
  inDatabase(world, (db) =>
    String(db.prepare('SELECT accountId FROM Member WHERE userId = ?').get(id)?.accountId),
  )

export const addFault = ({ world, reseller, faults }: Scene, fault: Fault): void => {
  faults.push(world.provider.addFault({ ...fault, account: reseller.account.id }))
}

/** Makes a step after which everything new in the chat counts as its effect. */
export const act =
  (step: Step): Step =>
  (scene) => {
    scene.before = new Set(shown(scene).map(({ key }) => key))
    return step(scene)
  }

/** The present texts of the bot's messages. */
export const shown = ({ world, reseller }: Scene): { key: string; text: string }[] =>
  world.telegram
    .messages(reseller.id)
    .filter(({ from }) => from?.is_bot)
    .map(({ message_id, text = '' }) => ({ key: `${message_id} ${text}`, text }))

const presses =
  (label: string): Step =>
  async ({ reseller }) => {
    await reseller.chat.waitForButton(label)
    reseller.chat.press(label)
  }

const idOf = (key: string): string => key.split(' ', 1)[0] ?? ''

const confirms = act((scene) => {
  scene.confirmations += 1
  return presses('Confirm')(scene)
})

/** Longer than the wallet's usual time between two reads, in case one was under way when the clock was moved. */
const timeoutMs = 75_000

/** The reseller's steps. */
export const person = {
  confirms,
  presses: (label: string): Step => act(presses(label)),
  says: (text: string): Step => act(({ reseller }) => reseller.chat.say(text)),
  connects: act(({ reseller: { chat, account } }) =>
    chat.say(`/connect ${account.apiKey} ${account.apiSecret}`),
  ),
  /** Waits for a message with that text that is new or changed since the last step. */
  sees:
    (text: RegExp): Step =>
    (scene) =>
      scene.world.telegram.waitFor(
        () => shown(scene).some(({ key, text: read }) => !scene.before.has(key) && text.test(readOut(read))),
        { message: `Waiting for ${scene.phone} to be told ${text}`, timeoutMs },
      ),
  /** Waits for a new message with that text, because an edit makes no sound. */
  hears:
    (text: RegExp): Step =>
    (scene) => {
      const known = new Set([...scene.before].map(idOf))
      return scene.world.telegram.waitFor(
        () => shown(scene).some(({ key, text: read }) => !known.has(idOf(key)) && text.test(readOut(read))),
        { message: `Waiting for ${scene.phone} to be told anew ${text}`, timeoutMs },
      )
    },
  /** Types the same order once more. */
  ordersAgain: act(async (scene) => {
    scene.card = await askFor(scene.reseller, scene.phone)
    await confirms(scene)
  }),
}

/** The account's orders at the provider, oldest first. */
export const providersOrders = ({ world, reseller }: Scene): ProviderOrderState[] =>
  world.provider.orders().filter(({ accountId }) => accountId === reseller.account.id)

const latestReference = (scene: Scene): string => providersOrders(scene).at(-1)?.reference ?? ''

const endEach = (scene: Scene, statuses: readonly string[], quiet = false): void => {
  for (const [index, status] of statuses.entries()) {
    const phone = scene.numbers[index] ?? ''
    scene.world.provider.setStatus(latestReference(scene), status, { phone, quiet })
  }
}

/** The provider's steps. */
export const provider = {
  gets: (fault: Fault): Step => act((scene) => addFault(scene, fault)),
  recovers: act(async ({ world, faults }) => {
    for (const id of faults.splice(0)) {
      await fetch(`${world.provider.controlUrl}/faults/${id}`, { method: 'DELETE' })
    }
  }),
  sets: (status: string): Step =>
    act((scene) => scene.world.provider.setStatus(latestReference(scene), status)),
  setsQuietly: (status: string): Step =>
    act((scene) => scene.world.provider.setStatus(latestReference(scene), status, { quiet: true })),
  /** Ends the numbers of a list one by one, in their order. */
  endsEach: (...statuses: string[]): Step => act((scene) => endEach(scene, statuses)),
  /** Like `endsEach`, without callbacks. */
  endsEachQuietly: (...statuses: string[]): Step => act((scene) => endEach(scene, statuses, true)),
  credits: (pesewas: number): Step =>
    act((scene) => scene.world.provider.credit(latestReference(scene), pesewas)),
  /** Charges the order once more. */
  debits: (pesewas: number): Step =>
    act((scene) => scene.world.provider.debit(latestReference(scene), pesewas)),
  /** Waits that long in real time, because `minutesLater` moves the bot's times but not the provider's clock. */
  goesOn:
    (seconds: number): Step =>
    () =>
      wait(seconds * 1_000),
  /** The account holder regenerates the key in the dashboard. */
  regenerates: act(({ world, reseller }) => {
    const key = `${reseller.account.apiKey}-regenerated`
    reseller.account = world.provider.setAccount(reseller.account.id, { apiKey: key })
  }),
  /** The provider refuses the credentials, or accepts them again. */
  refusesKey: (refuses: boolean): Step =>
    act(({ world, reseller }) => world.provider.setAccount(reseller.account.id, { disabled: refuses })),
  /** Sets prices for this account, by the bundle's id. */
  asks: (prices: Record<string, number>): Step =>
    act(({ world, reseller }) => world.provider.setAccount(reseller.account.id, { prices })),
  showsDebits: act(({ world, reseller }) => world.provider.showDebits(reseller.account.id)),
  /** Somebody places an order with the same key, but not through this bot. */
  takesAnother: (phone?: string): Step =>
    act(async (scene) => {
      const { url } = scene.world.provider
      const { apiKey, apiSecret } = scene.reseller.account
      await fetch(`${url}/order`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': apiKey, 'x-api-secret': apiSecret },
        body: JSON.stringify({ bundle_id: 2, phone: phone ?? scene.phone }),
      })
      scene.elsewhere.add(latestReference(scene))
    }),
}
