import { existsSync } from 'node:fs'
import { loadEnvFile } from 'node:process'

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
