import { formats, of, wantedList } from '../lists/rendering.ts'
import { damaged, type Pick } from './mutation.ts'

/** Parts of lists, chats and spreadsheets, and some that nobody would expect. */
const pieces = [
  ...'0123456789 \t\n\r,;:.-+/()[]*x~@#"=→•₵½²①✂✎❌',
  '\u202e',
  '\u202a',
  '\u200b',
  '\u00a0',
  '\u0336',
  '\u20e3',
  '\ufe0f',
  '\ud83d',
  '\u0000',
  '\u2028',
  '\u0301',
  '٥',
  '５',
  'gb',
  ' GB',
  'mb',
  ' MB\n',
  'GHS ',
  'cedis',
  'mtn',
  'telecel',
  ' AT ',
  'big time',
  'all ',
  'each',
  'total',
  'cancel',
  'x2',
  'E+08',
  '0241234567',
  '+233',
  '241234567',
  '0271234567 5',
  '024',
  '5gb:\n',
  '\nMTN\n',
  '10',
  '2.5',
  '1. ',
  '(0)',
  '9'.repeat(40),
  '[21/11/2026, 08:12] Kofi: ',
  '21/11/2026, 08:12 - ',
  'Number\tMB\n',
  'Phone,GB,Qty\n',
  'Kofi',
  '1a2b3c',
  '((((',
  '....',
  '----',
]

/** A list in one format or in two, changed in a few places. */
export const damagedList = (pick: Pick): string => {
  const names = Object.keys(formats)
  let text = ''
  for (let count = 1 + pick(2); count > 0; count -= 1)
    text += `${formats[of(names, pick)]?.(wantedList(1 + pick(12), pick)) ?? ''}\n`
  return damaged(text, pieces, pick)
}
