/** An order's reference as the provider gives it (API §2): `BUD-API-…` or `BUD-BULK-…`. */
export const readReference = (text: string): string | null => {
  const word = text.trim().toUpperCase()
  return /^BUD-(API|BULK)-[A-Z0-9]+(-[A-Z0-9]+)*$/.test(word) && word.length <= 80 ? word : null
}
