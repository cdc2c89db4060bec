import { linesOf } from '../../../lists/reading/plain.ts'
import { recognize } from '../../../lists/recognition.ts'
import type { SeveralOrders } from '../../../lists/several-orders.ts'
import { writtenSize } from '../../../lists/size.ts'
import { askNext, type BotContext, forgetQuestion, type Question } from '../../chat/context.ts'
import type { Services } from '../../chat/services.ts'
import type { Answer } from '../feature.ts'
import { hasNumbers, sayNoNumbers } from '../lists/paste.ts'
import { leaveButton } from './bundle-screens.ts'
import { askNumbers } from './words.ts'

/** `2x10gb`: asks for the numbers. */
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
 * The numbers for several orders of one size, written as orders. A whole order stays as it is.
 * @returns null if the text has no numbers: the question stays, and the person is told.
 */
export const ordersWritten = async (
  ctx: BotContext,
  services: Services,
  { question, text }: Answer<NumbersQuestion>,
): Promise<string | null> => {
  if (!(await hasNumbers(ctx, services, text))) {
    sayNoNumbers(ctx)
    return null
  }
  await forgetQuestion(ctx, services)
  return recognize(text).kind === 'one' ? text : ordersOf(question, text)
}

/** The orders that numbers or names are for: a text as if their size had been written with them. */
export const ordersOf = ({ count, size, network }: Omit<NumbersQuestion, 'what'>, answer: string): string => {
  const bundle = [size, network].filter(Boolean).join(' ')
  // Behind the numbers, so that their lines are counted as they were sent.
  if (recognize(answer).kind === 'list') return `${answer}\n${bundle} each`
  const lines = linesOf(answer).filter((line) => line.trim() !== '')
  const [only, more] = lines
  const all = only !== undefined && more === undefined ? Array<string>(count).fill(only) : lines
  return all.map((line) => `${line.trim()} ${bundle}`).join('\n')
}
