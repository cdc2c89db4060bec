import { isAbout, type Order, type Said } from '../facts.ts'
import { type Check, lookAt } from '../finding.ts'
import { sumsUp, tellsRefund } from '../words.ts'

/**
 * Refunds were told in a new message, because nobody notices the edit of a card. In a list, an order that ended as
 * refunded is told as one of the list's ends.
 */
export const refundsTold: Check = (facts) =>
  lookAt(
    facts.toldOrders.filter(
      ({ refundedPesewas, listed, status }) =>
        (refundedPesewas ?? 0) > 0 && !(listed && status === 'refunded'),
    ),
    (order) => {
      const { id, chatId, refundedPesewas, reference } = order
      return facts.saidIn(chatId).some((said) => tells(said, order))
        ? null
        : `${refundedPesewas} pesewas of order ${id} (${reference}) came back, and chat ${chatId} was not told`
    },
  )

const tells = (said: Said, order: Order): boolean =>
  said.kind === 'sent' && (sumsUp(said.text) || (tellsRefund(said.text) && isAbout(said, order)))
