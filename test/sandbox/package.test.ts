import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { newFolder } from '../support/folder.ts'

const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

interface Example {
  title: string
  source: string
  /** The output that the example's comments promise. */
  prints: string
}

/** The examples of the README, each with the heading above it. */
const examples = [
  ...(await readFile(join(root, 'src/sandbox/README.md'), 'utf8')).matchAll(
    /## (.*)\n\n```ts\n([\s\S]*?)```/g,
  ),
].map(([, title = '', source = '']): Example => ({ title, source, prints: printedBy(source) }))

/** The comment behind a `console.log`, or the comment lines below it. */
function printedBy(source: string): string {
  const printed = [...source.matchAll(/console\.log\(.*\)(?: \/\/ (.*)\n|\n((?:\/\/ .*\n)+))/g)]
  return printed
    .map(([, behind, below]) => (behind ? `${behind}\n` : (below?.replaceAll(/^\/\/ /gm, '') ?? '')))
    .join('')
}

test('the sandbox’s README has two examples that print their results', () => {
  expect(examples.map(({ prints }) => prints.split('\n').length - 1)).toEqual([3, 5])
})

test.each(examples)(
  'the README’s example “$title” runs as written and prints what its comments say',
  async ({ source, prints }) => {
    const fromSources = source.replaceAll(/'@bundlegram\/(\w+)'/g, "'./src/$1/index.ts'")
    const { stdout } = await run(
      process.execPath,
      ['--input-type=module-typescript', '--eval', fromSources],
      {
        cwd: root,
      },
    )
    expect(stdout).toBe(prints)
  },
)

describe('the packed sandbox', { tags: ['installed'] }, () => {
  const installed = (name: string) => join(root, 'node_modules', name)
  let project: string
  let files: string[]

  /** A project with the packed sandbox and the built client, and the dependencies of both. */
  beforeAll(async () => {
    project = await newFolder()
    const workspace = ['--workspace', 'src/sandbox']
    await run('npm', ['run', 'build', ...workspace], { cwd: root })
    const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', project, ...workspace]
    const [packed] = JSON.parse((await run('npm', pack, { cwd: root })).stdout)
    files = packed.files.map(({ path }: { path: string }) => path)
    const [sandbox, client] = ['sandbox', 'provider'].map((name) =>
      join(project, 'node_modules/@bundlegram', name),
    )
    if (!sandbox || !client) throw new Error('There are two packages.')
    await mkdir(sandbox, { recursive: true })
    await run('tar', ['-xzf', join(project, packed.filename), '--strip-components=1', '-C', sandbox])
    await run(process.execPath, [
      installed('typescript/bin/tsc'),
      '-p',
      join(root, 'src/provider'),
      '--outDir',
      join(client, 'dist'),
    ])
    await cp(join(root, 'src/provider/package.json'), join(client, 'package.json'))
    for (const name of ['fastify', 'grammy', 'undici', 'zod'])
      await symlink(installed(name), join(project, 'node_modules', name))
    await writeFile(
      join(project, 'package.json'),
      '{ "name": "consumer", "private": true, "type": "module" }',
    )
    return () => rm(project, { recursive: true })
  }, 120_000)

  test('contains compiled code, types and the page, and no code of the bot', () => {
    const others = ['LICENSE', 'README.md', 'package.json']
    const built = files.filter((path) => !others.includes(path))
    expect(built).toEqual(
      expect.arrayContaining(['dist/index.js', 'dist/index.d.ts', 'dist/page/index.html']),
    )
    const own =
      /^dist\/((telegram(\/[a-z-]+)?|provider)\/)?[a-z-]+\.(js|d\.ts)$|^dist\/page\/(\w+\/)?[a-z-]+\.(js|css|svg|html)$/
    expect(built.filter((path) => !own.test(path))).toEqual([])
  })

  test('serves its page', async () => {
    const script = `import { createTelegram } from '@bundlegram/sandbox'
    const telegram = await createTelegram()
    console.log(await (await fetch(telegram.pageUrl)).text())
    await telegram.stop()`
    await writeFile(join(project, 'page.js'), script)
    const { stdout } = await run(process.execPath, ['page.js'], { cwd: project })
    expect(stdout).toContain('<title>Bundlegram sandbox</title>')
  })

  test.each(examples)(
    'runs the README’s example “$title” as strict TypeScript',
    async ({ source, prints }) => {
      await writeFile(join(project, 'example.ts'), source)
      const types = ['--typeRoots', installed('@types'), '--types', 'node', '--skipLibCheck', 'true']
      const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--noEmit']
      const tsc = [
        installed('typescript/bin/tsc'),
        ...strict,
        '--module',
        'nodenext',
        '--target',
        'es2023',
        ...types,
        'example.ts',
      ]
      expect((await run(process.execPath, tsc, { cwd: project }).catch((failed) => failed)).stdout).toBe('')
      const { stdout } = await run(process.execPath, ['example.ts'], { cwd: project })
      expect(stdout).toBe(prints)
    },
  )
})
