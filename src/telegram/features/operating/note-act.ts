import type { SecurityKind } from '../../../accounts/security-trail.ts'
import type { BotContext } from '../../chat/context.ts'

/** Notes in the security log what the operator who wrote or pressed has done. */
export const noteAct = (
  { from, services: { security } }: BotContext,
  kind: SecurityKind,
  detail?: string,
): Promise<void> =>
  security.note({ kind, accountId: null, userId: from?.id ?? null, ...(detail && { detail }) })
