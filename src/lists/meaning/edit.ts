import { linesOf } from '../reading/normalize.ts'

/**
 * Applies an edit of a message to the list that was made from it and has been corrected since. Lines that the edit
 * removed become empty, so that the others keep their numbers.
 * @param sent the message before the edit
 */
export const mergeEdit = (text: string, sent: string, edited: string): string => {
  const [now, before, after] = [linesOf(text), linesOf(sent), linesOf(edited)]
  const shorter = Math.min(before.length, after.length)
  let first = 0
  while (first < shorter && before[first] === after[first]) first += 1
  let last = 0
  while (last < shorter - first && before.at(-1 - last) === after.at(-1 - last)) last += 1
  const [old, instead] = [before.slice(first, before.length - last), after.slice(first, after.length - last)]
  while (instead.length < old.length) instead.push('')
  // If the edit kept the number of lines, the lines that it did not touch keep their corrections.
  const middle =
    old.length === instead.length
      ? instead.map((line, at) => (line === old[at] ? (now[first + at] ?? line) : line))
      : instead
  return [...now.slice(0, first), ...middle, ...now.slice(first + old.length)].join('\n')
}
