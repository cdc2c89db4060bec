import { type List, type ListAnswers, noAnswers, type Shown } from '../../domain/list-draft.ts'
import type { Order, Purchase } from '../../domain/order/order.ts'
import type { PurchaseRemark } from '../../domain/order/reason.ts'
import { draftMs } from '../../domain/times/draft-lifetime.ts'
import { keyOf } from '../../lists/meaning/question.ts'
import { networksOf } from '../../lists/read-phone.ts'
import { readSize } from '../../lists/size.ts'
import type { Phone } from '../../provider/phone.ts'
import type { Queries } from '../../store/store.ts'
import type { Person } from '../buying/purchases.ts'
import { makeRoom } from './list-storage-limit.ts'

/** A list as it was sent: its text, and its bundle if the person chose one first. */
export interface NewList extends Pick<List, 'text' | 'fixedBundleId'> {
  answers?: ListAnswers
  retryOfId?: string | null
}

interface ListDraft extends NewList {
  id?: string
  cause: string
  remark: PurchaseRemark | null
  shown: Shown
  /** How long the list can be confirmed, ms. */
  lastsMs?: number
}

/** Inserts the draft of a list. If the person's lists are too large together, the oldest are ended. */
export const insertListDraft = async (
  tx: Queries,
  person: Omit<Person, 'role'>,
  { id, cause, remark, retryOfId, answers = noAnswers, lastsMs = draftMs, ...list }: ListDraft,
  { newId, at }: { newId: () => string; at: Date },
): Promise<Purchase> => {
  await makeRoom(tx, person, { bytes: Buffer.byteLength(list.text) }, at)
  const purchase = await tx.purchases.insertDraft({
    id: id ?? newId(),
    accountId: person.accountId,
    userId: person.userId,
    chatId: person.chatId,
    cause,
    kind: 'list',
    lines: [],
    retryOfId: retryOfId ?? null,
    ...(remark && { remark }),
    createdAt: at,
    expiresAt: new Date(at.getTime() + lastsMs),
  })
  await tx.lists.insert({ purchaseId: purchase.id, answers, ...list })
  return purchase
}

type Written = Pick<Order, 'bundleId' | 'network' | 'volume' | 'offerSlug'> & {
  recipients: readonly Pick<Order['recipients'][number], 'phone' | 'position'>[]
}

/** Writes the orders as the text of a list. With the returned answers, the text is read as exactly these orders. */
export const listOf = (orders: readonly Written[]): Required<Omit<NewList, 'retryOfId'>> => {
  const lines = orders
    .flatMap((order) => order.recipients.map((recipient) => ({ ...order, ...recipient })))
    .sort((a, b) => a.position - b.position)
  const questions = answersFor(lines)
  const [first] = lines
  if (first && !readSize(first.volume) && lines.every(({ bundleId }) => bundleId === first.bundleId)) {
    const text = lines.map(({ phone }) => phone).join('\n')
    return { text, fixedBundleId: first.bundleId, answers: implied({ ...questions, mismatch: 'keep' }) }
  }
  const text = lines.map(({ phone, volume, network }) => `${phone} ${volume} ${network}`).join('\n')
  return { text, fixedBundleId: null, answers: implied(questions) }
}

const implied = (questions: Record<string, string>): ListAnswers => ({
  ...noAnswers,
  questions,
  implied: Object.keys(questions),
})

interface DraftLine extends Omit<Written, 'recipients'> {
  phone: string
}

/**
 * The answers to the questions that the text would raise: which of two offers is meant, that a network is right
 * although it contradicts the number's prefix, and that repeated lines are intended.
 */
const answersFor = (lines: readonly DraftLine[]): Record<string, string> => {
  const answers: Record<string, string> = {}
  for (const [key, alike] of Map.groupBy(lines, offerKey)) {
    const bundles = new Set(alike.map(({ bundleId }) => bundleId))
    if (key !== null && bundles.size === 1) answers[key] = String(alike[0]?.bundleId)
  }
  for (const { network, phone } of lines) {
    const likely = networksOf(phone as Phone)
    const doubt = { kind: 'contradiction', phone: phone as Phone, network, likely, canSwitch: false } as const
    if (likely.length > 0 && !likely.includes(network)) answers[keyOf(doubt)] = 'keep'
  }
  const distinct = new Set(lines.map(({ phone, bundleId }) => `${phone} ${bundleId}`))
  if (distinct.size < lines.length) answers.duplicates = 'both'
  return answers
}

/** The key of the question that asks which offer is meant; null if there is nothing to ask. */
const offerKey = ({ network, volume, offerSlug }: DraftLine): string | null => {
  const size = offerSlug === null ? null : readSize(volume)
  return size && keyOf({ kind: 'offer', network, size, bundles: [] })
}
