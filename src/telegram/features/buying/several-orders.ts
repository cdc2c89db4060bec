import { linesOf } from '../../../lists/reading/plain.ts'
import { recognize } from '../../../lists/recognition.ts'
import { readSeveralOrders, type SeveralOrders } from '../../../lists/several-orders.ts'
import { writtenSize } from '../../../lists/size.ts'
import { askNext, type BotContext, type Question } from '../../chat/context.ts'
import { personOf } from '../../chat/person.ts'
import type { Services } from '../../chat/services.ts'
import { sayAccountNeeded } from '../guards/account-needed.ts'
import { admit } from '../guards/order-denial.ts'
import { leaveButton } from './bundle-screens.ts'
import { askNumbers } from './words.ts'

/** `2x10gb`: asks for the numbers. @returns false if the text is nothing such. */
export const askForNumbers = async (ctx: BotContext, services: Services, text: string): Promise<boolean> => {
  const several = readSeveralOrders(text)
  if (!several) return false
  const person = await personOf(ctx, services)
  if (!person) sayAccountNeeded(ctx, services)
  else if (await admit(ctx, services, person)) await ask(ctx, several)
  return true
}

const ask = async (ctx: BotContext, { count, size, network }: SeveralOrders): Promise<void> => {
  const written = writtenSize(size)
  await askNext(ctx, { what: 'numbers', count, size: written, network })
  ctx.talk.say({ text: askNumbers(count, written, network), rows: [[leaveButton]] })
}

/** The orders that numbers or names are for: a text as if their size had been written with them. */
export const ordersOf = (
  { count, size, network }: Omit<Extract<Question, { what: 'numbers' }>, 'what'>,
  answer: string,
): string => {
  const bundle = [size, network].filter(Boolean).join(' ')
  // Behind the numbers, so that their lines are counted as they were sent.
  if (recognize(answer).kind === 'list') return `${answer}\n${bundle} each`
  const lines = linesOf(answer).filter((line) => line.trim() !== '')
  const [only, more] = lines
  const all = only !== undefined && more === undefined ? Array<string>(count).fill(only) : lines
  return all.map((line) => `${line.trim()} ${bundle}`).join('\n')
}
