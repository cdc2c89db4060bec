import type { Prisma } from './client/sqlite/client.ts'

export type {
  Account,
  Complaint,
  Contact,
  Enquiry,
  List,
  Member,
  Notice,
  Order,
  PendingCredential,
  Preference,
  PriceTier,
  Purchase,
  Recipient,
  Reminder,
  SellingPrice,
  Shop,
  Unanswered,
} from './client/sqlite/client.ts'

export type OrderSelect = Prisma.OrderSelect
export type OrderWhere = Prisma.OrderWhereInput
/** The columns of an order that one statement may write. */
export type OrderColumns = Prisma.OrderUncheckedUpdateManyInput
