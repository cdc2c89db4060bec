import type { List, ListAnswers, Shown } from '../orders/list.ts'
import type { List as ListRow } from './client/client.ts'
import type { Client } from './database.ts'

/** The lists behind purchases of kind `list`. What they hold was read and checked before it was written. */
export const listStore = (client: Client) => ({
  byPurchase: async (purchaseId: string): Promise<List | null> => {
    const row = await client.list.findUnique({ where: { purchaseId } })
    return row && listOf(row)
  },

  insert: async (list: List): Promise<void> => {
    await client.list.create({ data: rowOf(list) })
  },

  change: async (
    purchaseId: string,
    change: Partial<Pick<List, 'text' | 'answers' | 'shown'>>,
  ): Promise<void> => {
    const { text, answers, shown } = change
    await client.list.updateMany({
      where: { purchaseId },
      data: {
        ...(text !== undefined && { text }),
        ...(answers && { answers: JSON.stringify(answers) }),
        ...(shown && { market: JSON.stringify(shown) }),
      },
    })
  },
})

export type ListStore = ReturnType<typeof listStore>

const rowOf = ({ answers, shown, ...list }: List): ListRow => ({
  ...list,
  answers: JSON.stringify(answers),
  market: JSON.stringify(shown),
})

const listOf = ({ answers, market, ...row }: ListRow): List => ({
  ...row,
  answers: JSON.parse(answers) as ListAnswers,
  shown: JSON.parse(market) as Shown,
})
