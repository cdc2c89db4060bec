import { isAbout, type Order, type Said } from '../facts.ts'
import { type Check, lookAt } from '../finding.ts'
import { saysOtherCharge, sumsUp } from '../words.ts'

/** A charge that differs from the confirmed price was told in a new message. */
export const chargesTold: Check = (facts) => {
  const accepted = new Map(facts.ledgerOrders.map(({ reference, phones }) => [reference, phones.length]))
  return lookAt(
    facts.toldOrders.filter(({ chargedPesewas }) => chargedPesewas !== null),
    (order) => {
      const { id, chatId, chargedPesewas, unitPricePesewas, quantity, reference } = order
      const confirmed = unitPricePesewas * (accepted.get(reference ?? '') ?? quantity)
      return chargedPesewas === confirmed || facts.saidIn(chatId).some((said) => tells(said, order))
        ? null
        : `order ${id} (${reference}) was charged ${chargedPesewas} instead of ${confirmed} pesewas, and chat ${chatId} was not told`
    },
  )
}

const tells = (said: Said, order: Order): boolean =>
  said.kind === 'sent' && (sumsUp(said.text) || (saysOtherCharge(said.text) && isAbout(said, order)))
