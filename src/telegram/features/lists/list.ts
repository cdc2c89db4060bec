import { answeringCard, deletionOf } from '../../../domain/notice.ts'
import { isRedacted, isUnfinished, type Purchase } from '../../../domain/order/order.ts'
import type { ExportFormat } from '../../../exports/export-file.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import type { Which } from '../../../orders/listing/retry.ts'
import { isWalletError } from '../../../wallets/wallets.ts'
import type { ActOf } from '../../buttons/table.ts'
import { repeatCause } from '../../cards/lists/list-card.ts'
import { numbersScreen, unsavedNames } from '../../cards/lists/list-numbers.ts'
import { referencesScreen } from '../../cards/lists/list-references.ts'
import { listResult } from '../../cards/lists/list-result.ts'
import { isRetryDoubtful, retryScreen } from '../../cards/lists/list-retry.ts'
import { purchaseCard } from '../../cards/purchase-card.ts'
import { progressSeenBy, viewOf } from '../../cards/viewer.ts'
import { alreadyEnded } from '../../cards/words/draft.ts'
import * as listTexts from '../../cards/words/list.ts'
import * as orderTexts from '../../cards/words/order.ts'
import type { BotContext } from '../../chat/context.ts'
import { type Button, button } from '../../chat/screen.ts'
import type { FileToSend } from '../../chat/sender.ts'
import type { Services } from '../../chat/services.ts'
import { labels } from '../../words/labels.ts'
import { needsNumber } from '../../words/numbers.ts'
import { cannotAskOfList } from '../../words/unreadable.ts'
import { saveNames } from '../contacts/saving-contacts.ts'
import { admit, sayDenied } from '../guards/order-denial.ts'
import { outcomes } from '../orders/order.ts'
import { lookForRefunds } from '../orders/refund.ts'
import { showPreview } from './list-preview.ts'

/** The buttons of a confirmed list. */
type ConfirmedAct = Extract<
  ActOf<'list'>,
  {
    act:
      | 'excel'
      | 'csv'
      | 'numbers'
      | 'numbers_page'
      | 'references_page'
      | 'save_names'
      | 'look'
      | 'open'
      | 'go_on'
      | 'stop'
      | 'retry'
      | 'retry_sure'
      | 'doubtful'
      | 'retry_one'
      | 'again'
      | 'repeat'
  }
>

/** Handles a button on a confirmed list's card or closing message. */
export const pressConfirmed = async (
  ctx: BotContext,
  { person, purchase, act }: { person: Person; purchase: Purchase; act: ConfirmedAct },
): Promise<void> => {
  const { lists, store } = ctx.services
  if (needsNumbers(act) && (await store.orders.ofPurchase(purchase.id)).some(isRedacted))
    return ctx.talk.toast(needsNumber, true)
  switch (act.act) {
    case 'excel':
    case 'csv':
      ctx.talk.toast(listTexts.listLabels.result)
      ctx.talk.sendFile(() => resultFile(ctx.services, person, purchase, act.act === 'csv' ? 'csv' : 'xlsx'))
      return
    case 'numbers':
    case 'numbers_page':
    case 'references_page':
      return showNumbers(ctx, purchase, act)
    case 'save_names':
      return saveNames(ctx, person, await unsavedNames(store, purchase, person.userId))
    case 'look':
      return refresh(ctx, { person, purchase })
    case 'open':
      return openList(ctx, purchase)
    case 'go_on': {
      const outcome = await lists.goOn(purchase.id, person)
      if (outcome.kind === 'denied') return sayDenied(ctx, outcome.denial)
      return ctx.talk.toast(outcome.kind === 'going' ? listTexts.goOnToast : listTexts.nothingHeld)
    }
    case 'stop':
      return ctx.talk.toast(
        (await lists.stop(purchase.id, person)) ? listTexts.stoppedToast : listTexts.nothingWaits,
      )
    case 'retry':
      return retryFailed(ctx, { person, purchase })
    case 'retry_sure':
      return retry(ctx, { person, purchase }, { kind: 'sure' })
    case 'doubtful':
      return ctx.talk.show(() => retryScreen(store, purchase, act.page, ctx.talk.chatId))
    case 'retry_one':
      return retry(ctx, { person, purchase }, { kind: 'one', position: act.position })
    case 'again':
      return retry(ctx, { person, purchase }, { kind: 'refused' })
    case 'repeat':
      if (await admit(ctx, person)) await repeat(ctx, { person, purchase }, act.nonce)
      return
    default:
      return act satisfies never
  }
}

/** The file with the list's results. Below an Excel file, a button offers the same as CSV. */
const resultFile = async (
  { store }: Services,
  { userId, role }: Person,
  purchase: Purchase,
  format: ExportFormat,
): Promise<FileToSend> => {
  const view = await viewOf(store, purchase, role)
  const file = await listResult(store, purchase, format, { userId, view })
  return format === 'csv' ? file : { ...file, rows: [[csvButton(purchase.id)]] }
}

export const csvButton = (purchaseId: string): Button =>
  button(labels.csv, { do: 'list', purchaseId, act: { act: 'csv' } })

