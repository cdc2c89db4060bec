/** The values of a metric's labels, in the order of their names. */
type Values = readonly (string | number)[]

/** One line of a metric. */
export interface Sample {
  /** The part after the name of its family: `_bucket`, `_sum` or `_count` of a histogram. */
  suffix?: '_bucket' | '_sum' | '_count'
  labels: Readonly<Record<string, string | number>>
  value: number
}

/** A metric with all its lines. */
export interface Family {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  samples: Sample[]
}

interface Description {
  name: string
  help: string
  /** The names of its labels. Each must have few values: a line is kept for every combination. */
  labels?: readonly string[]
  /** Label values that stand at 0 from the start: Prometheus sees no rise in a line that begins at 1. */
  from?: readonly Values[]
}

/**
 * A number that only rises, counted from the start whether or not anybody asks for it. Each addition takes some 100 ns.
 * `exposition.ts` writes it for Prometheus.
 */
export interface Counter {
  /** @param values of its labels, in the order of their names. */
  add(values?: Values, by?: number): void
  family(): Family
}

/** A counter that begins at 0, with the label values of `from` there already. */
export const createCounter = ({ name, help, labels = [], from }: Description): Counter => {
  const counts = createSeries(from ?? (labels.length === 0 ? [[]] : []), () => ({ count: 0 }))
  return {
    add: (values = [], by = 1) => {
      counts.of(values).count += by
    },
    family: () => ({
      name,
      help,
      type: 'counter',
      samples: counts
        .all()
        .map(({ values, tally }) => ({ labels: labelled(labels, values), value: tally.count })),
    }),
  }
}

/** The spread of values over buckets, with their number and sum. Counted like a `Counter`. */
export interface Histogram {
  /** @param values of its labels, in the order of their names. */
  observe(value: number, values?: Values): void
  family(): Family
}

/**
 * A histogram of nothing yet.
 * @param buckets their upper bounds, rising, in the unit that its name ends in. A bucket without a bound follows the
 * last one.
 */
export const createHistogram = (
  { name, help, labels = [], from }: Description,
  buckets: readonly number[],
): Histogram => {
  const tallies = createSeries(from ?? (labels.length === 0 ? [[]] : []), () => ({
    counts: buckets.map(() => 0),
    count: 0,
    sum: 0,
  }))
  const samplesOf = (values: Values, { counts, count, sum }: Tally): Sample[] => {
    const own = labelled(labels, values)
    let below = 0
    const bounded = buckets.map((le, index): Sample => {
      below += counts[index] ?? 0
      return { suffix: '_bucket', labels: { ...own, le }, value: below }
    })
    return [
      ...bounded,
      { suffix: '_bucket', labels: { ...own, le: '+Inf' }, value: count },
      { suffix: '_sum', labels: own, value: sum },
      { suffix: '_count', labels: own, value: count },
    ]
  }
  return {
    observe: (value, values = []) => {
      const tally = tallies.of(values)
      const bucket = buckets.findIndex((bound) => value <= bound)
      if (bucket >= 0) tally.counts[bucket] = (tally.counts[bucket] ?? 0) + 1
      tally.count += 1
      tally.sum += value
    },
    family: () => ({
      name,
      help,
      type: 'histogram',
      samples: tallies.all().flatMap(({ values, tally }) => samplesOf(values, tally)),
    }),
  }
}

interface Tally {
  /** By bucket, how many values are within its bound and above the one before. */
  counts: number[]
  count: number
  sum: number
}

/** A metric whose value is known when it is asked for: one number, or one for each combination of labels. */
export const gauge = (
  name: string,
  help: string,
  samples: number | readonly { labels: Sample['labels']; value: number }[],
): Family => ({
  name,
  help,
  type: 'gauge',
  samples: typeof samples === 'number' ? [{ labels: {}, value: samples }] : [...samples],
})

const createSeries = <T>(from: readonly Values[], create: () => T) => {
  const series = new Map<string, { values: Values; tally: T }>()
  const of = (values: Values): T => {
    const key = values.join('\0')
    const known = series.get(key)
    if (known) return known.tally
    const tally = create()
    series.set(key, { values, tally })
    return tally
  }
  for (const values of from) of(values)
  return { of, all: () => [...series.values()] }
}

const labelled = (names: readonly string[], values: Values): Sample['labels'] =>
  Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']))
