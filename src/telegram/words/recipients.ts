import type { Order } from '../../domain/order.ts'
import { phoneText } from '../cards/phone-text.ts'
import { counted } from './markup.ts'

/** Whom it is for: one number, or how many. */
export const forWhom = ({ recipients }: Pick<Order, 'recipients'>, name: string | null = null): string =>
  recipients.length === 1 ? phoneText(recipients[0]?.phone ?? '', name) : howMany(recipients.length)

export const howMany = (recipients: number): string => counted(recipients, 'number', 'numbers')
