import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { databaseKinds, schemaFor } from '../../src/database/schema.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFile(resolve(root, path), 'utf8')
const classes = {
  sqlite: () => import('../../src/database/client/internal/class.ts'),
  postgresql: () => import('../../src/database/client/internal/class-postgresql.ts'),
}

// The client repeats the schema. Whether all of it is what Prisma writes, test/package/client.test.ts asks Prisma.
test.each(databaseKinds)(
  'the committed client for %s is of the present schema and of the installed Prisma',
  async (kind) => {
    const { config } = await classes[kind]()
    const { version } = JSON.parse(await read('node_modules/@prisma/client/package.json'))
    const { dependencies } = JSON.parse(await read('prisma/package.json'))
    expect(config.inlineSchema, 'run npm run generate').toBe(await schemaFor(kind))
    expect([config.clientVersion, config.activeProvider]).toEqual([version, kind])
    expect(dependencies.prisma).toBe(version)
  },
)