const needsNumbers = ({ act }: ConfirmedAct): boolean =>
  ['retry', 'retry_sure', 'doubtful', 'retry_one', 'again', 'repeat'].includes(act)

/** The first press shows the numbers in a new message. The buttons of that message turn its pages. */
const showNumbers = async (
  { talk, services: { store } }: BotContext,
  purchase: Purchase,
  act: Extract<ConfirmedAct, { act: 'numbers' | 'numbers_page' | 'references_page' }>,
): Promise<void> => {
  if ((await store.orders.ofPurchase(purchase.id)).length === 0) return talk.toast(alreadyEnded)
  if (act.act === 'numbers') return talk.say(() => numbersScreen(store, purchase, 0, talk.chatId))
  const screen = act.act === 'numbers_page' ? numbersScreen : referencesScreen
  talk.show(() => screen(store, purchase, act.page, talk.chatId))
}

/**
 * Retries the failed numbers immediately if all of them certainly failed. Otherwise shows the doubtful numbers first.
 */
const retryFailed = async (ctx: BotContext, own: Own): Promise<void> => {
  const { store } = ctx.services
  if (!isRetryDoubtful(await store.orders.ofPurchase(own.purchase.id)))
    return retry(ctx, own, { kind: 'sure' })
  ctx.talk.say(() => retryScreen(store, own.purchase, 0, ctx.talk.chatId))
}

/** Opens the list in a new card, which replaces the old one. */
export const openList = async (ctx: BotContext, purchase: Purchase): Promise<void> => {
  const { store, lists, now } = ctx.services
  const { id, chatId, state, cardMessageId } = purchase
  if (state === 'draft') {
    await store.transaction(
      async (tx) => {
        await tx.purchases.showOn(id, null)
        if (cardMessageId !== null) await tx.notices.enqueue(chatId, deletionOf(cardMessageId), now())
        await tx.notices.enqueue(chatId, answeringCard(id), now())
      },
      { accounts: [purchase.accountId] },
    )
    ctx.services.onNotice()
    return
  }
  const words = async () => {
    const shown = await store.cards.ofPurchase(id, ctx.talk.chatId)
    return shown && purchaseCard(store, lists, shown, now(), ctx.talk.chatId)
  }
  ctx.talk.say(words, async (messageId) => {
    if (chatId === ctx.talk.chatId) await store.purchases.showOn(id, messageId)
  })
}

interface Own {
  person: Person
  purchase: Purchase
}

/** Makes a new preview with some of the list's numbers, linked to the list. A second press opens the same preview. */
const retry = async (ctx: BotContext, { person, purchase }: Own, which: Which): Promise<void> => {
  if (!(await admit(ctx, person))) return
  const again = await ctx.services.lists.retry(purchase.id, person, which)
  if (!again) return ctx.talk.toast(listTexts.nothingFailed, true)
  showPreview(ctx, again)
  await ctx.services.purchases.redraw(purchase.id, null)
}

const repeat = async (ctx: BotContext, { person, purchase }: Own, nonce: number): Promise<void> => {
  const repeated = await ctx.services.lists.repeat(purchase.id, person, `${repeatCause(purchase.id)}${nonce}`)
  if (!repeated) return ctx.talk.toast(alreadyEnded)
  showPreview(ctx, repeated)
  // The redrawn card carries the next nonce (each nonce makes only one purchase), so that its button works again.
  await ctx.services.purchases.redraw(purchase.id, null)
}

/** How many orders one press polls. The others are polled on schedule. */
const maxAsked = 5

/** `Refresh`: polls the open orders, and moves the card to this message. */
const refresh = async (ctx: BotContext, { person, purchase }: Own): Promise<void> => {
  const { services } = ctx
  ctx.talk.toast(orderTexts.refreshing)
  const isItsChat = purchase.chatId === ctx.talk.chatId
  await services.purchases.redraw(purchase.id, isItsChat ? (ctx.msgId ?? null) : null)
  ctx.talk.aside(async () => {
    try {
      const before = await services.store.orders.ofPurchase(purchase.id)
      await askAbout(services, purchase)
      if (outcomes(before) === outcomes(await services.store.orders.ofPurchase(purchase.id)))
        ctx.talk.say({ text: orderTexts.listUnchanged, silent: true })
    } catch (error) {
      if (!isWalletError(error)) throw error
      const { store } = services
      const view = await viewOf(store, purchase, person.role)
      const progress = progressSeenBy(await store.orders.ofPurchase(purchase.id), view)
      ctx.talk.say(cannotAskOfList(progress, person.role, error))
    }
    await services.purchases.redraw(purchase.id, null)
  })
}

const askAbout = async (services: Services, purchase: Purchase): Promise<void> => {
  const { store, tracker, reconciler } = services
  const orders = await store.orders.ofPurchase(purchase.id)
  const open = orders.filter(isUnfinished)
  if (open.some(({ placement }) => placement === 'unconfirmed' || placement === 'review')) {
    await reconciler.check(purchase.accountId)
  }
  for (const order of open.filter(({ reference }) => reference !== null).slice(0, maxAsked)) {
    await tracker.refresh(order)
  }
  const placed = orders.filter(({ placement }) => placement === 'placed')
  await lookForRefunds(
    services,
    placed.map(({ id }) => id),
  )
}
