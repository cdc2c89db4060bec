import { expect, test } from 'vitest'
import { mergeEdit } from '../../../src/lists/meaning/edit.ts'

const sent = 'a\nb\nc\nd'

test.each([
  ['one line changed', sent, 'a\nB\nc\nd', 'a\nB\nc\nd'],
  ['a line changed next to a corrected line', 'a\nb\nfixed\nd', 'a\nB\nc\nD', 'a\nB\nfixed\nD'],
  ['a change to a line that was corrected', 'a\nb\nfixed\nd', 'a\nb\nC\nd', 'a\nb\nC\nd'],
  ['a line added at the end', 'a\nb\nfixed\nd', 'a\nb\nc\nd\ne', 'a\nb\nfixed\nd\ne'],
  ['a line added in the middle', 'a\nfixed\nc\nd', 'a\nb\nc\nx\nd', 'a\nfixed\nc\nx\nd'],
  ['a line removed', 'a\nb\nfixed\nd', 'a\nc\nd', 'a\n\nfixed\nd'],
  ['the last line removed', sent, 'a\nb\nc', 'a\nb\nc\n'],
  ['a change above lines that a correction added', 'a\nb\nc\nd\nadded', 'A\nb\nc\nd', 'A\nb\nc\nd\nadded'],
  ['a change of everything', 'a\nb\nfixed\nd', 'x', 'x\n\n\n'],
])('an edited message is merged into the corrected list if the edit is: %s', (_, now, edited, merged) => {
  expect(mergeEdit(now, sent, edited)).toBe(merged)
})
