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
  const toldMs = new Map<Misuse | 'not_back', number>()
  /** Operators know that the updates could not be taken back. */
  let isLost = false

  /** They are told also where it cannot be noted: the database may be away just then. @returns whether they were now. */
  const alarm = async (
    misuse: Misuse,
    text: string | null,
    kind: Misuse | 'not_back' = misuse,
  ): Promise<boolean> => {
    const lastMs = toldMs.get(kind)
    if (lastMs !== undefined && monotonicMs() - lastMs < tellEveryMs) return false
    toldMs.set(kind, monotonicMs())
    await note({ kind: 'token_misused', accountId: null, userId: null, detail: misuse }).catch(
      (error: unknown) => log.error({ misuse, err: error }, 'a misuse of the token could not be noted'),
    )
    if (text !== null) await tell(text)
    return true
  }

  /** The address that nobody here has settled; null where all is as it should be. */
  const strangeAddress = async (): Promise<string | null> => {
    const { url = '' } = await api.getWebhookInfo()
    const settled = (await facts.fact(factName)) ?? ownUrl
    return url === settled || url === ownUrl ? null : url
  }

  const tellBack = async (): Promise<void> => {
    if (!isLost) return
    isLost = false
    await tell(words.updatesBack)
  }

  const lookAtAddress = async (): Promise<void> => {
    if ((await strangeAddress()) === null) return tellBack()
    await sleep(lookTwiceMs)
    const url = await strangeAddress()
    if (url === null) return tellBack()
    const place = url === '' ? null : (URL.parse(url)?.host ?? words.unreadableAddress)
    log.error({ place }, words.logged)
    try {
      await settle()
    } catch (error) {
      if (await alarm('webhook', words.updatesTaken(place, false), 'not_back')) isLost = true
      throw error
    }
    if (isLost) await tellBack()
    else await alarm('webhook', words.updatesTaken(place, true))
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
    onRival: async () => void (await alarm('rival', words.rivalReads)),
  }
}
