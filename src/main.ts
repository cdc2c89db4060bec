import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Caches compiled code next to the packages, which halves the time of the next start. If caching fails, the bot
// still starts.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/bundlegram'))

const { answerTo } = await import('./start/arguments.ts')
const answer = answerTo(process.argv.slice(2))
if (answer === null) await start()
else {
  const stream = answer.exitCode === 0 ? process.stdout : process.stderr
  stream.write(`${answer.words}\n`)
  process.exitCode = answer.exitCode
}

async function start(): Promise<void> {
  const { readConfig } = await import('./start/config.ts')
  const { readEnvFile } = await import('./start/env-file.ts')
  const unreadable = readEnvFile()
  const result = readConfig(process.env)
  if (unreadable !== null || 'faults' in result) {
    const { settingsRefused } = await import('./application/start-refusal.ts')
    const lines = unreadable === null && 'faults' in result ? settingsRefused(result) : [unreadable]
    process.stderr.write(`${lines.join('\n')}\n`)
    process.exitCode = 1
  } else {
    // Loaded only now, so that faults in the environment are reported quickly.
    const { run } = await import('./application/application.ts')
    await run(result.config, {}, result.doubts)
  }
}
