import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** The folder with the bot's database and the key that seals its credentials. */
export interface DataFolder {
  path: string
  databaseUrl: string
  /** 32 bytes, base64: `CREDENTIALS_KEY`. */
  key: string
  /** Removes a temporary folder, but not one that the person chose. May be called twice. */
  remove(): void
}

/**
 * Creates the folder if necessary.
 * @param keep the folder that the person chose; null for a temporary one
 */
export function openDataFolder(keep: string | null): DataFolder {
  const path = keep === null ? mkdtempSync(join(tmpdir(), 'bundlegram-sandbox-')) : resolve(keep)
  mkdirSync(path, { recursive: true })
  return {
    path,
    databaseUrl: `file:${join(path, 'bundlegram.db')}`,
    key: keyIn(path),
    remove: () => {
      if (keep === null) rmSync(path, { recursive: true, force: true })
    },
  }
}

/** The folder's key, which the first run creates. Only its owner can read the file, as with a real key. */
function keyIn(path: string): string {
  const file = join(path, 'credentials.key')
  if (!existsSync(file)) writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 })
  return readFileSync(file, 'utf8').trim()
}
