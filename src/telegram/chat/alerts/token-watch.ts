import { type Api, GrammyError, HttpError } from 'grammy'
import type { Logger } from 'pino'
import type { SecurityEvent } from '../../../accounts/security-trail.ts'
import type { AlertName } from '../../../domain/notice.ts'
import type { Queries } from '../../../store/store.ts'
import { wait } from '../../../wait.ts'
import type { OperatorAlerts } from './operator-alerts.ts'
import * as words from './token-words.ts'

/**
 * Watches whether somebody else uses the bot's token, as far as Telegram shows it. The signs are an address for updates
 * that no process on this database has settled, another program that reads updates, and another name. Operators are
 * told, the log and the security events record it, and updates that were sent elsewhere are taken back.
 */
export interface TokenWatch {
  /** Called when this process has settled how updates arrive. */
  settled(): Promise<void>
  /** To be called each minute, by one process of those on a database. */
  look(): Promise<void>
  /** Called when Telegram says that another program reads the updates. */
  onRival(): Promise<void>
  /** Called when no other program has read the updates for a while. */
  onAlone(): Promise<void>
}

/** Operators are told of one kind so often at most, however long it goes on. */
const tellEveryMs = 60 * 60_000
/** Another process may be settling the address at this moment, so the address is looked at twice. */
const lookTwiceMs = 2_000
const factName = 'webhook'

type Misuse = 'webhook' | 'rival' | 'renamed' | 'refused'

/** Operators are told of each kind of misuse once an hour at most, as this process remembers it. */
export const createTokenWatch = (options: {
  api: Pick<Api, 'getWebhookInfo' | 'getMe'>
  facts: Pick<Queries['chats'], 'fact' | 'setFact'>
  /** The address to which updates are to be sent; empty while they are polled for. */
  ownUrl: string
  /** The name that Telegram told at the start; null before. */
  ownName: () => string | null
  /** Settles again how updates arrive. */
  settleUpdates: () => Promise<void>
  /** Sends a text to every operator. */
  tell: (text: string) => Promise<void>
  alerts: Pick<OperatorAlerts, 'warn' | 'standing' | 'end'>
  /** How long another program that reads the updates is tolerated, ms. */
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
  /**
   * Tells operators even if the misuse cannot be noted: the database may be away just then.
   */
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

  /** @returns whether the alert stood until now. */
  const end = async (name: AlertName): Promise<boolean> => {
    if ((await alerts.standing(name)).length === 0) return false
    await alerts.end(name)
    return true
  }

  /** The address if nobody here has settled it; null if all is as it should be. */
  const strangeAddress = async (): Promise<string | null> => {
    const { url = '' } = await api.getWebhookInfo()
    const settled = (await facts.fact(factName)) ?? ownUrl
    return url === settled || url === ownUrl ? null : url
  }

  /**
   * Tells the operators that the updates are back, if they were told that these could not be taken back.
   * @returns whether anybody was.
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
    log.warn({ before, username }, 'the bot has another name since it was started')
    await warn('renamed', words.renamed(before, username))
  }

  return {
    settled: () => facts.setFact(factName, ownUrl),
    look: async () => {
      if (ownName() === null) return
      try {
        await lookAtAddress()
        await lookAtName()
      } catch (error) {
        if (error instanceof HttpError) return
        if (!(error instanceof GrammyError)) throw error
        if (error.error_code !== 401) return
        log.error('TELEGRAM_BOT_TOKEN: Telegram knows this token no more. Start the bot with the new one')
        await alert('refused', async () => {})
      }
    },
    onRival: () => warn('rival', words.rivalReads(bearableMs)),
    onAlone: async () => void (await end('rival')),
  }
}
