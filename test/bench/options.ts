import { parseArgs } from 'node:util'

export type BenchCommand =
  | { kind: 'run'; only: string[]; json: boolean; orders: number | undefined }
  | { kind: 'help' }
  | { kind: 'mistake'; sentence: string }

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
  const { orders, json = false } = parsed
  if (orders !== undefined && !/^[1-9]\d{2,6}0$/.test(orders)) {
    return {
      kind: 'mistake',
      sentence: `--orders takes a multiple of ten from 1000, not ${orders}`,
    }
  }
  return { kind: 'run', only, json, orders: orders === undefined ? undefined : Number(orders) }
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
        help: { type: 'boolean', short: 'h' },
      },
    })
    return values
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
