import type { Socket } from 'node:net'
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

/** What is handed on of each side; nothing any more where it was swallowed. */
const open = new Map<Socket, Socket>()
const swallowed = new WeakSet<Socket>()

const handOn: HandOn = (from, to) => {
  open.set(from, to)
  const unlessSwallowed = (act: () => void) => later(() => swallowed.has(from) || act())
  from.on('data', (chunk: Buffer) => unlessSwallowed(() => to.write(chunk)))
  from.once('end', () => unlessSwallowed(() => to.end()))
  from.once('close', () => {
    open.delete(from)
    unlessSwallowed(() => to.destroySoon())
  })
}

/** Neither side hears anything of the other from now on, not even that it is gone. */
const swallow = (share: number): void => {
  for (const [from, to] of open) {
    if (Math.random() >= share) continue
    swallowed.add(from)
    swallowed.add(to)
  }
}

const { url } = await openGateway(serverUrl, handOn)
parentPort?.on('message', swallow)
parentPort?.postMessage(url)
