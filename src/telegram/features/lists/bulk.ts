import type { ListAnswers } from '../../../domain/list-draft.ts'
import type { Purchase } from '../../../domain/order/order.ts'
import type { ExportFormat } from '../../../exports/export-file.ts'
import { keepOn } from '../../../orders/buying/likely-network.ts'
import { mayRead, type Person } from '../../../orders/buying/purchases.ts'
import { withAnswer } from '../../../orders/listing/list-message.ts'
import { networks } from '../../../provider/index.ts'
import type { ButtonPress } from '../../buttons/table.ts'
import { networksFor } from '../../cards/agent-permissions.ts'
import { listCard } from '../../cards/lists/list-card.ts'
import { namesFor } from '../../cards/lists/list-numbers.ts'
import { readingFile } from '../../cards/lists/list-reading.ts'
import { networkFiles, takenIn } from '../../cards/lists/network-file.ts'
import { nameOf } from '../../cards/lists/preview-buttons.ts'
import * as draftTexts from '../../cards/words/draft.ts'
import * as listTexts from '../../cards/words/list.ts'
import * as words from '../../cards/words/list-preview.ts'
import * as orderTexts from '../../cards/words/order.ts'
import { askNext, type BotContext } from '../../chat/context.ts'
import { button, inRows, leaveButton, type Screen } from '../../chat/screen.ts'
import { bundleGone } from '../../words/bundle.ts'
import { labels } from '../../words/labels.ts'
import { notYours } from '../../words/unusable.ts'
import { bundlesScreen } from '../buying/bundle-screens.ts'
import { mayBuy } from '../buying/buy.ts'
import { withPrices } from '../buying/priced-bundles.ts'
import { sayDenied } from '../guards/order-denial.ts'
import { settingsLabels } from '../settings/words.ts'
import { csvButton, pressConfirmed } from './list.ts'
import { pressCorrect, pressCorrection } from './list-correction.ts'
import { lineToFix, showPreview } from './list-preview.ts'
import { takeText } from './paste.ts'

/** `/bulk`: asks for the network, the bundle and the numbers. If a list follows the command, reads that list. */
export const bulk = async (ctx: BotContext, person: Person, text: string): Promise<void> => {
  if (text && (await takeText(ctx, { question: null, text }))) return
  const allowed = await networksFor(ctx.services.store, person)
  const { defaultNetwork } = await ctx.services.store.preferences.of(person.userId)
  if (defaultNetwork === null || !allowed.includes(defaultNetwork)) ctx.talk.show(networksScreen(allowed))
  else await showBundles(ctx, person, { network: defaultNetwork, page: 0 }, settingsLabels.otherNetworks)
}

/** Shows all networks, even if the person has a default one. */
export const showNetworks = async (ctx: BotContext, person: Person): Promise<void> =>
  ctx.talk.show(networksScreen(await networksFor(ctx.services.store, person)))

const networksScreen = (allowed: readonly string[] = networks): Screen => {
  const buttons = allowed.map((network) => button(network, { do: 'bulk_bundles', network, page: 0 }))
  return { text: words.askNetwork, rows: [...inRows(buttons, 2), [leaveButton]] }
}

/** The second step of `/bulk`: a button for each bundle. */
export const showBundles = async (
  ctx: BotContext,
  person: Person,
  { network, page }: { network: string; page: number },
  backLabel: string = labels.back,
): Promise<void> => {
  if (!(await mayBuy(ctx, person, network))) return
  withPrices(ctx, person, async (list) =>
    ctx.talk.show(
      bundlesScreen(list, network, page, {
        text: words.askBundle(network),
        back: { do: 'bulk_networks' },
        backLabel,
        page: (to) => ({ do: 'bulk_bundles', network, page: to }),
        choose: (bundleId) => ({ do: 'bulk_bundle', bundleId }),
      }),
    ),
  )
}

