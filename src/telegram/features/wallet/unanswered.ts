import { z } from 'zod'
import { newId } from '../../../database/id.ts'
import { keptMs, nextTry, type UnansweredKind } from '../../../domain/times/unanswered.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import { ProviderError, type ProviderErrorCode } from '../../../provider/index.ts'
import { isPhone } from '../../../provider/phone.ts'
import type { Unanswered } from '../../../store/chats/unanswered.ts'
import type { WalletError } from '../../../wallets/wallets.ts'
import { type ButtonPress, decodePress, encodePress } from '../../buttons/table.ts'
import { type Asker, messageCause } from '../../chat/context.ts'
import { type Button, button, type Screen } from '../../chat/screen.ts'
import { labels } from '../../words/labels.ts'
import * as words from './unanswered-words.ts'

/**
 * A person's request that the provider did not answer. It is kept and tried again automatically (`answering`). The
 * answer replaces the message that says that the request waits.
 */

const view = z.string().transform((data, { addIssue }) => {
  const press = decodePress(data)
  if (press?.do === 'balance' || press?.do === 'transactions' || press?.do === 'prices') return press
  addIssue({ code: 'custom' })
  return z.NEVER
})

const pressed = z.string().transform((data, { addIssue }) => {
  const press = decodePress(data)
  if (press && isPressKept(press)) return press
  addIssue({ code: 'custom' })
  return z.NEVER
})

/**
 * Presses that begin or correct an order and need the price list. They are kept and tried again if it cannot be read.
 */
const keptPresses = ['again', 'bundles', 'bundles_for', 'bundle', 'keep', 'draft'] as const
type KeptPress = Extract<ButtonPress, { do: (typeof keptPresses)[number] }>

const isPressKept = (press: ButtonPress): press is KeptPress =>
  (keptPresses as readonly string[]).includes(press.do)

const askSchema = z.union([
  z.object({ view }),
  /** A press on a button of the message. */
  z.object({ messageId: z.int(), press: pressed }),
  /** An order written in a message. */
  z.object({ messageId: z.int(), text: z.string() }),
  /** The number for a chosen bundle, sent in a message. */
  z.object({ messageId: z.int(), bundleId: z.int(), phone: z.string().refine(isPhone) }),
  /** Another number for the draft `purchaseId`, sent in a message. */
  z.object({ messageId: z.int(), purchaseId: z.string(), phone: z.string().refine(isPhone) }),
])

/** The request to try again. */
export type Ask = z.infer<typeof askSchema>

/** Reads a stored request. @returns null if another version has written it differently. */
export const readAsk = (written: string): Ask | null => askSchema.safeParse(JSON.parse(written)).data ?? null

const writtenAsk = (ask: Ask): string =>
  JSON.stringify(ask, (_, value) => (isPress(value) ? encodePress(value) : value))

const isPress = (value: unknown): value is ButtonPress =>
  typeof value === 'object' && value !== null && 'do' in value

const kindOf = (ask: Ask): UnansweredKind => {
  if ('view' in ask) return ask.view.do === 'prices' ? 'bundles' : ask.view.do
  return 'press' in ask && isForBundles(ask.press) ? 'bundles' : 'order'
}

/** Whether a press leads to a choice of bundles, rather than to a card. */
const isForBundles = (press: KeptPress): boolean => {
  if (press.do === 'draft') return press.act.act !== 'set'
  return (
    press.do === 'bundles' || press.do === 'bundles_for' || (press.do === 'bundle' && press.phone === null)
  )
}

const causeOf = (ctx: Asker, ask: Ask): string => {
  if ('view' in ask) return `view:${newId()}`
  if (!('press' in ask)) return messageCause(ctx)
  const { press, messageId } = ask
  // The news of an order and its card both have this button. Presses on both are the same request.
  const isAgain = press.do === 'again'
  return isAgain
    ? `press:${ctx.talk.chatId}:${press.orderId}:${press.nonce}`
    : `press:${ctx.talk.chatId}:${messageId}:${encodePress(press)}`
}

