import type { ComplaintKind } from '../../../domain/order/complaint.ts'
import { isComplainable } from '../../../domain/order/complaint.ts'
import type { Order } from '../../../domain/order/order.ts'
import { type Complainer, type ComplaintRefusal, isOfShop } from '../../../orders/following/complaints.ts'
import type { Network } from '../../../provider/network.ts'
import { balanceCodes } from '../../../settings/balance-codes.ts'
import type { Complaint } from '../../../store/chats/complaints.ts'
import type { ActOf } from '../../buttons/table.ts'
import { complaintCard } from '../../cards/complaint-card.ts'
import * as words from '../../cards/words/complaint.ts'
import { askNext, type BotContext, endQuestion } from '../../chat/context.ts'
import type { ActHandlers, Handler } from '../../chat/handler.ts'
import { personOf } from '../../chat/person.ts'
import { button, inRows, type Screen } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { labels } from '../../words/labels.ts'
import { forWhom, maskedWhom, numberOr, phoneText } from '../../words/numbers.ts'
import { notYours } from '../../words/unusable.ts'

/**
 * `It hasn’t arrived`: asks what is wrong and for a picture of the balance, and raises the complaint. Buttons carry all
 * answers, so they work in any order and each press is checked anew.
 */

/** The number that a complaint is about. */
interface About {
  orderId: string
  position: number | 'all'
}

/** Handles a button about a complaint. */
export const pressComplaint: Handler<{ act: ActOf<'complaint'> }> = async (ctx, services, { act }) => {
  const answer = acts[act.act] as Handler<typeof act>
  await answer(ctx, services, act)
}

const acts: ActHandlers<'complaint'> = {
  begin: async (ctx, services, { orderId }) => {
    const { order, complainer } = await found(ctx, services, orderId)
    if (order && order.recipients.length > 1 && isOfShop(complainer, order))
      ctx.talk.say(numbersScreen(order, 0))
    else await askKind(ctx, services, { orderId, position: 'all' }, 'say')
  },
  numbers: async (ctx, services, { orderId, page }) => {
    const { order, complainer } = await found(ctx, services, orderId)
    if (order && isOfShop(complainer, order)) ctx.talk.show(numbersScreen(order, page))
    else ctx.talk.toast(notYours)
  },
  of: (ctx, services, about) => askKind(ctx, services, about, 'show'),
  picture: async (ctx, services, { orderId, position, kind }) => {
    const order = await complainable(ctx, services, { orderId, position })
    if (!order) return
    const codes = await balanceCodes(services.store)
    await askNext(ctx, { what: 'complaint', orderId, position, kind })
    ctx.talk.show({
      text: words.askPicture(codes[order.network as Network]),
      rows: pictureRows({ orderId, position }, kind),
    })
  },
  raise: async (ctx, services, { orderId, position, kind }) => {
    endQuestion(ctx)
    await raise(ctx, services, { orderId, position }, kind, null)
  },
  solve: async (ctx, services, { complaintId }) => {
    const complainer = await complainerOf(ctx, services)
    const ended = await services.complaints.end(complaintId, complainer)
    if (ended) showComplaint(ctx, services, ended)
    else ctx.talk.toast(words.complaintGone, true)
  },
}

/** Takes the picture that the bot asked for. Anything else is refused, and the question stays. */
export const takePicture = async (
  ctx: BotContext,
  services: Services,
  { orderId, position, kind }: About & { kind: ComplaintKind },
): Promise<boolean> => {
  const photo = ctx.message?.photo?.at(-1)
  if (photo) {
    endQuestion(ctx)
    await raise(ctx, services, { orderId, position }, kind, photo.file_id)
  } else ctx.talk.say({ text: words.needsPicture, rows: pictureRows({ orderId, position }, kind) })
  return true
}

const pictureRows = (about: About, kind: ComplaintKind) => [
  [button(words.complaintLabels.noPicture, { do: 'complaint', act: { act: 'raise', ...about, kind } })],
  [button(labels.leave, { do: 'leave' })],
]

