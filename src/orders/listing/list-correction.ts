import type { List } from '../../domain/list-draft.ts'
import { type ChangedLine, changedLines, putBack } from '../../lists/meaning/changed-line.ts'
import { exchanged, type Suggestion } from '../../lists/meaning/suggestion.ts'
import { linesOf } from '../../lists/reading/normalize.ts'

type Corrected = Pick<List, 'text' | 'answers'>

/** A correction of more lines or characters than this cannot be undone, because its old lines are not kept. */
const maxKept = { lines: 20, length: 2_000 }

/**
 * The longest original text that is kept, in characters. A longer text came as a file, so nobody can edit it in the
 * chat.
 */
const maxSent = 5_000

/** The list with its new text. This correction can be undone until the next one. */
export const corrected = ({ text: before, answers }: Corrected, text: string): Corrected => {
  const changed = changedLines(before, text)
  if (changed.length === 0) return { text: before, answers }
  const { corrected: _, correctedBy: __, ...others } = answers
  const sent = answers.sent ?? before
  const kept = sent.length <= maxSent ? { ...others, sent } : others
  return { text, answers: isKept(changed) ? { ...kept, corrected: changed } : kept }
}

/** The list with the suggested words in place of misspelt ones. */
export const accepted = (list: Corrected, suggestions: readonly Suggestion[]): Corrected => {
  const lines = linesOf(list.text)
  for (const { place, written, instead } of suggestions) {
    const text = exchanged(lines[place - 1] ?? '', written, instead)
    if (text !== null) lines[place - 1] = text
  }
  return corrected(list, lines.join('\n'))
}

export const uncorrected = ({ text, answers }: Corrected): Corrected => {
  const { corrected: changed = [], correctedBy: _, ...others } = answers
  return { text: putBack(text, changed), answers: others }
}

const isKept = (changed: readonly ChangedLine[]): boolean =>
  changed.length <= maxKept.lines &&
  changed.reduce((length, { before }) => length + (before?.length ?? 0), 0) <= maxKept.length
