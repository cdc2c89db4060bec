import { noteBalance } from '../../accounts/low-balance.ts'
import { NoWallet } from '../../accounts/wallets.ts'
import type { Person } from '../../orders/purchases.ts'
import { awaitedRefund } from '../../orders/recipients.ts'
import { ProviderError } from '../../provider/index.ts'
import type { Pesewas } from '../../provider/money.ts'
import type { BotContext } from '../context.ts'
import { engagementOf } from '../engagement.ts'
import { personOf } from '../person.ts'
import { key, type Screen } from '../screen.ts'
import type { Services } from '../services.ts'
import { agentBalance } from '../texts/agent.ts'
import { homeLabels } from '../texts/home.ts'
import { labels } from '../texts/labels.ts'
import { needAccount } from '../texts/refusal.ts'
import { cannotRead } from '../texts/unreadable.ts'
import * as walletTexts from '../texts/wallet.ts'
import { atPrice, usualToday } from '../usual.ts'

const { walletLabels } = walletTexts

/** `/balance`, read now, with what open orders have to do with it. Agents are told nothing of the wallet. */
export const balance = (ctx: BotContext, services: Services): Promise<void> =>
  asOwner(ctx, services, async (person) =>
    readFor(ctx, services, walletTexts.balanceName, () => read(services, person)),
  )

const read = async (services: Services, { accountId, userId }: Person): Promise<Screen> => {
  const { store, wallets, now } = services
  const askedAt = now()
  const answer = await wallets.ask(accountId, 'person', (provider) => provider.balance())
  const { balancePesewas, accountType } = answer
  const at = now()
  await store.transaction((tx) => noteBalance(tx, accountId, { balancePesewas, askedAt, at }, accountType))
  services.onNotice()
  const held = await store.wallets.held(accountId)
  const spendable = (balancePesewas - held.waiting.pesewas) as Pesewas
  const text = walletTexts.balance({
    balance: balancePesewas,
    accountType,
    at,
    held,
    refunds: await awaitedRefunds(services, accountId),
    goodFor: atPrice(spendable, await usualToday(services, accountId)),
    level: (await store.preferences.of(userId)).lowBalancePesewas,
    now: at,
  })
  const rows = [
    [
      key(labels.refresh, { do: 'balance' }),
      key(homeLabels.transactions, { do: 'transactions', wish: { filter: 'all', seek: null } }),
    ],
    [
      key(walletLabels.alert, { do: 'settings', act: { act: 'open', topic: 'level' } }),
      key(walletLabels.export, { do: 'export', act: { act: 'begin' } }),
    ],
    [key(labels.home, { do: 'home' })],
  ]
  return { text, rows }
}

/** Failed and cancelled orders whose money is looked for in the wallet. */
const awaitedRefunds = async (
  { store }: Services,
  accountId: string,
): Promise<{ orders: number; pesewas: Pesewas }> => {
  const awaited = await store.orders.awaitingRefund(accountId)
  const owed = awaited.map((order) => Math.max(0, awaitedRefund(order) - (order.refundedPesewas ?? 0)))
  return { orders: awaited.length, pesewas: owed.reduce((sum, each) => sum + each, 0) as Pesewas }
}

/** What only owners are shown: who has no account, or is an agent, is told so. */
export const asOwner = async (
  ctx: BotContext,
  services: Services,
  work: (person: Person) => Promise<void>,
): Promise<void> => {
  const person = await personOf(ctx, services)
  if (!person) ctx.talk.show(needAccount)
  else if (person.role !== 'owner') ctx.talk.show(await agentScreen(services, person))
  else await work(person)
}

const agentScreen = async ({ store, now }: Services, { userId }: Person): Promise<Screen> => {
  const engagement = await engagementOf(store, userId, now())
  return {
    text: engagement ? agentBalance(engagement) : needAccount,
    rows: [[key(labels.home, { do: 'home' })]],
  }
}

/** Shows what was read from the provider; what cannot be read is said. */
export const readFor = async (
  ctx: BotContext,
  services: Services,
  what: string,
  work: () => Promise<Screen>,
): Promise<void> => {
  ctx.talk.aside(async () => {
    try {
      ctx.talk.show(await work())
    } catch (error) {
      if (!(error instanceof ProviderError || error instanceof NoWallet)) throw error
      services.onNotice()
      ctx.talk.say(cannotRead(what, error))
    }
  })
}
