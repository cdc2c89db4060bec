import { createAgency } from '../accounts/agency.ts'
import { watchedAgency } from '../accounts/watched-agency.ts'
import { newId } from '../database/id.ts'
import { refusalIn } from '../database/outage.ts'
import { fileLimits } from '../lists/files/file-limits.ts'
import { type AdmissionLimits, createAdmission } from '../messaging/admission.ts'
import { type Bucket, createRates, type Rates } from '../messaging/buckets.ts'
import type { Lease } from '../messaging/leader-lease.ts'
import { createComplaints } from '../orders/following/complaints.ts'
import { createEnquiries } from '../orders/following/enquiries.ts'
import { proxyFor } from '../start/proxies.ts'
import { sessionStorage } from '../store/chats/chats.ts'
import { addFeatures } from '../telegram/bot.ts'
import { createDiskAlert } from '../telegram/chat/alerts/disk-alert.ts'
import { createLookUpAlert } from '../telegram/chat/alerts/look-up-alert.ts'
import { createOperatorAlerts, type OperatorAlerts } from '../telegram/chat/alerts/operator-alerts.ts'
import { createTokenWatch, type TokenWatch } from '../telegram/chat/alerts/token-watch.ts'
import { createAskedOrders } from '../telegram/chat/asked-orders.ts'
import { createDownload } from '../telegram/chat/files/download.ts'
import { createListFiles } from '../telegram/chat/files/read-list-file.ts'
import { admitAll, createFloodGuard, type FloodGuard } from '../telegram/chat/flood-guard.ts'
import { publishName } from '../telegram/chat/profile/bot-name.ts'
import { publishProfile } from '../telegram/chat/profile/profile.ts'
import { createRecentPeople } from '../telegram/chat/recent-people.ts'
import { currentSession } from '../telegram/chat/request-context.ts'
import { sendWithRetries } from '../telegram/chat/sender.ts'
import type { Exporter, Services } from '../telegram/chat/services.ts'
import { createTalk } from '../telegram/chat/talk.ts'
import { createHandle, type Handle } from '../telegram/chat/updates/handling.ts'
import { connectToTelegram, settleUpdates, webhookOf } from '../telegram/chat/updates/telegram-connection.ts'
import { createUpdateInbox, type UpdateInbox } from '../telegram/chat/updates/update-inbox.ts'
import { bearableMs, createPolling, type Updates } from '../telegram/chat/updates/updates.ts'
import { createExporter } from '../telegram/features/exporting/exporter.ts'
import { answerDue } from '../telegram/features/wallet/answering.ts'
import { createDelivery, type Delivery } from './delivery.ts'
import type { Engine } from './engine.ts'
import { type Foundation, monotonicMs } from './foundation.ts'
import type { Messaging } from './messaging.ts'
import { type Outages, watchOutages } from './outages.ts'
import type { Upkeep } from './upkeep.ts'
import type { Worker } from './worker.ts'

/** The chat side of the bot. */
export interface Front {
  readonly health: Outages['health']
  readonly outbox: Delivery['outbox']
  readonly exporter: Exporter
  readonly tokenWatch: TokenWatch
  readonly updates: Updates
  /** Stores an update that came by webhook; null if updates come by polling. */
  readonly onUpdate: UpdateInbox['accept'] | null
  readonly alerts: OperatorAlerts
  readonly handle: Handle
  /** Closes the operators' alert about an outage, because this process is stopping and cannot close it later. */
  leaveOutage(): Promise<void>
  /** Repeats people's requests that the provider could not answer: a round of `answering`. */
  answer(): Promise<void>
  /** Measures the free space on the disk, and alerts operators if the disk is nearly full. */
  measure(): Promise<void>
  /**
   * Alerts operators while the provider does not find any of the orders that it is asked about. Ends the alert when
   * the provider finds one.
   */
  tellOfLookUps(): Promise<void>
  /**
   * Sets the bot's name to the one that an operator chose, if an earlier attempt was postponed or not answered by
   * Telegram.
   */
  name(): Promise<void>
  /**
   * Connects to Telegram, retrying until it succeeds, then starts receiving updates and publishes the command menus.
   */
  connect(): void
  /**
   * Why Telegram cannot be used; null if it can. Polling for updates counts only `withPolling`; the connection
   * always does.
   */
  telegramTrouble(withPolling: boolean): string | null
}

