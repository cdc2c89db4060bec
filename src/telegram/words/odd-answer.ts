import { code } from './markup.ts'

/** To operators: the provider's answer to an order names another number than the one ordered. */
export const otherPhone = (reference: string): string =>
  `⚠️ The provider answered order ${code(reference)} with another number than the one ordered. It was charged, and I can’t tell who got the bundle. Ask the provider’s support. If it happens again, I write once an hour; the log has each order.`
