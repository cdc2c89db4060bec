import { type Facts, isAbout, type Order } from '../facts.ts'
import { type Check, lookAt } from '../finding.ts'
import { asksForSame, saysFailed } from '../words.ts'

/** Whoever ordered the same bundle for the same number within ten minutes was asked first. */
export const sameAgain: Check = (facts) => {
  const orders = facts.isClockRight ? [...facts.orders.values()] : []
  return lookAt(
    orders.filter(({ listed }) => !listed),
    (order) => {
      const earlier = orders.find((each) => isSameBefore(each, order))
      return earlier && !wasAsked(facts, order, earlier) && !seemedFailed(facts, order, earlier)
        ? `order ${order.id} was ordered without a word of ${earlier.id}, the same for the same number`
        : null
    },
  )
}

const withinMs = 10 * 60_000
/** If two presses are closer than this, nobody can tell which was first: processes have different clocks. */
const apartMs = 60_000

/** Whether the earlier order was for the same bundle and number. It counts only if it was delivered in the end. */
const isSameBefore = (earlier: Order, order: Order): boolean => {
  const agoMs = order.createdAtMs - earlier.createdAtMs
  return (
    agoMs > apartMs &&
    agoMs < withinMs - apartMs &&
    !earlier.listed &&
    earlier.status === 'delivered' &&
    earlier.accountId === order.accountId &&
    earlier.network === order.network &&
    earlier.volume === order.volume &&
    earlier.phones.some((phone) => order.phones.includes(phone))
  )
}

const wasAsked = (facts: Facts, { chatId, createdAtMs, purchase }: Order, earlier: Order): boolean =>
  purchase.remark !== 'by_setting' &&
  facts
    .saidIn(chatId)
    .some(({ at, text }) => at > earlier.createdAtMs && at < createdAtMs + apartMs && asksForSame(text))

/** Whether the chat was told, rightly or not, that the earlier order was not delivered. Nobody is asked then. */
const seemedFailed = (facts: Facts, { createdAtMs }: Order, earlier: Order): boolean =>
  facts
    .saidIn(earlier.chatId)
    .some((said) => said.at < createdAtMs + apartMs && isAbout(said, earlier) && saysFailed(said.text))
