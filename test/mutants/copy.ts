import { cp, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { newFolder } from '../support/folder.ts'
import { type Mutant, mutated } from './mutant.ts'

/** The project once more, to be changed: nothing happens to the files that people work on. */
export interface Copy {
  folder: string
  /** For the folders of tests, some of which are ended before they remove them. */
  scratch: string
  /** Makes the changes, at most one in a file, and none beside them. */
  hold(mutants: readonly Mutant[]): Promise<void>
  remove(): Promise<void>
}

/** Not copied: secrets, git's own files, build output, and the packages, which are linked. */
const left = new Set(['.env', '.git', 'data', 'dist', 'node_modules'])

export const copyOf = async (root: string): Promise<Copy> => {
  const folder = await mkdtemp(join(tmpdir(), 'bundlegram-mutants-'))
  const scratch = await newFolder()
  await cp(root, folder, { recursive: true, filter: (path) => !left.has(basename(path)) || path === root })
  await linkPackages(join(root, 'node_modules'), join(folder, 'node_modules'))
  const restored = new Map<string, string>()

  const change = async (mutant: Mutant) => {
    const path = join(folder, mutant.file)
    const source = await readFile(path, 'utf8')
    restored.set(path, source)
    await writeFile(path, mutated(source, mutant))
  }
  return {
    folder,
    scratch,
    hold: async (mutants) => {
      for (const [path, source] of restored) await writeFile(path, source)
      restored.clear()
      for (const mutant of mutants) await change(mutant)
    },
    remove: async () => {
      const retry = { recursive: true, force: true, maxRetries: 10 }
      await Promise.all([rm(folder, retry), rm(scratch, retry)])
    },
  }
}

/** Each by itself, so that caches are the copy's own and a link into the project is one into the copy. */
const linkPackages = async (from: string, to: string): Promise<void> => {
  await mkdir(to)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.name === '.cache' || entry.name.startsWith('.vite')) continue
    if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    else if (entry.name.startsWith('@')) await linkPackages(source, target)
    else await symlink(source, target)
  }
}
