import type { BotContext } from '../../chat/context.ts'
import type { Services } from '../../chat/services.ts'

/** The unguessable link by which a customer sees an order and follows it. */
export const statusLink = ({ me }: BotContext, keyring: Services['keyring'], orderId: string): string =>
  `https://t.me/${me.username}?start=s${keyring.sign('share', orderId)}`
