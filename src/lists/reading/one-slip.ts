/**
 * Whether one typing slip turns one word into the other: a wrong, missing or extra character, or two swapped ones.
 */
export const isOneSlip = (one: string, other: string): boolean => {
  if (one === other || Math.abs(one.length - other.length) > 1) return false
  let from = 0
  while (one[from] === other[from]) from += 1
  let [end, otherEnd] = [one.length, other.length]
  while (end > from && otherEnd > from && one[end - 1] === other[otherEnd - 1]) {
    end -= 1
    otherEnd -= 1
  }
  const [left, right] = [one.slice(from, end), other.slice(from, otherEnd)]
  if (left.length < 2 && right.length < 2) return true
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]
}
