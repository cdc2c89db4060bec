import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { folderPath, packageFolder } from '../installation.ts'

/** The kinds of databases, as Prisma names them. */
export const databaseKinds = ['sqlite', 'postgresql'] as const
/** The embedded database, or a server. */
export type DatabaseKind = (typeof databaseKinds)[number]

/** The schema for one kind of database. `prisma/schema.prisma` is SQLite's; the other has its own provider and output. */
export const schemaFor = async (kind: DatabaseKind): Promise<string> =>
  ofKind(kind, await readFile(join(packageFolder, 'prisma/schema.prisma'), 'utf8'))

/** Turns a schema for SQLite into one for that kind. */
export const ofKind = (kind: DatabaseKind, written: string): string => written.replaceAll('sqlite', kind)

const migrations = folderPath('../prisma/migrations')

/** The folder of a kind's migrations, with one folder for each. */
export const migrationsFolder = (kind: DatabaseKind): string => join(migrations, kind)

/** The schema as of the last migration, for both kinds. */
export const migratedSchema = join(migrations, 'schema.prisma')
