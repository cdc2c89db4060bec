import { existsSync } from 'node:fs'
import { mkdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../support/folder.ts'
import { copyOf } from './copy.ts'
import { placesOf } from './place.ts'

const source = 'f(a === b)\n'

const newProject = async (): Promise<string> => {
  const root = await newFolder()
  onTestFinished(() => rm(root, { recursive: true }))
  for (const folder of ['src/part', '.git', 'node_modules/packet', 'node_modules/@own']) {
    await mkdir(join(root, folder), { recursive: true })
  }
  await writeFile(join(root, '.env'), 'TELEGRAM_BOT_TOKEN=1:a')
  await writeFile(join(root, 'src/part/a.ts'), source)
  await symlink('../../src/part', join(root, 'node_modules/@own/part'))
  return root
}

const newCopy = async (root: string) => {
  const copy = await copyOf(root)
  onTestFinished(copy.remove)
  return copy
}

const [mutant] = placesOf('src/part/a.ts', source).flat()

test('a copy holds the mutants that it was told last, and the project none', async () => {
  const root = await newProject()
  const copy = await newCopy(root)
  const inCopy = () => readFile(join(copy.folder, 'src/part/a.ts'), 'utf8')
  await copy.hold(mutant ? [mutant] : [])
  expect(await inCopy()).toBe('f(a !== b)\n')
  expect(await readFile(join(root, 'src/part/a.ts'), 'utf8')).toBe(source)
  await copy.hold([])
  expect(await inCopy()).toBe(source)
})

test('packages are linked, and those of the project itself are the copy’s', async () => {
  const root = await newProject()
  const copy = await newCopy(root)
  const linked = (name: string) => realpath(join(copy.folder, 'node_modules', name))
  expect(await linked('packet')).toBe(await realpath(join(root, 'node_modules/packet')))
  expect(await linked('@own/part')).toBe(await realpath(join(copy.folder, 'src/part')))
})

test('secrets and what git keeps are not copied, and nothing is left of a copy', async () => {
  const copy = await newCopy(await newProject())
  expect(existsSync(join(copy.folder, '.env'))).toBe(false)
  expect(existsSync(join(copy.folder, '.git'))).toBe(false)
  await copy.remove()
  expect([copy.folder, copy.scratch].filter(existsSync)).toEqual([])
})
