import { parseArgs } from 'node:util'

export type SimulateCommand =
  | ({ kind: 'run'; firstSeed: number; seeds: number; seconds: number | null; workers: number } & Size)
  | ({ kind: 'replay'; seed: number } & Size)
  /** `names`: the safeguards to remove; empty means all. */
  | { kind: 'mutations'; names: string[]; workers: number; judgedAlone: boolean }
  | { kind: 'help' }
  | { kind: 'mistake'; sentence: string }

interface Size {
  purchases: number
  /** If undefined, each seed draws a number. */
  instances: number | undefined
}

/** The default number of purchases of a seed. It is large enough for phones and wallets to be shared. */
export const purchasesPerSeed = 25

/** Higher values would only make the run slow. */
const most = { instances: 16, workers: 64 }

/** Reads the arguments after `npm run simulate --`. */
export const commandOf = (args: string[]): SimulateCommand => {
  const parsed = parse(args)
  if (typeof parsed === 'string') return { kind: 'mistake', sentence: parsed }
  if (parsed.help) return { kind: 'help' }
  const numbers = new Map<string, number>()
  for (const name of ['seed', 'seeds', 'purchases', 'seconds', 'instances', 'workers'] as const) {
    const text = parsed[name]
    if (text === undefined) continue
    if (!/^[1-9]\d{0,8}$/.test(text)) {
      return { kind: 'mistake', sentence: `--${name} must be a whole number of at least 1, not ${text}` }
    }
    numbers.set(name, Number(text))
  }
  for (const name of ['instances', 'workers'] as const) {
    if ((numbers.get(name) ?? 1) > most[name])
      return {
        kind: 'mistake',
        sentence: `--${name} must be at most ${most[name]}, not ${numbers.get(name)}`,
      }
  }
  const workers = numbers.get('workers') ?? 1
  if (parsed.mutations) {
    return { kind: 'mutations', names: parsed.names, workers, judgedAlone: parsed['judge-alone'] ?? false }
  }
  const purchases = numbers.get('purchases') ?? purchasesPerSeed
  const instances = numbers.get('instances')
  const size = { purchases, instances }
  const seed = numbers.get('seed')
  const [seeds, seconds] = [numbers.get('seeds'), numbers.get('seconds')]
  if (seed !== undefined && seeds === undefined && seconds === undefined) {
    return { kind: 'replay', seed, ...size }
  }
  return { kind: 'run', firstSeed: seed ?? 1, seeds: seeds ?? 20, ...size, seconds: seconds ?? null, workers }
}

/** @returns the options, or a sentence that says what is wrong with them */
const parse = (args: string[]) => {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        seed: { type: 'string' },
        seeds: { type: 'string' },
        purchases: { type: 'string' },
        seconds: { type: 'string' },
        instances: { type: 'string' },
        workers: { type: 'string' },
        mutations: { type: 'boolean' },
        'judge-alone': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    return positionals.length > 0 && !values.mutations
      ? `Names, such as ${positionals[0]}, are allowed only with --mutations`
      : { ...values, names: positionals }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