interface FrontOptions {
  engine: Engine
  worker: Worker
  upkeep: Upkeep
  messaging: Messaging
  /** How many messages of people are accepted; null means no limit. */
  admission: AdmissionLimits | null
  signal: AbortSignal
}

/**
 * A person can look up twenty orders in a row, and then one every half minute. That is too slow to guess references.
 */
const lookUps: Bucket = { costMs: 30_000, burst: 20 }

/** Builds the chat side of the bot: the features, their guards, and the parts that bring updates to them. */
export const createFront = (foundation: Foundation, options: FrontOptions): Front => {
  const { config, log, keyring, database, store, freeSpace, now } = foundation
  const { engine, worker, messaging, signal } = options
  const { bot, senders, tasks } = messaging
  const { lease } = worker
  const floodGuard = floodGuardOf(foundation, messaging, options.admission)
  const { health, replies } = watchOutages(foundation, messaging, { lease, signal })
  const { outbox, menu, freshenBalance } = createDelivery(foundation, messaging, { worker, engine })
  const onNotice = () => worker.wake('send')
  const exporter = createExporter({
    store,
    wallets: engine.wallets,
    reconciler: engine.reconciler,
    now,
    log,
    onNotice,
    sender: senders.member,
  })
  const services = servicesOf(foundation, options, { exporter, freshenBalance, onNotice })
  addFeatures(bot, {
    services,
    senders,
    floodGuard,
    tasks,
    menu,
    memory: sessionStorage(database.client, now, currentSession),
    onFault: async (chatId, error) => {
      if (refusalIn(error)) await replies.stopped(chatId)
    },
  })
  const talkOn = (chatId: number, messageId: number | null) => {
    const pressed = { queryId: null, messageId, isPhoto: false }
    const talk = createTalk({ api: bot.api, sender: senders.member, tasks, chatId, pressed })
    talk.begin()
    return talk
  }
  let trouble: string | null = 'not connected yet'
  const alerts = createOperatorAlerts({
    store,
    onNotice,
    now,
    log,
    send: (id, text) => sendWithRetries(() => senders.notice.send(id, { text })),
    operatorIds: config.ownerIds,
  })
  const tokenWatch = tokenWatchOf(foundation, messaging, { alerts, isConnected: () => trouble === null })
  const handle = createHandle({ bot, floodGuard, health, replies, monotonicMs, log })
  const outages = { health, replies }
  const inbox =
    config.telegram.updates === 'webhook'
      ? createUpdateInbox({ store, keyring, handle, outages, lease, now, log })
      : null
  const updates = inbox ?? pollingOf(foundation, messaging, { handle, lease, tokenWatch, outages })
  const tellOfDisk = createDiskAlert({
    alerts,
    now,
    sender: senders.notice,
    operatorIds: config.ownerIds,
  })

  const namedBot = () => ({ api: bot.api, botId: bot.botInfo.id, facts: store.facts, now })

  const connect = async (): Promise<void> => {
    await connectToTelegram({ bot, config, keyring, log, signal }, (told) => {
      trouble = told
    })
    await tokenWatch.settled().catch((error: unknown) => {
      log.warn({ err: error }, 'how updates arrive could not be stored')
    })
    if (signal.aborted) return
    updates.start()
    await menu.publish()
    await publishProfile({
      ...namedBot(),
      onTrouble: (error) => log.warn({ err: error }, 'the bot’s profile could not be set'),
    })
  }

  return {
    health,
    outbox,
    exporter,
    tokenWatch,
    updates,
    alerts,
    handle,
    onUpdate: inbox?.accept ?? null,
    leaveOutage: replies.leave,
    tellOfLookUps: createLookUpAlert(alerts, engine.lookUps),
    answer: () => answerDue(services, talkOn),
    measure: async () => {
      if (await freeSpace.look())
        log.warn(
          { freeBytes: freeSpace.bytes() },
          freeSpace.isShort() ? 'the disk is short of space' : 'the disk has enough space again',
        )
      if (lease.isHeld()) await tellOfDisk(freeSpace)
    },
    name: async () => {
      if (trouble === null) await publishName(namedBot())
    },
    connect: () =>
      void connect().catch((error: unknown) =>
        log.warn({ err: error }, 'the command menu could not be published'),
      ),
    telegramTrouble: (withPolling) => trouble ?? (withPolling ? updates.trouble() : null),
  }
}

