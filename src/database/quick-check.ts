import { DatabaseSync } from 'node:sqlite'

// Runs in its own process, which can be ended: SQLite does not let go of its thread during the check.
const database = new DatabaseSync(process.argv[2] ?? '', { readOnly: true, timeout: 2_000 })
const [first] = database.prepare('PRAGMA quick_check(1)').all()
process.stdout.write(String(first?.quick_check))
