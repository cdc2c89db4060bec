import { z } from 'zod'
import { commandLine } from '../base/installation.ts'
import type { Config } from '../start/config.ts'
import { proxyFor } from '../start/proxies.ts'
import { type Finding, fail, ok, warn } from './finding.ts'
import { jsonIn, ms, type Reached, reach, unreachedWords } from './reach.ts'

export interface TelegramAnswers {
  me: Reached
  webhook: Reached
}

/**
 * Asks who the bot is and how it gets its updates. Does not fetch updates, because that would disturb the polling of
 * a running bot.
 */
export const askTelegram = async ({
  telegram: { token, apiRoot },
  proxies,
}: Pick<Config, 'telegram' | 'proxies'>): Promise<TelegramAnswers> => {
  const proxy = proxyFor(proxies, apiRoot)
  const [me, webhook] = await Promise.all(
    ['getMe', 'getWebhookInfo'].map((method) => reach(`${apiRoot}/bot${token}/${method}`, { proxy })),
  )
  return { me, webhook } as TelegramAnswers
}

const what = 'Telegram'
/** If Telegram takes longer than this to answer, people notice a delay with every press. */
const slowMs = 2_000
const manyUpdates = 100
/** Older errors of the webhook are ignored. */
const recentMs = 60 * 60_000

const me = z.object({ ok: z.literal(true), result: z.object({ username: z.string() }) })
const info = z.object({
  ok: z.literal(true),
  result: z.object({
    url: z.string(),
    pending_update_count: z.number(),
    last_error_date: z.number().optional(),
    last_error_message: z.string().optional(),
  }),
})

/**
 * Reports on the token and on how updates arrive.
 * @param isRunning whether our bot runs on this machine. If so, the webhook should be the one that the bot has set.
 */
export const examineTelegram = (
  { telegram, publicUrl }: Pick<Config, 'telegram' | 'publicUrl'>,
  answers: TelegramAnswers,
  isRunning: boolean,
): Finding[] => {
  const token = examineToken(telegram, answers.me)
  if (token.grade === 'fail') return [token]
  return [token, ...examineUpdates(telegram.updates, publicUrl, answers.webhook, isRunning)]
}

const examineToken = ({ apiRoot }: Config['telegram'], reached: Reached): Finding => {
  const host = URL.parse(apiRoot)?.host ?? ''
  if (reached.kind === 'unreached') {
    return fail(
      what,
      `${host} ${unreachedWords(reached)}`,
      'Check this machine’s connection, DNS and firewall, and TELEGRAM_API_ROOT if it is set',
    )
  }
  const parsed = me.safeParse(jsonIn(reached))
  if (parsed.success) {
    const name = `the token belongs to @${parsed.data.result.username}, answered in ${ms(reached.tookMs)}`
    return reached.tookMs > slowMs
      ? warn(what, name, 'Every press waits that long: check this machine’s connection')
      : ok(what, name)
  }
  if (reached.status === 401 || (reached.status === 404 && jsonIn(reached) !== null)) {
    return fail(
      what,
      `the token is refused (${reached.status})`,
      'Copy the token from @BotFather (/mybots → API Token) into TELEGRAM_BOT_TOKEN. A revoked token no longer works',
    )
  }
  return fail(
    what,
    `${host} does not answer like the Bot API (${reached.status})`,
    'Leave TELEGRAM_API_ROOT out, or set it to your Bot API server. A proxy in between may be answering instead',
  )
}

const examineUpdates = (
  mode: Config['telegram']['updates'],
  publicUrl: string | null,
  reached: Reached,
  isRunning: boolean,
): Finding[] => {
  const parsed = reached.kind === 'answered' ? info.safeParse(jsonIn(reached)) : null
  if (!parsed?.success)
    return [warn(updates, 'Telegram did not say how they arrive', 'Try again in a minute')]
  const { url, pending_update_count: pending, ...webhook } = parsed.data.result
  const way =
    mode === 'polling'
      ? examinePolling(url, isRunning)
      : examineWebhook(`${publicUrl}/telegram`, url, isRunning)
  return [way, ...examinePending(pending), ...(mode === 'webhook' ? examineErrors(webhook) : [])]
}

const updates = 'updates'

/** The address without its path, which may contain another bot's secret. */
const originOf = (url: string): string => URL.parse(url)?.origin ?? 'an unreadable address'

const examinePolling = (url: string, isRunning: boolean): Finding => {
  if (url === '') return ok(updates, 'by polling, and no webhook is set')
  const finding = `by polling, but Telegram sends them to ${originOf(url)}`
  return isRunning
    ? fail(
        updates,
        finding,
        'Another program set this while the bot was running: give each program its own bot at @BotFather',
      )
    : warn(
        updates,
        finding,
        `${commandLine('start')} undoes this. If another program set it, give each program its own bot`,
      )
}

const examineWebhook = (expected: string, url: string, isRunning: boolean): Finding => {
  if (url === expected) return ok(updates, `by webhook, to ${originOf(url)}`)
  const finding = `by webhook, but Telegram sends them ${url === '' ? 'nowhere' : `to ${originOf(url)}`}`
  return isRunning
    ? fail(
        updates,
        finding,
        'Another program with this token changed it: give each program its own bot, then restart',
      )
    : warn(updates, finding, `${commandLine('start')} sets it to PUBLIC_URL`)
}

const examinePending = (pending: number): Finding[] =>
  pending > manyUpdates
    ? [
        warn(
          updates,
          `${pending} are waiting to be fetched`,
          'If the bot is running, its log says what holds it up',
        ),
      ]
    : []

const examineErrors = ({
  last_error_date: at = 0,
  last_error_message: message = 'no reason given',
}: {
  last_error_date?: number | undefined
  last_error_message?: string | undefined
}): Finding[] =>
  Date.now() - at * 1000 > recentMs
    ? []
    : [
        warn(
          updates,
          `Telegram could not deliver them at ${new Date(at * 1000).toISOString()}: ${message.slice(0, 200)}`,
          'See the findings about the public address below',
        ),
      ]
