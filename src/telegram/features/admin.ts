import { randomBytes } from 'node:crypto'
import { invitationName } from '../../accounts/agency.ts'
import { version } from '../../installation.ts'
import { maintenanceOf } from '../../orders/maintenance.ts'
import { networksDown } from '../../orders/network-switch.ts'
import type { OperatorAct } from '../buttons/operator.ts'
import { type BotContext, forgetQuestion, type OperatorAsk } from '../context.ts'
import { operatorKey, overviewKey } from '../operator-keys.ts'
import { isOperator, mayConnect } from '../person.ts'
import { key, type Screen } from '../screen.ts'
import type { Services } from '../services.ts'
import { homeLabels } from '../texts/home.ts'
import { labels } from '../texts/labels.ts'
import { networkLabels } from '../texts/network.ts'
import * as words from '../texts/operator.ts'
import { notYours, unknownCommand } from '../texts/refusal.ts'
import { securityLabel } from '../texts/security.ts'
import { startOf } from '../time.ts'
import * as block from './block.ts'
import * as maintenance from './maintenance.ts'
import * as networks from './networks.ts'
import * as security from './security.ts'
import * as stuck from './stuck.ts'

const { operatorLabels } = words
const invitationMs = 24 * 60 * 60_000
/** Invitations that are open at once; older ones are not shown until those are gone. */
const mostInvitations = 10

/** `/admin`, for operators alone: to everyone else the command does not exist. */
export const admin = async (ctx: BotContext, services: Services): Promise<void> => {
  if (!isOperator(ctx, services)) {
    ctx.talk.show(unknownCommand)
    return
  }
  await forgetQuestion(ctx, services)
  ctx.talk.show(await overviewScreen(services))
}

/** A press on a button of the operators'. Buttons can be forged: who presses is looked at each time. */
export const press = async (ctx: BotContext, services: Services, act: OperatorAct): Promise<void> => {
  if (!isOperator(ctx, services)) {
    ctx.talk.toast(notYours)
    return
  }
  switch (act.act) {
    case 'stuck':
    case 'notices':
    case 'notice':
    case 'again':
    case 'drop':
    case 'orders':
    case 'order':
    case 'look':
    case 'callbacks':
    case 'callback':
    case 'dismiss':
    case 'dismiss_all':
    case 'accounts':
      return stuck.press(ctx, services, act)
    case 'invitations':
      ctx.talk.show(await invitationsScreen(services))
      return
    case 'security':
      return security.showAll(ctx, services, act.page)
    case 'revoke':
      return revoke(ctx, services, act.name)
    case 'blocked':
    case 'ask_block':
    case 'block':
    case 'block_sure':
    case 'unblock':
      return block.press(ctx, services, act)
    case 'maintenance':
    case 'reason':
    case 'no_reason':
    case 'resume':
    case 'resume_sure':
    case 'pause':
    case 'pause_sure':
    case 'until':
      return maintenance.press(ctx, services, act)
    case 'networks':
    case 'network_down':
    case 'network_up':
    case 'prefixes':
    case 'prefix_edit':
    case 'prefix_back':
    case 'prefix_reset':
      return networks.press(ctx, services, act)
  }
}

/** What an operator was asked. Who is none any more answers nothing. */
export const takeText = async (
  ctx: BotContext,
  services: Services,
  ask: OperatorAsk,
  text: string,
): Promise<void> => {
  if (!isOperator(ctx, services)) {
    await forgetQuestion(ctx, services)
    ctx.talk.say(notYours)
    return
  }
  switch (ask.about) {
    case 'block':
      return block.takeId(ctx, services, text)
    case 'pause':
      return maintenance.takeWords(ctx, services, ask, text)
    case 'prefix':
      return networks.takePrefix(ctx, services, text)
  }
}

const overviewScreen = async (services: Services): Promise<Screen> => {
  const { store } = services
  const now = services.now()
  const { operations, backlog } = store
  const found = await operations.stuckCounts(now)
  const text = words.overview({
    maintenance: await maintenanceOf(store),
    down: [...(await networksDown(store)).keys()],
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
  const stuckKey = operatorKey(words.stuckLabel(words.stuckTotal(found)), { act: 'stuck' })
  const invite = key(operatorLabels.invite, { do: 'invite' })
  const invitations = operatorKey(operatorLabels.invitations, { act: 'invitations' })
  return {
    text,
    rows: [
      [stuckKey, key(labels.refresh, { do: 'admin' })],
      services.access === 'invite' ? [invite, invitations] : [],
      [
        operatorKey(operatorLabels.blocked, { act: 'blocked', page: 0 }),
        operatorKey(operatorLabels.maintenance, { act: 'maintenance' }),
      ],
      [operatorKey(networkLabels.networks, { act: 'networks' })],
      [
        ...(services.access === 'open' ? [invitations] : []),
        operatorKey(securityLabel, { act: 'security', page: 0 }),
      ],
    ],
  }
}

// ── Invitations ──────────────────────────────────────────────────────────────────────────────────────────────────

const invitationsScreen = async ({ store, access, now }: Services): Promise<Screen> => {
  if (access === 'open') return { text: words.openToAll, rows: [[overviewKey]] }
  const open = await store.operations.openInvitations(now(), mostInvitations)
  const revokes = open.map((each, index) =>
    operatorKey(words.revokeLabel(index + 1), { act: 'revoke', name: invitationName(each) }),
  )
  return {
    text: words.invitations(open, now()),
    rows: [
      ...revokes.flatMap((_, index) => (index % 2 === 0 ? [revokes.slice(index, index + 2)] : [])),
      [key(operatorLabels.invite, { do: 'invite' }), overviewKey],
    ],
  }
}

const revoke = async (ctx: BotContext, services: Services, name: string): Promise<void> => {
  const { operations } = services.store
  const open = await operations.openInvitations(services.now(), mostInvitations)
  const meant = open.find((each) => invitationName(each) === name)
  const isRevoked =
    meant !== undefined && (await operations.revokeInvitation(meant.tokenHash, services.now()))
  ctx.talk.toast(isRevoked ? words.revoked : words.revokedTooLate, !isRevoked)
  ctx.talk.show(await invitationsScreen(services))
}

/** A one-time link with which somebody may connect an account. */
export const invite = async (ctx: BotContext, services: Services): Promise<void> => {
  if (!isOperator(ctx, services) || !ctx.from) {
    ctx.talk.toast(notYours)
    return
  }
  if (services.access === 'open') {
    ctx.talk.show({ text: words.openToAll, rows: [[overviewKey]] })
    return
  }
  const secret = randomBytes(24).toString('base64url')
  const createdAt = services.now()
  await services.store.chats.invite({
    tokenHash: services.keyring.invitationHashes(secret)[0] ?? '',
    createdBy: ctx.from.id,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + invitationMs),
  })
  await services.security.note({ kind: 'operator_invited', accountId: null, userId: ctx.from.id })
  ctx.talk.say(words.invitation(`https://t.me/${ctx.me.username}?start=i${secret}`))
}

/** Somebody opened an invitation. Who has been invited already, by this link or another, spends none. */
export const acceptInvitation = async (
  ctx: BotContext,
  services: Services,
  secret: string,
): Promise<void> => {
  const hashes = services.keyring.invitationHashes(secret)
  const accepted =
    (await mayConnect(ctx, services)) ||
    (await services.store.chats.accept(hashes, ctx.talk.chatId, services.now()))
  const rows = [[key(homeLabels.connect, { do: 'connect' })]]
  ctx.talk.say(accepted ? { text: words.invitationAccepted, rows } : words.invitationSpent)
}
