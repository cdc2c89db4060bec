import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { databaseKinds, schemaFor } from '../../src/store/schema.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFile(resolve(root, path), 'utf8')
const classes = { sqlite: 'class.ts', postgresql: 'class-postgresql.ts' }

// The client repeats the schema. Whether all of it is what Prisma writes, test/package/client.test.ts asks Prisma.
test.each(databaseKinds)(
  'the committed client for %s is of the present schema and of the installed Prisma',
  async (kind) => {
    const source = await read(`src/store/client/internal/${classes[kind]}`)
    const { version } = JSON.parse(await read('node_modules/@prisma/client/package.json'))
    const { dependencies } = JSON.parse(await read('prisma/package.json'))
    const said = (name: string) => JSON.parse(new RegExp(`"${name}": (".*"),`).exec(source)?.[1] ?? '""')
    expect(said('inlineSchema'), 'run npm run generate').toBe(await schemaFor(kind))
    expect(said('clientVersion')).toBe(version)
    expect(dependencies.prisma).toBe(version)
  },
)
