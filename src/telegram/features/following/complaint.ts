import { type ComplaintKind, complainedNumbers, isComplainable } from '../../../domain/order/complaint.ts'
import { isRedacted, type Order } from '../../../domain/order/order.ts'
import { type Complainer, type ComplaintRefusal, isOfShop } from '../../../orders/following/complaints.ts'
import type { Network } from '../../../provider/network.ts'
import { balanceCodes } from '../../../settings/balance-codes.ts'
import type { Complaint } from '../../../store/chats/complaints.ts'
import type { ActOf } from '../../buttons/table.ts'
import { complaintCard } from '../../cards/complaint-card.ts'
import { numberChoice } from '../../cards/number-choice.ts'
import * as words from '../../cards/words/complaint.ts'
import { askNext, type BotContext, endQuestion } from '../../chat/context.ts'
import type { ActHandlers, Handler } from '../../chat/handler.ts'
import { personOf } from '../../chat/person.ts'
import { button, leaveButton, type Screen } from '../../chat/screen.ts'
import { forWhom, maskedWhom } from '../../words/numbers.ts'
import { notYours } from '../../words/unusable.ts'

/**
 * `It hasn’t arrived`: asks what is wrong and for a picture of the balance, and raises the complaint. Buttons carry all
 * answers, so they work in any order, and each press is checked again.
 */

/** The number that a complaint is about; `position` null: the whole order. */
interface About {
  orderId: string
  position: number | null
}

/** Handles a button about a complaint. */
export const pressComplaint: Handler<{ act: ActOf<'complaint'> }> = async (ctx, { act }) => {
  const answer = acts[act.act] as Handler<typeof act>
  await answer(ctx, act)
}

const acts: ActHandlers<'complaint'> = {
  begin: async (ctx, { orderId }) => {
    const { services } = ctx
    const order = await services.store.orders.byId(orderId)
    const ofShop = order !== null && isOfShop(await complainerOf(ctx), order)
    if (ofShop && order.recipients.length > 1) return ctx.talk.say(numbersScreen(order, 0))
    // Even a customer who has unfollowed the order hears how the complaint ends.
    if (!ofShop && order && isComplainable(order, null) && !isRedacted(order))
      await services.store.chats.follow(orderId, ctx.talk.chatId, services.now())
    await askKind(ctx, { orderId, position: null }, 'say')
  },
  numbers: async (ctx, { orderId, page }) => {
    const order = await shopsOrder(ctx, orderId)
    if (order) ctx.talk.show(numbersScreen(order, page))
    else ctx.talk.toast(notYours)
  },
  of: (ctx, about) => askKind(ctx, about, 'show'),
  picture: async (ctx, { act: _, ...asked }) => {
    const order = await complainable(ctx, asked)
    if (!order) return
    await askNext(ctx, { what: 'complaint', ...asked, cardId: ctx.msgId ?? null })
    const codes = await balanceCodes(ctx.services.store)
    ctx.talk.show({ text: words.askPicture(codes[order.network as Network]), rows: pictureRows(asked) })
  },
  raise: (ctx, asked) => raise(ctx, asked, null),
  solve: async (ctx, { complaintId }) => {
    const ended = await ctx.services.complaints.end(complaintId, await complainerOf(ctx))
    if (ended) ctx.talk.show(cardFor(ctx, ended))
    else ctx.talk.toast(words.complaintGone, true)
  },
}

type Asked = About & { kind: ComplaintKind }

/** Takes the picture that the bot asked for. Another text or media is refused, and the question stays. */
export const takePicture = async (ctx: BotContext, { orderId, position, kind }: Asked): Promise<boolean> => {
  // A file may be a list to order.
  if (ctx.message?.document) return false
  const photo = ctx.message?.photo?.at(-1)
  const asked = { orderId, position, kind }
  if (photo) await raise(ctx, asked, photo.file_id)
  else ctx.talk.say({ text: words.needsPicture, rows: pictureRows(asked) })
  return true
}

const pictureRows = (asked: Asked) => [
  [button(words.complaintLabels.noPicture, { do: 'complaint', act: { act: 'raise', ...asked } })],
  [leaveButton],
]

const complainerOf = async (ctx: BotContext): Promise<Complainer> => ({
  chatId: ctx.talk.chatId,
  person: await personOf(ctx),
})

/** The order, if the person is one of the shop; otherwise null. */
const shopsOrder = async (ctx: BotContext, orderId: string): Promise<Order | null> => {
  const order = await ctx.services.store.orders.byId(orderId)
  return order && isOfShop(await complainerOf(ctx), order) ? order : null
}

/** The order, if this person can complain about the number. Otherwise says why not, and returns null. */
const complainable = async (ctx: BotContext, { orderId, position }: About): Promise<Order | null> => {
  const order = await ctx.services.store.orders.byId(orderId)
  const complainer = await complainerOf(ctx)
  const refusal = order && (await ctx.services.complaints.refusal(order, position, complainer))
  if (order && !refusal) return order
  sayRefused(ctx, order, refusal ?? { kind: 'not_theirs' })
  return null
}

const sayRefused = (ctx: BotContext, order: Order | null, refusal: ComplaintRefusal): void => {
  if (refusal.kind !== 'open') ctx.talk.toast(words.refused(refusal), true)
  else if (order) ctx.talk.say(cardFor(ctx, { complaint: refusal.complaint, order }))
}

const askKind = async (ctx: BotContext, about: About, how: 'say' | 'show'): Promise<void> => {
  const order = await complainable(ctx, about)
  if (!order) return
  const ofShop = isOfShop(await complainerOf(ctx), order)
  const recipients = complainedNumbers(order, about.position)
  ctx.talk[how]({
    text: words.askKind(order, ofShop ? forWhom({ recipients }) : maskedWhom(order)),
    rows: words.kindLabels.map(([kind, label]) => [
      button(label, { do: 'complaint', act: { act: 'picture', ...about, kind } }),
    ]),
  })
}

/** Asks which number of the order got nothing. */
const numbersScreen = (order: Order, page: number): Screen => ({
  text: words.askNumber(order),
  rows: numberChoice(
    order.recipients.filter(({ position }) => isComplainable(order, position)),
    page,
    (label, position) => button(label, { do: 'complaint', act: { act: 'of', orderId: order.id, position } }),
    (label, to) => button(label, { do: 'complaint', act: { act: 'numbers', orderId: order.id, page: to } }),
  ),
})

const raise = async (
  ctx: BotContext,
  { orderId, position, kind }: Asked,
  photoId: string | null,
): Promise<void> => {
  endQuestion(ctx)
  const order = await ctx.services.store.orders.byId(orderId)
  if (!order) return ctx.talk.toast(notYours)
  const complainer = await complainerOf(ctx)
  const raised = await ctx.services.complaints.raise(order, complainer, { position, kind, photoId })
  if ('id' in raised) ctx.talk.show(cardFor(ctx, { complaint: raised, order }))
  else sayRefused(ctx, order, raised)
}

const cardFor =
  (ctx: BotContext, about: { complaint: Complaint; order: Order }) => (): Promise<Screen | null> =>
    complaintCard(ctx.services.store, about, ctx.talk.chatId, ctx.services.now())
