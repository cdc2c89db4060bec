import { Worker } from 'node:worker_threads'
import { scriptPath } from '../base/installation.ts'
import type { Job, Outcome } from './renderer.ts'

/** The thread is ended when it has been idle for this long, because it uses about 40 MB. */
const idleMs = 30_000
/** The longest wait for a picture, which usually takes a fifth of a second. */
const deadlineMs = 15_000

interface Waiting {
  resolve(png: Uint8Array): void
  reject(error: Error): void
}

interface Thread {
  worker: Worker
  waiting: Map<number, Waiting>
  idle?: NodeJS.Timeout
}

let thread: Thread | null = null
let jobs = 0

/**
 * Turns SVG into a PNG, on a thread that the first picture starts. Until then the library is not loaded and takes no
 * memory. Rejects if the thread fails or takes too long; the next picture then starts a new thread.
 *
 * The library is @napi-rs/canvas: it has a release every few weeks, and packages with binaries for all platforms.
 * @resvg/resvg-js is a tenth of the size, but has had no stable release for years; sharp uses the machine's fonts.
 */
export const render = (svg: string): Promise<Uint8Array> => {
  const id = ++jobs
  thread ??= begin()
  const used = thread
  clearTimeout(used.idle)
  return new Promise<Uint8Array>((resolve, reject) => {
    const late = setTimeout(() => end(used, new Error('drawing took too long')), deadlineMs)
    used.waiting.set(id, {
      resolve: (png) => {
        clearTimeout(late)
        resolve(png)
      },
      reject: (error) => {
        clearTimeout(late)
        reject(error)
      },
    })
    used.worker.postMessage({ id, svg } satisfies Job)
  })
}

const begin = (): Thread => {
  // The thread does not get the environment, which contains secrets, or the modules that were preloaded for the main
  // thread.
  const worker = new Worker(scriptPath('pictures/renderer'), {
    env: { DISABLE_SYSTEM_FONTS_LOAD: '1' },
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const begun: Thread = { worker, waiting: new Map() }
  worker.on('message', (outcome: Outcome) => settle(begun, outcome))
  worker.on('error', (error) => end(begun, error instanceof Error ? error : new Error(String(error))))
  worker.on('exit', () => end(begun, new Error('the drawing thread ended')))
  worker.unref()
  return begun
}

const settle = (of: Thread, outcome: Outcome): void => {
  const waiting = of.waiting.get(outcome.id)
  of.waiting.delete(outcome.id)
  if ('png' in outcome) waiting?.resolve(outcome.png)
  else waiting?.reject(new Error(outcome.error))
  if (of.waiting.size === 0) of.idle = setTimeout(() => end(of, new Error('idle')), idleMs).unref()
}

const end = (of: Thread, error: Error): void => {
  if (thread === of) thread = null
  clearTimeout(of.idle)
  void of.worker.terminate()
  for (const waiting of of.waiting.values()) waiting.reject(error)
  of.waiting.clear()
}
