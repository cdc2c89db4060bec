import { parseArgs } from 'node:util'

/** What some benches let one choose. */
export interface BenchOptions {
  orders: number | undefined
  /** Round trips between bot and PostgreSQL, ms; 0 is the server as it is. */
  rttsMs: readonly number[]
  /** How many processes of the bot. */
  instances: readonly Instances[]
  /** How long something goes on. */
  seconds: number
  /** How many take part. */
  people: number
  /** How much of a core each process of the bot may use; null: all that the machine gives. */
  cores: number | null
}

/** How many processes of the bot a bench can start. */
export type Instances = 1 | 2 | 3 | 4

export interface RunCommand extends BenchOptions {
  kind: 'run'
  only: string[]
  json: boolean
}

export type BenchCommand = RunCommand | { kind: 'help' } | { kind: 'mistake'; sentence: string }

/** What the arguments after `npm run bench --` ask for. `only` is empty where all are meant. */
export const commandOf = (args: string[], names: readonly string[]): BenchCommand => {
  const parsed = parse(args)
  if (typeof parsed === 'string') return { kind: 'mistake', sentence: parsed }
  if (parsed.help) return { kind: 'help' }
  const only = parsed.only ?? []
  const unknown = only.find((name) => !names.includes(name))
  if (unknown !== undefined) {
    return { kind: 'mistake', sentence: `--only takes one of ${names.join(', ')}, not ${unknown}` }
  }
  const { orders, json = false, rtt = '0,1,2,5', instances = '1,2', seconds = '10', people = '60' } = parsed
  const { cores } = parsed
  const shapes: [option: string, text: string | undefined, shape: RegExp, takes: string][] = [
    ['orders', orders, /^[1-9]\d{2,6}0$/, 'a multiple of ten from 1000'],
    ['rtt', rtt, /^\d{1,3}(\.\d)?(,\d{1,3}(\.\d)?)*$/, 'milliseconds with commas between them'],
    ['instances', instances, /^[1-4](,[1-4])*$/, 'numbers from 1 to 4 with commas between them'],
    ['seconds', seconds, /^[1-9]\d{0,3}$/, 'a number from 1'],
    ['people', people, /^[1-9]\d{0,3}$/, 'a number from 1'],
    [
      'cores',
      cores,
      /^(0\.[1-9]\d?|0\.0[5-9]|[1-9](\.\d{1,2})?)$/,
      'a part of a core from 0.05, such as 0.25',
    ],
  ]
  const wrong = shapes.find(([, text, shape]) => text !== undefined && !shape.test(text))
  if (wrong) return { kind: 'mistake', sentence: `--${wrong[0]} takes ${wrong[3]}, not ${wrong[1]}` }
  return {
    kind: 'run',
    only,
    json,
    orders: orders === undefined ? undefined : Number(orders),
    rttsMs: rtt.split(',').map(Number),
    instances: instances.split(',').map((count) => Number(count) as Instances),
    seconds: Number(seconds),
    people: Number(people),
    cores: cores === undefined ? null : Number(cores),
  }
}

/** @returns the options, or the sentence that says what is wrong with them */
const parse = (args: string[]) => {
  try {
    const { values } = parseArgs({
      args,
      options: {
        only: { type: 'string', multiple: true },
        json: { type: 'boolean' },
        orders: { type: 'string' },
        rtt: { type: 'string' },
        instances: { type: 'string' },
        seconds: { type: 'string' },
        people: { type: 'string' },
        cores: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    return values
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
