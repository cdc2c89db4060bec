import { DatabaseSync } from 'node:sqlite'

// Runs in a separate process, which can be killed: SQLite blocks its thread during the check.
const database = new DatabaseSync(process.argv[2] ?? '', { readOnly: true, timeout: 2_000 })
const [first] = database.prepare('PRAGMA quick_check(1)').all()
process.stdout.write(String(first?.quick_check))
