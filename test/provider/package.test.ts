// @module-tag installed
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { createProvider, type ProviderSimulator } from '../../src/sandbox/index.ts'

const root = resolve(import.meta.dirname, '../..')
const installed = (name: string) => join(root, 'node_modules', name)
const run = promisify(execFile)

let project: string
let files: string[]
let simulator: ProviderSimulator

/**
 * Builds, packs and installs the tarball in an empty project. Its dependencies come from this checkout, because npm
 * would look for any other in the registry and fail when offline.
 */
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'bundlegram-consumer-'))
  const workspace = ['--workspace', 'src/provider']
  await run('npm', ['run', 'build', ...workspace], { cwd: root })
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', project, ...workspace]
  const [packed] = JSON.parse((await run('npm', pack, { cwd: root })).stdout)
  files = packed.files.map(({ path }: { path: string }) => path)
  await writeFile(join(project, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }')
  const packages = [join(project, packed.filename), installed('undici'), installed('zod')]
  const flags = ['--offline', '--ignore-scripts', '--install-links', '--no-audit', '--no-fund']
  await run('npm', ['install', ...flags, ...packages], { cwd: project })
  simulator = await createProvider()
  return async () => {
    await simulator.stop()
    await rm(project, { recursive: true })
  }
}, 120_000)

/** Runs a script of a project that uses the package, with the credentials of a new account. */
const runInProject = async (name: string, source: string) => {
  const { id, apiKey, apiSecret } = simulator.addAccount()
  await writeFile(join(project, name), source)
  const env = { BUNDLE_API_URL: simulator.url, BUNDLE_API_KEY: apiKey, BUNDLE_API_SECRET: apiSecret }
  const { stdout } = await run(process.execPath, [name], { cwd: project, env })
  return { id, stdout }
}

test('the package contains the client’s compiled code and types, and nothing else of the bot', async () => {
  const others = ['LICENSE', 'README.md', 'package.json']
  const compiled = files.filter((path) => !others.includes(path))
  expect(compiled).toContain('dist/index.js')
  expect(compiled).toContain('dist/index.d.ts')
  expect(compiled.filter((path) => !/^dist\/[a-z-]+\.(js|d\.ts)$/.test(path))).toEqual([])
})

test('installing the package adds only undici and zod', async () => {
  const packages = await readdir(join(project, 'node_modules'))
  expect(packages.filter((name) => !name.startsWith('.')).sort()).toEqual(['@bundlegram', 'undici', 'zod'])
})

test('a script can call every endpoint through the installed package', async () => {
  const { id, stdout } = await runInProject(
    'each-endpoint.js',
    `import { createProvider } from '@bundlegram/provider'
    const { BUNDLE_API_URL: baseUrl, BUNDLE_API_KEY: apiKey, BUNDLE_API_SECRET: apiSecret } = process.env
    const provider = createProvider({ baseUrl, apiKey, apiSecret })
    const { bundles } = await provider.bundles()
    const single = await provider.placeOrder({ bundleId: bundles[0].id, phone: '0241234567' })
    const phones = ['0241234568', '0241234569']
    const bulk = await provider.placeBulkOrder({ bundleId: bundles[0].id, phones })
    const status = await provider.orderStatus(single.order.reference)
    const { transactions } = await provider.transactions()
    const { balancePesewas } = await provider.balance()
    console.log(JSON.stringify({ single, bulk, status, transactions, balancePesewas }))`,
  )
  const { single, bulk, status, transactions, balancePesewas } = JSON.parse(stdout)
  expect([single.kind, bulk.kind, status.status]).toEqual(['placed', 'placed', 'processing'])
  expect(transactions).toHaveLength(2)
  expect(simulator.debits(id)).toHaveLength(2)
  expect(balancePesewas).toBe(simulator.account(id).balancePesewas)
})

/** The example in the README of the installed package. */
const example = async (): Promise<string> => {
  const readme = await readFile(join(project, 'node_modules/@bundlegram/provider/README.md'), 'utf8')
  return /```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
}

test('the example in the package’s README runs unchanged, and buys one bundle', async () => {
  const { id, stdout } = await runInProject('example.js', await example())
  const [debit, ...others] = simulator.debits(id)
  expect(others).toEqual([])
  expect(stdout).toContain(debit?.reference)
})

/** The compiler's messages about a file in a strict project. */
const complaintsAbout = async (file: string, source: string): Promise<string> => {
  await writeFile(join(project, file), source)
  const types = ['--typeRoots', installed('@types'), '--types', 'node', '--skipLibCheck', 'false']
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--noEmit']
  const modules = ['--module', 'nodenext', '--target', 'es2023']
  const tsc = [installed('typescript/bin/tsc'), ...strict, ...modules, ...types, file]
  return (await run(process.execPath, tsc, { cwd: project }).catch((failed) => failed)).stdout
}

test('the example in the package’s README compiles unchanged as strict TypeScript', {
  timeout: 60_000,
}, async () => {
  expect(await complaintsAbout('example.ts', await example())).toBe('')
})

test('a strict TypeScript project compiles against the package’s types', { timeout: 60_000 }, async () => {
  const complaints = await complaintsAbout(
    'consumer.ts',
    `import { createConnections, createProvider, isPhone, parseCallback, pesewas, ProviderError } from '@bundlegram/provider'
    import type { PlacementOutcome, PlacedOrder, Pesewas, Provider } from '@bundlegram/provider'

    const provider: Provider = createProvider({
      baseUrl: 'https://api.example/api/v1', apiKey: 'k', apiSecret: 's', connections: createConnections(),
    })
    const sentence = (outcome: PlacementOutcome<PlacedOrder>): string => {
      switch (outcome.kind) {
        case 'placed': return outcome.order.reference
        case 'rejected': return outcome.type
        case 'unconfirmed': return outcome.reason
        case 'not_sent': return outcome.reason === 'rate_limited' ? String(outcome.retryAfterMs) : outcome.detail
      }
    }
    export const buy = async (phone: string, most: Pesewas = pesewas(2350)): Promise<string> => {
      if (!isPhone(phone)) return 'no phone'
      const bundle = (await provider.bundles({ network: 'MTN' })).bundles.find((one) => one.pricePesewas <= most)
      return bundle ? sentence(await provider.placeOrder({ bundleId: bundle.id, phone })) : 'no bundle'
    }
    export const codeOf = (error: unknown) => (error instanceof ProviderError ? error.code : null)
    export const statusOf = (body: unknown): string | null => parseCallback(body)?.status ?? null
    // @ts-expect-error A number is no amount of money until it is said to be one.
    buy('0241234567', 23.5)`,
  )
  expect(complaints).toBe('')
})
