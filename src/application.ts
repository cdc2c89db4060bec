import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createAgency } from './accounts/agency.ts'
import { freshenBalance, readBalanceQuietly } from './accounts/balance-reading.ts'
import { longestWindowMs } from './accounts/budget.ts'
import { checkKeys } from './accounts/key-check.ts'
import { createKeyring } from './accounts/keyring.ts'
import { createMembership } from './accounts/membership.ts'
import { createSecurityJournal } from './accounts/security-journal.ts'
import { createWallets } from './accounts/wallets.ts'
import { watchedAgency } from './accounts/watched-agency.ts'
import { chronicled } from './chronicle/chronicle.ts'
import type { ChronicleEvent } from './chronicle/event.ts'
import { lineOf } from './chronicle/line.ts'
import { securityOf } from './chronicle/security.ts'
import { createClock } from './clock.ts'
import { type Config, secretsOf } from './config.ts'
import { crashPoint } from './crash-point.ts'
import { reportCrashes } from './crash-report.ts'
import { removeLeftovers } from './exports/scratch.ts'
import { observeRequests } from './http/handled-requests.ts'
import { createMetricsServer, hasMetricsOnPort } from './http/metrics.ts'
import { createHttpServer } from './http/server.ts'
import { fileLimits } from './lists/files/limits.ts'
import { readList } from './lists/list.ts'
import { createLog } from './log.ts'
import { createLoop, type Loop } from './loop.ts'
import { buildInfo } from './metrics/build-info.ts'
import { readGauges, standing, withoutDatabase } from './metrics/gauges.ts'
import { createMetrics } from './metrics/metrics.ts'
import { createObservations } from './metrics/observations.ts'
import { createAuditor } from './orders/audit.ts'
import { createEnquiries } from './orders/enquiries.ts'
import { createLists } from './orders/lists.ts'
import { createPlacer } from './orders/placer.ts'
import { createPrices } from './orders/prices.ts'
import { createPurchases } from './orders/purchases.ts'
import { takeOver } from './orders/restoring.ts'
import { reduceOld, retainedSince } from './orders/retention.ts'
import { createSettler } from './orders/settler.ts'
import { createTracker } from './orders/tracker.ts'
import { createConnections } from './provider/index.ts'
import { type AdmissionLimits, createAdmission, floodLimits } from './relay/admission.ts'
import { createCallbackLimit } from './relay/callback-limit.ts'
import { createChatTurns } from './relay/chat-turns.ts'
import { bootId, createClockWatch, machineMonotonicMs } from './relay/clock-watch.ts'
import { createInbox } from './relay/inbox.ts'
import { createLease, processHasEnded, processToken } from './relay/lease.ts'
import { changesMembership } from './relay/notice.ts'
import { createOutbox } from './relay/outbox.ts'
import { createPacer, type PacerLimits, paceOf, sharedLimits, telegramLimits } from './relay/pacer.ts'
import { type Bucket, type Rates, ratesAlone, ratesWithFallback } from './relay/rates.ts'
import { oweSummaries } from './settings/daily-summary.ts'
import { eraseForgotten } from './settings/forgetting.ts'
import { tellOrdersAgain } from './settings/orders-again.ts'
import { operatorsWords } from './start-refusal.ts'
import { sessionStorage } from './store/chats.ts'
import { type Database, openDatabase } from './store/database.ts'
import { createFreeSpace, freeBytesOf, type ReadFreeBytes } from './store/free-space.ts'
import { createDatabaseHealth, type DatabaseHealth } from './store/health.ts'
import { newId } from './store/id.ts'
import { refusalIn } from './store/outage.ts'
import type { Topic } from './store/signals.ts'
import { createStore, type Store } from './store/store.ts'
import { addFeatures, createBot } from './telegram/bot.ts'
import { createCommandMenu } from './telegram/command-menu.ts'
import { connectToTelegram, settleUpdates, webhookOf } from './telegram/connection.ts'
import { createDiskAlarm } from './telegram/disk-alarm.ts'
import { createDownload } from './telegram/download.ts'
import { createExporter } from './telegram/exporter.ts'
import { createFloodGuard, openToAll } from './telegram/flood-guard.ts'
import { createHandle, hasOrderedNothing, noteOrdered } from './telegram/handling.ts'
import { createListFiles } from './telegram/list-file.ts'
import { createDeliver } from './telegram/notices.ts'
import {
  hasOrderedNothing as hasPressOrderedNothing,
  wouldOrder as wouldPressOrder,
} from './telegram/ordering-press.ts'
import { createOutageReplies } from './telegram/outage-replies.ts'
import { createSender, persistently } from './telegram/sender.ts'
import { createTasks } from './telegram/tasks.ts'
import { clockSetBack } from './telegram/texts/clock.ts'
import { freeInWords } from './telegram/texts/disk.ts'
import { causeInWords } from './telegram/texts/outage.ts'
import { createTokenWatch } from './telegram/token-watch.ts'
import { createPolling } from './telegram/updates.ts'

