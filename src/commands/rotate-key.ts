import { parseArgs } from 'node:util'
import { commandLine, commandWith } from '../base/installation.ts'
import { accountHash } from '../base/log.ts'
import { openDatabase } from '../database/database.ts'
import { createStore } from '../store/store.ts'
import { createKeyring, type Keyring } from '../wallets/credentials/keyring.ts'
import { type Leftover, leftover, resealAll, type Survey, survey } from '../wallets/credentials/rotation.ts'
import { databaseUrlOf, keysOf } from './database-option.ts'
import { showProgress } from './progress-line.ts'
import { runCommand } from './run-command.ts'

const help = `${commandWith('rotate-key', '[options]')}

Changes CREDENTIALS_KEY while the bot runs:

  1. Make a new key (openssl rand -base64 32), put it before the old one
     (CREDENTIALS_KEY=<new>,<old>) and restart the bot. With several instances, first restart each
     with CREDENTIALS_KEY=<old>,<new>, so that all of them can read both.
  2. Run ${commandLine('rotate-key')}. It encrypts every account's credentials with the first key and renews
     their look-up hashes. If it is interrupted, run it again.
  3. It then says what still needs the old key, and until when. When nothing needs it any more, set
     CREDENTIALS_KEY=<new> and restart the bot.

  --check               change nothing, only say what still needs the old key
  --database ADDRESS    the database (default: DATABASE_URL, from the environment or .env)
  --help                show this text
  --version             show the version

Exits with 0 when every account uses the first key (also with --check), otherwise with 1 and the
accounts that do not, named as in the log.`

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

const utc = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`

const surveyLines = ({ keyIds }: Keyring, found: Survey, resealed: number | null): string[] => [
  `${counted(found.accounts, 'account')}${resealed === null ? '' : `, ${resealed} re-encrypted by this run`}`,
  ...keyIds.map((id, index) => `  key ${index + 1} (${id}): ${found.byKey.get(id) ?? 0}`),
  ...[...found.byKey]
    .filter(([id]) => !keyIds.includes(id))
    .map(([id, count]) => `  a key that is not listed (${id}): ${count}`),
]

/** Why the rotation is not complete, one reason a line. */
const faultsOf = (found: Survey, isCheck: boolean): string[] => [
  ...found.unreadable.map(
    (id) =>
      `account ${accountHash(id)}: no key in CREDENTIALS_KEY opens its credentials. Also list the key they were encrypted with, or ask its people to /connect again.`,
  ),
  ...found.twins.map(
    ({ id, other }) =>
      `account ${accountHash(id)}: account ${accountHash(other)} has the same API key, because somebody connected it while an older key was not listed. Ask the people of ${accountHash(id)} to send /connect with their key again and press Switch. Their open orders will still be followed to the end.`,
  ),
  ...(found.outdated === 0
    ? []
    : [
        isCheck
          ? `${counted(found.outdated, 'account')} not encrypted with the first key: run ${commandLine('rotate-key')}`
          : `${counted(found.outdated, 'account')} not encrypted with the first key: a bot still uses an older one. Restart every bot with the new key first, then run this again`,
      ]),
]

const advice = ({ keyIds }: Keyring, found: Survey, left: Leftover): string[] => {
  if (left.since === null) {
    return keyIds.length === 1
      ? []
      : ['The accounts have not been re-encrypted yet: keep every key in the list.']
  }
  if (keyIds.length === 1 && left.orders.count === 0) return []
  const since = utc(left.since)
  const waits = waitsOf(left, since)
  const mayGo = waits.length === 0 && found.outdated + found.twins.length + found.unreadable.length === 0
  return [
    mayGo
      ? 'You can remove the older keys from CREDENTIALS_KEY. These will always need them:'
      : 'Keep the older keys in CREDENTIALS_KEY. These still need them:',
    ...waits,
    `  links to orders shared before ${since}: without the older keys they no longer open, but people who already follow an order still do`,
    `  backups from before ${since}: keep the older keys for as long as the backups, but in another place`,
    ...(mayGo ? [] : [`After that, run ${commandWith('rotate-key', '--check')} again.`]),
  ]
}

const waitsOf = ({ orders, invitations, typed }: Leftover, since: string): string[] =>
  [
    orders.until &&
      `  ${counted(orders.count, 'open order')} sent before ${since}, until ${orders.count === 1 ? 'it is' : 'they are'} done, ${utc(orders.until)} at the latest: without the older keys, callbacks about ${orders.count === 1 ? 'it' : 'them'} are refused and statuses come only by polling`,
    invitations.until &&
      `  ${counted(invitations.count, 'invitation')} from before ${since}, until ${utc(invitations.until)} at the latest`,
    typed.until &&
      `  ${counted(typed.count, 'recently typed API key')}, until ${utc(typed.until)} at the latest`,
  ].filter((line) => line !== null)

await runCommand(help, async (args) => {
  const { values } = parseArgs({
    args,
    options: { database: { type: 'string' }, check: { type: 'boolean', default: false } },
  })
  const isCheck = values.check
  const keyring = createKeyring(keysOf())
  const database = await openDatabase(databaseUrlOf(values.database))
  try {
    const rotation = { store: createStore(database), keyring, now: () => new Date() }
    const resealed = isCheck
      ? null
      : await resealAll({ ...rotation, onProgress: showProgress('re-encrypted') })
    const found = await survey({ ...rotation, onProgress: showProgress('checked') })
    const left = await leftover(rotation)
    process.stdout.write(
      `${[...surveyLines(keyring, found, resealed), ...advice(keyring, found, left)].join('\n')}\n`,
    )
    const faults = faultsOf(found, isCheck)
    for (const fault of faults) process.stderr.write(`${fault}\n`)
    if (faults.length > 0) process.exitCode = 1
  } finally {
    await database.close()
  }
})
