import { parentPort, workerData } from 'node:worker_threads'
import { type HandOn, openGateway } from './gateway.ts'

/** The thread of `distance.ts`: a gateway that hands everything on after a while. */

const { serverUrl, delayMs } = workerData as { serverUrl: string; delayMs: number }

/** What is due for all connections, in the order in which it came: all of it waits for the same time. */
const due: { atMs: number; act: () => void }[] = []
let isWatched = false

const later = (act: () => void): void => {
  due.push({ atMs: performance.now() + delayMs, act })
  if (!isWatched) watch()
}

/** Timers are late by up to this time: what is due sooner is looked at again and again. */
const timerMs = 2

const watch = (): void => {
  let [first] = due
  for (; first && first.atMs <= performance.now(); [first] = due) {
    due.shift()
    first.act()
  }
  isWatched = first !== undefined
  if (!first) return
  const earlyMs = first.atMs - performance.now()
  if (earlyMs > timerMs) setTimeout(watch, earlyMs - timerMs)
  else {
    nap()
    setImmediate(watch)
  }
}

const nobody = new Int32Array(new SharedArrayBuffer(4))

/** A moment for the other processes, which share few processors with this one. */
const nap = (): void => {
  Atomics.wait(nobody, 0, 0, 0.05)
}

const handOn: HandOn = (from, to) => {
  from.on('data', (chunk: Buffer) => later(() => to.write(chunk)))
  from.once('end', () => later(() => to.end()))
  from.once('close', () => later(() => to.destroySoon()))
}

const { url } = await openGateway(serverUrl, handOn)
parentPort?.postMessage(url)