/** How long a POST may go on after SIGTERM before it is broken off and committed `unconfirmed`. */
const graceMs = 7_000
/** How long a start may go on after SIGTERM. */
const startGraceMs = 2_000
/** How long each of the other steps of the stop may take. */
const replyGraceMs = 500
/** How long it may take to handle the updates that were taken, and to confirm them: others would do them again. */
const updatesGraceMs = 2_000
/** Twenty at once, and one more every half minute: more than a person looks up, and too few to try references out. */
const lookUps: Bucket = { costMs: 30_000, burst: 20 }
/** Connections that wait to be accepted: one too many is tried again by its sender, but only after a second. */
const mostUnaccepted = 4_096
/** How often it is looked how much room the disk has: what comes in meanwhile is less than its floor. */
const measureEveryMs = 2_000
/** Callbacks that come one after the other are applied some at a time: at 500 a second a third of the work. */
const callbackRestMs = 15

/** Builds the bot, starts it, and stops it in order when the process is asked to end. */
export const run = async (config: Config, options?: StartOptions): Promise<void> => {
  const log = createLog(config.logLevel, secretsOf(config))
  const crash = reportCrashes(log)
  try {
    const starting = start(config, log, options)
    stopOnSignals(starting, log)
    await starting
  } catch (error) {
    const words = operatorsWords(error, config)
    if (words === null) crash(error)
    process.stderr.write(`${words}\n`)
    // What was opened before it failed, such as connections to the database, would keep the process alive.
    process.exit(1)
  }
}

export interface Application {
  stop(): Promise<void>
  /** Resolves when it cannot go on: it is to be stopped, and its exit code is 1. */
  readonly givenUp: Promise<void>
}

export interface StartOptions {
  /** How fast messages may go: for a Telegram with other limits than the real one. */
  pace?: PacerLimits
  /** How much is taken in of what people send; null: all of it. */
  admission?: AdmissionLimits | null
  /** What is free for the database. */
  freeBytes?: ReadFreeBytes
  /** This machine's clock, ms since 1970. */
  wallMs?: () => number
}

const monotonicMs = () => performance.now()

