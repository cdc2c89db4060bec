import { readdir, readFile } from 'node:fs/promises'
import { constants, monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { getHeapSpaceStatistics } from 'node:v8'
import { createHistogram, type Family, gauge } from './counting.ts'

/**
 * The usual figures of any Node process, under the names that `prom-client` made common, so that dashboards for Node
 * show the bot too. The library itself is not used: loading it takes 50 ms and more than 10 MB of memory.
 * @returns a function that reads all of it: times in seconds, sizes in bytes. Counts and samples begin with this call.
 */
export const watchProcess = (): (() => Promise<Family[]>) => {
  const eventLoop = watchEventLoop()
  const collections = watchCollections()
  return async () => [
    ...cpuTime(),
    gauge(
      'process_start_time_seconds',
      'When the process started, seconds since 1970.',
      Math.round(performance.timeOrigin / 1000),
    ),
    ...(await memory()),
    ...(await descriptors()),
    ...(await eventLoop()),
    ...activity(),
    ...heap(),
    versionInfo(),
    collections(),
  ]
}

const cpuTime = (): Family[] => {
  const { user, system } = process.cpuUsage()
  const counted = (name: string, help: string, micros: number): Family => ({
    ...gauge(name, help, micros / 1e6),
    type: 'counter',
  })
  return [
    counted('process_cpu_user_seconds_total', 'CPU time spent by the program itself.', user),
    counted('process_cpu_system_seconds_total', 'CPU time spent by the system for the program.', system),
    counted('process_cpu_seconds_total', 'CPU time spent, in all.', user + system),
  ]
}

/** Linux tells more than the resident memory. */
const memory = async (): Promise<Family[]> => {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '')
  const sizes = new Map(
    [...status.matchAll(/^(Vm\w+):\s+(\d+) kB$/gm)].map(([, name = '', kB]) => [name, Number(kB) * 1024]),
  )
  return [
    gauge('process_resident_memory_bytes', 'Resident memory.', process.memoryUsage.rss()),
    ...known('process_virtual_memory_bytes', 'Virtual memory.', sizes.get('VmSize')),
    ...known('process_heap_bytes', 'Size of the data segment.', sizes.get('VmData')),
  ]
}

const descriptors = async (): Promise<Family[]> => {
  const open = await readdir('/proc/self/fd').catch(() => null)
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const [, max] = /^Max open files\s+(\d+)/m.exec(limits) ?? []
  return [
    // Without the descriptor by which they were read.
    ...known('process_open_fds', 'Open file descriptors.', open ? open.length - 1 : undefined),
    ...known('process_max_fds', 'How many file descriptors may be open.', max ? Number(max) : undefined),
  ]
}

const known = (name: string, help: string, value: number | undefined): Family[] =>
  value === undefined ? [] : [gauge(name, help, value)]

/** The delay of the event loop: once now, and as sampled every 10 ms since the last read. */
const watchEventLoop = (): (() => Promise<Family[]>) => {
  const delay = monitorEventLoopDelay()
  delay.enable()
  return async () => {
    const askedMs = performance.now()
    await nextTurn()
    const lag = (kind: string, help: string, nanoseconds: number) =>
      gauge(`nodejs_eventloop_lag_${kind}_seconds`, help, delay.count > 0 ? nanoseconds / 1e9 : Number.NaN)
    const families = [
      gauge('nodejs_eventloop_lag_seconds', 'Lag of the event loop.', (performance.now() - askedMs) / 1000),
      lag('min', 'The least lag since the last read.', delay.min),
      lag('max', 'The greatest lag since the last read.', delay.max),
      lag('mean', 'The mean lag since the last read.', delay.mean),
      lag('stddev', 'The standard deviation of the lag since the last read.', delay.stddev),
      ...[50, 90, 99].map((percent) =>
        lag(
          `p${percent}`,
          `The ${percent}th percentile of the lag since the last read.`,
          delay.percentile(percent),
        ),
      ),
    ]
    delay.reset()
    return families
  }
}

/** Resources that keep the event loop alive, by type. */
const activity = (): Family[] => [
  byType(
    'nodejs_active_resources',
    'Resources that keep the event loop alive, by type.',
    process.getActiveResourcesInfo(),
  ),
  byType('nodejs_active_handles', 'Open handles, by class.', classesIn('_getActiveHandles')),
  byType('nodejs_active_requests', 'Requests to the system, by class.', classesIn('_getActiveRequests')),
]

const byType = (name: string, help: string, types: readonly string[]): Family =>
  gauge(
    name,
    help,
    [...Map.groupBy(types, (type) => type)].map(([type, all]) => ({ labels: { type }, value: all.length })),
  )

/**
 * The classes of the handles or requests that the process has open. Node has these methods, and does not document them.
 */
const classesIn = (method: '_getActiveHandles' | '_getActiveRequests'): string[] => {
  const read: unknown = Reflect.get(process, method)
  const found: unknown = typeof read === 'function' ? read.call(process) : []
  return Array.isArray(found) ? found.map((each: object) => each.constructor.name) : []
}

const heap = (): Family[] => {
  const { heapTotal, heapUsed, external } = process.memoryUsage()
  const spaces = getHeapSpaceStatistics().map((space) => ({
    ...space,
    labels: { space: space.space_name.replace(/_space$/, '') },
  }))
  return [
    gauge('nodejs_heap_size_total_bytes', 'Size of the heap.', heapTotal),
    gauge('nodejs_heap_size_used_bytes', 'What of the heap is used.', heapUsed),
    gauge('nodejs_external_memory_bytes', 'Memory outside of the heap that objects in it hold.', external),
    gauge(
      'nodejs_heap_space_size_total_bytes',
      'Size of each space of the heap.',
      spaces.map(({ labels, space_size: value }) => ({ labels, value })),
    ),
    gauge(
      'nodejs_heap_space_size_used_bytes',
      'What is used of each space of the heap.',
      spaces.map(({ labels, space_used_size: value }) => ({ labels, value })),
    ),
    gauge(
      'nodejs_heap_space_size_available_bytes',
      'What is free of each space of the heap.',
      spaces.map(({ labels, space_available_size: value }) => ({ labels, value })),
    ),
  ]
}

const versionInfo = (): Family => {
  const { version } = process
  const [major = '', minor = '', patch = ''] = version.slice(1).split('.')
  return gauge('nodejs_version_info', 'The version of Node; always 1.', [
    { labels: { version, major, minor, patch }, value: 1 },
  ])
}

const kinds = new Map([
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weakcb'],
])

const watchCollections = (): (() => Family) => {
  const seconds = createHistogram(
    {
      name: 'nodejs_gc_duration_seconds',
      help: 'Time of garbage collections by kind: major, minor, incremental or weakcb.',
      labels: ['kind'],
    },
    [0.001, 0.01, 0.1, 1, 2, 5],
  )
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seconds.observe(entry.duration / 1000, [kindOf(entry)])
  })
  observer.observe({ entryTypes: ['gc'] })
  return seconds.family
}

const kindOf = (entry: object): string => {
  const detail: unknown = 'detail' in entry ? entry.detail : null
  const kind = typeof detail === 'object' && detail !== null && 'kind' in detail ? Number(detail.kind) : 0
  return kinds.get(kind) ?? 'other'
}