/** The last step of `/bulk`: asks for the numbers. */
export const chooseBundle = async (ctx: BotContext, person: Person, bundleId: number): Promise<void> => {
  // Committed before the price list is read, because the person may send the numbers while it is being read.
  await askNext(ctx, { what: 'list', bundleId })
  withPrices(ctx, person, async (list) => {
    const bundle = list.find(({ id }) => id === bundleId)
    if (!bundle) return ctx.talk.show({ ...networksScreen(), text: bundleGone })
    const back = button(labels.back, { do: 'bulk_bundles', network: bundle.network, page: 0 })
    ctx.talk.show({ text: words.askNumbers(bundle), rows: [[back, leaveButton]] })
  })
}

/** Whether the person may use a list's card. The card of a draft works only for the person who made it. */
const isCardFor = ({ userId }: Person, purchase: Purchase): boolean =>
  purchase.kind === 'list' && (purchase.state !== 'draft' || purchase.userId === userId)

/** Handles a button on the card of a list. */
export const pressList = async (
  ctx: BotContext,
  person: Person,
  { purchaseId, act }: Extract<ButtonPress, { do: 'list' }>,
): Promise<void> => {
  const { services } = ctx
  const purchase = await services.store.purchases.byId(purchaseId)
  if (!purchase || !mayRead(person, purchase) || !isCardFor(person, purchase)) return ctx.talk.toast(notYours)
  switch (act.act) {
    case 'confirm':
      return confirm(ctx, person, purchaseId, act.digest)
    case 'page':
    case 'more': {
      const page = act.act === 'page' ? { page: act.page } : { page: 0, isMore: true }
      const { store, lists, now } = services
      return ctx.talk.show(() => listCard(store, lists, purchase, page, now(), ctx.talk.chatId))
    }
    case 'answer':
      return answer(ctx, person, purchaseId, act)
    case 'unanswer':
      return unanswer(ctx, person, purchaseId, act.question)
    case 'repeats':
      return change(ctx, person, purchaseId, (answers) => ({
        ...answers,
        recent: act.order ? 'order' : 'skip',
      }))
    case 'fits':
      return change(ctx, person, purchaseId, (answers) => ({ ...answers, fits: act.fits }))
    case 'accept':
    case 'accept_all':
    case 'uncorrect':
      return pressCorrection(ctx, { person, purchaseId, act })
    case 'correct':
      return pressCorrect(ctx, { person, purchaseId, listId: act.listId })
    case 'fix':
      if (purchase.state !== 'draft') return ctx.talk.toast(draftTexts.alreadyEnded)
      await askNext(ctx, { what: 'fix', purchaseId })
      return ctx.talk.say({
        text: words.askFix(await lineToFix(services, purchaseId)),
        rows: [[leaveButton]],
      })
    case 'network_file':
      return sendNetworkFiles(ctx, person, purchase)
    case 'put_back':
      return change(ctx, person, purchaseId, ({ taken: _, ...answers }) => answers)
    case 'excel':
    case 'csv':
    case 'look':
      if (purchase.state !== 'draft') return pressConfirmed(ctx, { person, purchase, act })
      if (act.act === 'look') return look(ctx, purchase)
      sendReading(ctx, purchase, act.act === 'csv' ? 'csv' : 'xlsx')
      return
    case 'numbers':
    case 'numbers_page':
    case 'references_page':
    case 'save_names':
    case 'open':
    case 'go_on':
    case 'stop':
    case 'retry':
    case 'retry_sure':
    case 'doubtful':
    case 'retry_one':
    case 'again':
    case 'repeat':
      return pressConfirmed(ctx, { person, purchase, act })
    default:
      return act satisfies never
  }
}

const confirm = async (
  ctx: BotContext,
  person: Person,
  purchaseId: string,
  digest: string,
): Promise<void> => {
  const confirmation = await ctx.services.lists.confirm(purchaseId, person, digest, ctx.msgId ?? null)
  switch (confirmation.kind) {
    case 'confirmed':
      ctx.talk.toast(draftTexts.confirmedToast)
      if (confirmation.leftId !== null) showPreview(ctx, { id: confirmation.leftId })
      return
    case 'already':
      return ctx.talk.toast(
        confirmation.purchase.state === 'confirmed' ? draftTexts.alreadyConfirmed : draftTexts.alreadyEnded,
      )
    case 'expired':
      await ctx.services.purchases.expireDrafts()
      return ctx.talk.toast(draftTexts.draftExpired, true)
    case 'repeated':
      return ctx.talk.toast(listTexts.listRepeated, true)
    case 'changed':
    case 'nothing_ready':
      return ctx.talk.toast(listTexts.listChanged, true)
    case 'denied':
      if (confirmation.denial.kind === 'closing') return ctx.talk.toast(listTexts.listClosing, true)
      return sayDenied(ctx, confirmation.denial)
    case 'unknown':
      ctx.talk.toast(draftTexts.cardNotYours)
  }
}

