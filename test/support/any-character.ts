import fc from 'fast-check'

/** Code points from here on are halves of others, up to `surrogates` further. */
const firstSurrogate = 0xd800
const surrogates = 0x800

/**
 * Any character of Unicode, as the unit of a text: what `fc.string({ unit: 'binary' })` makes. To take dangerous words
 * apart that one first lists all 1.1 million characters, half a second in each worker.
 */
export const anyCharacter = fc.nat(0x10ffff - surrogates).map(
  (index) => String.fromCodePoint(index < firstSurrogate ? index : index + surrogates),
  (text) => {
    const code = typeof text === 'string' ? text.codePointAt(0) : undefined
    if (code === undefined || String.fromCodePoint(code) !== text || !text.isWellFormed())
      throw new Error('This is not one character.')
    return code < firstSurrogate ? code : code - surrogates
  },
)
