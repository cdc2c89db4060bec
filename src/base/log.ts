import { hash } from 'node:crypto'
import { type Logger, pino } from 'pino'

/** The longest error text in the log. It is enough to find the cause, but too short for the body of an answer. */
const maxCharacters = 500

/**
 * Writes JSON lines to stdout. They never contain a secret or a full phone number: our code logs only ids and codes,
 * and all other text, such as messages of libraries and Telegram, is redacted as it is written.
 *
 * @param secrets values that must never appear. Bot tokens are recognised by their form.
 */
export const createLog = (
  level: string,
  secrets: readonly string[],
  destination?: { write(line: string): void },
): Logger => {
  const hidden = secrets.filter(Boolean).flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
  const clean = (text: string): string => redact(text, hidden)
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => describe(error, clean) },
      hooks: { streamWrite: (line) => line.replace(jsonString, clean) },
    },
    destination ?? pino.destination({ dest: 1, sync: true }),
  )
}

/** Identifies an account in the log, always by the same hash, without revealing its id. */
export const accountHash = (accountId: string): string => hash('sha256', accountId).slice(0, 8)

/**
 * An error as an object for the log. Texts are redacted before they are truncated, because half a secret would not
 * be recognised.
 */
const describe = (error: unknown, clean: (text: string) => string, depth = 0): unknown => {
  if (!(error instanceof Error)) return clean(String(error)).slice(0, maxCharacters)
  const { name, message, stack, cause } = error
  return {
    name,
    code: 'code' in error ? String(error.code) : undefined,
    message: clean(message).slice(0, maxCharacters),
    at: (stack ?? '')
      .split('\n')
      .filter((line) => line.startsWith('    at '))
      .slice(0, 8)
      .map((line) => line.trim()),
    ...(cause !== undefined && depth < 3 && { cause: describe(cause, clean, depth + 1) }),
  }
}

/** Only strings are redacted. Numbers are ids, although they may look like phones. */
const jsonString = /"(?:[^"\\]|\\.)*"/g

/** Matches `0241234567`, `+233 24 123 4567` and similar. Groups 1 and 2 stay visible. */
const phone = /(?<!\d)(?:(?:\+|00)?233[ .-]?0?|0)([25]\d)(?:[ .-]?\d){3}((?:[ .-]?\d){4})(?!\d)/g

const redact = (text: string, secrets: readonly string[]): string =>
  secrets
    .reduce((result, secret) => result.replaceAll(secret, '[secret]'), text)
    .replace(/(?<!\d)\d{5,20}:[\w-]{20,}/g, '[secret]')
    .replace(/(\/webhooks\/|[?&]start=)[\w.-]+/g, '$1[secret]')
    .replace(phone, '0$1•••$2')