/** Failures that pass by themselves. For all others a person has to act. */
const passing: ReadonlySet<ProviderErrorCode> = new Set([
  'rate_limited',
  'server_error',
  'bad_answer',
  'unreachable',
  'connection_lost',
  'timeout',
])

/** How many requests of one kind may wait in a chat. */
const maxInChat = 20

/**
 * Keeps the request if another try can help, and tells the person that it waits.
 * @returns false if nothing was kept, so that the caller must say why.
 */
export const keepAsk = async (ctx: Asker, person: Person, ask: Ask, error: WalletError): Promise<boolean> => {
  if (!(error instanceof ProviderError) || !passing.has(error.code)) return false
  const { store, now } = ctx.services
  const kind = kindOf(ask)
  const cause = causeOf(ctx, ask)
  const known = await store.unanswered.byCause(cause)
  if (known) return true
  const createdAt = now()
  const until = new Date(createdAt.getTime() + keptMs[kind])
  const tryAt = nextTry({ createdAt, until }, error.retryAfterMs, createdAt)
  if (!tryAt || (await store.unanswered.inChat(person.chatId, kind)).length >= maxInChat) return false
  const { accountId, userId, chatId } = person
  const row = { id: newId(), cause, accountId, userId, chatId, kind, ask: writtenAsk(ask), messageId: null }
  const kept: Unanswered = { ...row, createdAt, tryAt, until }
  await store.unanswered.insert(kept)
  const limitEnds = error.code === 'rate_limited' ? tryAt : null
  const text = words.waiting({
    kind,
    written: writtenIn(ask),
    why: error,
    limitEnds,
    until,
    now: createdAt,
  })
  ctx.talk.say({ text, rows: [waitingButtons(kept.id)] }, (messageId) =>
    store.unanswered.showOn(kept.id, messageId),
  )
  return true
}

const waitingButtons = (id: string): Button[] => [
  button(labels.tryAgain, { do: 'unanswered', id, act: { act: 'again' } }),
  button(labels.cancel, { do: 'unanswered', id, act: { act: 'drop' } }),
]

const writtenIn = (ask: Ask): string | null => {
  if ('text' in ask) return ask.text
  if ('phone' in ask) return ask.phone
  if (!('press' in ask)) return null
  if (ask.press.do === 'draft') return ask.press.act.act === 'set' ? ask.press.act.phone : null
  return 'phone' in ask.press ? ask.press.phone : null
}

/** What the message shows when its request is no longer tried. */
export const endedScreen = ({ kind, until, ask }: Unanswered, now: Date): Screen => {
  const asked = readAsk(ask)
  const again: Button[] = asked && 'view' in asked ? [button(labels.tryAgain, asked.view)] : []
  const written = asked && writtenIn(asked)
  return { text: words.stopped({ kind, written, until, now }), rows: [again] }
}

/** Ends waiting requests for a view that the person asks for again now. Their messages say so. */
export const endEarlier = async (
  { talk, services: { store } }: Asker,
  kind: Exclude<UnansweredKind, 'order'>,
): Promise<void> => {
  for (const { id, messageId } of await store.unanswered.inChat(talk.chatId, kind)) {
    if ((await store.unanswered.drop(id)) && messageId !== null) talk.edit(messageId, words.askedAgain)
  }
}

/** Ends the waiting request of the same press, because this press is answered now. */
export const endSame = async (ctx: Asker, ask: Ask): Promise<void> => {
  const { store } = ctx.services
  const waiting = 'press' in ask && (await store.unanswered.byCause(causeOf(ctx, ask)))
  if (waiting && (await store.unanswered.drop(waiting.id)) && waiting.messageId !== null)
    ctx.talk.edit(waiting.messageId, words.askedAgain)
}

/** Ends the chat's newest order request that still waits. @returns false if there was none. */
export const endNewestOrder = async ({ talk, services: { store } }: Asker): Promise<boolean> => {
  const newest = (await store.unanswered.inChat(talk.chatId, 'order')).at(-1)
  if (!newest || !(await store.unanswered.drop(newest.id))) return false
  if (newest.messageId !== null) talk.edit(newest.messageId, words.cancelledAsk)
  return true
}
