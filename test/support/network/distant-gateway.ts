import type { Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { type HandOn, openGateway } from './gateway.ts'

/** The thread of `distance.ts`: a proxy that passes everything on after a delay. */

const { serverUrl, delayMs } = workerData as { serverUrl: string; delayMs: number }

/** The pending actions of all connections, in the order of their arrival, because all have the same delay. */
const due: { atMs: number; act: () => void }[] = []
let isWatched = false

const later = (act: () => void): void => {
  due.push({ atMs: performance.now() + delayMs, act })
  if (!isWatched) watch()
}

/** Timers may be late by this long, ms. For an action that is due sooner, the thread waits without a timer. */
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

/** Gives other processes a moment, because they share a few cores with this one. */
const nap = (): void => {
  Atomics.wait(nobody, 0, 0, 0.05)
}

/** For each connection that passes data on, the connection that it passes the data to. */
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

/** From now on neither side hears anything from the other, not even that it has closed the connection. */
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
