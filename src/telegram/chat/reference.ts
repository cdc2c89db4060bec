/**
 * Reads an order's reference as the provider gives it (API §2): `BUD-API-…` or `BUD-BULK-…`. People who type it may put
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

/** The one reference in a text, such as a forwarded receipt; null if there is none, or more than one. */
export const referenceIn = (text: string): string | null => {
  const found = text.toUpperCase().match(/\bBUD-(API|BULK)-[A-Z0-9]+(-[A-Z0-9]+)*/g) ?? []
  const [only, ...others] = new Set(found)
  return only !== undefined && others.length === 0 && only.length <= 80 ? only : null
}

/** The address that opens the bot with a payload: a letter for its kind (see `Feature.links`), and what follows. */
export const botLink = ({ username }: { username: string }, payload: string): string =>
  `https://t.me/${username}?start=${payload}`

/** The payload of the only link to this bot in a text. People paste links instead of opening them. */
export const linkIn = (text: string, username: string): string | null => {
  const links = [...text.matchAll(/(?:https?:\/\/)?(?:t|telegram)\.me\/(\w+)\?start=([\w-]+)/gi)]
  const [only, ...others] = new Set(
    links.flatMap(([, bot, payload]) =>
      bot?.toLowerCase() === username.toLowerCase() ? [payload ?? ''] : [],
    ),
  )
  return only !== undefined && others.length === 0 ? only : null
}
