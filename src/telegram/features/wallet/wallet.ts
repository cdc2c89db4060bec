import { awaitedRefund } from '../../../domain/order/recipient-ends.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import { isOwed } from '../../../orders/reconciling/refunds.ts'
import { atLeastZero, minus, type Pesewas, sum, zero } from '../../../provider/money.ts'
import { noteBalance } from '../../../wallets/low-balance.ts'
import { isWalletError } from '../../../wallets/wallets.ts'
import { agentPermissionsOf } from '../../cards/agent-permissions.ts'
import { atPrice, usualToday } from '../../cards/usual.ts'
import { agentBalance } from '../../cards/words/agent-permissions.ts'
import { walletLabels } from '../../cards/words/low-balance.ts'
import type { Asker, BotContext } from '../../chat/context.ts'
import type { Handler } from '../../chat/handler.ts'
import { button, homeButton, type Screen } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { homeLabels, labels } from '../../words/labels.ts'
import { needAccount } from '../../words/unusable.ts'
import { sayUnread } from '../buying/priced-bundles.ts'
import { sayAccountNeeded } from '../guards/account-needed.ts'
import { type Ask, endEarlier } from './unanswered.ts'
import * as walletTexts from './words.ts'

/** `/balance`: shows a fresh balance, and what open orders still need of it. */
export const balance = async (ctx: BotContext, person: Person): Promise<void> => {
  await endEarlier(ctx, 'balance')
  showBalance(ctx, person)
}

/** Like `balance`. It also answers a request that had to wait for the provider. */
export const showBalance = (ctx: Asker, person: Person): void =>
  readFor(ctx, { person, ask: { view: { do: 'balance' } }, what: walletTexts.balanceName }, async () => {
    const screen = await read(ctx.services, person)
    ctx.talk.aside(() => ctx.services.lists.topUps.offer(person.accountId))
    return screen
  })

const read = async (services: Services, { accountId, userId }: Person): Promise<Screen> => {
  const { store, wallets, now } = services
  const askedAt = now()
  const answer = await wallets.ask(accountId, 'person', (provider) => provider.balance())
  const { balancePesewas, accountType } = answer
  const at = now()
  await store.transaction((tx) => noteBalance(tx, accountId, { balancePesewas, askedAt, at }, accountType), {
    accounts: [accountId],
  })
  services.onNotice()
  const held = await store.walletOrders.openCharges(accountId)
  const spendable = minus(balancePesewas, held.waiting.pesewas)
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
      button(labels.refresh, { do: 'balance' }),
      button(homeLabels.transactions, { do: 'transactions', wish: { filter: 'all', seek: null } }),
    ],
    [
      button(walletLabels.alert, { do: 'settings', act: { act: 'open', topic: 'level' } }),
      button(walletLabels.export, { do: 'export', act: { act: 'begin' } }),
    ],
    [homeButton],
  ]
  return { text, rows }
}

/** For how many orders a refund has not come yet, and how much money that is. */
const awaitedRefunds = async (
  { store }: Services,
  accountId: string,
): Promise<{ orders: number; pesewas: Pesewas }> => {
  const awaited = (await store.orders.awaitingRefund(accountId)).filter(isOwed)
  const owed = awaited.map((order) => atLeastZero(minus(awaitedRefund(order), order.refundedPesewas ?? zero)))
  return { orders: awaited.length, pesewas: sum(owed) }
}

/** Answers agents, who see nothing of the wallet except what they themselves may spend. */
export const refuseWallet: Handler<Person | null> = async (ctx, agent) =>
  agent ? ctx.talk.show(await agentScreen(ctx.services, agent)) : sayAccountNeeded(ctx)

const agentScreen = async ({ store, now }: Services, { userId }: Person): Promise<Screen> => {
  const agentPermissions = await agentPermissionsOf(store, userId, now())
  return {
    text: agentPermissions ? agentBalance(agentPermissions) : needAccount,
    rows: [[homeButton]],
  }
}

/**
 * Shows what the provider answers. If the read fails, the person is told, and the request may be kept for another try.
 */
export const readFor = (
  ctx: Asker,
  wanted: { person: Person; ask: Ask; what: string },
  work: () => Promise<Screen>,
): void =>
  ctx.talk.aside(async () => {
    try {
      ctx.talk.show(await work())
    } catch (error) {
      if (!isWalletError(error)) throw error
      ctx.services.onNotice()
      await sayUnread(ctx, wanted, error)
    }
  })