const floodGuardOf = (
  { config, store, rates, observations }: Foundation,
  { bot, pacer, senders, tasks }: Messaging,
  limits: AdmissionLimits | null,
): FloodGuard => {
  if (!limits) return admitAll
  const admission = createAdmission({
    belongs: async (userId) =>
      config.ownerIds.includes(userId) || (await store.accounts.member(userId)) !== null,
    waitingFor: tasks.waitingFor,
    strangersWaiting: pacer.strangersWaiting,
    now: monotonicMs,
    rates,
    limits,
  })
  return createFloodGuard({
    admission,
    api: bot.api,
    senders,
    tasks,
    rates: createRates(monotonicMs),
    onLeftOut: observations.onLeftOut,
  })
}

const servicesOf = (
  { config, log, keyring, store, security, freeSpace, rates, now }: Foundation,
  { engine, worker, upkeep, messaging }: FrontOptions,
  made: Pick<Services, 'exporter' | 'freshenBalance' | 'onNotice'>,
): Services => {
  const { membership, wallets, prices, purchases, lists, tracker, reconciler } = engine
  const { onNotice } = made
  const download = createDownload({
    api: messaging.bot.api,
    ...config.telegram,
    proxy: proxyFor(config.proxies, config.telegram.apiRoot),
    limitBytes: fileLimits.bytes,
  })
  return {
    store,
    keyring,
    security,
    now,
    log,
    membership,
    wallets,
    prices,
    purchases,
    lists,
    tracker,
    reconciler,
    ...made,
    agency: watchedAgency(createAgency({ store, keyring, now, onNotice }), security),
    enquiries: createEnquiries({ store, now, newId, onNotice }),
    complaints: createComplaints({ store, now, newId, onNotice }),
    askedOrders: createAskedOrders(),
    recentPeople: createRecentPeople(),
    readFile: createListFiles(download),
    access: config.access,
    ownerIds: config.ownerIds,
    mayLookUp: lookUpLimit(rates),
    isShortOfRoom: freeSpace.isShort,
    onForgotten: upkeep.noteErased,
    onQueued: () => worker.wake('place'),
  }
}

/** Counts one look-up against the limit of each asker, which is a person or a chat. @returns how long to wait, ms. */
const lookUpLimit =
  (rates: Rates) =>
  async (askerIds: readonly number[]): Promise<number> => {
    const askers = [...new Set(askerIds)]
    return Math.max(0, ...(await Promise.all(askers.map((id) => rates.tryTake(`look-ups ${id}`, lookUps)))))
  }

const tokenWatchOf = (
  { config, log, keyring, store, security }: Foundation,
  { bot, senders }: Messaging,
  { alerts, isConnected }: { alerts: OperatorAlerts; isConnected: () => boolean },
): TokenWatch =>
  createTokenWatch({
    api: bot.api,
    facts: store.facts,
    ownUrl: webhookOf(config),
    ownName: () => (isConnected() ? bot.botInfo.username : null),
    settleUpdates: () => settleUpdates(bot, config, keyring),
    tell: async (text) => {
      await Promise.all(config.ownerIds.map((id) => sendWithRetries(() => senders.notice.send(id, { text }))))
    },
    alerts,
    bearableMs,
    note: security.note,
    log,
  })

const pollingOf = (
  { log }: Foundation,
  { bot }: Messaging,
  {
    handle,
    lease,
    tokenWatch,
    outages: { health, replies },
  }: { handle: Handle; lease: Lease; tokenWatch: TokenWatch; outages: Outages },
): Updates =>
  createPolling({
    api: bot.api,
    handle,
    lease,
    log,
    now: monotonicMs,
    onAlone: tokenWatch.onAlone,
    onMisuse: (misuse) => (misuse === 'rival' ? tokenWatch.onRival() : tokenWatch.look()),
    inOutage: () => (health.outage() ? replies.answer : null),
  })
