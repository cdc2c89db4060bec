import fc from 'fast-check'

/** `surrogates` code points, beginning with this one, are halves of other characters. */
const firstSurrogate = 0xd800
const surrogates = 0x800

/**
 * Any Unicode character, as a unit for `fc.string`. Equals `unit: 'binary'`, which first lists all 1.1 million
 * characters to avoid dangerous words, and so takes half a second in each worker.
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
