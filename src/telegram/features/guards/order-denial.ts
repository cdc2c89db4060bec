import type { Denial } from '../../../domain/may-order.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import { denialFor } from '../../../orders/permission/orderer.ts'
import { switchesIn } from '../../../orders/permission/switches.ts'
import { enqueueForMaintenanceEnd } from '../../../settings/orders-again.ts'
import { denied, pausedNow } from '../../cards/words/agent-permissions.ts'
import { disconnectLabels, nothingNew } from '../../cards/words/leaving.ts'
import { noRoom } from '../../chat/alerts/disk-words.ts'
import type { Asker, BotContext } from '../../chat/context.ts'
import { currentSnapshot } from '../../chat/request-context.ts'
import { homeButton } from '../../chat/screen.ts'
import { closingOf, disconnectButton } from '../connecting/disconnect.ts'

/**
 * Says why a press did not order. If orders are paused, also remembers to tell the person when they can order again.
 */
export const sayDenied = async (
  { talk, services: { store, now } }: BotContext,
  denial: Denial,
): Promise<void> => {
  talk.toast(denied(denial, now()), true)
  if (denial.kind === 'maintenance') await enqueueForMaintenanceEnd(store, talk.chatId, now())
}

/** Checks whether a person may begin an order. If not, says why and what to do, and returns false. */
export const admit = async (ctx: Asker, person: Person): Promise<boolean> => {
  const { store, now, isShortOfRoom } = ctx.services
  const moment = { at: now(), isShortOfRoom: isShortOfRoom() }
  const snapshot = currentSnapshot()
  const read =
    snapshot?.userId === person.userId
      ? { member: snapshot.member, switches: switchesIn(snapshot.switches) }
      : undefined
  const denial = await denialFor(store, person, { kind: 'begin' }, moment, read)
  if (denial) await sayInPlaceOfOrder(ctx, person, denial)
  return denial === null
}

const sayInPlaceOfOrder = async (ctx: Asker, person: Person, denial: Denial): Promise<void> => {
  switch (denial.kind) {
    case 'no_room':
      return sayNoRoom(ctx)
    case 'closing':
      return sayClosing(ctx, person)
    case 'paused':
      return ctx.talk.say({ text: pausedNow, rows: [[homeButton]] })
    default:
      ctx.talk.say({ text: denied(denial, ctx.services.now()), rows: [[homeButton]] })
  }
}

/** Says that the account is being removed, so it takes no new orders. An owner gets a button to keep it. */
export const sayClosing = async ({ talk, services }: Asker, person: Person): Promise<void> => {
  const closing = await closingOf(services, person)
  if (!closing) return
  const keepIt = disconnectButton(disconnectLabels.keepAccount, person.accountId, 'never')
  talk.say({ text: nothingNew(closing), rows: closing.isOwner ? [[keepIt]] : [] })
}

/** Checks that the database's disk has room for more data. If it has none, tells the person and returns false. */
export const admitForRoom = (ctx: Asker): boolean => {
  const { isShortOfRoom } = ctx.services
  if (isShortOfRoom()) sayNoRoom(ctx)
  return !isShortOfRoom()
}

const sayNoRoom = ({ talk }: Asker): void => {
  talk.say({ text: noRoom, rows: [[homeButton]] })
}
