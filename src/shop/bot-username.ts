/** The longest username that Telegram allows. The username of a bot must also end in `bot`. */
const maxLength = 32
const ending = '_bot'

/** Null if the shop's name has too few Latin letters. */
export const botUsernameFor = (shopName: string): string | null => {
  const plain = shopName
    .normalize('NFKD')
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase()
  const word = plain
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+/, '')
    .slice(0, maxLength - ending.length)
    .replace(/_+$/, '')
  if (word.length < 2) return null
  return word.endsWith('_bot') ? word : `${word}${ending}`
}
