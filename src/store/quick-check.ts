import { DatabaseSync } from 'node:sqlite'

// A process of its own, which can be ended when it takes too long: SQLite does not let go of its thread meanwhile.
const database = new DatabaseSync(process.argv[2] ?? '', { readOnly: true, timeout: 2_000 })
const [first] = database.prepare('PRAGMA quick_check(1)').all()
process.stdout.write(String(first?.quick_check))
