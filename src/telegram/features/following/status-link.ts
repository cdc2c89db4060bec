import type { BotContext } from '../../chat/context.ts'
import type { Services } from '../../chat/services.ts'

/** The link with which a customer sees an order and follows it. It is too long to guess. */
export const statusLink = ({ me }: BotContext, keyring: Services['keyring'], orderId: string): string =>
  `https://t.me/${me.username}?start=s${keyring.sign('share', orderId)}`
