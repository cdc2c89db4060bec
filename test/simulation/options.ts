import { parseArgs } from 'node:util'

export type SimulateCommand =
  | { kind: 'run'; firstSeed: number; seeds: number; purchases: number; seconds: number | null }
  | { kind: 'replay'; seed: number; purchases: number }
  | { kind: 'mutations' }
  | { kind: 'help' }
  | { kind: 'mistake'; sentence: string }

/** Purchases of one seed where nothing else is asked for: enough for phones and wallets to be shared. */
export const purchasesPerSeed = 100

/** What the arguments after `npm run simulate --` ask for. */
export const commandOf = (args: string[]): SimulateCommand => {
  const parsed = parse(args)
  if (typeof parsed === 'string') return { kind: 'mistake', sentence: parsed }
  if (parsed.help) return { kind: 'help' }
  if (parsed.mutations) return { kind: 'mutations' }
  const numbers = new Map<string, number>()
  for (const name of ['seed', 'seeds', 'purchases', 'seconds'] as const) {
    const text = parsed[name]
    if (text === undefined) continue
    if (!/^[1-9]\d{0,8}$/.test(text)) {
      return { kind: 'mistake', sentence: `--${name} takes a whole number from 1, not ${text}` }
    }
    numbers.set(name, Number(text))
  }
  const purchases = numbers.get('purchases') ?? purchasesPerSeed
  const seed = numbers.get('seed')
  const [seeds, seconds] = [numbers.get('seeds'), numbers.get('seconds')]
  if (seed !== undefined && seeds === undefined && seconds === undefined) {
    return { kind: 'replay', seed, purchases }
  }
  return { kind: 'run', firstSeed: seed ?? 1, seeds: seeds ?? 20, purchases, seconds: seconds ?? null }
}

/** @returns the options, or the sentence that says what is wrong with them */
const parse = (args: string[]) => {
  try {
    const { values } = parseArgs({
      args,
      options: {
        seed: { type: 'string' },
        seeds: { type: 'string' },
        purchases: { type: 'string' },
        seconds: { type: 'string' },
        mutations: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    return values
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
