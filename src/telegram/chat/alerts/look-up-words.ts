import { suspectedAfter } from '../../../orders/following/look-ups.ts'
import { b } from '../../words/markup.ts'

/** The warning to the operators that the provider finds none of the orders that are looked up. */
export const noneFound = [
  `⚠️ ${b('The provider’s order look-up seems broken')}: it answered “not found” for the last ${suspectedAfter} orders I looked up.`,
  'Orders still go out, but I can’t check the provider’s reports, so statuses stay “(reported)”.',
  'Ask the provider’s support team about GET /order/status. I’ll edit this message when it works again.',
].join('\n')
