import { changesMembership } from '../domain/notice.ts'
import { type Lease, LeaseLost } from '../messaging/leader-lease.ts'
import { createOutbox } from '../messaging/outbox.ts'
import { type Pacer, paceOf } from '../messaging/pacer.ts'
import { createDeliver } from '../telegram/cards/notices.ts'
import { createCommandMenu } from '../telegram/chat/profile/command-menu.ts'
import { createSender } from '../telegram/chat/sender.ts'
import type { Services } from '../telegram/chat/services.ts'
import { freshenBalance, readBalanceQuietly } from '../wallets/balance-reading.ts'
import type { Engine } from './engine.ts'
import { type Foundation, monotonicMs } from './foundation.ts'
import type { Messaging } from './messaging.ts'
import type { Worker } from './worker.ts'

export type Delivery = ReturnType<typeof createDelivery>

/**
 * Builds the parts that deliver notices to chats.
 * `menu` sets a chat's commands to match its person's role. `freshenBalance` reads the balance for a card that asks
 * the person to confirm a payment.
 */
export const createDelivery = (
  { config, log, store, now }: Foundation,
  { bot, pacer, redrawMs, tasks }: Messaging,
  { worker, engine }: { worker: Worker; engine: Engine },
) => {
  const { wallets, lists } = engine
  const menu = createCommandMenu({
    api: bot.api,
    store,
    operatorIds: config.ownerIds,
    now,
    onTrouble: (error) => log.warn({ err: error }, 'a command menu could not be set'),
    onUnmetOperator: (operator) =>
      log.info(
        { operator },
        'this operator has not written to the bot yet: send it /start from that account, or correct OWNER_IDS',
      ),
  })
  const freshen: Services['freshenBalance'] = (...asked) => freshenBalance({ store, wallets, now }, ...asked)
  const held = (pace: Pacer) => whileHeld(pace, worker.lease)
  const deliver = createDeliver({
    store,
    lists,
    now,
    freshenBalance: freshen,
    senders: {
      member: createSender(bot.api, held(pacer), monotonicMs),
      notice: createSender(bot.api, held(paceOf(pacer, 'notice')), monotonicMs),
    },
    readBalance: (accountId) => readBalanceQuietly({ store, wallets, now }, accountId),
  })
  const outbox = createOutbox({
    store,
    now,
    log,
    monotonicMs,
    redrawMs,
    deliver: async (notice) => {
      const delivery = await deliver(notice)
      if (changesMembership(notice.content)) tasks.aside(() => menu.greet(notice.chatId))
      return delivery
    },
    mayWork: worker.lease.isHeld,
    chatWaitMs: pacer.chatWaitMs,
    again: () => worker.wake('send'),
  })
  return { menu, outbox, freshenBalance: freshen }
}

/**
 * Refuses to send after the lease is lost. That can happen while a message waits for its turn, if the process is
 * suspended.
 */
const whileHeld = (pacer: Pacer, lease: Lease): Pacer => ({
  ...pacer,
  slot: async (chatId) => {
    await pacer.slot(chatId)
    if (!lease.isHeld()) throw new LeaseLost()
  },
})