export const start = async (
  config: Config,
  log: Logger,
  {
    pace = telegramLimits,
    admission = floodLimits,
    freeBytes = freeBytesOf(config.databaseUrl),
    wallMs = Date.now,
  }: StartOptions = {},
): Promise<Application> => {
  const keyring = createKeyring(config.credentialsKeys)
  const observations = createObservations()
  /** Once there is a store to write to, which there is before anything is asked of it. */
  let watched: DatabaseHealth | null = null
  const database = await openDatabase(config.databaseUrl, {
    observer: { ...observations, onFailure: (error) => watched?.note(error) },
    onTrouble: (error) => log.warn({ err: error }, 'a connection to the database broke'),
  })
  const onEvent = (event: ChronicleEvent, isKept: boolean): void => {
    observations.onEvent(event)
    if (event.kind === 'erased') noteErased()
    if (event.kind === 'placement' && event.from === null) noteOrdered()
    const kept = securityOf(event)
    if (kept && isKept) security.say(kept)
    else if (kept) void security.note(kept)
    const { fields, words } = lineOf(event)
    log.info(fields, words)
  }
  const store = chronicled(createStore(withClock(database, wallMs)), onEvent, async (tx, events) => {
    for (const event of events) {
      const kept = securityOf(event)
      if (kept) await security.noteIn(tx, kept)
    }
  })
  const security = createSecurityJournal({ store, keyring, now: () => now(), log })
  const unreadable = await checkKeys(store.credentials, keyring)
  if (unreadable > 0)
    log.error({ accounts: unreadable }, 'no key in CREDENTIALS_KEY opens some of the accounts')
  const clock = createClock(database.shared && database.clock, wallMs)
  await clock.measure()
  const { now } = clock
  if (database.migrated.length > 0) log.info({ migrations: database.migrated }, 'the database was migrated')

  crashPoint('migrated')

  const restored = await takeOver(store, now())
  if (restored) log.warn(restored, 'started on a restored copy: nothing that it holds is sent')

  const connections = createConnections()
  const wallets = createWallets({
    store,
    keyring,
    connections,
    baseUrl: config.provider.baseUrl,
    now,
    onCall: observations.onProviderCall,
    onNotice: () => onNotice(),
    onAccepted: () => wake('placing'),
  })
  const prices = createPrices(wallets, () => now().getTime())
  const lease = createLease({
    store,
    name: 'telegram',
    token: processToken(newId()),
    hasEnded: processHasEnded,
    now: () => new Date(wallMs()),
    monotonicMs,
    onTaken: () => takeUp(),
    log,
  })
  const clockWatch = createClockWatch({
    store,
    now,
    monotonicMs: machineMonotonicMs,
    boot: bootId(),
    mayAct: lease.isHeld,
    onSetBack: (byMs) => {
      for (const each of Object.values(loops)) each.wake()
      for (const operator of config.ownerIds)
        tasks.aside(async () => void (await sender.send(operator, { text: clockSetBack(byMs) })))
    },
    log,
  })
  const ended = new AbortController()
  const freeSpace = createFreeSpace(freeBytes)
  await freeSpace.look()
  const { isShort: isShortOfRoom } = freeSpace
  /** Something was erased that is still to be readable nowhere in the files. */
  let isErased = false
  const noteErased = () => {
    isErased = true
    wake('erasing')
  }
  const loops: Record<
    | 'leasing'
    | 'measuring'
    | 'recovering'
    | 'placing'
    | 'applying'
    | 'polling'
    | 'settling'
    | 'auditing'
    | 'sending'
    | 'verifying'
    | 'expiring'
    | 'tidying'
    | 'forgetting'
    | 'summaries'
    | 'erasing'
    | 'reducing'
    | 'watching',
    Loop
  > = {
    leasing: loop('leasing', 1_000, async () => {
      await lease.round()
      await clock.measure()
      await clockWatch.round()
    }),
    measuring: loop('measuring', measureEveryMs, async () => {
      if (await freeSpace.look())
        log.warn({ freeBytes: freeSpace.bytes(), short: freeSpace.isShort() }, 'the room on the disk')
      if (lease.isHeld()) await tellOfDisk(freeSpace)
    }),
    recovering: loop('recovering', 500, () => databaseHealth.round()),
    placing: leaders('placing', 1_000, () => placer.round()),
    applying: leaders('applying', 1_000, () => tracker.applyCallbacks(), callbackRestMs),
    polling: leaders('polling', 1_000, () => tracker.poll()),
    settling: leaders('settling', 1_000, () => settler.round()),
    auditing: leaders('auditing', 5_000, () => auditor.round()),
    sending: leaders('sending', 1_000, () => outbox.round()),
    verifying: leaders('verifying', 1_000, () => wallets.verifyDue()),
    expiring: leaders('expiring', 15_000, async () => {
      await purchases.expireDrafts()
      if ((await tellOrdersAgain(store, now)) > 0) onNotice()
    }),
    tidying: leaders('tidying', 15_000, () => membership.tidy()),
    summaries: leaders('summaries', 15_000, async () => {
      if ((await oweSummaries(store, now)) > 0) onNotice()
    }),
    erasing: leaders('erasing', 10_000, async () => {
      const wasErased = isErased
      isErased = false
      if ((await eraseForgotten(store, now)) || wasErased) await database.scrub()
    }),
    reducing: leaders('reducing', 60 * 60_000, async () => {
      await store.security.forgetBefore(retainedSince(now(), config.retentionDays))
      await reduceOld({
        store,
        retentionDays: config.retentionDays,
        now,
        giveWay: () => inbox.quiet(),
        signal: ended.signal,
      })
      await database.scrub()
    }),
    watching: leaders('watching', 60_000, () => tokenWatch.look()),
    forgetting: leaders('forgetting', 60_000, async () => {
      await store.requests.forgetBefore(new Date(now().getTime() - longestWindowMs))
      await database.shared?.rates.forget()
    }),
  }
  /** What one process does for all of those on the database. */
  function leaders(name: string, everyMs: number, work: () => Promise<void>, restMs?: number): Loop {
    return loop(name, everyMs, async () => (lease.isHeld() ? work() : undefined), restMs)
  }
  function loop(name: string, everyMs: number, work: () => Promise<void>, restMs?: number): Loop {
    return createLoop({
      work,
      everyMs,
      ...(restMs !== undefined && { restMs }),
      onError: (error) => log.error({ err: error, loop: name }, 'a round failed'),
    })
  }

  /** There is something to do at once: here, or in the process whose work it is. */
  const wake = (topic: Topic): void => {
    if (lease.isHeld()) loops[topic].wake()
    else database.signals.send(topic)
  }
  const onNotice = () => wake('sending')
  const { publicUrl } = config
  const onEnded = () => wake('placing')
  const onPlaced = () => wake('applying')
  const common = { store, wallets, now, log, onNotice, onEnded, onPlaced }
  const placer = createPlacer({
    ...common,
    prices,
    callbackUrl: (orderId) => publicUrl && `${publicUrl}/webhooks/${keyring.sign('webhook', orderId)}`,
    monotonicMs,
    newId,
  })
  const tracker = createTracker({
    ...common,
    onPollDue: () => wake('polling'),
    giveWay: () => inbox.quiet(),
  })
  const settler = createSettler(common)
  const auditor = createAuditor({ ...common, check: (accountId) => settler.check(accountId, 'settling') })
  const rates = ratesOf(database)
  const membership = createMembership({
    store,
    keyring,
    wallets,
    now,
    newId,
    limits: rates,
    onNotice,
    onWrong: (userId, accountId) => security.note({ kind: 'wrong_credentials', accountId, userId }),
  })
  const purchases = createPurchases({ store, now, newId, isShortOfRoom, onQueued: onEnded, onNotice })

  const lists = createLists({
    store,
    prices,
    wallets,
    read: readList,
    now,
    newId,
    isShortOfRoom,
    onQueued: onEnded,
    onNotice,
  })

  const bot = createBot(config.telegram.token, config.telegram.apiRoot, observations.onTelegramCall)
  const outageReplies = createOutageReplies({
    api: bot.api,
    // Of several processes on a database each sees it; one speaks.
    operatorIds: () => (lease.isLast() ? config.ownerIds : []),
    orderedNothing: (data) => hasPressOrderedNothing(store, data),
    monotonicMs,
    onHeld: (update) => floodGuard.keep(update),
    onError: (error) => log.warn({ err: error }, 'an outage could not be told'),
  })
  const databaseHealth = createDatabaseHealth({
    write: () => store.transaction((tx) => tx.chats.setFact('written', now().toISOString())),
    monotonicMs,
    onBegin: (outage, error) => {
      if (ended.signal.aborted) return
      log.error({ cause: causeInWords(outage.cause), err: error }, 'the database takes no changes')
      outageReplies.begin(outage)
    },
    onEnd: (outage) => {
      if (ended.signal.aborted) return
      const seconds = Math.round((monotonicMs() - outage.sinceMs) / 1000)
      log.warn({ seconds }, 'the database takes changes again')
      outageReplies.end(outage)
    },
  })
  watched = databaseHealth
  const pacer = createPacer(database.shared ? sharedLimits(pace) : pace, monotonicMs, undefined, rates)
  const sender = createSender(bot.api, pacer, monotonicMs)
  const tasks = createTasks((error) => log.error({ err: error }, 'a task failed'))
  const tellOfDisk = createDiskAlarm({ facts: store.chats, sender, operatorIds: config.ownerIds })
  const tokenWatch = createTokenWatch({
    api: bot.api,
    facts: store.chats,
    ownUrl: webhookOf(config),
    ownName: () => (telegramTrouble === null ? bot.botInfo.username : null),
    settle: () => settleUpdates(bot, config, keyring),
    tell: async (text) => {
      await Promise.all(config.ownerIds.map((id) => persistently(() => sender.send(id, { text }))))
    },
    note: security.note,
    log,
  })
  const exporter = createExporter({ store, wallets, sender, now, log, onNotice })
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
  const cardBalance = (accountId: string, neededPesewas: number) =>
    freshenBalance({ store, wallets, now }, accountId, neededPesewas)
  const deliver = createDeliver(
    store,
    lists,
    createSender(bot.api, paceOf(pacer, 'notice'), monotonicMs),
    now,
    (accountId) => readBalanceQuietly({ store, wallets, now }, accountId),
    cardBalance,
  )
  const outbox = createOutbox({
    store,
    deliver: async (notice) => {
      const delivery = await deliver(notice)
      if (changesMembership(notice.content)) tasks.aside(() => menu.greet(notice.chatId))
      return delivery
    },
    mayDeliver: lease.isHeld,
    monotonicMs,
    chatWaitMs: pacer.chatWaitMs,
    redrawMs: pace.redrawMs,
    now,
    log,
    again: onNotice,
  })
  const senders = { member: sender, stranger: createSender(bot.api, paceOf(pacer, 'stranger'), monotonicMs) }
  const floodGuard = admission
    ? createFloodGuard({
        admission: createAdmission({
          belongs: async (userId) =>
            config.ownerIds.includes(userId) || (await store.accounts.member(userId)) !== null,
          waitingFor: tasks.waitingFor,
          strangersWaiting: pacer.strangersWaiting,
          rates,
          now: () => performance.now(),
          limits: admission,
        }),
        api: bot.api,
        senders,
        tasks,
        rates: ratesAlone(monotonicMs),
        onLeftOut: observations.onLeftOut,
      })
    : openToAll
  addFeatures(bot, {
    services: {
      store,
      keyring,
      membership,
      agency: watchedAgency(createAgency({ store, keyring, now, onNotice }), security),
      security,
      wallets,
      prices,
      freshenBalance: cardBalance,
      purchases,
      lists,
      enquiries: createEnquiries({ store, now, newId, onNotice }),
      readFile: createListFiles(
        createDownload({ api: bot.api, ...config.telegram, limitBytes: fileLimits.bytes }),
      ),
      exporter,
      tracker,
      settler,
      access: config.access,
      ownerIds: config.ownerIds,
      mayLookUp: lookUpLimit(rates),
      isShortOfRoom,
      onForgotten: noteErased,
      onNotice,
      now,
      log,
    },
    senders,
    floodGuard,
    tasks,
    menu,
    memory: sessionStorage(database.client, now),
    onFault: async (chatId, error) => {
      if (refusalIn(error)?.isCertain && hasOrderedNothing()) await outageReplies.stopped(chatId)
    },
  })

  tasks.aside(() => removeLeftovers())
  /** It is this process's work from now on, with what another one left in the middle. */
  const takeUp = () => {
    for (const each of Object.values(loops)) each.wake()
    tasks.aside(() => membership.resume())
    tasks.aside(() => lists.resume())
  }
  const handle = createHandle({
    bot,
    floodGuard,
    inChatTurn: createChatTurns(database.shared?.locks ?? null, newId),
    health: databaseHealth,
    replies: outageReplies,
    monotonicMs,
    log,
  })
  const polling = createPolling({
    ...{ api: bot.api, handle, lease, log, now: monotonicMs },
    onMisuse: (misuse) => (misuse === 'rival' ? tokenWatch.onRival() : tokenWatch.look()),
    declines: async ({ callback_query: query }) => {
      if (!query || !(await wouldPressOrder(store, query.data ?? ''))) return false
      await outageReplies.declined(query.message?.chat.id ?? query.from.id)
      return true
    },
    inOutage: () => (databaseHealth.outage() ? (update) => outageReplies.answer(update, true) : null),
  })
  let telegramTrouble: string | null = 'not connected yet'
  const byWebhook = config.telegram.updates === 'webhook'
  const inbox = createInbox(
    (events) => store.events.insert(events),
    () => wake('applying'),
  )
  const health = {
    notReady: async () =>
      (await isReachable(store)) && (await databaseHealth.look()) === null ? [] : ['database'],
    databaseTrouble: () => {
      const outage = databaseHealth.outage()
      return outage && causeInWords(outage.cause)
    },
    diskTrouble: () => (isShortOfRoom() ? freeInWords(freeSpace.bytes() ?? 0) : null),
    telegramTrouble: () => telegramTrouble ?? (byWebhook ? null : polling.trouble()),
  }
  const build = buildInfo(database.kind)
  const metrics = {
    token: config.metricsToken,
    read: createMetrics({
      counted: observations.families,
      standing: () => [
        build,
        ...standing({
          // Whoever stands by has no trouble with Telegram: an alert would never end.
          telegramTrouble: () => (byWebhook || lease.isHeld() ? health.telegramTrouble() : telegramTrouble),
          leases: { telegram: lease.isHeld },
          connections: database.connections,
          freeSpace,
        }),
      ],
      read: () => readGauges({ ...health, store, now }),
      withoutDatabase,
    }),
  }
  const server = createHttpServer({
    keyring,
    inbox,
    callbackLimit: createCallbackLimit(store.events.countCallbacks),
    onUpdate: byWebhook ? handle : null,
    ...health,
    metrics: hasMetricsOnPort(config) ? metrics : null,
    now,
    log,
  })
  observeRequests(server, observations.onRequest)
  const metricsServer = config.metricsPort === null ? null : createMetricsServer(metrics)
  await metricsServer?.listen({ host: '127.0.0.1', port: config.metricsPort ?? 0 })
  await server.listen({ host: config.host, port: config.port, backlog: mostUnaccepted })
  log.info({ address: server.listeningOrigin, updates: config.telegram.updates }, 'listening')
  for (const each of Object.values(loops)) each.start()
  await lease.check()
  // A lease that was given back is there for whoever looks first.
  database.signals.onSignal((topic) => (topic === 'leasing' ? void lease.check() : loops[topic].wake()))

  const connected = connectToTelegram({ bot, config, keyring, log, signal: ended.signal }, (trouble) => {
    telegramTrouble = trouble
  }).then(async () => {
    await tokenWatch.settled().catch((error: unknown) => {
      log.warn({ err: error }, 'how updates arrive could not be noted')
    })
    if (!byWebhook && !ended.signal.aborted) polling.start()
    if (!ended.signal.aborted) return menu.publish()
  })
  connected.catch((error: unknown) => log.warn({ err: error }, 'the command menu could not be published'))

  return {
    givenUp: polling.givenUp,
    stop: async () => {
      ended.abort()
      const { sending, leasing, ...others } = loops
      const rounds = Object.values(others).map((each) => each.stop())
      await Promise.all([
        within(updatesGraceMs, polling.stop()),
        server.close(),
        metricsServer?.close(),
        placer.stop(graceMs),
        within(graceMs, Promise.all(rounds)),
      ])
      await within(replyGraceMs, exporter.stop())
      await tasks.settled(replyGraceMs)
      await within(replyGraceMs, outbox.round().then(outbox.settled))
      await within(replyGraceMs, sending.stop())
      await within(replyGraceMs, leasing.stop().then(lease.release))
      database.signals.send('leasing')
      await within(replyGraceMs, connections.close())
      await database.close()
    },
  }
}

