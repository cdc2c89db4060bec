import { expect, test } from 'vitest'
import { mergeEdit } from '../../../src/lists/meaning/edit.ts'

const sent = 'a\nb\nc\nd'

test.each([
  ['one line changed', sent, 'a\nB\nc\nd', 'a\nB\nc\nd'],
  ['a line changed beside a corrected one', 'a\nb\nfixed\nd', 'a\nB\nc\nD', 'a\nB\nfixed\nD'],
  ['a line that was corrected', 'a\nb\nfixed\nd', 'a\nb\nC\nd', 'a\nb\nC\nd'],
  ['a line added at the end', 'a\nb\nfixed\nd', 'a\nb\nc\nd\ne', 'a\nb\nfixed\nd\ne'],
  ['a line added between', 'a\nfixed\nc\nd', 'a\nb\nc\nx\nd', 'a\nfixed\nc\nx\nd'],
  ['a line taken away', 'a\nb\nfixed\nd', 'a\nc\nd', 'a\n\nfixed\nd'],
  ['the last line taken away', sent, 'a\nb\nc', 'a\nb\nc\n'],
  ['lines that a correction added', 'a\nb\nc\nd\nadded', 'A\nb\nc\nd', 'A\nb\nc\nd\nadded'],
  ['everything', 'a\nb\nfixed\nd', 'x', 'x\n\n\n'],
])('an edited message is merged into the corrected list: %s', (_, now, edited, merged) => {
  expect(mergeEdit(now, sent, edited)).toBe(merged)
})
