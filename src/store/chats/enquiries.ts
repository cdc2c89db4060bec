import type { Client } from '../../database/database.ts'
import type { Enquiry as EnquiryRow } from '../../database/row-types.ts'

/** A customer's question to the shop that ordered. Neither side learns who the other is. */
export interface Enquiry {
  id: string
  orderId: string
  accountId: string
  customerChatId: number
  /** The text as written: always escape it before showing it. Empty after deletion; see `isForgotten`. */
  text: string
  createdAt: Date
  answeredAt: Date | null
  /** When the account blocked questions from that chat. */
  blockedAt: Date | null
}

type NewEnquiry = Pick<Enquiry, 'id' | 'orderId' | 'accountId' | 'customerChatId' | 'text' | 'createdAt'> & {
  /** Identifies the message with the question. Each message makes only one enquiry. */
  cause: string
}

type Asker = Pick<Enquiry, 'accountId' | 'customerChatId'>

export const enquiryStore = (client: Client) => ({
  byId: async (id: string): Promise<Enquiry | null> =>
    orNull(await client.enquiry.findUnique({ where: { id } })),

  byCause: async (cause: string): Promise<Enquiry | null> =>
    orNull(await client.enquiry.findUnique({ where: { cause } })),

  insert: async (enquiry: NewEnquiry): Promise<void> => {
    await client.enquiry.create({ data: { ...enquiry, customerChatId: BigInt(enquiry.customerChatId) } })
  },

  /** The times of the chat's questions, oldest first. */
  askedSince: async (customerChatId: number, since: Date): Promise<Date[]> => {
    const rows = await client.enquiry.findMany({
      where: { customerChatId: BigInt(customerChatId), createdAt: { gt: since } },
      orderBy: { createdAt: 'asc' },
      select: { createdAt: true },
    })
    return rows.map(({ createdAt }) => createdAt)
  },

  /** The orders that the chat asked about after `since` without getting an answer, once for each question. */
  unansweredSince: async (customerChatId: number, since: Date): Promise<string[]> => {
    const rows = await client.enquiry.findMany({
      where: { customerChatId: BigInt(customerChatId), createdAt: { gt: since }, answeredAt: null },
      select: { orderId: true },
    })
    return rows.map(({ orderId }) => orderId)
  },

  /** Marks the enquiry as answered. @returns false if that message answered the enquiry before. */
  answer: async (id: string, cause: string, now: Date): Promise<boolean> => {
    const { count } = await client.enquiry.updateMany({
      where: { id, OR: [{ answerCause: null }, { answerCause: { not: cause } }] },
      data: { answerCause: cause, answeredAt: now },
    })
    return count === 1
  },

  isAnsweredBy: async (cause: string): Promise<boolean> =>
    (await client.enquiry.count({ where: { answerCause: cause } })) > 0,

  isBlocked: async (asker: Asker): Promise<boolean> =>
    (await client.enquiry.count({ where: { ...ofAsker(asker), blockedAt: { not: null } } })) > 0,

  block: async (id: string, now: Date): Promise<void> => {
    await client.enquiry.updateMany({ where: { id, blockedAt: null }, data: { blockedAt: now } })
  },

  unblock: async (asker: Asker): Promise<void> => {
    await client.enquiry.deleteMany({ where: { ...ofAsker(asker), blockedAt: { not: null }, text: '' } })
    await client.enquiry.updateMany({
      where: { ...ofAsker(asker), blockedAt: { not: null } },
      data: { blockedAt: null },
    })
  },
})

/** Whether the customer had their data deleted. Then only the block is left, until the shop lifts it. */
export const isForgotten = ({ text }: Pick<Enquiry, 'text'>): boolean => text === ''

export type EnquiryStore = ReturnType<typeof enquiryStore>

const ofAsker = ({ accountId, customerChatId }: Asker) => ({
  accountId,
  customerChatId: BigInt(customerChatId),
})

const orNull = (row: EnquiryRow | null): Enquiry | null =>
  row && { ...row, customerChatId: Number(row.customerChatId) }
