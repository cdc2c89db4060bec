import type { List } from '../../../domain/list-draft.ts'
import { type Suggestion, suggestionFor } from '../../../lists/meaning/suggestion.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import { accepted, uncorrected } from '../../../orders/listing/list-correction.ts'
import type { Preview } from '../../../orders/listing/list-preview.ts'
import type { ActOf } from '../../buttons/table.ts'
import {
  correctionDigest,
  nearSuggestions,
  suggestionsDigest,
  suggestionsOn,
} from '../../cards/lists/preview-buttons.ts'
import { alreadyEnded } from '../../cards/words/draft.ts'
import { listChanged } from '../../cards/words/list.ts'
import * as words from '../../cards/words/list-preview.ts'
import type { BotContext } from '../../chat/context.ts'
import { showPreview } from './list-preview.ts'

/** The buttons that correct lines of a draft. */
type CorrectingAct = Extract<ActOf<'list'>, { act: 'accept' | 'accept_all' | 'uncorrect' }>

/** Handles a press on one suggestion, on all of them, or on the undo of the last correction. */
export const pressCorrection = async (
  ctx: BotContext,
  { person, purchaseId, act }: { person: Person; purchaseId: string; act: CorrectingAct },
): Promise<void> => {
  const { services } = ctx
  const preview = await services.lists.preview(purchaseId)
  const correct = preview && correctionFor(preview, act)
  if (!correct) return ctx.talk.toast(preview?.purchase.state === 'draft' ? listChanged : alreadyEnded, true)
  let isSame = false
  const isDraft = await services.lists.change(purchaseId, person, (list) => {
    isSame = list.text === preview.list.text
    return isSame ? correct(list) : {}
  })
  if (!isDraft || !isSame) return ctx.talk.toast(isDraft ? listChanged : alreadyEnded, true)
  ctx.talk.toast(
    act.act === 'uncorrect' ? words.undoneToast : words.acceptedToast(chosen(preview, act).length),
  )
  if (ctx.msgId !== undefined) await services.store.purchases.showOn(purchaseId, ctx.msgId)
  showPreview(ctx, { id: purchaseId })
}

/** The correction that the button makes; null if the list has changed since the button was made. */
const correctionFor = (
  preview: Preview,
  act: CorrectingAct,
): ((list: List) => Pick<List, 'text' | 'answers'>) | null => {
  if (act.act === 'uncorrect') {
    const { corrected = [] } = preview.list.answers
    return corrected.length > 0 && correctionDigest(corrected) === act.digest ? uncorrected : null
  }
  const suggestions = chosen(preview, act)
  return suggestions.length > 0 ? (list) => accepted(list, suggestions) : null
}

/** Applies the lines of a new draft as corrections to the older list, and shows that list below. */
export const pressCorrect = async (
  ctx: BotContext,
  { person, purchaseId, listId }: { person: Person; purchaseId: string; listId: string },
): Promise<void> => {
  if (await ctx.services.lists.merge(purchaseId, listId, person)) showPreview(ctx, { id: listId })
  else ctx.talk.toast(alreadyEnded, true)
}

const chosen = (preview: Preview, act: CorrectingAct): Suggestion[] => {
  switch (act.act) {
    case 'accept':
      return suggestionsAt(preview, act.line).filter(({ instead }) => instead === act.instead)
    case 'accept_all': {
      const all = suggestionsOn(preview, act.page)
      return suggestionsDigest(all) === act.digest ? all : []
    }
    case 'uncorrect':
      return []
  }
}

const suggestionsAt = (preview: Preview, number: number): Suggestion[] => {
  const { lines } = preview.reading
  const line = lines[number - 1]
  const suggestion = line && suggestionFor(line, lines)
  const near = nearSuggestions(preview).filter((each) => each.line === number)
  return suggestion ? [suggestion, ...near] : near
}
