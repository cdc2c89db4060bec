import { existsSync } from 'node:fs'
import { loadEnvFile } from 'node:process'
import { parseEnv } from 'node:util'
import { commandLine } from '../base/installation.ts'

/**
 * Copies the variables of `.env` into the environment. Existing variables keep their values.
 * @returns a sentence that says why the file could not be read; null if it was read or does not exist
 */
export const readEnvFile = (): string | null => {
  if (!existsSync('.env')) return null
  try {
    loadEnvFile('.env')
    return null
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    return `.env: cannot be read (${reason}); it should be a text file like .env.example`
  }
}

export const noEnvFile = (): string | null =>
  existsSync('.env') ? null : `.env: not found in this folder; ${commandLine('setup')} creates one`

/** Adds a key to the text of a `.env`. @returns null if it already has a key or names a file with one. */
export const withKey = (text: string, key: string): string | null => {
  const { CREDENTIALS_KEY, CREDENTIALS_KEY_FILE } = parseEnv(text)
  if (CREDENTIALS_KEY || CREDENTIALS_KEY_FILE) return null
  const line = `CREDENTIALS_KEY=${key}`
  const empty = /^[^\S\n]*CREDENTIALS_KEY[^\S\n]*=.*$/m
  if (empty.test(text)) return text.replace(empty, () => line)
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`
}
