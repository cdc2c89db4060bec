import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Imports, importsOf } from './imports.ts'
import { type Place, placesOf } from './place.ts'

/** The project's files as they are before any change. */
export interface Project {
  root: string
  /** The places of the files that are, or are below, one of the paths. */
  places(paths: readonly string[]): Place[]
  /** All test files but those of the mutants themselves. */
  tests(): string[]
  imports(): Imports
}

export const projectAt = (root: string): Project => {
  const files = (pattern: string) =>
    globSync(pattern, { cwd: root })
      .map((name) => name.replaceAll('\\', '/'))
      .filter((name) => !name.startsWith('src/database/client'))
      .sort()
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  return {
    root,
    places: (paths) =>
      files('src/**/*.ts')
        .filter((file) => paths.some((path) => isBelow(file, path)))
        .flatMap((file) => placesOf(file, read(file))),
    tests: () => files('test/**/*.test.ts').filter((file) => !file.startsWith('test/mutants/')),
    imports: () => new Map(files('{src,test}/**/*.ts').map((file) => [file, importsOf(file, read(file))])),
  }
}

const isBelow = (file: string, path: string): boolean =>
  file === path || file.startsWith(path.endsWith('/') ? path : `${path}/`)
