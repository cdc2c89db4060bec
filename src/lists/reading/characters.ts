/** Created with the first text, because that takes 7 ms, which would delay the bot's start. */
let segmenter: Intl.Segmenter | undefined

/** The characters of a text as people see them: a letter with its marks is one character, and so is a flag. */
export function* charactersOf(text: string): Iterable<string> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  for (const { segment } of segmenter.segment(text)) yield segment
}
