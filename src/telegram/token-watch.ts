import { setTimeout as wait } from 'node:timers/promises'
import { type Api, GrammyError, HttpError } from 'grammy'
import type { Logger } from 'pino'
import type { SecurityEvent } from '../accounts/security-journal.ts'
import type { Queries } from '../store/store.ts'
import * as words from './texts/token.ts'

/**
 * Looks whether somebody else uses the bot's token, as far as Telegram shows it: updates that go to an address which no
 * process on this database has settled, another program that reads them, another name. Operators are told, the log and
 * the security events say it, and updates that were sent elsewhere are taken back.
 */
export interface TokenWatch {
  /** This process has settled how updates arrive. */
  settled(): Promise<void>
  /** To be called each minute, by one process of those on a database. */
  look(): Promise<void>
  /** Telegram says that another program reads the updates. */
  onRival(): Promise<void>
}

/** Of one kind operators are told so often at most, however long it goes on. */
const tellEveryMs = 60 * 60_000
/** Another process may have settled it at this moment: it is looked at twice. */
const lookTwiceMs = 2_000
const factName = 'webhook'

type Misuse = 'webhook' | 'rival' | 'renamed' | 'refused'

export const createTokenWatch = (options: {
  api: Pick<Api, 'getWebhookInfo' | 'getMe'>
  facts: Pick<Queries['chats'], 'fact' | 'setFact'>
  /** Where updates are to be sent; empty while they are read. */
  ownUrl: string
  /** The name that Telegram told at the start; null before. */
  ownName: () => string | null
  /** Settles again how updates arrive. */
  settle: () => Promise<void>
  /** Sends a text to every operator. */
  tell: (text: string) => Promise<void>
  note: (event: SecurityEvent) => Promise<void>
  log: Logger
  monotonicMs?: () => number
  sleep?: (ms: number) => Promise<void>
}): TokenWatch => {
  const { api, facts, ownUrl, ownName, settle, tell, note, log, sleep = wait } = options
  const monotonicMs = options.monotonicMs ?? (() => performance.now())
  const toldMs = new Map<Misuse, number>()

  const alarm = async (misuse: Misuse, text: string | null): Promise<void> => {
    const lastMs = toldMs.get(misuse)
    if (lastMs !== undefined && monotonicMs() - lastMs < tellEveryMs) return
    toldMs.set(misuse, monotonicMs())
    await note({ kind: 'token_misused', accountId: null, userId: null, detail: misuse })
    if (text !== null) await tell(text)
  }

  /** The address that nobody here has settled; null where all is as it should be. */
  const strangeAddress = async (): Promise<string | null> => {
    const { url = '' } = await api.getWebhookInfo()
    const settled = (await facts.fact(factName)) ?? ownUrl
    return url === settled || url === ownUrl ? null : url
  }

  const lookAtAddress = async (): Promise<void> => {
    if ((await strangeAddress()) === null) return
    await sleep(lookTwiceMs)
    const url = await strangeAddress()
    if (url === null) return
    const place = url === '' ? null : (URL.parse(url)?.host ?? 'an address that cannot be read')
    log.error(
      { place },
      'TELEGRAM_BOT_TOKEN: somebody else has changed where this bot’s updates are sent. Make a new token with @BotFather (/revoke)',
    )
    await settle()
    await alarm('webhook', words.updatesTaken(place))
  }

  const lookAtName = async (): Promise<void> => {
    const before = ownName()
    const { username } = await api.getMe()
    if (before === null || username === before) return
    log.warn({ before, username }, 'the bot has another name since it was started')
    await alarm('renamed', words.renamed(before, username))
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
        await alarm('refused', null)
      }
    },
    onRival: () => alarm('rival', words.rivalReads),
  }
}
