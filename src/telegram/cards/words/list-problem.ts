import { type OwnNumbering, ownNumber } from '../../../lists/meaning/own-numbering.ts'
import type { Note, Problem, ReadLine } from '../../../lists/reading-result.ts'
import { writtenSize } from '../../../lists/size.ts'
import { formatGhs } from '../../../provider/money.ts'
import { foreignWord } from '../../chat/screen.ts'
import { b, counted, grouped } from '../../words/markup.ts'
import { phoneText } from '../../words/numbers.ts'
import { brief, maxNamed, some } from './list-preview.ts'

/** What is wrong with the lines of a list, in words. */

/**
 * @param first the place of the first shown line among the lines to fix. @param last the place of the last shown line.
 * @param total how many lines there are to fix.
 */
export const fixHeading = (first: number, last: number, total: number) =>
  total > last - first + 1
    ? `✏️ ${b(`To fix: ${grouped(first)}–${grouped(last)} of ${grouped(total)}`)}`
    : `✏️ ${b('To fix')}`

/** @param count how many lines there are to fix. */
export const fixHow = (count: number) => `Send the corrected ${count === 1 ? 'line' : 'lines'}.`

/** How many problems are named for one line. */
const maxProblems = 2

/** @param numbering how the person numbered the list. */
export const fixLine = ({ number, text, problems, written, together }: ReadLine, numbering: OwnNumbering) => {
  const own = problems.filter(({ code: kind }) => kind !== 'asked')
  // With one problem and one number, the text need not name the damaged part.
  const isPlain = own.length === 1 && written.length <= 1
  const words = own
    .slice(0, maxProblems)
    .map((problem) =>
      problemText('line' in problem ? { ...problem, line: numbering.of(problem.line) } : problem, isPlain),
    )
  const more = own.length > maxProblems ? `, and ${grouped(own.length - maxProblems)} more` : ''
  const called = numbering.of(number)
  const range = together.length > 1 && called === number ? `${number}–${Math.max(...together)}` : `${called}`
  return `${range}. ${brief(text.replace(ownNumber, ''), 60)}\n   ↳ ${words.join('; ')}${more}`
}

/**
 * What is wrong with a line, and what to send instead.
 * @param isPlain whether the damaged part need not be named, because the line has only one number and one problem.
 */
export const problemText = (problem: Problem, isPlain = false): string => {
  const named = (written: string, words: string) => (isPlain ? words : `${brief(written)}: ${words}`)
  switch (problem.code) {
    case 'phone_short':
      return named(
        problem.written,
        `${counted(problem.missing, 'digit is', 'digits are')} missing; send all ten`,
      )
    case 'phone_long':
      return named(problem.written, `${counted(problem.extra, 'digit', 'digits')} too many; send just ten`)
    case 'landline':
      return named(problem.written, 'a landline; send a mobile number')
    case 'phone_abroad':
      return named(problem.written, 'not a Ghanaian number')
    case 'phone_damaged':
      return problem.suggestion
        ? named(problem.written, `not a number; did you mean ${brief(problem.suggestion)}?`)
        : named(problem.written, 'not a number; send ten digits')
    case 'phone_unclear':
      return named(problem.written, 'can be read two ways; write the number without spaces')
    case 'scientific':
      return `${brief(problem.written)}: Excel damaged this number. Format the column as text, or send all ten digits`
    case 'two_sizes':
      return `two sizes (${some(problem.written, (size) => brief(size, 12))}); send one`
    case 'several_times':
      return `${brief(problem.written)}: two orders? Put each on its own line: ${brief('0241234567 10GB')}`
    case 'decimal_comma':
      return `is ${brief(problem.written)} a size? Write ${problem.suggestion ? brief(problem.suggestion.amount.toString()) : 'it with a decimal point'}`
    case 'not_paired':
      return `${counted(problem.phones, 'number', 'numbers')} and ${counted(problem.sizes, 'size', 'sizes')}; put each pair on its own line`
    case 'numbering_or_size':
      return `is ${brief(problem.written)} the size, or the line number? Write the size as ${brief('5GB')}`
    case 'two_networks':
      return `two networks (${some(problem.networks, foreignWord)}); name one`
    case 'network_unclear':
      return isPlain
        ? `is ${brief(problem.written)} the network? Send the line again with the network’s full name`
        : `${brief(problem.written)}: for which number? Put each number on its own line`
    case 'network_unknown':
      return `which network${isPlain ? '' : ` is ${phoneText(problem.phone)}`}? Write it after the size`
    case 'not_sold':
      return notSold(problem)
    case 'no_number':
      return `no number for the ${writtenSize(problem.size)}; send the number and size`
    case 'not_saved':
      return `${brief(problem.name)}: not saved. Send ${brief(`${problem.line}. 0241234567`)}`
    case 'several_saved':
      return `${brief(problem.name)}: saved for more than one number. Send ${brief(`${problem.line}. 0241234567`)}`
    case 'doubtful_word':
      return `${brief(problem.written)}: order it or not? To order, send the line without that word`
    case 'unclear':
      return problem.suggestion
        ? `${brief(problem.written)}: did you mean ${brief(problem.suggestion)}?`
        : `${brief(problem.written)} isn’t clear; send the number and size`
    case 'too_long':
      return `longer than ${grouped(problem.longest)} characters; put each number on its own line`
    case 'truncation':
      return 'Telegram cut the list here; send this line again'
    case 'heading_lost':
      return 'its heading may have been cut off; send the number, size and network'
    case 'asked':
      return 'waiting for your answer'
  }
}

const notSold = ({ network, size, nearest, suggestion }: Extract<Problem, { code: 'not_sold' }>) => {
  const where = network ? ` on ${foreignWord(network)}` : ''
  if (suggestion) return `${writtenSize(size)} isn’t sold${where}; did you mean ${brief(suggestion)}?`
  const near = nearest
    .slice(0, maxNamed)
    .map((bundle) =>
      [
        network ? '' : foreignWord(bundle.network),
        foreignWord(bundle.volume),
        bundle.pricePesewas === null ? '' : formatGhs(bundle.pricePesewas),
      ]
        .filter(Boolean)
        .join(' '),
    )
  return `${writtenSize(size)} isn’t sold${where}${near.length > 0 ? `; there’s ${near.join(', ')}` : ''}`
}

export const noteText = (note: Note): string => {
  switch (note.code) {
    case 'zero_restored':
      return 'missing 0 added'
    case 'other_price':
      return `the list says ${formatGhs(note.writtenPesewas)}, the price is ${formatGhs(note.pricePesewas)}`
    case 'other_prefix':
      return `looks like ${note.likely.map(foreignWord).join(' or ')}`
    case 'repeated':
      return `same as line ${note.line}, kept once`
    case 'dropped':
      return 'left out'
    case 'size_not_used':
      return `${writtenSize(note.size)} not used`
  }
}
