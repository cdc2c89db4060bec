import type { Purchase } from '../../orders/order.ts'
import type { Person } from '../../orders/purchases.ts'
import { networks } from '../../provider/index.ts'
import { askNext, type BotContext, forgetQuestion } from '../context.ts'
import type { ListAct } from '../list-button.ts'
import { listCard } from '../list-card.ts'
import { nameOf } from '../list-preview.ts'
import * as listTexts from '../list-texts.ts'
import { personOf } from '../person.ts'
import { key, type Screen } from '../screen.ts'
import type { Services } from '../services.ts'
import * as texts from '../texts.ts'
import { pressConfirmed } from './list.ts'
import { showPreview } from './preview.ts'

const { labels } = texts

/** `/bulk`: network, bundle, then the numbers. */
export const bulk = async (ctx: BotContext, services: Services): Promise<void> => {
  await forgetQuestion(ctx, services)
  if (!(await personOf(ctx, services))) {
    ctx.talk.show(texts.needAccount)
    return
  }
  ctx.talk.show(networksFor())
}

const networksFor = (): Screen => {
  const keys = networks.map((network) => key(network, { do: 'bulk_bundles', network, page: 0 }))
  return {
    text: listTexts.bulkNetwork,
    rows: [keys.slice(0, 2), keys.slice(2), [key(labels.leave, { do: 'leave' })]],
  }
}

/** A text of several lines: read as a list, whatever stands in it. */
export const takeList = async (
  ctx: BotContext,
  services: Services,
  person: Person,
  text: string,
  fixedBundleId: number | null,
): Promise<void> => {
  const cause = `message:${ctx.talk.chatId}:${ctx.msgId}`
  const purchase = await services.lists.draft(person, cause, { text, fixedBundleId })
  showPreview(ctx, services, purchase)
}

/** A press on the card of a list. */
export const press = async (
  ctx: BotContext,
  services: Services,
  purchaseId: string,
  act: ListAct,
): Promise<void> => {
  const person = await personOf(ctx, services)
  const purchase = person && (await services.store.purchases.byId(purchaseId))
  if (!purchase || purchase.accountId !== person.accountId) {
    ctx.talk.toast(texts.notYours)
    return
  }
  switch (act.act) {
    case 'confirm':
      return confirm(ctx, services, person, purchaseId, act.digest)
    case 'page':
      ctx.talk.show(() => listCard(services.store, services.lists, purchase, act.page))
      return
    case 'answer':
      return answer(ctx, services, person, purchaseId, act)
    case 'unanswer':
      return unanswer(ctx, services, person, purchaseId, act.question)
    case 'repeats':
      return change(ctx, services, person, purchaseId, { recent: act.order ? 'order' : 'skip' })
    case 'fits':
      return change(ctx, services, person, purchaseId, { fits: act.fits })
    case 'fix':
      await askNext(ctx, { what: 'fix', purchaseId })
      ctx.talk.say({ text: listTexts.askFix, rows: [[key(labels.leave, { do: 'leave' })]] })
      return
    case 'csv':
    case 'look':
      if (purchase.state !== 'draft') return pressConfirmed(ctx, services, { person, purchase, act })
      if (act.act === 'look') return look(ctx, services, purchase)
      ctx.talk.toast(texts.outdatedButton)
      return
    case 'go_on':
    case 'stop':
    case 'retry':
    case 'retry_one':
    case 'again':
    case 'repeat':
      return pressConfirmed(ctx, services, { person, purchase, act })
  }
}

const confirm = async (
  ctx: BotContext,
  services: Services,
  person: Person,
  purchaseId: string,
  digest: string,
): Promise<void> => {
  const confirmation = await services.lists.confirm(purchaseId, person, digest, ctx.msgId ?? null)
  switch (confirmation.kind) {
    case 'confirmed':
      ctx.talk.toast(texts.confirmedToast)
      return
    case 'already':
      ctx.talk.toast(
        confirmation.purchase.state === 'confirmed' ? texts.alreadyConfirmed : texts.alreadyEnded,
      )
      return
    case 'expired':
      ctx.talk.toast(texts.draftExpired, true)
      return
    case 'repeated':
      ctx.talk.toast(listTexts.listRepeated, true)
      return
    case 'changed':
    case 'nothing_ready':
      ctx.talk.toast(listTexts.listChanged, true)
      return
    case 'closing':
      ctx.talk.toast(listTexts.listClosing, true)
      return
    case 'unknown':
      ctx.talk.toast(texts.cardNotYours)
  }
}

const answer = async (
  ctx: BotContext,
  services: Services,
  person: Person,
  purchaseId: string,
  { question, choice }: { question: string; choice: number },
): Promise<void> => {
  const preview = await services.lists.preview(purchaseId)
  const asked = preview?.reading.questions.find((each) => nameOf(each.key) === question)
  const chosen = asked?.choices[choice]
  if (!preview || !asked || !chosen) {
    ctx.talk.toast(texts.alreadyEnded)
    return
  }
  const { [asked.key]: _, ...others } = preview.list.answers.questions
  // The newest answer stands last.
  await change(ctx, services, person, purchaseId, { questions: { ...others, [asked.key]: chosen.answer } })
}

const unanswer = async (
  ctx: BotContext,
  services: Services,
  person: Person,
  purchaseId: string,
  question: string,
): Promise<void> => {
  const list = await services.store.lists.byPurchase(purchaseId)
  const answers = Object.entries(list?.answers.questions ?? {}).filter(([name]) => nameOf(name) !== question)
  await change(ctx, services, person, purchaseId, { questions: Object.fromEntries(answers) })
}

type Answers = Parameters<Parameters<Services['lists']['change']>[2]>[0]['answers']

const change = async (
  ctx: BotContext,
  services: Services,
  person: Person,
  purchaseId: string,
  answers: Partial<Answers>,
): Promise<void> => {
  const changed = await services.lists.change(purchaseId, person, (list) => ({
    answers: { ...list.answers, ...answers },
  }))
  if (!changed) ctx.talk.toast(texts.alreadyEnded)
  else await services.purchases.redraw(purchaseId, ctx.msgId ?? 0)
}

/** Reads what may have changed, and draws the card here. */
const look = async (ctx: BotContext, services: Services, { id }: Purchase): Promise<void> => {
  ctx.talk.toast(texts.refreshing)
  if (ctx.msgId !== undefined) await services.store.purchases.showOn(id, ctx.msgId)
  showPreview(ctx, services, { id })
}
