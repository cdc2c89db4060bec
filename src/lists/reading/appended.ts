/**
 * Adds to a list that begins with its first element. An empty list that grows has room for seventeen at once, and most
 * lists of a line hold one element.
 */
export const appended = <T>(list: T[] | null, element: T): T[] => {
  if (list === null) return [element]
  list.push(element)
  return list
}
