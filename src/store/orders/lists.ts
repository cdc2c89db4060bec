import type { Client } from '../../database/database.ts'
import type { List as ListRow } from '../../database/row-types.ts'
import type { List, ListAnswers, Shown } from '../../domain/list-draft.ts'

/** The content of lists was validated before it was written, so it is not validated again. */
export const listStore = (client: Client) => ({
  byPurchase: async (purchaseId: string): Promise<List | null> => {
    const row = await client.list.findUnique({ where: { purchaseId } })
    return row && listOf(row)
  },

  /** The person's choices, without the text, which may be long. */
  answersOf: async (purchaseId: string): Promise<ListAnswers | null> => {
    const row = await client.list.findUnique({ where: { purchaseId }, select: { answers: true } })
    return row && (JSON.parse(row.answers) as ListAnswers)
  },

  insert: async (list: List): Promise<void> => {
    await client.list.create({ data: rowOf(list) })
  },

  /** The person's lists made after `since` that were never confirmed, oldest first. */
  unconfirmed: async (accountId: string, userId: number, since: Date): Promise<UnconfirmedList[]> => {
    const rows = await client.$queryRaw<{ id: string; state: string; bytes: number | bigint }[]>`
      SELECT p."id", p."state",
        OCTET_LENGTH(l."text") + OCTET_LENGTH(l."answers") + OCTET_LENGTH(l."priceSnapshot") AS bytes
      FROM "Purchase" p JOIN "List" l ON l."purchaseId" = p."id"
      WHERE p."accountId" = ${accountId} AND p."createdAt" >= ${since} AND p."userId" = ${BigInt(userId)}
        AND p."confirmedAt" IS NULL
      ORDER BY p."createdAt", p."id"`
    return rows.map(({ id, state, bytes }) => ({ id, isDraft: state === 'draft', bytes: Number(bytes) }))
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
        ...(shown && { priceSnapshot: JSON.stringify(shown) }),
      },
    })
  },
})

export interface UnconfirmedList {
  id: string
  /** The draft may have expired. */
  isDraft: boolean
  /** The size of the stored list, in bytes. */
  bytes: number
}

export type ListStore = ReturnType<typeof listStore>

const rowOf = ({ answers, shown, ...list }: List): ListRow => ({
  ...list,
  answers: JSON.stringify(answers),
  priceSnapshot: JSON.stringify(shown),
})

const listOf = ({ answers, priceSnapshot, ...row }: ListRow): List => ({
  ...row,
  answers: JSON.parse(answers) as ListAnswers,
  shown: JSON.parse(priceSnapshot) as Shown,
})
