import type { BotContext } from '../../chat/context.ts'
import { botLink } from '../../chat/reference.ts'
import type { Services } from '../../chat/services.ts'

/** The link with which a customer sees an order and follows it. It is too long to guess. */
export const statusLink = ({ me }: BotContext, keyring: Services['keyring'], orderId: string): string =>
  botLink(me, `s${keyring.sign('share', orderId)}`)
