import { isDeepStrictEqual } from 'node:util'
import type { List, ListAnswers } from '../../domain/list-draft.ts'
import { deletionOf } from '../../domain/notice.ts'
import type { Purchase } from '../../domain/order/order.ts'
import { isAhead } from '../../domain/times/ahead.ts'
import { fileLimits } from '../../lists/files/file-limits.ts'
import { mergeCorrections } from '../../lists/meaning/correction.ts'
import { mergeEdit } from '../../lists/meaning/edit.ts'
import { joinParts } from '../../lists/meaning/truncation.ts'
import { readList } from '../../lists/read-list.ts'
import type { ListReading } from '../../lists/reading-result.ts'
import type { Queries } from '../../store/store.ts'
import { isTheirs, type Person } from '../buying/purchases.ts'
import { corrected, uncorrected } from './list-correction.ts'
import { priceSnapshotOf } from './list-preview.ts'
import { makeRoom } from './list-storage-limit.ts'

/** A later message, edit or answer that changes the draft of a list. */
export type ListMessage =
  /** The rest of a long list: Telegram had split the text into several messages. */
  | { kind: 'part'; text: string }
  /** Corrected lines. */
  | { kind: 'corrections'; text: string }
  /** The person edited the message that contained the list. */
  | { kind: 'edit'; text: string }
  /** The person edited their last correction. `of`: the cause under which that correction was stored. */
  | { kind: 'corrections_again'; text: string; of: string }
  /** `question` is the key of one of the draft's questions. */
  | { kind: 'answer'; question: string; answer: string }

/**
 * The result of applying a `ListMessage`. `taken`: it was applied. `known`: it had been applied before. `gone`: the
 * draft can no longer be changed.
 */
export type Extension = 'taken' | 'known' | 'unchanged' | 'too_long' | 'gone'

/**
 * Applies a later message to a draft, once. The message's cause is stored with a purchase of its own, which the draft
 * supersedes immediately, so a repeated message is recognised.
 */
export const takeMessage = async (
  tx: Queries,
  told: {
    purchaseId: string
    person: Person
    cause: string
    message: ListMessage
    newId: () => string
    at: Date
  },
): Promise<Extension> => {
  const { purchaseId, person, cause, message, at } = told
  if (await tx.purchases.byCause(cause)) return 'known'
  const purchase = await tx.purchases.byId(purchaseId)
  const list = purchase && (await tx.lists.byPurchase(purchaseId))
  if (!list || !isTheirs(purchase, person) || !isLive(purchase, at)) return 'gone'
  const next = { ...list, ...withMessage(list, message) }
  if (next.text === list.text && next.answers === list.answers) return 'unchanged'
  if (message.kind === 'corrections') next.answers = { ...next.answers, correctedBy: cause }
  if (!isBounded(next.text)) return 'too_long'
  await makeRoom(tx, person, { bytes: Buffer.byteLength(next.text), keptId: purchaseId }, at)
  await tx.lists.change(purchaseId, { text: next.text, answers: next.answers })
  const { userId, chatId, accountId } = person
  const id = told.newId()
  await tx.purchases.insertDraft({
    id,
    userId,
    chatId,
    accountId,
    cause,
    kind: 'list',
    lines: [],
    createdAt: at,
    expiresAt: purchase.expiresAt,
  })
  await tx.purchases.supersede(id, purchaseId)
  if (purchase.cardMessageId !== null) {
    await tx.purchases.showOn(purchaseId, null)
    await tx.notices.enqueue(purchase.chatId, deletionOf(purchase.cardMessageId), at)
  }
  return 'taken'
}

/**
 * Applies the text of one draft as a correction of another one. The corrected draft supersedes the first.
 * @returns false if one of them is no longer a draft, or not theirs, or the text is too long; then nothing was changed.
 */
export const mergeDraft = async (
  tx: Queries,
  told: { purchaseId: string; listId: string; person: Person; at: Date },
): Promise<boolean> => {
  const { purchaseId, listId, person, at } = told
  const [source, target] = [await tx.purchases.byId(purchaseId), await tx.purchases.byId(listId)]
  if (!source || !target || ![source, target].every((each) => isTheirs(each, person) && isLive(each, at)))
    return false
  const correction = await tx.lists.byPurchase(purchaseId)
  const list = await tx.lists.byPurchase(listId)
  if (!correction || !list) return false
  const next = { ...list, ...withMessage(list, { kind: 'corrections', text: correction.text }) }
  if (!isBounded(next.text)) return false
  await tx.lists.change(listId, { text: next.text, answers: next.answers })
  await tx.purchases.supersede(purchaseId, listId)
  for (const { id, chatId, cardMessageId } of [source, target]) {
    if (cardMessageId === null) continue
    await tx.purchases.showOn(id, null)
    await tx.notices.enqueue(chatId, deletionOf(cardMessageId), at)
  }
  return true
}

export const isLive = (purchase: Purchase, now: Date): boolean =>
  purchase.state === 'draft' && isAhead(purchase.expiresAt, 'draft', now)

const withMessage = (list: List, message: ListMessage): Partial<Pick<List, 'text' | 'answers'>> => {
  const { text, answers } = list
  switch (message.kind) {
    case 'part':
      return { text: joinParts([text, message.text]) }
    case 'corrections':
      return corrected(list, mergeCorrections(text, message.text, priceSnapshotOf(list), answers.questions))
    case 'corrections_again': {
      if (answers.correctedBy !== message.of || !answers.corrected) return {}
      const before = uncorrected(list)
      const again = mergeCorrections(before.text, message.text, priceSnapshotOf(list), answers.questions)
      if (again === text) return {}
      const { text: now, answers: chosen } = corrected(before, again)
      return { text: now, answers: { ...chosen, correctedBy: message.of } }
    }
    case 'edit': {
      const next = mergeEdit(text, answers.sent ?? text, message.text)
      if (readsAlike(list, next)) return {}
      const edited = corrected(list, next)
      return { ...edited, answers: { ...edited.answers, sent: message.text } }
    }
    case 'answer':
      return { answers: withAnswer(answers, message.question, message.answer) }
  }
}

/** Whether `text` would be read in the same way as the list's current text. */
export const readsAlike = (list: List, text: string): boolean => {
  const priceSnapshot = priceSnapshotOf(list)
  const read = (words: string) => meaningOf(readList(words, priceSnapshot, list.answers.questions))
  return isDeepStrictEqual(read(list.text), read(text))
}

const meaningOf = ({ lines }: ListReading) =>
  lines
    .filter(({ verdict }) => verdict !== 'ignored')
    .map(({ verdict, written, problems, recipients }) => ({
      verdict,
      written: written.map(({ zeroRestored: _, ...number }) => number),
      problems: problems.map(({ code }) => code),
      bundles: recipients.map(({ bundleId }) => bundleId),
    }))

/** Whether the text is within the limits of a file. Corrections must not make a list larger. */
const isBounded = (text: string): boolean =>
  text.length <= fileLimits.bytes && text.split('\n', fileLimits.lines + 1).length <= fileLimits.lines

/** Sets the answer to a question; null removes it. */
export const withAnswer = (answers: ListAnswers, question: string, answer: string | null): ListAnswers => {
  const { [question]: _, ...others } = answers.questions
  return { ...answers, questions: answer === null ? others : { ...others, [question]: answer } }
}
