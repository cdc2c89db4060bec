// @module-tag installed
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { newFolder, npm, remove, root, settingsIn, start } from './project.ts'

let project: string
let program: string
let folder: string

/** Installs the packed tarball, with its dependencies from the registry, in an empty project. */
beforeAll(async () => {
  project = await newFolder()
  await npm(root, 'run', 'pack', '--', '--pack-destination', project)
  await writeFile(
    join(project, 'package.json'),
    '{ "name": "consumer", "version": "1.0.0", "private": true }',
  )
  await npm(project, 'install', '--no-audit', '--no-fund', `./bundlegram-${manifest.version}.tgz`)
  program = join(project, 'node_modules/.bin/bundlegram')
  folder = join(project, 'node_modules/bundlegram/program')
  return () => remove(project)
}, 300_000)

const scripts = Object.entries(manifest.scripts)
const commands = scripts.flatMap(([name, script]) =>
  /src\/(commands|sandbox\/main)/.test(script) ? [name] : [],
)

test('an installed tarball contains neither Prisma nor tools, and its list of bundled packages is complete', async () => {
  const bill = JSON.parse(await npm(project, 'sbom', '--omit', 'dev', '--sbom-format', 'cyclonedx'))
  const names = bill.components.map(({ name, group }: { name: string; group?: string }) =>
    group ? `${group}/${name}` : name,
  )
  expect(names).toEqual(expect.arrayContaining(['grammy', 'pg', 'zod']))
  expect(names.filter((name: string) => /prisma|typescript|vitest|biome/.test(name))).toEqual([])
  expect(await readFile(join(folder, 'bundled-packages.txt'), 'utf8')).toMatch(
    /^@prisma\/client [\d.]+ \(Apache-2\.0\)$/m,
  )
})

test('bundlegram --help lists all commands of npm run, and --version shows the version', async () => {
  const help = start(project, [program, '--help'])
  expect(await help.ended).toBe(0)
  for (const command of commands) expect(help.said()).toContain(`  ${command} `)
  const version = start(project, [program, '--version'])
  expect([await version.ended, version.said()]).toEqual([0, `${manifest.version}\n`])
})

test.each([...commands, 'db-move', 'start'])(
  'the installed command %s has a help and a version',
  async (command) => {
    const help = start(project, [program, command, '--help'])
    expect(await help.ended).toBe(0)
    expect(help.said()).toContain(`bundlegram ${command.replace('db-move', 'db:move')} `)
    const version = start(project, [program, command, '--version'])
    expect([await version.ended, version.said()]).toEqual([0, `${manifest.version}\n`])
  },
)

test('the installed program refuses an unknown command and lists the known ones', async () => {
  const { ended, said } = start(project, [program, 'begin'])
  expect(await ended).toBe(1)
  expect(said()).toMatch(/^“begin” is not a bundlegram command\.[\s\S]*sandbox/)
})

test('the installed program without settings stops and names the missing settings', async () => {
  const { ended, said } = start(project, [program])
  expect(await ended).toBe(1)
  expect(said()).toMatch(
    /^\.env: not found in this folder; npx bundlegram setup creates one\nTELEGRAM_BOT_TOKEN: is missing.*\nBUNDLE_API_URL: .*\nCREDENTIALS_KEY: .*npx bundlegram setup writes.*\n$/,
  )
})

test('the installed program recommends npx bundlegram inside a project, and bundlegram elsewhere', async () => {
  const said = async (folder: string, args: string[]) => {
    const run = start(folder, [program, ...args])
    await run.ended
    return run.said()
  }
  const helps = await Promise.all([...commands, 'start'].map((command) => said(project, [command, '--help'])))
  const answers = await Promise.all([said(project, ['doctor']), said(project, ['backup'])])
  for (const text of [...helps, ...answers]) expect(text).not.toMatch(/npm (run|start)/)
  expect(answers.join()).toContain('npx bundlegram setup')
  const elsewhere = await newFolder()
  onTestFinished(() => remove(elsewhere))
  expect(await said(elsewhere, ['doctor'])).toMatch(/→ bundlegram setup writes/)
  const settled = await said(elsewhere, ['setup'])
  expect(settled).toMatch(/then run bundlegram doctor\n$/)
  expect(await readFile(join(elsewhere, '.env'), 'utf8')).not.toMatch(/npm (run|start)/)
})

test('the installed program runs with settings, and SIGTERM stops it in an orderly way', async () => {
  const bot = start(project, [program], settingsIn(project))
  await vi.waitFor(() => expect(bot.said()).toContain('"listening"'), { timeout: 30_000 })
  bot.process.kill('SIGTERM')
  expect(await bot.ended).toBe(0)
  expect(bot.said()).toMatch(/"stopped"\}\n$/)
  const backup = start(project, [program, 'backup', 'copy.db'], settingsIn(project))
  expect(await backup.ended).toBe(0)
})

test('the installed sandbox provides a page and a bot, and Ctrl-C stops both', async () => {
  const sandbox = start(project, [program, 'sandbox', '--port', '0'])
  await vi.waitFor(() => expect(sandbox.said()).toContain('The bot is running.'), { timeout: 60_000 })
  const [address = ''] = /http:\/\/127\.0\.0\.1:\d+\//.exec(sandbox.said()) ?? []
  expect(await (await fetch(address)).text()).toContain('<title>Bundlegram sandbox</title>')
  sandbox.process.kill('SIGINT')
  expect(await sandbox.ended).toBe(0)
})

test('the installed program can draw pictures, with its own library and fonts', async () => {
  const worker = new Worker(join(folder, 'renderer.js'), { env: { DISABLE_SYSTEM_FONTS_LOAD: '1' } })
  worker.postMessage({ id: 1, svg: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>' })
  const [{ png }] = await once(worker, 'message')
  expect(Buffer.from(png).subarray(1, 4).toString()).toBe('PNG')
  await worker.terminate()
})
