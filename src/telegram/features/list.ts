import { NoWallet } from '../../accounts/wallets.ts'
import { isReduced, type Purchase } from '../../orders/order.ts'
import type { Person } from '../../orders/purchases.ts'
import type { Which } from '../../orders/retry.ts'
import { ProviderError } from '../../provider/index.ts'
import { isUnfinished } from '../../store/orders.ts'
import type { ListAct } from '../buttons/list.ts'
import { purchaseCard } from '../cards.ts'
import type { BotContext } from '../context.ts'
import { repeatCause } from '../list-card.ts'
import { listResult } from '../list-result.ts'
import type { Services } from '../services.ts'
import { alreadyEnded } from '../texts/draft.ts'
import * as listTexts from '../texts/list.ts'
import * as orderTexts from '../texts/order.ts'
import { needsNumber } from '../texts/removed.ts'
import * as unreadableTexts from '../texts/unreadable.ts'
import { viewOf } from '../viewer.ts'
import { mayOrder } from './disconnect.ts'
import { sayHindered } from './hindrance.ts'
import { showPreview } from './preview.ts'
import { lookForRefunds } from './refund.ts'

/** What the buttons of a confirmed list do. */
type ConfirmedAct = Extract<
  ListAct,
  { act: 'csv' | 'look' | 'open' | 'go_on' | 'stop' | 'retry' | 'retry_one' | 'again' | 'repeat' }
>

/** A press on the card of a list that was confirmed, or on its closing message. */
export const pressConfirmed = async (
  ctx: BotContext,
  services: Services,
  { person, purchase, act }: { person: Person; purchase: Purchase; act: ConfirmedAct },
): Promise<void> => {
  const { lists, store } = services
  if (needsNumbers(act) && (await store.orders.ofPurchase(purchase.id)).some(isReduced)) {
    ctx.talk.toast(needsNumber, true)
    return
  }
  switch (act.act) {
    case 'csv':
      ctx.talk.toast(listTexts.listLabels.resultCsv)
      ctx.talk.sendFile(async () => listResult(store, purchase, await viewOf(store, purchase, person.role)))
      return
    case 'look':
      return refresh(ctx, services, purchase)
    case 'open':
      return open(ctx, services, purchase)
    case 'go_on': {
      const outcome = await lists.goOn(purchase.id, person)
      if (outcome.kind === 'hindered') return sayHindered(ctx, services, outcome.hindrance)
      ctx.talk.toast(outcome.kind === 'going' ? listTexts.goOnToast : listTexts.nothingHeld)
      return
    }
    case 'stop':
      ctx.talk.toast(
        (await lists.stop(purchase.id, person)) ? listTexts.stoppedToast : listTexts.nothingWaits,
      )
      return
    case 'retry':
      return retry(ctx, services, { person, purchase }, { kind: 'failed' })
    case 'retry_one':
      return retry(ctx, services, { person, purchase }, { kind: 'one', position: act.position })
    case 'again':
      return retry(ctx, services, { person, purchase }, { kind: 'refused' })
    case 'repeat':
      if (await mayOrder(ctx, services, person)) await repeat(ctx, services, { person, purchase }, act.nonce)
  }
}

const needsNumbers = ({ act }: ConfirmedAct): boolean =>
  act === 'retry' || act === 'retry_one' || act === 'again' || act === 'repeat'

/** Opened from elsewhere: a card of its own, which is the one that changes from now on. */
const open = async (ctx: BotContext, { store, lists, now }: Services, { id, chatId }: Purchase) => {
  const words = async () => {
    const purchase = await store.purchases.byId(id)
    return purchase && purchaseCard(store, lists, purchase, now(), ctx.talk.chatId)
  }
  ctx.talk.say(words, async (messageId) => {
    if (chatId === ctx.talk.chatId) await store.purchases.showOn(id, messageId)
  })
}

interface Own {
  person: Person
  purchase: Purchase
}

/** Numbers of the list once more: a new preview, linked to it. A second press opens the same. */
const retry = async (
  ctx: BotContext,
  services: Services,
  { person, purchase }: Own,
  which: Which,
): Promise<void> => {
  if (!(await mayOrder(ctx, services, person))) return
  const again = await services.lists.retry(purchase.id, person, which)
  if (!again) {
    ctx.talk.toast(listTexts.nothingFailed, true)
    return
  }
  showPreview(ctx, services, again)
  await services.purchases.redraw(purchase.id, null)
}

const repeat = async (
  ctx: BotContext,
  services: Services,
  { person, purchase }: Own,
  nonce: number,
): Promise<void> => {
  const repeated = await services.lists.repeat(purchase.id, person, `${repeatCause(purchase.id)}${nonce}`)
  if (!repeated) {
    ctx.talk.toast(alreadyEnded)
    return
  }
  showPreview(ctx, services, repeated)
  // The card gets the next nonce, so that its button can be used once more.
  await services.purchases.redraw(purchase.id, null)
}

/** Orders of a list that one press asks the provider about: the others are asked in their turn. */
const mostAsked = 5

/** `Refresh`: asks the provider about what is open, then draws the card on this message. */
const refresh = async (ctx: BotContext, services: Services, purchase: Purchase): Promise<void> => {
  ctx.talk.toast(orderTexts.refreshing)
  const isItsChat = purchase.chatId === ctx.talk.chatId
  await services.purchases.redraw(purchase.id, isItsChat ? (ctx.msgId ?? null) : null)
  ctx.talk.aside(async () => {
    try {
      await askAbout(services, purchase)
    } catch (error) {
      if (!(error instanceof ProviderError || error instanceof NoWallet)) throw error
      ctx.talk.say(unreadableTexts.cannotRead(unreadableTexts.readable.status, error))
    }
    await services.purchases.redraw(purchase.id, null)
  })
}

const askAbout = async (services: Services, purchase: Purchase): Promise<void> => {
  const { store, tracker, settler } = services
  const orders = await store.orders.ofPurchase(purchase.id)
  const open = orders.filter(isUnfinished)
  if (open.some(({ placement }) => placement === 'unconfirmed' || placement === 'review')) {
    await settler.check(purchase.accountId)
  }
  for (const order of open.filter(({ reference }) => reference !== null).slice(0, mostAsked)) {
    await tracker.refresh(order)
  }
  const placed = orders.filter(({ placement }) => placement === 'placed')
  await lookForRefunds(
    services,
    placed.map(({ id }) => id),
  )
}
