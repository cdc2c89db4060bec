import { execFileSync } from 'node:child_process'
import { copyFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import manifest from '#package.json' with { type: 'json' }
import { packageFolder } from '../base/installation.ts'
import { bundle, dependencies } from './bundle-program.ts'

/**
 * `npm run pack` makes the tarball `bundlegram-<version>.tgz`. Its package has fewer dependencies than a clone,
 * because some packages, such as Prisma's client, are bundled.
 */
const folder = join(packageFolder, 'dist')
const { name, version, description, license, type, engines, optionalDependencies } = manifest

await rm(folder, { recursive: true, force: true })
await bundle(join(folder, 'program'))
for (const file of ['README.md', 'LICENSE', '.env.example', '.github/CHANGELOG.md'])
  await copyFile(join(packageFolder, file), join(folder, basename(file)))
await writeFile(
  join(folder, 'package.json'),
  `${JSON.stringify(
    {
      name,
      version,
      description,
      license,
      type,
      engines,
      bin: { [name]: 'program/bundlegram.js' },
      dependencies,
      optionalDependencies,
    },
    null,
    2,
  )}\n`,
)
// On Windows, npm is a script that only a shell runs.
const shell = process.platform === 'win32'
execFileSync('npm', ['pack', folder, ...process.argv.slice(2)], { stdio: 'inherit', shell })
