import { describe, expect, test } from 'vitest'
import { createCounter, createHistogram, gauge } from '../../src/metrics/counting.ts'
import { exposition } from '../../src/metrics/exposition.ts'

describe('a counter', () => {
  test('without labels stands at 0 before anything happens', () => {
    const text = exposition([createCounter({ name: 'a_total', help: 'As.' }).family()])
    expect(text).toBe('# HELP a_total As.\n# TYPE a_total counter\na_total 0\n')
  })

  test('counts for each combination of its labels, and knows some of them from the start', () => {
    const counter = createCounter({ name: 'a_total', help: 'As.', labels: ['x', 'y'], from: [['1', 2]] })
    counter.add(['1', 'b'])
    counter.add(['1', 'b'], 2.5)
    counter.add(['', 'b'])
    expect(exposition([counter.family()]).split('\n').slice(2)).toEqual([
      'a_total{x="1",y="2"} 0',
      'a_total{x="1",y="b"} 3.5',
      'a_total{x="",y="b"} 1',
      '',
    ])
  })
})

test('a histogram counts below each bound all that is below it, at the bound too', () => {
  const histogram = createHistogram({ name: 'h_seconds', help: 'H.' }, [0.1, 1])
  for (const value of [0.05, 0.1, 0.5, 3]) histogram.observe(value)
  expect(exposition([histogram.family()])).toBe(
    [
      '# HELP h_seconds H.',
      '# TYPE h_seconds histogram',
      'h_seconds_bucket{le="0.1"} 2',
      'h_seconds_bucket{le="1"} 3',
      'h_seconds_bucket{le="+Inf"} 4',
      'h_seconds_sum 3.65',
      'h_seconds_count 4',
      '',
    ].join('\n'),
  )
})

test('what stands in a label or a help text cannot end its line', () => {
  const family = gauge('g', 'a\\b\nc', [{ labels: { x: 'quote " back \\ line\n' }, value: Number.NaN }])
  expect(exposition([family])).toBe(
    '# HELP g a\\\\b\\nc\n# TYPE g gauge\ng{x="quote \\" back \\\\ line\\n"} NaN\n',
  )
})
