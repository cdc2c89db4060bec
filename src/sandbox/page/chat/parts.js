/** The longest text of one message, in UTF-16 units. */
const longestText = 4096

/** An app looks this far back from the longest text for a good place to cut. */
const looksBack = 300

/**
 * A text as Telegram's apps send it: cut into several messages if it is too long for one. The cut is at an empty line,
 * or else at the end of a line, of a sentence or of a word, as Telegram for Android has it.
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
