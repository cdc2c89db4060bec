/** Loaded with the first text: that takes 7 ms, which no start need wait for. */
let segmenter: Intl.Segmenter | undefined

/** The characters of a text as people see them: a letter with its marks is one, and so is a flag. */
export function* charactersOf(text: string): Iterable<string> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  for (const { segment } of segmenter.segment(text)) yield segment
}
