import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { exposition } from '../../src/metrics/exposition.ts'
import { watchProcess } from '../../src/metrics/process.ts'

/** Node hands the collector out only to contexts that are made after the flag is set. */
const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

/** By the name of a line with its labels, its value. */
const valuesOf = (text: string): Map<string, number> =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const end = line.lastIndexOf(' ')
        return [line.slice(0, end), Number(line.slice(end + 1))]
      }),
  )

test('a process tells its time, memory and event loop by the names that are common for Node', async () => {
  const read = watchProcess()
  await expect
    .poll(async () => valuesOf(exposition(await read())).get('nodejs_eventloop_lag_p99_seconds'))
    .toBeGreaterThan(0)
  const values = valuesOf(exposition(await read()))
  const value = (name: string) => values.get(name) ?? Number.NaN
  const own = process.cpuUsage()
  expect(value('process_cpu_seconds_total')).toBeCloseTo((own.user + own.system) / 1e6, 0)
  expect(value('process_start_time_seconds')).toBeCloseTo(Date.now() / 1000 - process.uptime(), -1)
  expect(value('process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
  expect(value('nodejs_heap_size_used_bytes')).toBeLessThan(value('nodejs_heap_size_total_bytes'))
  expect(value('nodejs_heap_space_size_used_bytes{space="old"}')).toBeGreaterThan(0)
  const [major, minor, patch] = process.versions.node.split('.')
  const labels = `version="${process.version}",major="${major}",minor="${minor}",patch="${patch}"`
  expect(value(`nodejs_version_info{${labels}}`)).toBe(1)
})

test.runIf(process.platform === 'linux')(
  'on Linux it tells its descriptors and all of its memory',
  async () => {
    const values = valuesOf(exposition(await watchProcess()()))
    expect(values.get('process_open_fds')).toBeGreaterThan(2)
    expect(values.get('process_max_fds')).toBeGreaterThan(values.get('process_open_fds') ?? 0)
    expect(values.get('process_virtual_memory_bytes')).toBeGreaterThan(
      values.get('process_resident_memory_bytes') ?? 0,
    )
  },
)

test('garbage collections count with their time, by kind', async () => {
  const read = watchProcess()
  const count = async () =>
    [...valuesOf(exposition(await read()))]
      .filter(([name]) => name.startsWith('nodejs_gc_duration_seconds_count{kind="'))
      .reduce((sum, [, value]) => sum + value, 0)
  collectGarbage()
  await expect.poll(count).toBeGreaterThan(0)
})
