import { existsSync } from 'node:fs'

/** The PgBouncer of this machine, where Debian's package puts it; null if there is none. */
export const installedPgbouncer = ['/usr/sbin/pgbouncer', '/usr/local/bin/pgbouncer'].find(existsSync) ?? null

export const howToGetPgbouncer = 'Install PgBouncer (on Debian: apt install pgbouncer).'
