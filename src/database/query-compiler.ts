import { readFile } from 'node:fs/promises'
import { packageFile } from '../installation.ts'
import { type DatabaseKind, databaseKinds } from './schema.ts'

/** Prisma's compiler of queries for a kind of database: WebAssembly, written as text into a module. */
const fileFor = (kind: DatabaseKind): string =>
  `@prisma/client/runtime/query_compiler_small_bg.${kind}.wasm-base64.mjs`

/** The files of all compilers, by their packages. */
export const compilerFiles = databaseKinds.map(fileFor)

/**
 * Reads the compiler from its file. As an imported module it would stay in memory as source, as text and in the cache of
 * compiled code.
 */
export const readCompiler = async (kind: DatabaseKind): Promise<Uint8Array> => {
  const source = await readFile(packageFile(fileFor(kind)), 'latin1')
  return Buffer.from(source.slice(source.indexOf('"') + 1, source.lastIndexOf('"')), 'base64')
}
