import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { folderPath, packageFolder } from '../base/installation.ts'

/** Named as in Prisma. */
export const databaseKinds = ['sqlite', 'postgresql'] as const
/** SQLite is the embedded database; PostgreSQL is a server. */
export type DatabaseKind = (typeof databaseKinds)[number]

/**
 * The schema for one kind of database. `prisma/schema.prisma` is SQLite's; PostgreSQL's has another provider and
 * output folder.
 */
export const schemaFor = async (kind: DatabaseKind): Promise<string> =>
  ofKind(kind, await readFile(join(packageFolder, 'prisma/schema.prisma'), 'utf8'))

export const ofKind = (kind: DatabaseKind, written: string): string => written.replaceAll('sqlite', kind)

const migrations = folderPath('../prisma/migrations')

export const migrationsFolder = (kind: DatabaseKind): string => join(migrations, kind)

/** The schema of the last migration. Only SQLite's is stored; the other is derived from it. */
export const migratedSchema = join(migrations, 'schema.prisma')
