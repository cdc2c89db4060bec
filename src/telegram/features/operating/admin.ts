import { randomBytes } from 'node:crypto'
import { invitationName } from '../../../accounts/agency.ts'
import { version } from '../../../base/installation.ts'
import { switchesOf } from '../../../orders/permission/switches.ts'
import type { ActOf } from '../../buttons/table.ts'
import { type BotContext, forgetQuestion, type Question } from '../../chat/context.ts'
import type { ActHandlers, Handler } from '../../chat/handler.ts'
import { mayConnect } from '../../chat/person.ts'
import { botLink } from '../../chat/reference.ts'
import { button, forwardButton, inRows, type Screen } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { startOf } from '../../chat/time.ts'
import { homeLabels, labels } from '../../words/labels.ts'
import type { Answer } from '../feature.ts'
import * as security from '../settings/security.ts'
import { securityLabel } from '../settings/security-words.ts'
import * as block from './block.ts'
import * as botName from './bot-name.ts'
import { botNameLabels } from './bot-name-words.ts'
import * as maintenance from './maintenance.ts'
import { networkLabels } from './network-words.ts'
import * as networks from './networks.ts'
import { noteAct } from './note-act.ts'
import { operatorButton, overviewButton } from './operator-buttons.ts'
import * as stuck from './stuck.ts'
import * as words from './words.ts'

const { operatorLabels } = words
const invitationMs = 24 * 60 * 60_000
/** How many open invitations are shown. Older ones appear when the newer ones are gone. */
const maxInvitations = 6

/** `/admin`: shows the operators' overview. */
export const showOverview = async (ctx: BotContext): Promise<void> => {
  ctx.talk.show(await overviewScreen(ctx.services))
}

export const pressOperator = async (ctx: BotContext, act: ActOf<'operator'>): Promise<void> => {
  // A pause keeps its reason, which was typed while the bot asked how long the pause will be.
  if (act.act !== 'pause' && act.act !== 'pause_sure') await forgetQuestion(ctx)
  const answer = acts[act.act] as Handler<typeof act>
  await answer(ctx, act)
}

const acts: ActHandlers<'operator'> = {
  ...stuck.acts,
  ...block.acts,
  ...maintenance.acts,
  ...networks.acts,
  ...botName.acts,
  invitations: async (ctx) => ctx.talk.show(await invitationsScreen(ctx.services)),
  security: (ctx, { page }) => security.showAll(ctx, page),
  revoke: (ctx, { name }) => revoke(ctx, name),
}

/** Takes an operator's typed answer. */
export const takeText = async (
  ctx: BotContext,
  { question: { ask }, text }: Answer<Extract<Question, { what: 'operator' }>>,
): Promise<void> => {
  switch (ask.about) {
    case 'block':
      return block.takeWhom(ctx, text)
    case 'pause':
      return maintenance.takeWords(ctx, ask, text)
    case 'prefix':
      return networks.takePrefix(ctx, text)
    case 'balance_code':
      return networks.takeBalanceCode(ctx, text)
    case 'bot_name':
      return botName.takeName(ctx, text)
  }
}

const overviewScreen = async (services: Services): Promise<Screen> => {
  const { store } = services
  const now = services.now()
  const { operations, backlog } = store
  const found = await operations.stuckCounts(now)
  const switches = await switchesOf(store)
  const text = words.overview({
    maintenance: switches.maintenance,
    down: [...switches.down.keys()],
    accounts: (await backlog.accounts(now)).connected,
    people: await operations.people(),
    today: await operations.ordersSince(startOf('today', now)),
    open: [...(await backlog.openOrders()), { placement: 'placed', count: await operations.followed() }],
    callbacks: await backlog.callbacks(),
    messages: { count: await store.notices.count(), oldest: await backlog.oldestNotice(now) },
    database: await operations.databaseVersion(),
    version,
    now,
  })
  const stuckButton = operatorButton(words.stuckLabel(words.stuckTotal(found)), { act: 'stuck' })
  const invite = button(operatorLabels.invite, { do: 'invite' })
  return {
    text,
    rows: [
      [stuckButton, services.access === 'invite' ? invite : button(labels.refresh, { do: 'admin' })],
      [
        operatorButton(operatorLabels.blocked, { act: 'blocked', page: 0 }),
        operatorButton(operatorLabels.maintenance, { act: 'maintenance' }),
      ],
      [
        operatorButton(networkLabels.networks, { act: 'networks' }),
        operatorButton(botNameLabels.name, { act: 'bot_name' }),
      ],
      [
        operatorButton(operatorLabels.invitations, { act: 'invitations' }),
        operatorButton(securityLabel, { act: 'security', page: 0 }),
      ],
    ],
  }
}

// ── Invitations ──────────────────────────────────────────────────────────────────────────────────────────────────

const invitationsScreen = async ({ store, access, now }: Services): Promise<Screen> => {
  if (access === 'open') return { text: words.openToAll, rows: [[overviewButton]] }
  const open = await store.operations.openInvitations(now(), maxInvitations)
  const revokes = open.map((each, index) =>
    operatorButton(words.revokeLabel(index + 1), { act: 'revoke', name: invitationName(each) }),
  )
  return {
    text: words.invitations(open, now()),
    rows: [...inRows(revokes, 2), [button(operatorLabels.invite, { do: 'invite' }), overviewButton]],
  }
}

const revoke = async (ctx: BotContext, name: string): Promise<void> => {
  const { services } = ctx
  const { operations } = services.store
  const open = await operations.openInvitations(services.now(), maxInvitations)
  const meant = open.find((each) => invitationName(each) === name)
  const isRevoked =
    meant !== undefined && (await operations.revokeInvitation(meant.tokenHash, services.now()))
  if (isRevoked) await noteAct(ctx, 'invitation_revoked')
  ctx.talk.toast(isRevoked ? words.revoked : words.revokedTooLate, !isRevoked)
  ctx.talk.show(await invitationsScreen(services))
}

/** Makes a one-time link with which a person may connect an account. */
export const invite = async (ctx: BotContext, operatorId: number): Promise<void> => {
  const { services } = ctx
  if (services.access === 'open') return ctx.talk.show({ text: words.openToAll, rows: [[overviewButton]] })
  const secret = randomBytes(24).toString('base64url')
  const createdAt = services.now()
  await services.store.chats.invite({
    tokenHash: services.keyring.invitationHashes(secret)[0] ?? '',
    createdBy: operatorId,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + invitationMs),
  })
  await noteAct(ctx, 'operator_invited')
  const url = botLink(ctx.me, `i${secret}`)
  ctx.talk.say({
    text: words.invitation(url, invitationMs),
    rows: [
      [forwardButton(operatorLabels.forward, words.invitationText(url, invitationMs))],
      [operatorButton(operatorLabels.invitations, { act: 'invitations' }), overviewButton],
    ],
  })
}

/** Opens an invitation. It is not used up by a person who may already connect an account. */
export const acceptInvitation = async (ctx: BotContext, secret: string): Promise<void> => {
  const { services } = ctx
  const hashes = services.keyring.invitationHashes(secret)
  const accepted =
    (await mayConnect(ctx)) || (await services.store.chats.accept(hashes, ctx.talk.chatId, services.now()))
  const rows = [[button(homeLabels.connect, { do: 'connect' })]]
  ctx.talk.say(accepted ? { text: words.invitationAccepted, rows } : words.invitationSpent)
}