const complainerOf = async (ctx: BotContext, services: Services): Promise<Complainer> => ({
  chatId: ctx.talk.chatId,
  person: await personOf(ctx, services),
})

const found = async (ctx: BotContext, services: Services, orderId: string) => ({
  order: await services.store.orders.byId(orderId),
  complainer: await complainerOf(ctx, services),
})

const placeOf = ({ position }: About): number | null => (position === 'all' ? null : position)

/** The order, if this person can complain about the number. Otherwise says why not, and returns null. */
const complainable = async (ctx: BotContext, services: Services, about: About): Promise<Order | null> => {
  const { order, complainer } = await found(ctx, services, about.orderId)
  const refusal = order
    ? await services.complaints.refusal(order, placeOf(about), complainer)
    : ({ kind: 'not_theirs' } as const)
  if (order && !refusal) return order
  if (refusal) sayRefused(ctx, services, order, refusal)
  return null
}

const sayRefused = (
  ctx: BotContext,
  services: Services,
  order: Order | null,
  refusal: ComplaintRefusal,
): void => {
  if (refusal.kind === 'open' && order) {
    const { complaint } = refusal
    ctx.talk.say(() => complaintCard(services.store, { complaint, order }, ctx.talk.chatId, services.now()))
  } else if (refusal.kind === 'open' || refusal.kind === 'not_theirs') ctx.talk.toast(notYours)
  else ctx.talk.toast(words.refused(refusal), true)
}

const askKind = async (
  ctx: BotContext,
  services: Services,
  about: About,
  how: 'say' | 'show',
): Promise<void> => {
  const order = await complainable(ctx, services, about)
  if (!order) return
  const ofShop = isOfShop(await complainerOf(ctx, services), order)
  const recipient = order.recipients.find(({ position }) => position === about.position)
  const shown = recipient ? phoneText(recipient.phone) : forWhom(order)
  ctx.talk[how]({
    text: words.askKind(order, ofShop ? shown : maskedWhom(order)),
    rows: words.kindLabels.map(([kind, label]) => [
      button(label, { do: 'complaint', act: { act: 'picture', ...about, kind } }),
    ]),
  })
}

const perPage = 4

/** Asks which number of the order got nothing. */
const numbersScreen = (order: Order, page: number): Screen => {
  const orderId = order.id
  const delivered = order.recipients.filter(({ position }) => isComplainable(order, position))
  const turn = (label: string, to: number) =>
    button(label, { do: 'complaint', act: { act: 'numbers', orderId, page: to } })
  const numbers = delivered
    .slice(page * perPage, (page + 1) * perPage)
    .map(({ phone, position }) =>
      button(numberOr(phone), { do: 'complaint', act: { act: 'of', orderId, position } }),
    )
  return {
    text: words.askNumber(order),
    rows: [
      ...inRows(numbers, 2),
      [
        ...(page > 0 ? [turn(labels.previous, page - 1)] : []),
        ...((page + 1) * perPage < delivered.length ? [turn(labels.next, page + 1)] : []),
      ],
    ],
  }
}

const raise = async (
  ctx: BotContext,
  services: Services,
  about: About,
  kind: ComplaintKind,
  photoId: string | null,
): Promise<void> => {
  const { order, complainer } = await found(ctx, services, about.orderId)
  if (!order) return ctx.talk.toast(notYours)
  const position = placeOf(about)
  const raised = await services.complaints.raise(order, complainer, { position, kind, photoId })
  if ('id' in raised) showComplaint(ctx, services, { complaint: raised, order })
  else sayRefused(ctx, services, order, raised)
}

const showComplaint = (
  ctx: BotContext,
  { store, now }: Services,
  about: { complaint: Complaint; order: Order },
): void => ctx.talk.show(() => complaintCard(store, about, ctx.talk.chatId, now()))
