import { linesOf } from '../../../lists/reading/normalize.ts'
import { recognize } from '../../../lists/recognition.ts'
import type { SeveralOrders } from '../../../lists/several-orders.ts'
import { writtenSize } from '../../../lists/size.ts'
import { askNext, type BotContext, forgetQuestion, type Question } from '../../chat/context.ts'
import { leaveButton } from '../../chat/screen.ts'
import type { Answer } from '../feature.ts'
import { hasNumbers, sayNoNumbers } from '../lists/paste.ts'
import { askNumbers } from './words.ts'

/** `2x10gb`: asks for the numbers of several orders of one size. */
export const askForNumbers = async (
  ctx: BotContext,
  { count, size, network }: SeveralOrders,
): Promise<void> => {
  const written = writtenSize(size)
  await askNext(ctx, { what: 'numbers', count, size: written, network })
  ctx.talk.say({ text: askNumbers(count, written, network), rows: [[leaveButton]] })
}

type NumbersQuestion = Extract<Question, { what: 'numbers' }>

/**
 * Rewrites the numbers for several orders of one size as orders. A text that is a whole order stays as it is.
 * @returns null if the text has no numbers. The person is told, and the question stays open.
 */
export const ordersWritten = async (
  ctx: BotContext,
  { question, text }: Answer<NumbersQuestion>,
): Promise<string | null> => {
  if (!(await hasNumbers(ctx, text))) {
    sayNoNumbers(ctx)
    return null
  }
  await forgetQuestion(ctx)
  return recognize(text).kind === 'one' ? text : ordersOf(question, text)
}

/** The text of the orders for these numbers or names, as if each had been written with its size. */
export const ordersOf = ({ count, size, network }: Omit<NumbersQuestion, 'what'>, answer: string): string => {
  const bundle = [size, network].filter(Boolean).join(' ')
  // The size comes last, so that the lines keep their line numbers.
  if (recognize(answer).kind === 'list') return `${answer}\n${bundle} each`
  const lines = linesOf(answer).filter((line) => line.trim() !== '')
  const [only, more] = lines
  const all = only !== undefined && more === undefined ? Array<string>(count).fill(only) : lines
  return all.map((line) => `${line.trim()} ${bundle}`).join('\n')
}
