import type { ListedBundle } from '../../../lists/meaning/listed-bundle.ts'
import type { OwnNumbering } from '../../../lists/meaning/own-numbering.ts'
import type { AskedNumber, Question } from '../../../lists/reading-result.ts'
import { writtenSize } from '../../../lists/size.ts'
import { bundleNames } from '../../../shop/price-list.ts'
import { escapeHtml, foreignWord, oneLine } from '../../chat/screen.ts'
import { b, counted, grouped } from '../../words/markup.ts'
import { phoneText } from '../../words/numbers.ts'
import { behind, brief, some } from './list-preview.ts'

/** The questions about a list's unclear lines, in words. */

/**
 * A question with its lines and numbers.
 * @param place which question this is.
 * @param of how many questions there are, including those already answered.
 */
export const questionText = (
  asked: Question,
  { place, of, numbering }: { place: number; of: number; numbering: OwnNumbering },
): string => {
  const whom = asked.whom.map((each) => ({ ...each, lines: each.lines.map(numbering.of) }))
  const question = { ...asked, whom }
  const [only, more] = whom
  const words =
    only && !more
      ? `${numberedPhone(only)}: ${askedOfOne(question)}`
      : `${askedOfSeveral(question)}\n${whomText(whom)}`
  return `❓ ${of > 1 ? `${b(`Question ${place} of ${of}`)}: ` : ''}${words}`
}

/** `4. 0241234567`; `1, 4. 0241234567` if the number is on two lines. */
const numberedPhone = ({ lines, phone }: AskedNumber): string =>
  `${some(lines.map(grouped), String)}. ${phoneText(phone)}`

/** How many numbers a question names. */
const maxAsked = 10

const whomText = (whom: readonly AskedNumber[]): string => {
  const more = whom.length - maxAsked
  const shown = whom.slice(0, maxAsked).map(numberedPhone).join('; ')
  return more > 0 ? `${shown} and ${grouped(more)} more` : shown
}

const likelyWords = (likely: readonly string[]): string =>
  likely.length > 0 ? likely.map(foreignWord).join(' or ') : 'a network I don’t sell'

const askedOfOne = (question: Question): string => {
  switch (question.kind) {
    case 'duplicates':
      return 'listed more than once with the same bundle. Keep one, or all?'
    case 'size':
      return 'no size. Which?'
    case 'network':
      return `${question.networks.map(foreignWord).join(' or ')}?`
    case 'offer':
      return `${foreignWord(question.network)} ${writtenSize(question.size)} has ${question.bundles.length} offers. Which?`
    case 'mismatch':
      return `you chose ${foreignWord(question.chosen.network)}, but it looks like ${likelyWords(question.likely)}.`
    case 'contradiction':
      return `your list says ${foreignWord(question.network)}, but it looks like ${likelyWords(question.likely)}. Numbers can be ported. Which network?`
    case 'other_size':
      return `you chose ${foreignWord(question.chosen.volume)}, but the list says ${some(question.sizes.map(writtenSize), escapeHtml)}.`
    case 'unit':
      return `${some(question.sizes, escapeHtml)}: megabytes or gigabytes?`
    case 'times':
      return `one order of ${some(question.sizes.map(writtenSize), escapeHtml)}?`
    case 'heading':
      return `it’s under ${brief(question.heading)}. Which network?`
  }
}

const askedOfSeveral = (question: Question): string => {
  const { count, whom } = question
  switch (question.kind) {
    case 'duplicates':
      return `${counted(whom.length, 'number is', 'numbers are')} in the list more than once with the same bundle. Keep one, or all?`
    case 'size':
      return `${counted(count, 'number has', 'numbers have')} no size. One size for all ${grouped(count)}?`
    case 'network':
      return `${counted(count, 'number', 'numbers')} may be ${question.networks.map(foreignWord).join(' or ')}. Which?`
    case 'offer':
      return `${foreignWord(question.network)} ${writtenSize(question.size)} has ${question.bundles.length} offers. Which for these ${counted(count, 'number', 'numbers')}?`
    case 'mismatch':
      return `You chose ${foreignWord(question.chosen.network)}, but ${counted(count, 'number looks', 'numbers look')} like ${likelyWords(question.likely)}.`
    case 'contradiction':
      return `Your list says ${foreignWord(question.network)}, but these numbers look like ${likelyWords(question.likely)}. Numbers can be ported. Which network?`
    case 'other_size':
      return `You chose ${foreignWord(question.chosen.volume)}, but ${counted(count, 'number has', 'numbers have')} a different size (${some(question.sizes.map(writtenSize), escapeHtml)}).`
    case 'unit':
      return `Your list uses both MB and GB. Which for the ${counted(count, 'size', 'sizes')} without a unit (${some(question.sizes, escapeHtml)})?`
    case 'times':
      return `One order for each of these ${counted(count, 'number', 'numbers')} (${some(question.sizes.map(writtenSize), escapeHtml)})?`
    case 'heading':
      return `${counted(count, 'number is', 'numbers are')} under ${brief(question.heading)}. Which network?`
  }
}

