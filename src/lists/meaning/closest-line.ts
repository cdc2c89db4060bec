import type { Problem, ReadLine } from '../reading-result.ts'

/** The first line whose damaged phone is most like the given one; null if none is similar. */
export const closestTo = (phone: string, open: readonly ReadLine[]): ReadLine | null => {
  let closest: ReadLine | null = null
  let least = maxDistance + 1
  for (const line of open) {
    const digits = line.problems.map(damagedDigits).find((each) => each !== null)
    const distance = digits ? distanceOf(digits, phone) : least
    if (distance >= least) continue
    closest = line
    least = distance
  }
  return closest
}

/** Whether the line has no phone that can be read. */
export const lacksNumber = ({ written, problems }: ReadLine): boolean =>
  written.length === 0 &&
  problems.some((problem) => numberWords(problem) !== null || numberless.has(problem.code))

/** Problems that say that a line has a size but no phone. */
const numberless: ReadonlySet<Problem['code']> = new Set(['no_number', 'not_saved', 'several_saved'])

/** The text of a phone that cannot be read; null if something else is wrong. */
export const numberWords = (problem: Problem): string | null => {
  switch (problem.code) {
    case 'phone_short':
    case 'phone_long':
    case 'phone_damaged':
    case 'phone_unclear':
    case 'phone_abroad':
    case 'landline':
    case 'scientific':
      return problem.written
    default:
      return null
  }
}

/** How many single digits of a damaged phone may differ from the right one. */
const maxDistance = 2
/** A phone with fewer digits is similar to too many others. */
const fewestDigits = 6

const damagedDigits = (problem: Problem): string | null => {
  if (problem.code === 'scientific') return null
  const digits = (numberWords(problem) ?? '').replace(/\D/g, '').replace(/^(?:00)?233/, '0')
  if (digits.length < fewestDigits) return null
  return digits.startsWith('0') ? digits : `0${digits}`
}

/** How many digits differ. Missing digits count as one difference, however many they are, and so do extra ones. */
const distanceOf = (digits: string, phone: string): number =>
  isWithin(digits, phone) || isWithin(phone, digits) ? 1 : editsBetween(digits, phone)

/** Whether the other number contains these digits in this order. */
const isWithin = (digits: string, other: string): boolean => {
  let at = 0
  for (const digit of other) if (digit === digits[at]) at += 1
  return at === digits.length
}

/** The Levenshtein distance. A larger distance than the maximum is returned as the maximum plus one. */
const editsBetween = (one: string, other: string): number => {
  if (Math.abs(one.length - other.length) > maxDistance) return maxDistance + 1
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, digit] of [...one].entries()) {
    const next = [index + 1]
    for (const [at, mark] of [...other].entries())
      next.push(
        Math.min((next[at] ?? 0) + 1, (row[at + 1] ?? 0) + 1, (row[at] ?? 0) + (digit === mark ? 0 : 1)),
      )
    row = next
  }
  return Math.min(row.at(-1) ?? 0, maxDistance + 1)
}
