import { start } from '../../src/application/application.ts'
import { readConfig, secretsOf } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'

/** Starts a whole bot for each of `SEPARATE_TOKENS`, as if each were the only one of its process. */
for (const token of process.env.SEPARATE_TOKENS?.split(',') ?? []) {
  const DATABASE_URL = `${process.env.DATABASE_URL}-${token.split(':')[0]}`
  const result = readConfig({ ...process.env, TELEGRAM_BOT_TOKEN: token, DATABASE_URL, PORT: '0' })
  if ('faults' in result) throw new Error(result.faults.map(({ variable }) => variable).join(', '))
  await start(result.config, createLog('warn', secretsOf(result.config)))
}
