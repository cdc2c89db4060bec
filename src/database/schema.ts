import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { folderPath, packageFolder } from '../base/installation.ts'

/** The kinds of databases, named as in Prisma. */
export const databaseKinds = ['sqlite', 'postgresql'] as const
/** SQLite is the embedded database; PostgreSQL is a server. */
export type DatabaseKind = (typeof databaseKinds)[number]

/**
 * The schema for one kind of database. `prisma/schema.prisma` is SQLite's; PostgreSQL's has another provider and
 * output folder.
 */
export const schemaFor = async (kind: DatabaseKind): Promise<string> =>
  ofKind(kind, await readFile(join(packageFolder, 'prisma/schema.prisma'), 'utf8'))

/** Turns a schema for SQLite into one for the given kind. */
export const ofKind = (kind: DatabaseKind, written: string): string => written.replaceAll('sqlite', kind)

const migrations = folderPath('../prisma/migrations')

/** The folder with all migrations of one kind; each migration has a folder in it. */
export const migrationsFolder = (kind: DatabaseKind): string => join(migrations, kind)

/** The schema as of the last migration. It is stored once for both kinds, as SQLite's. */
export const migratedSchema = join(migrations, 'schema.prisma')
