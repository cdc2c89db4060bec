/** The longest text of one message, in UTF-16 units. */
const longestText = 4096

/** In UTF-16 units. A good place to cut is looked for in this last part of the longest text. */
const looksBack = 300

/**
 * A text as Telegram's apps send it: cut into several messages if it is too long for one. It is cut at an empty line
 * or, if there is none, at the end of a line, a sentence or a word, as Telegram for Android does.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function partsOf(text) {
  const parts = []
  let rest = text.trim()
  while (rest.length > longestText) {
    const at = cutOf(rest)
    parts.push(rest.slice(0, at).trim())
    rest = rest.slice(at)
  }
  return [...parts, rest.trim()].filter((part) => part !== '')
}

/** @param {string} text */
function cutOf(text) {
  let line = 0
  let sentence = 0
  let word = 0
  for (let at = longestText - 1; at >= longestText - looksBack; at -= 1) {
    const character = text[at] ?? ''
    if (character === '\n' && text[at - 1] === '\n') return at
    if (character === '\n') line = at
    else if (/\s/.test(character) && text[at - 1] === '.') sentence ||= at
    else if (/\s/.test(character)) word ||= at
  }
  return line || sentence || word || longestText
}
