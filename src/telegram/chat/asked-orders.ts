/** A question that stands in place of the card of a message. */
export interface AskedOrder {
  /** The text that is asked about. */
  text: string
  /** The bundle that was chosen before the number was sent. */
  bundleId: number | null
  /** The message with the question. */
  questionId: number
}

/** The questions about messages, so that an edit of such a message is known as one. */
export interface AskedOrders {
  note(chatId: number, messageId: number, asked: AskedOrder): void
  of(chatId: number, messageId: number): AskedOrder | null
}

/** Some 200 bytes each. */
const maxAsked = 5_000

/** In memory: after a restart an edit of such a message is read as a new one. */
export const createAskedOrders = (): AskedOrders => {
  const asked = new Map<string, AskedOrder>()
  return {
    note: (chatId, messageId, order) => {
      const name = `${chatId} ${messageId}`
      asked.delete(name)
      asked.set(name, order)
      const [oldest] = asked.keys()
      if (asked.size > maxAsked && oldest !== undefined) asked.delete(oldest)
    },
    of: (chatId, messageId) => asked.get(`${chatId} ${messageId}`) ?? null,
  }
}