const answer = async (
  ctx: BotContext,
  person: Person,
  purchaseId: string,
  { question, choice }: { question: string; choice: number },
): Promise<void> => {
  const preview = await ctx.services.lists.preview(purchaseId)
  const asked = preview?.reading.questions.find((each) => nameOf(each.key) === question)
  const chosen = asked?.choices[choice]
  if (!preview || !asked || !chosen) return ctx.talk.toast(draftTexts.alreadyEnded)
  if (asked.kind === 'contradiction' && chosen.answer === 'keep') {
    const { whom, network } = asked
    const phones = whom.map(({ phone }) => phone)
    const { store, now } = ctx.services
    await store.transaction((tx) => keepOn(tx, person.accountId, { phones, network }, now()), {
      accounts: [person.accountId],
    })
  }
  await change(ctx, person, purchaseId, (answers) => withAnswer(answers, asked.key, chosen.answer))
}

const unanswer = async (
  ctx: BotContext,
  person: Person,
  purchaseId: string,
  question: string,
): Promise<void> => {
  const list = await ctx.services.store.lists.byPurchase(purchaseId)
  const asked = Object.keys(list?.answers.questions ?? {}).find((name) => nameOf(name) === question)
  await change(ctx, person, purchaseId, (answers) =>
    asked === undefined ? answers : withAnswer(answers, asked, null),
  )
}

const change = async (
  ctx: BotContext,
  person: Person,
  purchaseId: string,
  change: (answers: ListAnswers) => ListAnswers,
): Promise<void> => {
  const changed = await ctx.services.lists.change(purchaseId, person, ({ answers }) => ({
    answers: change(answers),
  }))
  if (!changed) ctx.talk.toast(draftTexts.alreadyEnded)
  else await ctx.services.purchases.redraw(purchaseId, ctx.msgId ?? 0)
}

/** Sends a file that shows how each line was read. Below an Excel file, a button offers the same as CSV. */
const sendReading = (
  { talk, services: { lists, store } }: BotContext,
  { id, userId }: Purchase,
  format: ExportFormat,
): void =>
  talk.sendFile(async () => {
    const preview = await lists.preview(id)
    if (!preview) throw new Error(`The purchase ${id} has no list.`)
    const phones = [...new Set(preview.selection.send.map(({ phone }) => phone))]
    const names = await namesFor(store, preview.purchase, phones, talk.chatId)
    const { timeZone } = await store.preferences.of(userId)
    const file = await readingFile(preview, names, format, timeZone)
    return format === 'csv' ? file : { ...file, rows: [[csvButton(id)]] }
  })

/**
 * Sends the list as the file that the network's own portal takes, one for each network, and leaves its numbers out of
 * the list.
 */
const sendNetworkFiles = async (ctx: BotContext, person: Person, { id, state }: Purchase): Promise<void> => {
  const preview = state === 'draft' ? await ctx.services.lists.preview(id) : null
  const taken = preview ? takenIn(preview) : []
  if (!preview || taken.length === 0) return ctx.talk.toast(draftTexts.alreadyEnded)
  const files = await networkFiles(preview)
  if (!(await ctx.services.lists.change(id, person, ({ answers }) => ({ answers: { ...answers, taken } }))))
    return ctx.talk.toast(draftTexts.alreadyEnded)
  await ctx.services.purchases.redraw(id, ctx.msgId ?? 0)
  for (const file of files) ctx.talk.sendFile(async () => file)
}

/** Reads prices and balance again, and moves the card to this message. */
const look = async (ctx: BotContext, { id }: Purchase): Promise<void> => {
  ctx.talk.toast(orderTexts.refreshing)
  if (ctx.msgId !== undefined) await ctx.services.store.purchases.showOn(id, ctx.msgId)
  showPreview(ctx, { id })
}
