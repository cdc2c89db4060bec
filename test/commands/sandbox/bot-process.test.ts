// @module-tag process
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { type BotProcess, runBot } from '../../../src/commands/sandbox/bot-process.ts'

/** Allows for a slow machine. */
const soon = { timeout: 30_000 }

const folder = mkdtempSync(join(tmpdir(), 'bot-process-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the sandbox reports a bot that died with its last output, and starts it again', async () => {
  const { bot, said } = run(`
    console.error('the disk is full')
    process.exit(3)
  `)
  await vi.waitFor(() => expect(said.filter((line) => line.includes('exit code 3'))).toHaveLength(2), soon)
  expect(said).toContain('  the disk is full')
  expect(said).toContain('Restarting the bot …')
  await bot.stop()
})

test('the sandbox stops restarting a bot that died three times before it was ready', async () => {
  const { said } = run('process.exit(1)')
  await vi.waitFor(() => expect(said.at(-1)).toContain('it will not be restarted'), soon)
  expect(said.filter((line) => line.includes('exit code 1'))).toHaveLength(3)
})

test('the sandbox shows only the bot’s warnings and errors, unless --verbose is set', async () => {
  const logging = `
    console.log(JSON.stringify({ level: 30, time: 0, msg: 'all is well' }))
    console.log(JSON.stringify({ level: 40, time: 0, msg: 'low on balance', account: 7 }))
    setInterval(() => {}, 1000)
  `
  const quiet = run(logging)
  await vi.waitFor(() => expect(quiet.said.join()).toContain('low on balance account=7'), soon)
  expect(quiet.said.join()).not.toContain('all is well')
  const verbose = run(logging, { verbose: true })
  await vi.waitFor(() => expect(verbose.said.join()).toContain('low on balance'), soon)
  expect(verbose.said.join()).toContain('all is well')
})

test('stopping the sandbox’s bot waits until the bot has finished its work', async () => {
  const { bot, said } = run(`
    process.on('SIGTERM', () => { console.log('all flushed'); process.exit(0) })
    console.log('working')
    setInterval(() => {}, 1000)
  `)
  await vi.waitFor(() => expect(said.join()).toContain('working'), soon)
  await bot.stop()
  expect(said.at(-1)).toContain('all flushed')
  expect(bot.pid()).toBeUndefined()
})

test('a sandbox’s bot that does not stop in time is killed', async () => {
  const { bot, said } = run(
    `
    process.on('SIGTERM', () => {})
    console.log('working')
    setInterval(() => {}, 1000)
  `,
    { stopsWithinMs: 50 },
  )
  await vi.waitFor(() => expect(said.join()).toContain('working'), soon)
  await bot.stop()
  expect(bot.pid()).toBeUndefined()
})

test('the sandbox’s bot ends by itself if the sandbox is killed', async () => {
  const script = scriptOf(`
    import { createServer } from 'node:net'
    const server = createServer(() => {}).listen(0, '127.0.0.1', () => console.log('port', server.address().port))
  `)
  const module = pathToFileURL(join(import.meta.dirname, '../../../src/commands/sandbox/bot-process.ts')).href
  const options = { script, env: {}, verbose: true, restartAfterMs: 0, stopsWithinMs: 1000 }
  const sandbox = scriptOf(`
    import { runBot } from ${JSON.stringify(module)}
    runBot({ ...${JSON.stringify(options)}, say: console.log })
  `)
  const parent = spawn(process.execPath, [sandbox], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void parent.kill('SIGKILL'))
  let output = ''
  let port: string | undefined
  while (port === undefined) {
    output += String((await once(parent.stdout, 'data'))[0])
    port = /port (\d+)\s/.exec(output)?.[1]
  }
  const connection = connect(Number(port), '127.0.0.1')
  await once(connection, 'connect')
  // A reset ends the connection too.
  const ended = new Promise((resolve) => connection.on('error', () => {}).once('close', resolve))
  parent.kill('SIGKILL')
  await ended
})

let scripts = 0

function scriptOf(source: string): string {
  scripts += 1
  const path = join(folder, `script-${scripts}.mjs`)
  writeFileSync(path, source)
  return path
}

function run(
  source: string,
  options: { verbose?: boolean; stopsWithinMs?: number } = {},
): { bot: BotProcess; said: string[] } {
  const said: string[] = []
  const bot = runBot({
    script: scriptOf(source),
    env: {},
    verbose: false,
    say: (line) => said.push(line),
    restartAfterMs: 0,
    stopsWithinMs: 5_000,
    ...options,
  })
  onTestFinished(() => bot.kill())
  return { bot, said }
}
