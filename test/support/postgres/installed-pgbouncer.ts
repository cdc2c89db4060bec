import { existsSync } from 'node:fs'

/** The path of PgBouncer, where Debian's package installs it; null if it is not installed. */
export const installedPgbouncer = ['/usr/sbin/pgbouncer', '/usr/local/bin/pgbouncer'].find(existsSync) ?? null

export const howToGetPgbouncer = 'Install PgBouncer (on Debian: apt install pgbouncer).'
