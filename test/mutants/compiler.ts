import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Copy } from './copy.ts'
import type { Mutant } from './mutant.ts'

/** Those that the compiler takes: `npm run check` notices the others. */
export const accepted = async (
  mutants: readonly Mutant[],
  refusedFiles: (mutants: readonly Mutant[]) => Promise<ReadonlySet<string>>,
): Promise<readonly Mutant[]> => {
  if (mutants.length === 0) return []
  const refused = await refusedFiles(mutants)
  if (refused.size === 0) return mutants
  const innocent = mutants.filter(({ file }) => !refused.has(file))
  if (innocent.length < mutants.length) return accepted(innocent, refusedFiles)
  // Somebody else's file suffers: whose fault it is shows by halves.
  if (mutants.length === 1) return []
  const half = Math.ceil(mutants.length / 2)
  return [
    ...(await accepted(mutants.slice(0, half), refusedFiles)),
    ...(await accepted(mutants.slice(half), refusedFiles)),
  ]
}

const settings = 'tsconfig.mutants.json'

/** Prepares the copy for the compiler, which then only looks at what has changed since the last time. */
export const compilerIn = async (copy: Copy, signal: AbortSignal) => {
  await writeFile(
    join(copy.folder, settings),
    JSON.stringify({
      extends: './tsconfig.json',
      compilerOptions: { incremental: true, tsBuildInfoFile: 'mutants.tsbuildinfo' },
      include: ['src'],
    }),
  )
  return async (mutants: readonly Mutant[]): Promise<ReadonlySet<string>> => {
    await copy.hold(mutants)
    const said = await compile(copy.folder, signal)
    return new Set([...said.matchAll(/^(.+?)\(\d+,\d+\): error/gm)].map(([, file]) => file as string))
  }
}

const compile = (cwd: string, signal: AbortSignal): Promise<string> =>
  new Promise((resolve, reject) => {
    const compiler = ['node_modules/typescript/bin/tsc', '-p', settings, '--pretty', 'false']
    execFile(process.execPath, compiler, { cwd, signal, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      if (!error || /: error TS/.test(stdout)) resolve(stdout)
      else reject(new Error(`The compiler does not run: ${stderr || stdout}`, { cause: error }))
    })
  })
