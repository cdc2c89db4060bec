import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newConnected } from '../scenarios/accounts/members.ts'
import { metricsToken, readMetrics } from '../support/metrics.ts'
import { createWorld, type World } from '../support/world.ts'

const read = (name: string): Promise<string> =>
  readFile(fileURLToPath(new URL(`../../src/deploy/${name}`, import.meta.url)), 'utf8')

/** The labels that a running bot exposes, by metric. */
const exposed = new Map<string, Set<string>>()
/** The kind of each metric. */
const kinds = new Map<string, string>()
const helped = new Set<string>()
let world: World

beforeAll(async () => {
  world = await createWorld({ env: { METRICS_TOKEN: metricsToken } })
  await newConnected(world)
  const text = await readMetrics(world.botUrl)
  for (const [, name = ''] of text.matchAll(/^# HELP (\S+) \S/gm)) helped.add(name)
  for (const [, name = '', type = ''] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    kinds.set(name, type)
    const suffixes = type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
    for (const suffix of suffixes) exposed.set(name + suffix, new Set(addedByPrometheus))
  }
  for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)\{(.*)\} /gm)) {
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) exposed.get(name)?.add(label)
  }
  exposed.set('up', new Set(addedByPrometheus))
  // SQLite has no pool, so this metric has no line here.
  exposed.get('bundlegram_database_connections')?.add('state')
})

afterAll(() => world.close())

const addedByPrometheus = ['job', 'instance']

interface Panel {
  type: string
  title: string
  description: string
  gridPos: { x: number; y: number; w: number; h: number }
  targets?: { expr: string }[]
}

const dashboard = async () => JSON.parse(await read('grafana-dashboard.json')) as { panels: Panel[] }
const queriesOf = ({ panels }: { panels: Panel[] }): string[] =>
  panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

interface Rule {
  alert: string
  expr: string
  annotations: Record<string, string>
}

/** The rules in an alerts file. Each value has its own line there. */
const rulesIn = (yaml: string): Rule[] =>
  yaml
    .split(/^ {6}- alert: /m)
    .slice(1)
    .map((text) => {
      const [alert = ''] = text.split('\n')
      const values = [...text.matchAll(/^ +(expr|severity|summary|description): (.+)$/gm)]
      const { expr = '', ...annotations } = Object.fromEntries(values.map(([, key, value]) => [key, value]))
      return { alert, expr, annotations }
    })

/** The metrics of a query, with the labels by which it picks them. */
const metricsIn = (query: string): { name: string; labels: string[] }[] =>
  [...query.matchAll(/\b(up|(?:bundlegram|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, name = '', matchers = '']) => ({
      name,
      labels: [...matchers.matchAll(/(\w+)\s*[=!]/g)].map(([, label = '']) => label),
    }),
  )

const groupingIn = (query: string): string[] =>
  [...query.matchAll(/by \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/,\s*/))

/** The metrics in a query that the bot does not expose. */
const unknownIn = (query: string): string[] => {
  const metrics = metricsIn(query)
  const all = new Set(metrics.flatMap(({ name }) => [...(exposed.get(name) ?? [])]))
  const names = metrics.filter(({ name }) => !exposed.has(name)).map(({ name }) => name)
  const labels = metrics.flatMap(({ name, labels }) =>
    labels.filter((label) => !exposed.get(name)?.has(label)),
  )
  return [...names, ...labels, ...groupingIn(query).filter((label) => !all.has(label))]
}

/** These are the rules that `promtool check metrics` checks. */
describe('the bot’s metrics', () => {
  test('follow Prometheus’s rules for names, and each has a help text', () => {
    expect(kinds.size).toBeGreaterThan(40)
    for (const [name, kind] of [...kinds].filter(([name]) => name.startsWith('bundlegram_'))) {
      expect([name, name.endsWith('_total')]).toEqual([name, kind === 'counter'])
      if (kind === 'gauge' || kind === 'counter') expect(name).not.toMatch(/_(count|sum|bucket)$/)
      expect(name).not.toMatch(new RegExp(`_${kind}(_|$)|milliseconds|minutes|hours|megabytes`))
      expect([name, helped.has(name)]).toEqual([name, true])
    }
  })
})

describe('the example dashboard', () => {
  test('queries only metrics that a running bot exposes', async () => {
    const queries = queriesOf(await dashboard())
    expect(queries.length).toBeGreaterThan(40)
    for (const query of queries) {
      expect(metricsIn(query)).not.toEqual([])
      expect([query, unknownIn(query)]).toEqual([query, []])
    }
  })

  test('has a panel for every metric of the bot', async () => {
    const asked = new Set(queriesOf(await dashboard()).flatMap((query) => metricsIn(query).map(familyOf)))
    const own = [...exposed.keys()].filter((name) => name.startsWith('bundlegram_'))
    expect(own.map((name) => familyOf({ name })).filter((name) => !asked.has(name))).toEqual([])
  })

  test('explains each panel, and no panel overlaps another', async () => {
    const { panels } = await dashboard()
    const taken = new Set<string>()
    for (const { type, title, description, gridPos } of panels) {
      expect(title).not.toBe('')
      if (type !== 'row') expect([title, description]).toEqual([title, expect.stringMatching(/\.$/)])
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect([title, taken.has(`${x} ${y}`)]).toEqual([title, false])
          taken.add(`${x} ${y}`)
        }
      }
    }
  })
})

const familyOf = ({ name }: { name: string }): string => name.replace(/_(bucket|sum|count)$/, '')

describe('the example alert rules', () => {
  test('query only metrics that a running bot exposes', async () => {
    const yaml = await read('alerts.yaml')
    const rules = rulesIn(yaml)
    expect(rules).toHaveLength(yaml.match(/- alert:/g)?.length ?? 0)
    for (const { alert, expr } of rules) {
      expect([alert, metricsIn(expr)]).not.toEqual([alert, []])
      expect([alert, unknownIn(expr)]).toEqual([alert, []])
    }
  })

  test('each say what happened and what to do', async () => {
    const rules = rulesIn(await read('alerts.yaml'))
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    for (const { alert, annotations } of rules) {
      expect([alert, annotations]).toEqual([
        alert,
        {
          severity: expect.stringMatching(/^(critical|warning)$/),
          summary: expect.stringMatching(/\.'?$/),
          description: expect.stringMatching(/\.$/),
        },
      ])
    }
  })
})
