import { Worker } from 'node:worker_threads'
import { scriptPath } from '../installation.ts'
import type { Job, Outcome } from './renderer.ts'

/** A thread that has drawn nothing for so long is ended: it holds some 40 MB. */
const idleMs = 30_000
/** A picture takes a fifth of a second. */
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
 * Makes a PNG of a picture, on a thread of its own that the first picture starts: the library is neither loaded nor
 * does it take memory before. Fails where the thread does, or takes too long; the next picture has a new one.
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
  // Without the environment, which holds secrets, and without what was preloaded for the main thread.
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
