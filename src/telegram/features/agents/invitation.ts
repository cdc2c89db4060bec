import { type Acceptance, firstLimitPesewas } from '../../../accounts/agency.ts'
import { isInvitationSecret } from '../../buttons/fields.ts'
import { agentPermissionsOf } from '../../cards/agent-permissions.ts'
import { homeRows } from '../../cards/home-rows.ts'
import * as words from '../../cards/words/team.ts'
import { type BotContext, forgetQuestion } from '../../chat/context.ts'
import { nameOf } from '../../chat/person.ts'
import { button, homeButton, type Screen } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { exportFirst } from '../connecting/disconnect.ts'
import * as invitationWords from './invitation-words.ts'

const { agentLabels } = words
/** Opens an owner's invitation. */
export const open = (ctx: BotContext, secret: string): Promise<void> => accept(ctx, secret, false)

/** `Join`: makes the person an agent of this account. They stop being an agent of any other. */
export const join = (ctx: BotContext, secret: string): Promise<void> => accept(ctx, secret, true)

/** `Don’t join`: changes nothing. */
export const stay = async (ctx: BotContext): Promise<void> => {
  ctx.talk.show({ text: invitationWords.stayed, rows: [[homeButton]] })
}

const accept = async (ctx: BotContext, secret: string, sure: boolean): Promise<void> => {
  const { from, talk } = ctx
  if (!from) return
  await forgetQuestion(ctx)
  const guest = { userId: from.id, chatId: talk.chatId, name: nameOf(from) }
  const acceptance: Acceptance = isInvitationSecret(secret)
    ? await ctx.services.agency.accept(guest, secret, sure)
    : { kind: 'unknown' }
  // The welcome is already queued, so it arrives even if the bot stops now.
  if (acceptance.kind === 'accepted') return talk.show({ text: invitationWords.youJoined, rows: [] })
  const screen = await answerTo(ctx.services, from.id, secret, acceptance)
  if (sure) talk.show(screen)
  else talk.say(screen)
}

/** Why nothing can be accepted. */
const refusals: Record<Exclude<Acceptance['kind'], 'accepted' | 'already' | 'asked'>, string> = {
  own: invitationWords.invitationOwn,
  owner_elsewhere: invitationWords.ownsAnother,
  used: invitationWords.invitationUsed,
  revoked: invitationWords.invitationRevoked,
  expired: invitationWords.invitationExpired,
  closed: invitationWords.invitationClosed,
  unknown: invitationWords.invitationUnknown,
}

const answerTo = async (
  { store, now }: Services,
  userId: number,
  secret: string,
  acceptance: Exclude<Acceptance, { kind: 'accepted' }>,
): Promise<Screen> => {
  if (acceptance.kind === 'already') return { text: invitationWords.invitedAlready, rows: homeRows('agent') }
  if (acceptance.kind !== 'asked') return { text: refusals[acceptance.kind], rows: [[homeButton]] }
  const { shop, isElsewhere } = acceptance
  const present = isElsewhere ? await agentPermissionsOf(store, userId, now()) : null
  return {
    text: invitationWords.askToJoin(shop, firstLimitPesewas, present),
    rows: [
      [
        button(agentLabels.join, { do: 'agents', act: { act: 'join', secret } }),
        button(agentLabels.stay, { do: 'agents', act: { act: 'stay' } }),
      ],
      present ? [exportFirst] : [],
    ],
  }
}