/** The label of an answer: plain text and never empty. */
export const choiceLabel = (question: Question, answer: string, fits: number): string =>
  labelOf(question, answer, fits).trim() || '?'

const labelOf = (question: Question, answer: string, fits: number): string => {
  const some = fits > 0 && fits < question.count ? ` (${grouped(fits)} of ${grouped(question.count)})` : ''
  switch (question.kind) {
    case 'duplicates':
      return answer === 'one' ? 'Keep one' : 'Keep all'
    case 'size':
      return `${oneLine(answer)}${some}`
    case 'network':
      return oneLine(answer)
    case 'offer':
      return offerLabel(question.bundles, answer)
    case 'mismatch':
      if (answer === 'keep') return `Keep ${oneLine(question.chosen.network)}`
      return answer === 'switch' ? `Switch to ${oneLine(question.likely.join(' or '))}${some}` : 'Leave out'
    case 'contradiction':
      if (answer === 'keep') return `Keep ${oneLine(question.network)}`
      return answer === 'switch' ? `Switch to ${oneLine(question.likely.join(' or '))}${some}` : 'Leave out'
    case 'other_size':
      if (answer === 'chosen') return `${oneLine(question.chosen.volume)} for them too`
      return answer === 'written' ? `As written${some}` : 'Leave out'
    case 'unit':
    case 'heading':
      return answer === 'drop' ? 'Leave out' : `${oneLine(answer)}${some}`
    case 'times':
      return answer === 'drop' ? 'Leave out' : 'One order each'
  }
}

const offerLabel = (bundles: readonly ListedBundle[], answer: string): string => {
  const bundle = bundles.find(({ id }) => String(id) === answer)
  if (!bundle) return oneLine(answer)
  const name = bundleNames(bundles).get(bundle.id) ?? bundle.volume
  return `${oneLine(name)}${behind(bundle.pricePesewas)}`
}

/** Said if there are more sizes than buttons. */
export const moreSizes = 'Another size? Send it.'

/** The answers so far, oldest first. @param answers by the keys of their questions. */
export const answersText = (
  answers: Readonly<Record<string, string>>,
  bundles: readonly ListedBundle[],
): string | null => {
  const words = Object.entries(answers).map(([question, answer]) => answerWords(question, answer, bundles))
  const known = words.filter((word) => word !== null)
  return known.length > 0 ? `☑️ Your answers: ${known.map(escapeHtml).join(', ')}` : null
}

const answerWords = (question: string, answer: string, bundles: readonly ListedBundle[]): string | null => {
  const [kind = ''] = question.split(':')
  switch (kind) {
    case 'size':
      return `${oneLine(answer)} where no size is given`
    case 'network':
      return oneLine(answer)
    case 'heading':
      return answer === 'drop' ? 'numbers under a heading left out' : oneLine(answer)
    case 'offer':
      return offerLabel(bundles, answer)
    default:
      return plainAnswers.get(`${kind}:${answer}`) ?? null
  }
}

const plainAnswers = new Map([
  ['duplicates:one', 'repeated numbers once'],
  ['duplicates:both', 'repeated numbers kept'],
  ['mismatch:keep', 'network kept'],
  ['mismatch:switch', 'network switched'],
  ['mismatch:drop', 'other networks left out'],
  ['contradiction:keep', 'network as written'],
  ['contradiction:switch', 'network switched to match the number'],
  ['contradiction:drop', 'mismatched numbers left out'],
  ['other_size:chosen', 'one size for all'],
  ['other_size:written', 'sizes as written'],
  ['other_size:drop', 'other sizes left out'],
  ['unit:MB', 'sizes in MB'],
  ['unit:GB', 'sizes in GB'],
  ['unit:drop', 'sizes without a unit left out'],
  ['times:each', 'one order each'],
  ['times:drop', 'numbers with several orders left out'],
])
