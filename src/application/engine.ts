import { createMembership } from '../accounts/membership.ts'
import { newId } from '../database/id.ts'
import { readList } from '../lists/read-list.ts'
import { createInbox } from '../messaging/inbox.ts'
import { bookOfOrderer, namesMeant } from '../orders/buying/contact-lookup.ts'
import { nearNumbers } from '../orders/buying/near-number.ts'
import { createPrices } from '../orders/buying/prices.ts'
import { createPurchases } from '../orders/buying/purchases.ts'
import { createLookUps } from '../orders/following/look-ups.ts'
import { createTracker } from '../orders/following/tracker.ts'
import { createLists } from '../orders/listing/list-orders.ts'
import { createPlacer } from '../orders/placing/placer.ts'
import { createAuditor } from '../orders/reconciling/audit.ts'
import { createReconciler } from '../orders/reconciling/reconciler.ts'
import { createReminders } from '../orders/reminding/reminders.ts'
import { createWallets } from '../wallets/wallets.ts'
import { type Foundation, monotonicMs } from './foundation.ts'
import type { Worker } from './worker.ts'

export type Engine = ReturnType<typeof createEngine>

/**
 * Builds the parts that buy and follow orders. They use the provider and the database, and reach chats only by queuing
 * notices.
 */
export const createEngine = (
  { config, log, keyring, store, security, observations, freeSpace, connections, rates, now }: Foundation,
  { wake, lease }: Pick<Worker, 'wake' | 'lease'>,
  { onOtherPhone }: { onOtherPhone: (reference: string) => void },
) => {
  const { publicUrl } = config
  const onNotice = () => wake('send')
  const onEnded = () => wake('place')
  const onPlaced = () => wake('apply')
  const { isShort: isShortOfRoom } = freeSpace
  const inbox = createInbox(
    (events) => store.statusReports.insert(events),
    () => wake('apply'),
  )
  const wallets = createWallets({
    store,
    keyring,
    connections,
    now,
    onNotice,
    baseUrl: config.provider.baseUrl,
    onCall: observations.onProviderCall,
    onAccepted: () => wake('place'),
  })
  const prices = createPrices(wallets, () => now().getTime())
  const common = { store, wallets, mayWork: lease.isHeld, now, log, onNotice, onEnded, onPlaced }
  const lookUps = createLookUps(now)
  const reconciler = createReconciler({ ...common, onMore: () => wake('reconcile') })
  const placer = createPlacer({
    ...common,
    prices,
    monotonicMs,
    newId,
    onOtherPhone,
    callbackUrl: (orderId) => publicUrl && `${publicUrl}/webhooks/${keyring.sign('webhook', orderId)}`,
  })
  return {
    inbox,
    wallets,
    prices,
    reconciler,
    placer,
    lookUps,
    tracker: createTracker({
      ...common,
      onPollDue: () => wake('follow'),
      onLookedUp: lookUps.note,
      giveWay: () => inbox.quiet(),
    }),
    auditor: createAuditor({
      ...common,
      check: (accountId) => reconciler.check(accountId, 'reconciling'),
      learnCharges: reconciler.learnCharges,
    }),
    membership: createMembership({
      store,
      keyring,
      wallets,
      now,
      newId,
      onNotice,
      limits: rates,
      onWrong: (userId, accountId) => security.note({ kind: 'wrong_credentials', accountId, userId }),
    }),
    purchases: createPurchases({
      store,
      now,
      newId,
      isShortOfRoom,
      onNotice,
      onQueued: (clear) => {
        if (!clear || !placer.startClear(clear)) onEnded()
      },
    }),
    reminders: createReminders({ store, prices, now, newId, log, isShortOfRoom, onNotice }),
    lists: createLists({
      store,
      log,
      prices,
      wallets,
      now,
      newId,
      isShortOfRoom,
      onNotice,
      read: readList,
      nearNumbers: async (purchase, phones, served) =>
        nearNumbers(store, await bookOfOrderer(store, purchase), phones, served),
      namesMeant: async (purchase, lines) =>
        namesMeant(store.contacts, await bookOfOrderer(store, purchase), lines),
      onQueued: onEnded,
    }),
  }
}
