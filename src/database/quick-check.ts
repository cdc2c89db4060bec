import { DatabaseSync } from 'node:sqlite'

// Runs in a process of its own, so that it can be killed: SQLite blocks its thread during the check.
const database = new DatabaseSync(process.argv[2] ?? '', { readOnly: true, timeout: 2_000 })
const [first] = database.prepare('PRAGMA quick_check(1)').all()
process.stdout.write(String(first?.quick_check))
