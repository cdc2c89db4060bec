/**
 * Generates Prisma's client, which is not in git: one for SQLite and one for PostgreSQL, in `src/database/client`.
 * `.npmrc` forbids install scripts, so the first `npm start`, `npm test` or other script generates it. Plain JavaScript
 * that any Node from 18 on can run, because it runs before the right Node is found.
 */
import { execFile } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const prisma = join(root, 'node_modules/prisma')
/** The file that records what the client was generated from. */
const stamp = join(root, 'src/database/client/generated-from.txt')

const read = (file) => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

/** The schema and the version of Prisma; null if Prisma is not installed. */
const source = () => {
  const manifest = read(join(prisma, 'package.json'))
  return manifest && `Prisma ${JSON.parse(manifest).version}\n\n${read(join(root, 'prisma/schema.prisma'))}`
}

/** Whether the client matches the schema. Also true if there is a client but no Prisma that could generate another. */
export const isClientCurrent = () => {
  const generatedFrom = read(stamp)
  return generatedFrom !== null && generatedFrom === (source() ?? generatedFrom)
}

const urls = ['file:./data/bundlegram.db', 'postgresql://127.0.0.1/bundlegram']

/** Generates both clients. @throws an error with Prisma's output if the schema is wrong. */
export const generateClient = async (node) => {
  const generatedFrom = source()
  if (!generatedFrom) throw new Error('the package prisma is missing, so run npm ci')
  rmSync(stamp, { force: true })
  const generate = (url) =>
    promisify(execFile)(node, [join(prisma, 'build/index.js'), 'generate', '--no-hints'], {
      cwd: root,
      env: { ...process.env, DATABASE_URL: url, CHECKPOINT_DISABLE: '1' },
    }).catch(({ stdout, stderr, message }) => {
      throw new Error(`${stdout ?? ''}${stderr ?? ''}` || message)
    })
  await Promise.all(urls.map(generate))
  writeFileSync(stamp, generatedFrom)
}
