/** A run of digits, a run of letters, or a single other character. Spaces are not tokens: see `isGlued`. */
export interface Token {
  kind: 'digits' | 'word' | 'mark'
  text: string
  /** The index of the token's first character in the line, and the index after its last. */
  at: number
  end: number
}

/** Splits a plain line into tokens, reading each character once. */
export const tokensOf = (line: string): Token[] => {
  const tokens: Token[] = []
  let at = 0
  while (at < line.length) {
    const code = line.codePointAt(at) ?? 0
    const kind = kindOf(code)
    let end = at + (code > 0xffff ? 2 : 1)
    while (kind !== 'mark' && kind !== 'space' && end < line.length) {
      const next = line.codePointAt(end) ?? 0
      if (kindOf(next) !== kind) break
      end += next > 0xffff ? 2 : 1
    }
    if (kind !== 'space') tokens.push({ kind, text: line.slice(at, end), at, end })
    at = end
  }
  return tokens
}

/** Whether there is no space between the token and the one before it. */
export const isGlued = (tokens: readonly Token[], index: number): boolean =>
  index > 0 && index < tokens.length && tokens[index - 1]?.end === tokens[index]?.at

/** The text of the line from token `from` to before token `to`, cut to a length that can be shown. */
export const written = (tokens: readonly Token[], from: number, to: number, line: string): string =>
  line.slice(
    tokens[from]?.at ?? 0,
    Math.min(tokens[to - 1]?.end ?? 0, (tokens[from]?.at ?? 0) + maxWrittenLength),
  )

const maxWrittenLength = 40

const letter = /[\p{L}\p{M}]/u

const kindOf = (code: number): Token['kind'] | 'space' => {
  if (code === 32) return 'space'
  if (code >= 48 && code <= 57) return 'digits'
  if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) return 'word'
  if (code < 128 || code === 0x336) return 'mark'
  return letter.test(String.fromCodePoint(code)) ? 'word' : 'mark'
}
