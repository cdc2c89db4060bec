/** A question that was sent instead of a card, because the order was not clear. */
export interface AskedOrder {
  /** The text of the message that the question is about. */
  text: string
  /** The bundle that was chosen before the number was sent. */
  bundleId: number | null
  /** The message with the question. */
  questionId: number
}

/** Remembers which messages were answered with a question, so that an edit of one is not read as a new message. */
export interface AskedOrders {
  note(chatId: number, messageId: number, asked: AskedOrder): void
  of(chatId: number, messageId: number): AskedOrder | null
}

/** How many questions are remembered: about 1 MB at 200 bytes each. */
const maxAsked = 5_000

/** Keeps the questions in memory. After a restart, an edit of a message with a question is read as a new message. */
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
