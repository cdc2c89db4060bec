import type { Client } from '../../database/database.ts'
import { type Note, noNote } from '../changes.ts'
import { followingQueries } from './order-following.ts'
import { placingQueries } from './order-placing.ts'
import { readingQueries } from './order-reading.ts'
import { reconcilingQueries } from './order-reconciling.ts'
import { searchQueries } from './order-search.ts'
import { surroundingQueries } from './order-surroundings.ts'
import { recipientQueries } from './recipients.ts'

export const orderStore = (client: Client, note: Note = noNote) => ({
  ...readingQueries(client),
  ...placingQueries(client, note),
  ...followingQueries(client),
  ...searchQueries(client),
  ...reconcilingQueries(client),
  ...recipientQueries(client, note),
  ...surroundingQueries(client),
})

export type OrderStore = ReturnType<typeof orderStore>
