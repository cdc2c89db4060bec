import { readFileSync } from 'node:fs'
import type { Button } from '../../../src/telegram/buttons/button.ts'

const linesOf = (file: string): string[] =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')

/** Data of buttons that version 1.0.0 sent, at least one of each kind, with what that version read from it. */
export const oldButtons: { data: string; meaning: Button }[] = linesOf('./old-buttons.tsv').map((line) => {
  const [data = '', meaning = ''] = line.split('\t')
  return { data, meaning: JSON.parse(meaning) as Button }
})

/** Data that version 1.0.0 refused: buttons of its own with a word added, left out or changed. */
export const forgedButtons: string[] = linesOf('./forged-buttons.txt')
