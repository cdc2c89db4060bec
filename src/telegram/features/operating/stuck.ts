import { accountHash } from '../../../base/log.ts'
import { isWalletError } from '../../../wallets/wallets.ts'
import type { ActOf } from '../../buttons/table.ts'
import type { BotContext } from '../../chat/context.ts'
import type { ActHandlers } from '../../chat/handler.ts'
import type { Button, Screen } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { labels } from '../../words/labels.ts'
import * as unreadableTexts from '../../words/unreadable.ts'
import { operatorButton, overviewButton, pageOf, perPage, turnButtons } from './operator-buttons.ts'
import * as stuckWords from './stuck-words.ts'
import * as words from './words.ts'

/**
 * Stuck work, and what an operator can safely do about it. Nothing here sends an order, or shows a phone, a name or
 * credentials.
 */

const { operatorLabels } = words
const { stuckLabels } = stuckWords
const stuckButton = operatorButton(labels.back, { act: 'stuck' })

/** What operators' buttons do about stuck work. */
export const acts = {
  stuck: async (ctx) => ctx.talk.show(await stuckScreen(ctx.services)),
  notices: async (ctx, { page }) => ctx.talk.show(await noticesScreen(ctx.services, page)),
  notice: (ctx, { id }) => openNotice(ctx, id),
  again: (ctx, { id }) => settleNotice(ctx, 'again', id),
  drop: (ctx, { id }) => settleNotice(ctx, 'drop', id),
  orders: async (ctx, { page }) => ctx.talk.show(await ordersScreen(ctx.services, page)),
  order: (ctx, { orderId }) => openOrder(ctx, orderId),
  look: (ctx, { orderId }) => lookNow(ctx, orderId),
  callbacks: async (ctx, { page }) => ctx.talk.show(await callbacksScreen(ctx.services, page)),
  callback: (ctx, { id }) => openCallback(ctx, id),
  dismiss: (ctx, { id }) => dismiss(ctx, 'dismiss', id),
  dismiss_all: (ctx, { id }) => dismiss(ctx, 'dismiss_all', id),
  accounts: async (ctx, { page }) => ctx.talk.show(await accountsScreen(ctx.services, page)),
} satisfies Partial<ActHandlers<'operator'>>

const stuckScreen = async ({ store, now }: Services): Promise<Screen> => {
  const at = now()
  const counts = await store.operations.stuckCounts(at)
  const { unauthorized: refused, frozen } = await store.backlog.accounts(at)
  const { muted } = await store.operations.people()
  const buttonFor = (count: number, label: (count: number) => string, act: ActOf<'operator'>): Button[] =>
    count === 0 ? [] : [operatorButton(label(count), act)]
  return {
    text: stuckWords.stuck(counts, { refused, frozen, muted }),
    rows: [
      [
        ...buttonFor(counts.notices, stuckLabels.notices, { act: 'notices', page: 0 }),
        ...buttonFor(counts.orders, stuckLabels.orders, { act: 'orders', page: 0 }),
      ],
      [
        ...buttonFor(counts.callbacks, stuckLabels.callbacks, { act: 'callbacks', page: 0 }),
        ...buttonFor(refused + frozen, stuckLabels.accounts, { act: 'accounts', page: 0 }),
      ],
      [operatorButton(labels.refresh, { act: 'stuck' }), overviewButton],
    ],
  }
}

/** Adds the name under which the account appears in the log. */
const named = <T extends { accountId: string }>(each: T): T & { account: string } => ({
  ...each,
  account: accountHash(each.accountId),
})

/** The numbers of a page's entries, as buttons that open them. @param found as for `pageOf`. */
const openButtons = <T>(page: number, found: T[], open: (entry: T) => ActOf<'operator'>): Button[] =>
  pageOf(found).map((each, index) => operatorButton(String(page * perPage + index + 1), open(each)))

/** Says that the work is no longer stuck, because it ended after the button was made. */
const showEnded = (ctx: BotContext, screen: Screen, text = stuckWords.noLongerStuck): void => {
  ctx.talk.toast(text)
  ctx.talk.show(screen)
}

// ── Messages that were given up ──────────────────────────────────────────────────────────────────────────────────

const noticesScreen = async ({ store, now }: Services, page: number): Promise<Screen> => {
  const first = page * perPage
  const found = await store.operations.setAside(first, perPage + 1)
  return {
    text: stuckWords.notices(pageOf(found), page, first, now()),
    rows: [
      openButtons(page, found, ({ id }) => ({ act: 'notice', id })),
      turnButtons(page, found, (to) => ({ act: 'notices', page: to })),
      [stuckButton],
    ],
  }
}

const openNotice = async (ctx: BotContext, id: number): Promise<void> => {
  const { services } = ctx
  const notice = await services.store.operations.setAsideById(id)
  if (!notice) return showEnded(ctx, await noticesScreen(services, 0))
  ctx.talk.show({
    text: stuckWords.notice(notice, services.now()),
    rows: [
      [
        operatorButton(labels.tryAgain, { act: 'again', id }),
        operatorButton(operatorLabels.drop, { act: 'drop', id }),
      ],
      [
        operatorButton(operatorLabels.block, { act: 'block', chatId: notice.chatId }),
        operatorButton(labels.back, { act: 'notices', page: 0 }),
      ],
    ],
  })
}

