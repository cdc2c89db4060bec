import type { Prisma } from './client/sqlite/client.ts'

/** Rows and conditions as the generated client types them. */
export type {
  Account,
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
  Shop,
  Unanswered,
} from './client/sqlite/client.ts'

/** Which columns of orders a query asks for. */
export type OrderSelect = Prisma.OrderSelect
/** A condition on orders. */
export type OrderWhere = Prisma.OrderWhereInput
/** Columns of an order that one statement may write. */
export type OrderColumns = Prisma.OrderUncheckedUpdateManyInput
