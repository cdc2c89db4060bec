import type { Recipient } from '../../domain/order/order.ts'
import { type Button, inRows, pagingButtons } from '../chat/screen.ts'
import { numberOr } from '../words/numbers.ts'

const perPage = 4

/** A page of an order's numbers, with a button for each, and the buttons that turn the page. */
export const numberChoice = (
  recipients: readonly Pick<Recipient, 'phone' | 'position'>[],
  page: number,
  choose: (label: string, position: number) => Button,
  turn: (label: string, page: number) => Button,
): Button[][] => [
  ...inRows(
    recipients
      .slice(page * perPage, (page + 1) * perPage)
      .map(({ phone, position }) => choose(numberOr(phone), position)),
    2,
  ),
  pagingButtons(page, (page + 1) * perPage < recipients.length, turn),
]
