/**
 * An environment variable that is probably a misspelt setting. The environment is full of variables of other programs,
 * so only names very similar to ours count.
 */
export interface Misspelling {
  given: string
  meant: string
}

/**
 * @param unset our settings that have no value. A given name that shares two words with one of them also counts as its
 * misspelling: `BOT_TOKEN` for `TELEGRAM_BOT_TOKEN`.
 */
export const misspellings = (
  given: readonly string[],
  known: readonly string[],
  unset: readonly string[],
): Misspelling[] =>
  given.flatMap((name) => {
    if (known.includes(name)) return []
    const meant = closestOf(name, known) ?? unset.find((each) => sharesWords(name, each))
    return meant === undefined ? [] : [{ given: name, meant }]
  })

const closestOf = (name: string, known: readonly string[]): string | undefined => {
  const letters = lettersOf(name)
  return known
    .map((each) => ({ each, edits: editsBetween(letters, lettersOf(each)) }))
    .filter(({ each, edits }) => edits <= (each.length < 9 ? 1 : 2))
    .sort((a, b) => a.edits - b.edits)[0]?.each
}

/** Ignores case and punctuation: `telegram-bot-token` equals `TELEGRAM_BOT_TOKEN`. */
const lettersOf = (name: string): string => name.toUpperCase().replace(/[^A-Z0-9]/g, '')

const sharesWords = (name: string, known: string): boolean => {
  const [words, theirs] = [new Set(name.toUpperCase().split('_')), new Set(known.split('_'))]
  const isPart = words.isSubsetOf(theirs) || theirs.isSubsetOf(words)
  return isPart && words.intersection(theirs).size >= 2 && Math.abs(words.size - theirs.size) <= 1
}

/** How many letters are left out, added, changed, or swapped with a neighbour. */
const editsBetween = (one: string, other: string): number => {
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)]
  const cell = (row: number, at: number) => rows[row]?.[at] ?? 0
  for (let row = 1; row <= one.length; row += 1) {
    rows.push([row])
    for (let at = 1; at <= other.length; at += 1) {
      const isSame = one[row - 1] === other[at - 1]
      const isSwapped = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1]
      rows[row]?.push(
        Math.min(
          cell(row - 1, at) + 1,
          cell(row, at - 1) + 1,
          cell(row - 1, at - 1) + (isSame ? 0 : 1),
          isSwapped ? cell(row - 2, at - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
  }
  return cell(one.length, other.length)
}
