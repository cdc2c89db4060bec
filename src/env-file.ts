import { existsSync } from 'node:fs'
import { loadEnvFile } from 'node:process'
import { parseEnv } from 'node:util'

/**
 * Takes what `.env` says into the environment; what the environment says already wins.
 * @returns why the file could not be read, as a sentence, else null.
 */
export const readEnvFile = (): string | null => {
  if (!existsSync('.env')) return null
  try {
    loadEnvFile('.env')
    return null
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    return `.env: cannot be read (${reason}); it is a text file like .env.example`
  }
}

/** The text of a `.env` with this key in it; null where it has one, or names a file with one. */
export const withKey = (text: string, key: string): string | null => {
  const { CREDENTIALS_KEY, CREDENTIALS_KEY_FILE } = parseEnv(text)
  if (CREDENTIALS_KEY || CREDENTIALS_KEY_FILE) return null
  const line = `CREDENTIALS_KEY=${key}`
  const empty = /^[^\S\n]*CREDENTIALS_KEY[^\S\n]*=.*$/m
  if (empty.test(text)) return text.replace(empty, () => line)
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`
}
