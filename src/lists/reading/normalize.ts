/**
 * One line in the characters that the grammar knows: digits of any script become `0`–`9`, dashes `-`, spaces a
 * plain space, full-width and styled letters plain ones. Invisible characters are removed. Tabs stay, because they
 * separate columns.
 */
export const normalized = (line: string): string => {
  if (isPlain.test(line)) return line
  let text = ''
  for (const char of keycapsRead(line)) text += char < '\u0080' ? char : plainChar(char)
  return strokes.test(line) ? text + struck : text
}

/** The lines of a text. A line break at the end of the text does not begin another line. */
export const linesOf = (text: string): string[] => {
  if (text === '') return []
  const lines = text.split(lineBreak)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

const lineBreak = /\r\n|[\n\r\u0085\u2028\u2029]/

/**
 * A character that makes the text after it run from right to left: people then see the digits of a phone in another
 * order than programs read them.
 */
export const turned = '\u202e'

/** `normalized` adds this to a line that has struck-out characters, which makes the line doubtful. */
export const struck = '\u0336'

const isPlain = /^[\t\x20-\x7e]*$/
const invisible = /^(?:\p{Cf}|\p{Cc}|[\ufe00-\ufe0f]|\u034f|\u3164)$/u
const dash = /^[\p{Pd}\u2212\u02d7]$/u
const space = /^\s$/u
const digit = /^\p{Nd}$/u
const number = /^\p{No}$/u
const strokes = /\u0335|\u0336|\u0337|\u0338/

const plainChar = (char: string): string => {
  if (char === turned) return char
  if (strokes.test(char)) return ''
  if (space.test(char)) return ' '
  if (invisible.test(char)) return ''
  if (dash.test(char)) return '-'
  if (digit.test(char)) return String(digitOf(char))
  if (char === '،' || char === '、') return ','
  if (char === '٫') return '.'
  if (number.test(char)) return char
  const normal = char.normalize('NFKC')
  return /^[\x21-\x7e]+$/.test(normal) ? normal : char
}

/**
 * The value of a digit in any script. In Unicode, the digits of a script follow its zero. Styled digits are
 * normalised first, because their sets follow each other without a gap.
 */
const digitOf = (char: string): number => {
  const normal = char.normalize('NFKC')
  if (/^\d$/.test(normal)) return Number(normal)
  const code = char.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && digit.test(String.fromCodePoint(code - value - 1))) value += 1
  return value
}

/** Reads keycaps. `1️⃣` at the start of a line is a line number. Several in a row are the digits of one number. */
const keycapsRead = (line: string): string =>
  line.includes('\u20e3')
    ? line.replace(/^(\s{0,20}\d)\ufe0f?\u20e3(?!\d)/, '$1) ').replace(/\ufe0f?\u20e3/g, '')
    : line
