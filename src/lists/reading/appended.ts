/**
 * Appends to a list, or makes one with the element if the list is null. This saves memory: an empty array that
 * grows reserves room for seventeen elements, and most of these lists have one.
 */
export const appended = <T>(list: T[] | null, element: T): T[] => {
  if (list === null) return [element]
  list.push(element)
  return list
}
