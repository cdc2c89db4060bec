import { parseArgs } from 'node:util'

export type BenchCommand =
  | { kind: 'run'; only: string[]; json: boolean }
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
  return { kind: 'run', only, json: parsed.json ?? false }
}

/** @returns the options, or the sentence that says what is wrong with them */
const parse = (args: string[]) => {
  try {
    const { values } = parseArgs({
      args,
      options: {
        only: { type: 'string', multiple: true },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    return values
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
