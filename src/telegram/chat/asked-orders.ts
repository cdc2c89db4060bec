/** A question that was sent instead of a card, because the order was not clear. */
export interface AskedOrder {
  /** The text of the message that the question is about. */
  text: string
  /** The bundle that was chosen before the number was sent. */
  bundleId: number | null
  /** The message with the question. */
  questionId: number
}

/** The questions about messages, so that an edit of such a message is recognized as an edit. */
export interface AskedOrders {
  note(chatId: number, messageId: number, asked: AskedOrder): void
  of(chatId: number, messageId: number): AskedOrder | null
}

/** About 1 MB at 200 bytes each. */
const maxAsked = 5_000

/** Kept in memory: after a restart, an edit of such a message is read as a new message. */
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