const within = async (limitMs: number, work: Promise<unknown>): Promise<void> => {
  const late = new AbortController()
  await Promise.race([work, wait(limitMs, undefined, { signal: late.signal })]).catch(() => {})
  late.abort()
}

/** Of each that asks: a person asks as one, in however many groups. @returns how long to wait, ms. */
const lookUpLimit =
  (rates: Rates) =>
  async (askerIds: readonly number[]): Promise<number> => {
    const askers = [...new Set(askerIds)]
    return Math.max(0, ...(await Promise.all(askers.map((id) => rates.tryTake(`look-ups ${id}`, lookUps)))))
  }

/** Kept with the other processes on the database, where there may be some. */
const ratesOf = ({ shared }: Database): Rates =>
  shared ? ratesWithFallback(shared.rates, ratesAlone(monotonicMs)) : ratesAlone(monotonicMs)

/** An embedded database has no clock of its own. */
const withClock = (database: Database, wallMs: () => number): Database =>
  database.shared ? database : { ...database, clock: async () => new Date(wallMs()) }

const isReachable = async (store: Store): Promise<boolean> => {
  try {
    await store.chats.fact('written')
    return true
  } catch {
    return false
  }
}

/** From the beginning of the start on: a signal that comes during it waits for its end, or breaks it off. */
const stopOnSignals = (starting: Promise<Application>, log: Logger): void => {
  let stopping = false
  const stop = async (why: { signal: string } | { givenUp: true }, exitCode: 0 | 1) => {
    if (stopping) return
    stopping = true
    log.info(why, 'stopping')
    try {
      const application = await Promise.race([starting, wait(startGraceMs, null)])
      await application?.stop()
      log.info('stopped')
      process.exit(exitCode)
    } catch (error) {
      log.error({ err: error }, 'the stop was not clean')
      process.exit(1)
    }
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop({ signal }, 0))
  starting.then(({ givenUp }) => givenUp.then(() => stop({ givenUp: true }, 1))).catch(() => {})
}
