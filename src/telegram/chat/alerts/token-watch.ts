import { type Api, GrammyError, HttpError } from 'grammy'
import type { Logger } from 'pino'
import type { SecurityEvent } from '../../../accounts/security-trail.ts'
import { wait } from '../../../base/wait.ts'
import type { AlertName } from '../../../domain/notice.ts'
import type { Queries } from '../../../store/store.ts'
import type { OperatorAlerts } from './operator-alerts.ts'
import * as words from './token-words.ts'

/**
 * Watches for signs that somebody else uses the bot's token: a webhook address that no process on this database has
 * set, another program that reads updates, and a changed username. The watch tells the operators, records the misuse in
 * the log and the security log, and takes back updates that were sent elsewhere.
 */
export interface TokenWatch {
  /** Records the address for updates that this process has set at Telegram. */
  settled(): Promise<void>
  /** Looks for misuse. One process on the database calls it each minute. */
  look(): Promise<void>
  /** Called when Telegram says that another program reads the updates. */
  onRival(): Promise<void>
  /** Called when no other program has read the updates for a while. */
  onAlone(): Promise<void>
}

/** How often at most the operators are told of one kind of misuse, however long it lasts. */
const tellEveryMs = 60 * 60_000
/** How long to wait before a second look, ms. Another process may be changing the address during the first one. */
const lookTwiceMs = 2_000
const factName = 'webhook'

type Misuse = 'webhook' | 'rival' | 'renamed' | 'refused'

/** Remembers in memory which misuse it has reported, so a restarted process may report it again within the hour. */
export const createTokenWatch = (options: {
  api: Pick<Api, 'getWebhookInfo' | 'getMe'>
  facts: Pick<Queries['facts'], 'read' | 'write'>
  /** The address for updates that this configuration asks for; empty if updates are polled. */
  ownUrl: string
  /** The bot's username as Telegram gave it at the start; null before that. */
  ownName: () => string | null
  /** Tells Telegram again where to send updates. */
  settleUpdates: () => Promise<void>
  /** Sends a text to every operator. */
  tell: (text: string) => Promise<void>
  alerts: Pick<OperatorAlerts, 'warn' | 'standing' | 'end'>
  /** How long the bot tolerates another program that reads the updates, ms. */
  bearableMs: number
  note: (event: SecurityEvent) => Promise<void>
  log: Logger
  monotonicMs?: () => number
  sleep?: (ms: number) => Promise<void>
}): TokenWatch => {
  const {
    api,
    facts,
    ownUrl,
    ownName,
    settleUpdates,
    tell,
    alerts,
    bearableMs,
    note,
    log,
    sleep = wait,
  } = options
  const monotonicMs = options.monotonicMs ?? (() => performance.now())
  const toldMs = new Map<Misuse | 'not_back', number>()
  /** Tells operators even if the misuse cannot be recorded, because the database may be down just then. */
  const alert = async (
    misuse: Misuse,
    say: () => Promise<void>,
    kind: Misuse | 'not_back' = misuse,
  ): Promise<void> => {
    const lastMs = toldMs.get(kind)
    if (lastMs !== undefined && monotonicMs() - lastMs < tellEveryMs) return
    toldMs.set(kind, monotonicMs())
    await note({ kind: 'token_misused', accountId: null, userId: null, detail: misuse }).catch(
      (error: unknown) => log.error({ misuse, err: error }, 'a misuse of the token could not be noted'),
    )
    await say()
  }

  const warn = (misuse: 'rival' | 'renamed', text: string): Promise<void> =>
    alert(misuse, () => alerts.warn(misuse, text))

  /** Closes the alerts of that name. @returns false if none was open. */
  const end = async (name: AlertName): Promise<boolean> => {
    if ((await alerts.standing(name)).length === 0) return false
    await alerts.end(name)
    return true
  }

  /** The current webhook address if no process on this database has set it; otherwise null. */
  const strangeAddress = async (): Promise<string | null> => {
    const { url = '' } = await api.getWebhookInfo()
    const settled = (await facts.read(factName)) ?? ownUrl
    return url === settled || url === ownUrl ? null : url
  }

  /**
   * Tells the operators that updates arrive here again, if they were told that the bot could not take them back.
   * @returns false if they were not told that.
   */
  const tellBack = async (): Promise<boolean> => {
    if (!(await end('updates'))) return false
    await tell(words.updatesBack)
    return true
  }

  const lookAtAddress = async (): Promise<void> => {
    if ((await strangeAddress()) === null) return void (await tellBack())
    await sleep(lookTwiceMs)
    const url = await strangeAddress()
    if (url === null) return void (await tellBack())
    const place = url === '' ? null : (URL.parse(url)?.host ?? words.unreadableAddress)
    log.error({ place }, words.logged)
    try {
      await settleUpdates()
    } catch (error) {
      await alert('webhook', () => alerts.warn('updates', words.updatesTaken(place, false)), 'not_back')
      throw error
    }
    if (!(await tellBack())) await alert('webhook', () => tell(words.updatesTaken(place, true)))
  }

  const lookAtName = async (): Promise<void> => {
    const before = ownName()
    const { username } = await api.getMe()
    if (before === null) return
    if (username === before) return void (await end('renamed'))
    log.warn({ before, username }, 'the bot has been renamed since it was started')
    await warn('renamed', words.renamed(before, username))
  }

  return {
    settled: () => facts.write(factName, ownUrl),
    look: async () => {
      if (ownName() === null) return
      try {
        await lookAtAddress()
        await lookAtName()
      } catch (error) {
        if (error instanceof HttpError) return
        if (!(error instanceof GrammyError)) throw error
        if (error.error_code !== 401) return
        log.error('TELEGRAM_BOT_TOKEN: Telegram no longer accepts this token. Start the bot with the new one')
        await alert('refused', async () => {})
      }
    },
    onRival: () => warn('rival', words.rivalReads(bearableMs)),
    onAlone: async () => void (await end('rival')),
  }
}
