import { type Acceptance, firstLimitPesewas } from '../../accounts/agency.ts'
import { isInvitationSecret } from '../buttons/agent.ts'
import { type BotContext, forgetQuestion } from '../context.ts'
import { engagementOf } from '../engagement.ts'
import { nameOf } from '../person.ts'
import { key, type Screen } from '../screen.ts'
import type { Services } from '../services.ts'
import * as words from '../texts/agent.ts'
import { labels } from '../texts/labels.ts'
import { homeRows } from './home.ts'

const { agentLabels } = words
const homeKey = key(labels.home, { do: 'home' })

/** Somebody opened an owner's invitation. */
export const open = (ctx: BotContext, services: Services, secret: string): Promise<void> =>
  accept(ctx, services, secret, false)

/** `Join`: they become an agent, and leave another account's agents for it. */
export const join = (ctx: BotContext, services: Services, secret: string): Promise<void> =>
  accept(ctx, services, secret, true)

/** `Stay`: nothing changes. */
export const stay = async (ctx: BotContext): Promise<void> => {
  ctx.talk.show({ text: words.stayed, rows: [[homeKey]] })
}

const accept = async (ctx: BotContext, services: Services, secret: string, sure: boolean): Promise<void> => {
  const { from, talk } = ctx
  if (!from) return
  await forgetQuestion(ctx, services)
  const guest = { userId: from.id, chatId: talk.chatId, name: nameOf(from) }
  const acceptance: Acceptance = isInvitationSecret(secret)
    ? await services.agency.accept(guest, secret, sure)
    : { kind: 'unknown' }
  // The welcome is owed already: it comes even if the bot ends now.
  if (acceptance.kind === 'accepted') return talk.show({ text: words.hasJoined, rows: [] })
  const screen = await answerTo(services, from.id, secret, acceptance)
  if (sure) talk.show(screen)
  else talk.say(screen)
}

const answerTo = async (
  { store, now }: Services,
  userId: number,
  secret: string,
  acceptance: Exclude<Acceptance, { kind: 'accepted' }>,
): Promise<Screen> => {
  const home = [[homeKey]]
  switch (acceptance.kind) {
    case 'already':
      return { text: words.invitedAlready, rows: homeRows('agent') }
    case 'own':
      return { text: words.invitationOwn, rows: home }
    case 'owner_elsewhere':
      return { text: words.ownsAnother, rows: home }
    case 'asked': {
      const { shop, isElsewhere } = acceptance
      const present = isElsewhere ? await engagementOf(store, userId, now()) : null
      return {
        text: words.askToJoin(shop, firstLimitPesewas, present),
        rows: [
          [
            key(agentLabels.join, { do: 'agents', act: { act: 'join', secret } }),
            key(agentLabels.stay, { do: 'agents', act: { act: 'stay' } }),
          ],
        ],
      }
    }
    case 'used':
      return { text: words.invitationUsed, rows: home }
    case 'revoked':
      return { text: words.invitationRevoked, rows: home }
    case 'expired':
      return { text: words.invitationExpired, rows: home }
    case 'closed':
      return { text: words.invitationClosed, rows: home }
    case 'unknown':
      return { text: words.invitationUnknown, rows: home }
  }
}
