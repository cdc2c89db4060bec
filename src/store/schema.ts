import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { folderPath, packageFolder } from '../installation.ts'

/** The kinds of databases, as Prisma names them. */
export const databaseKinds = ['sqlite', 'postgresql'] as const
export type DatabaseKind = (typeof databaseKinds)[number]

/** The schema for one kind of database: the one that is written, with another provider. */
export const schemaFor = async (kind: DatabaseKind): Promise<string> => {
  const written = await readFile(join(packageFolder, 'prisma/schema.prisma'), 'utf8')
  return written.replace(/(datasource \w+ \{\s*provider = )"sqlite"/, `$1"${kind}"`)
}

/** A kind's migrations stand there, a folder each. */
export const migrationsFolder = (kind: DatabaseKind): string => join(folderPath('../prisma/migrations'), kind)