const settleNotice = async (ctx: BotContext, act: 'again' | 'drop', id: number): Promise<void> => {
  const { services } = ctx
  const { operations } = services.store
  const isDone = act === 'again' ? await operations.tryAgain(id) : await operations.drop(id)
  if (isDone) services.onNotice()
  const said = act === 'again' ? stuckWords.triedAgain : stuckWords.dropped
  showEnded(ctx, await noticesScreen(services, 0), isDone ? said : stuckWords.noLongerStuck)
}

// ── Orders without an end ────────────────────────────────────────────────────────────────────────────────────────

const ordersScreen = async ({ store, now }: Services, page: number): Promise<Screen> => {
  const first = page * perPage
  const found = await store.operations.stuckOrders(now(), first, perPage + 1)
  return {
    text: stuckWords.orders(pageOf(found).map(named), page, first, now()),
    rows: [
      openButtons(page, found, ({ id }) => ({ act: 'order', orderId: id })),
      turnButtons(page, found, (to) => ({ act: 'orders', page: to })),
      [stuckButton],
    ],
  }
}

/** The screen of an order without an end; null if the order has ended by now. */
const orderScreen = async ({ store, now }: Services, orderId: string): Promise<Screen | null> => {
  const order = await store.operations.openOrder(orderId)
  return (
    order && {
      text: stuckWords.order(named(order), now()),
      rows: [
        [operatorButton(operatorLabels.lookNow, { act: 'look', orderId })],
        [
          operatorButton(operatorLabels.block, { act: 'block', chatId: order.chatId }),
          operatorButton(labels.back, { act: 'orders', page: 0 }),
        ],
      ],
    }
  )
}

const openOrder = async (ctx: BotContext, orderId: string): Promise<void> => {
  const screen = await orderScreen(ctx.services, orderId)
  if (screen) ctx.talk.show(screen)
  else showEnded(ctx, await ordersScreen(ctx.services, 0), stuckWords.endKnown)
}

/** Reads the wallet to find out what became of the order, as the reconciler does on schedule. No order is sent. */
const lookNow = async (ctx: BotContext, orderId: string): Promise<void> => {
  const { services } = ctx
  const order = await services.store.operations.openOrder(orderId)
  if (!order) return showEnded(ctx, await ordersScreen(services, 0), stuckWords.endKnown)
  ctx.talk.toast(stuckWords.looking)
  ctx.talk.aside(async () => {
    try {
      await services.reconciler.check(order.accountId)
    } catch (error) {
      if (!isWalletError(error)) throw error
      ctx.talk.say(unreadableTexts.cannotRead(unreadableTexts.readable.status, error))
    }
    const still = await orderScreen(services, orderId)
    ctx.talk.show(
      still ?? {
        text: stuckWords.endKnown,
        rows: [[operatorButton(labels.back, { act: 'orders', page: 0 })]],
      },
    )
  })
}

// ── Callbacks that belong to no order, or could not be applied ───────────────────────────────────────────────────

const callbacksScreen = async ({ store, now }: Services, page: number): Promise<Screen> => {
  const first = page * perPage
  const found = await store.operations.strangeCallbacks(now(), first, perPage + 1)
  const shown = pageOf(found)
  const newest = page === 0 ? shown.find(({ isUnapplied }) => !isUnapplied) : undefined
  return {
    text: stuckWords.callbacks(shown, page, first, now()),
    rows: [
      openButtons(page, found, ({ id }) => ({ act: 'callback', id })),
      turnButtons(page, found, (to) => ({ act: 'callbacks', page: to })),
      [
        ...(newest ? [operatorButton(operatorLabels.dismissAll, { act: 'dismiss_all', id: newest.id })] : []),
        stuckButton,
      ],
    ],
  }
}

const openCallback = async (ctx: BotContext, id: number): Promise<void> => {
  const { services } = ctx
  const callback = await services.store.operations.strangeCallback(id)
  if (!callback) return showEnded(ctx, await callbacksScreen(services, 0))
  ctx.talk.show({
    text: stuckWords.callback(callback, services.now()),
    rows: [
      [
        operatorButton(operatorLabels.dismiss, { act: 'dismiss', id }),
        operatorButton(labels.back, { act: 'callbacks', page: 0 }),
      ],
    ],
  })
}

const dismiss = async (ctx: BotContext, act: 'dismiss' | 'dismiss_all', id: number): Promise<void> => {
  const { services } = ctx
  const { operations } = services.store
  const count =
    act === 'dismiss_all'
      ? await operations.dismissForeign(id)
      : Number(await operations.dismiss(id, services.now()))
  showEnded(
    ctx,
    await callbacksScreen(services, 0),
    count > 0 ? words.dismissed(count) : stuckWords.noLongerStuck,
  )
}

// ── Accounts that the provider refuses or freezes ────────────────────────────────────────────────────────────────

const accountsScreen = async ({ store, now }: Services, page: number): Promise<Screen> => {
  const first = page * perPage
  const found = await store.operations.troubledAccounts(now(), first, perPage + 1)
  return {
    text: stuckWords.accounts(pageOf(found).map(named), page, first, now()),
    rows: [turnButtons(page, found, (to) => ({ act: 'accounts', page: to })), [stuckButton]],
  }
}
