import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { loadEnvFile } from 'node:process'

// Compiled code is kept beside the packages: the next start takes half the time. Where it cannot be, nothing is lost.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/bundlegram'))

const { faultLine, readConfig } = await import('./config.ts')
const unreadable = readEnvFile()
const result = readConfig(process.env)
if (unreadable !== null) {
  process.stderr.write(`.env: cannot be read (${unreadable}); it is a text file like .env.example\n`)
  process.exitCode = 1
} else if ('faults' in result) {
  for (const fault of result.faults) process.stderr.write(`${faultLine(fault)}\n`)
  process.exitCode = 1
} else {
  // Loaded only now, so that a wrong environment is told at once.
  const { run } = await import('./application.ts')
  await run(result.config)
}

/** What the environment says already wins over `.env`. @returns why the file could not be read, else null. */
function readEnvFile(): string | null {
  if (!existsSync('.env')) return null
  try {
    loadEnvFile('.env')
    return null
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
  }
}
