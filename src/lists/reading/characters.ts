/** Made with the first text, so that the start does not wait 7 ms for it. */
let segmenter: Intl.Segmenter | undefined

/** The characters of a text as people see them: a letter with its marks is one character, and so is a flag. */
export function* charactersOf(text: string): Iterable<string> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  for (const { segment } of segmenter.segment(text)) yield segment
}
