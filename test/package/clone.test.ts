// @module-tag installed
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { newFolder, npm, remove, root, settingsIn, start } from './project.ts'

let clone: string

/** A clone of this folder with the packages of a production install. */
beforeAll(async () => {
  clone = await newFolder()
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of files.split('\0').filter((name) => name && existsSync(join(root, name)))) {
    await mkdir(dirname(join(clone, file)), { recursive: true })
    await copyFile(join(root, file), join(clone, file))
  }
  await npm(clone, 'ci', '--omit=dev', '--no-audit', '--no-fund')
  return () => remove(clone)
}, 300_000)

test('a production install of a clone includes the generator of the database client, and no other tools', () => {
  const had = ['prisma', 'vitest', '@biomejs', 'rolldown'].filter((name) =>
    existsSync(join(clone, 'node_modules', name)),
  )
  expect(had).toEqual(['prisma'])
})

test('npm start without settings stops and names the missing settings', async () => {
  const { ended, said } = start(clone, ['npm', 'start'])
  expect(await ended).toBe(1)
  expect(said()).toMatch(/^TELEGRAM_BOT_TOKEN: is missing/m)
})

test.each([
  ['npm', 1],
  ['npm and all its children', -1],
])('npm start runs the bot, and SIGTERM to %s stops it in an orderly way', async (_, sign) => {
  const bot = start(clone, ['npm', 'start'], settingsIn(clone))
  await vi.waitFor(() => expect(bot.said()).toContain('"listening"'), { timeout: 60_000 })
  process.kill(sign * (bot.process.pid ?? 0), 'SIGTERM')
  expect(await bot.ended).toBe(0)
  expect(bot.said()).toContain('"stopped"')
})
