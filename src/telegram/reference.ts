/**
 * An order's reference as the provider gives it (API §2): `BUD-API-…` or `BUD-BULK-…`. Who types it may have put
 * spaces or other dashes between its parts.
 */
export const readReference = (text: string): string | null => {
  const word = text
    .trim()
    .toUpperCase()
    .replace(/[ \u00a0_.\u2010-\u2015-]+/g, '-')
    .replace(/-$/, '')
  return /^BUD-(API|BULK)-[A-Z0-9]+(-[A-Z0-9]+)*$/.test(word) && word.length <= 80 ? word : null
}

/** The one reference that stands somewhere in a text, such as a receipt that was forwarded. */
export const referenceIn = (text: string): string | null => {
  const found = text.toUpperCase().match(/\bBUD-(API|BULK)-[A-Z0-9]+(-[A-Z0-9]+)*/g) ?? []
  const [only, ...others] = new Set(found)
  return only !== undefined && others.length === 0 && only.length <= 80 ? only : null
}

/** What the one link to this bot carries that stands in a text: people paste it instead of opening it. */
export const linkIn = (text: string, username: string): string | null => {
  const links = [...text.matchAll(/(?:https?:\/\/)?(?:t|telegram)\.me\/(\w+)\?start=([\w-]+)/gi)]
  const [only, ...others] = new Set(
    links.flatMap(([, bot, payload]) =>
      bot?.toLowerCase() === username.toLowerCase() ? [payload ?? ''] : [],
    ),
  )
  return only !== undefined && others.length === 0 ? only : null
}
