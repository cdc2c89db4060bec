import type { ListAnswers, RestOfList, Unordered } from '../../domain/list-draft.ts'
import { doneKey, leftOf, noneUnordered } from '../../domain/list-draft.ts'
import type { Purchase } from '../../domain/order/order.ts'
import { isAhead } from '../../domain/times/ahead.ts'
import { restOfListMs } from '../../domain/times/draft-lifetime.ts'
import type { Queries } from '../../store/store.ts'
import { redrawOrigin } from '../buying/cancelling.ts'
import type { Person } from '../buying/purchases.ts'
import type { Preview } from './list-preview.ts'
import { insertListDraft } from './new-list.ts'

export interface LeftOver {
  purchaseId: string
  left: RestOfList
}

const causeOf = (purchaseId: string): string => `left:${purchaseId}`

/**
 * The draft of the rest of the list, with how much is left. Null if nothing is left, or the rest can no longer be
 * confirmed.
 */
export const leftOver = async (
  { purchases, lists }: Pick<Queries, 'purchases' | 'lists'>,
  { id }: Pick<Purchase, 'id'>,
  now: Date,
): Promise<LeftOver | null> => {
  const rest = await purchases.byCause(causeOf(id))
  if (rest?.state !== 'draft' || !isAhead(rest.expiresAt, 'draft', now)) return null
  const left = (await lists.answersOf(rest.id))?.left
  return left ? { purchaseId: rest.id, left } : null
}

/** Whether a line is left over: it has an error, the balance was too low for it, or its network is down. */
const isBehind = ({ reading, selection: { cut, down } }: Preview): boolean =>
  cut.length + down.length > 0 || reading.lines.some(({ verdict }) => verdict === 'fix')

/**
 * The lines that this and earlier confirmations neither ordered nor kept for later: skipped repeats, and lines that the
 * person may not order.
 */
const unorderedOf = ({ list: { answers }, selection }: Preview): Unordered => {
  const { repeated, barred } = answers.unordered ?? noneUnordered
  const skipped = answers.recent === 'skip' ? selection.repeats : []
  return {
    repeated: [...repeated, ...skipped.map(({ recipient }) => doneKey(recipient))],
    barred: [...barred, ...selection.barred.map(doneKey)],
  }
}

/**
 * Makes a draft of the rest of a list that is being confirmed. The draft has the whole text, so that headings still
 * apply and line numbers stay the same; `done` names the lines to leave out.
 * @returns null if nothing is left.
 */
export const keepLeft = async (
  tx: Queries,
  person: Person,
  preview: Preview,
  draft: { newId: () => string; at: Date },
): Promise<Purchase | null> => {
  if (!isBehind(preview)) return null
  const { purchase, list, reading, selection } = preview
  const behind = new Set([...selection.cut, ...selection.down])
  const finished = reading.recipients.filter((recipient) => !behind.has(recipient))
  const { text, fixedBundleId, shown } = list
  const { corrected: _, correctedBy: __, sent: ___, ...chosen } = list.answers
  const answers: ListAnswers = {
    ...chosen,
    recent: 'skip',
    fits: false,
    done: finished.map(doneKey),
    unordered: unorderedOf(preview),
    left: leftOf(reading, finished),
  }
  const cause = causeOf(purchase.id)
  const rest = { cause, text, fixedBundleId, answers, remark: 'left_over', shown } as const
  return insertListDraft(tx, person, { ...rest, retryOfId: purchase.id, lastsMs: restOfListMs }, draft)
}

/**
 * If the purchase is the rest of a list, stores how much is still left according to a new reading, and redraws the
 * original list's card.
 */
export const noteLeft = async (
  tx: Queries,
  purchase: Purchase,
  readAgain: () => RestOfList,
  at: Date,
): Promise<void> => {
  const answers = purchase.remark === 'left_over' ? await tx.lists.answersOf(purchase.id) : null
  if (!answers) return
  const left = readAgain()
  if (answers.left?.lines === left.lines && answers.left.numbers === left.numbers) return
  await tx.lists.change(purchase.id, { answers: { ...answers, left } })
  await redrawOrigin(tx, purchase, at)
}
