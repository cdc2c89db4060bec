import type { Database } from '../../src/database/database.ts'

/** Searches for due work that read all that waits: they need no duties. */
export const wholeSearches = (client: Database['client']) => {
  const reachable = (now: Date) => ({ OR: [{ frozenUntil: null }, { frozenUntil: { lte: now } }] })
  const accepted = (now: Date) => ({ account: { is: { unauthorizedSince: null, ...reachable(now) } } })
  const include = { recipients: true }
  return {
    dueChats: (now: Date) => client.$queryRaw`
      SELECT "chatId" FROM "Notice"
      WHERE "id" IN (SELECT MIN("id") FROM "Notice"
        WHERE "setAsideAt" IS NULL AND ("quietUntil" IS NULL OR "quietUntil" <= ${now}) GROUP BY "chatId")
        AND ("notBefore" IS NULL OR "notBefore" <= ${now})
        AND NOT EXISTS (SELECT 1 FROM "Chat" WHERE "Chat"."id" = "chatId" AND "mutedAt" IS NOT NULL)
      ORDER BY "Notice"."id" LIMIT 1000`,

    dueToSend: (now: Date) =>
      client.order.findMany({
        where: {
          placement: 'queued',
          afterId: null,
          purchase: { is: { heldById: null } },
          OR: [{ notBefore: null }, { notBefore: { lte: now } }],
          account: { is: reachable(now) },
        },
        include,
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
        take: 200,
      }),

    dueToPoll: (now: Date) =>
      client.order.findMany({
        where: { nextPollAt: { lte: now }, ...accepted(now) },
        include,
        orderBy: { nextPollAt: 'asc' },
        take: 200,
      }),

    dueToSettle: (now: Date) =>
      Promise.all(
        (['settleAt', 'refundAt'] as const).map((time) =>
          client.order.findMany({
            where: { [time]: { lte: now }, ...accepted(now) },
            include,
            orderBy: { [time]: 'asc' },
            take: 500,
          }),
        ),
      ),
  }
}
