import type { Prisma } from './client/client.ts'

/** Rows and conditions as the generated client types them. */
export type {
  Account,
  Customer,
  Enquiry,
  List,
  Member,
  Preference,
  PriceTier,
  Purchase,
  Shop,
  Unanswered,
} from './client/client.ts'

/** Which columns of orders a query asks for. */
export type OrderSelect = Prisma.OrderSelect
/** A condition on orders. */
export type OrderWhere = Prisma.OrderWhereInput
/** An order's row with what a query asks for beside it. */
export type OrderRow<Query extends Pick<Prisma.OrderFindManyArgs, 'select' | 'include'>> =
  Prisma.OrderGetPayload<Query>
/** Columns of an order that one statement may write. */
export type OrderColumns = Prisma.OrderUncheckedUpdateManyInput
